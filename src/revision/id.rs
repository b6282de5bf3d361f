//! Ids of git objects: blobs (file contents) and commits.

use serde::{Deserialize, Serialize};

/// The id that git gives, or would give, to a file's bytes; equal ids mean equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlobId([u8; 20]);

/// Id of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CommitId([u8; 20]);

/// Digits of a shortened commit id. Fixed, since git's own choice depends on the size of the repository.
const SHORT_DIGITS: usize = 10;

impl BlobId {
    /// The id made of these bytes.
    pub fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The twenty bytes.
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }
}

impl CommitId {
    /// The id made of these bytes.
    pub fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The twenty bytes.
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The first ten digits, for people.
    pub fn short(&self) -> String {
        let mut text = hex::encode(self.0);
        text.truncate(SHORT_DIGITS);
        text
    }
}

impl std::fmt::Display for BlobId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl std::fmt::Debug for BlobId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl std::fmt::Display for CommitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl std::fmt::Debug for CommitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.short())
    }
}

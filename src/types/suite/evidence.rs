//! Evidence: the code that a fact or an assertion rests on, cited so that moving or reformatting that code changes
//! nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::hash::Hash;

/// `e:` and the first 16 hexadecimal digits of the hash over symbol and tokens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct EvidenceId(String);

impl EvidenceId {
    /// The id as it stands in files.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A citation: a symbol of the Java source, or a path and pointer outside it, with the hash of the cited tokens.
///
/// In code, a citation is made from a member or file of a revision only, never from text that came from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// `com.acme.Orders#find(String)`, or `path#/json/pointer`, or `path:key` outside Java.
    pub symbol: String,
    /// SHA-256 of the cited tokens, without comments and white space.
    pub tokens_sha256: Hash,
}

impl Evidence {
    /// The id of this citation.
    pub fn id(&self) -> EvidenceId {
        let hash = Hash::of_parts([self.symbol.as_bytes(), self.tokens_sha256.hex().as_bytes()]);
        EvidenceId(format!("e:{}", hash.short(16)))
    }
}

/// Citations by id, as a suite file stores them.
pub type EvidenceTable = BTreeMap<EvidenceId, Evidence>;

//! The source of a document's files: a revision, or a map in memory.

use std::collections::BTreeMap;

use mastor_revision::SourceTree;

/// Read access to a tree of files; paths are relative to the repository's root and use `/`.
pub trait Files: Sync {
    /// The bytes of the file at `path`; `None` if there is no such file.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
    /// All paths, in any order.
    fn list(&self) -> Vec<String>;
}

/// A tree of files in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles(BTreeMap<String, Vec<u8>>);

impl MemoryFiles {
    /// The same tree with one more file.
    #[must_use]
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.to_owned(), bytes.into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).cloned()
    }

    fn list(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// A revision; a file that cannot be read or exceeds the size limit counts as missing.
impl Files for SourceTree {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        Self::read(self, path).ok().map(|bytes| bytes.to_vec())
    }

    fn list(&self) -> Vec<String> {
        self.files().map(|entry| entry.path.clone()).collect()
    }
}

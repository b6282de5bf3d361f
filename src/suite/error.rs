//! What can be wrong with a suite on disk.

/// An error of the committed suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// Another, newer `mastor` wrote the file: the user's binary is too old.
    #[error("{path} is of schema version {found}, and this mastor knows {known}")]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: u64,
        /// The version of this binary.
        known: u32,
    },
    /// The file is no suite file: damaged, or edited by hand into something else.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong, with line and column where known.
        reason: String,
    },
    /// Two files hold the same operation: a merge or a copy.
    #[error("{path} and {other} both hold {op_id}")]
    Twice {
        /// The second file.
        path: String,
        /// The first file.
        other: String,
        /// The operation.
        op_id: String,
    },
    /// Writing failed: the disk is full or read-only. What stood there before still stands.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl SuiteError {
    /// The file in question.
    pub fn path(&self) -> &str {
        match self {
            Self::Newer { path, .. }
            | Self::Damaged { path, .. }
            | Self::Twice { path, .. }
            | Self::Write { path, .. } => path,
        }
    }
}

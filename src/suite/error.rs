//! Errors of a suite on disk.

/// An error of the committed suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A newer `mastor` wrote the file: the user's binary is too old.
    #[error("{path} is of schema version {found}, and this mastor knows {known}")]
    Newer {
        /// The file.
        path: String,
        /// The file's schema version.
        found: u64,
        /// The highest schema version that this binary reads.
        known: u32,
    },
    /// The file is not a suite file: damaged, or broken by a manual edit.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// The parser's message, with line and column where known.
        reason: String,
    },
    /// Two files hold the same operation, after a merge or a copy.
    #[error("{path} and {other} both hold {op_id}")]
    Twice {
        /// The second file.
        path: String,
        /// The first file.
        other: String,
        /// The operation.
        op_id: String,
    },
    /// Writing failed, for example on a full or read-only disk. The earlier content is kept.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
}

impl SuiteError {
    /// Path of the file in error.
    pub fn path(&self) -> &str {
        match self {
            Self::Newer { path, .. }
            | Self::Damaged { path, .. }
            | Self::Twice { path, .. }
            | Self::Write { path, .. } => path,
        }
    }
}

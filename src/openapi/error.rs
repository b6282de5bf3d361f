//! Why a document cannot be used at all; anything less is a warning.

/// A document that cannot be used as a whole. Messages are lower-case fragments that say where and what.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenApiError {
    /// The user named a file that the tree does not have.
    #[error("{file}: no such file")]
    Missing {
        /// Path from the repository's root.
        file: String,
    },
    /// The author's file is neither JSON nor YAML.
    #[error("{file}:{line}:{column}: {what}")]
    Syntax {
        /// Path from the repository's root.
        file: String,
        /// Line, counted from 1 (1 where the parser did not say).
        line: u32,
        /// Column, counted from 1 (1 where the parser did not say).
        column: u32,
        /// What the parser met.
        what: String,
    },
    /// The file expands to far more than it says, as an alias bomb does.
    #[error("{file}: {what}")]
    TooLarge {
        /// Path from the repository's root.
        file: String,
        /// What was exceeded.
        what: String,
    },
    /// The file is JSON or YAML but no OpenAPI document.
    #[error("{file}#{pointer}: {what}")]
    NotADocument {
        /// Path from the repository's root.
        file: String,
        /// JSON pointer to what is wrong; empty for the whole document.
        pointer: String,
        /// What is missing or wrong.
        what: String,
    },
}

impl OpenApiError {
    /// Path of the file that is unusable.
    pub fn file(&self) -> &str {
        match self {
            Self::Missing { file }
            | Self::Syntax { file, .. }
            | Self::TooLarge { file, .. }
            | Self::NotADocument { file, .. } => file,
        }
    }
}

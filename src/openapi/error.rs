//! Why a document cannot be used at all. Lesser defects are warnings.

/// A document that cannot be used as a whole. Messages are lower-case fragments with the place and the defect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenApiError {
    /// The file that the user named does not exist in the source tree.
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
        /// Line, counted from 1 (1 if the parser gave none).
        line: u32,
        /// Column, counted from 1 (1 if the parser gave none).
        column: u32,
        /// The parser's message.
        what: String,
    },
    /// The file expands far beyond its own size, as an alias bomb does.
    #[error("{file}: {what}")]
    TooLarge {
        /// Path from the repository's root.
        file: String,
        /// The limit that was exceeded.
        what: String,
    },
    /// The file is JSON or YAML but not an OpenAPI document.
    #[error("{file}#{pointer}: {what}")]
    NotADocument {
        /// Path from the repository's root.
        file: String,
        /// JSON pointer to the defect; empty for the whole document.
        pointer: String,
        /// The missing part or the defect.
        what: String,
    },
}

impl OpenApiError {
    /// Path of the unusable file.
    pub fn file(&self) -> &str {
        match self {
            Self::Missing { file }
            | Self::Syntax { file, .. }
            | Self::TooLarge { file, .. }
            | Self::NotADocument { file, .. } => file,
        }
    }
}

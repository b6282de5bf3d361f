//! The version family of a document.

/// The family of a document's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecVersion {
    /// Swagger 2.0.
    V20,
    /// OpenAPI 3.0.
    V30,
    /// OpenAPI 3.1 and later.
    V31,
}

impl std::fmt::Display for SpecVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::V20 => "2.0",
            Self::V30 => "3.0",
            Self::V31 => "3.1",
        })
    }
}

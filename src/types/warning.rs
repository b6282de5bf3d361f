//! Warnings about input that could not be read fully.

use serde::{Deserialize, Serialize};

/// Something that narrows or widens what is known, with the place where it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Warning {
    /// Stable, kebab-case name of the kind of warning, such as `parse-error` or `symlink-not-followed`.
    pub code: String,
    /// One lower-case sentence for people.
    pub message: String,
    /// Path from the repository's root with `/`, where there is one.
    pub file: Option<String>,
    /// Line, counted from 1, where there is one.
    pub line: Option<u32>,
}

impl Warning {
    /// A warning of kind `code` about a file, or about none.
    pub fn new(code: &str, message: impl Into<String>, file: Option<&str>) -> Self {
        Self { code: code.to_owned(), message: message.into(), file: file.map(str::to_owned), line: None }
    }

    /// The same warning at a line, counted from 1.
    #[must_use]
    pub fn at(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }
}

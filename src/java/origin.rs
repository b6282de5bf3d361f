//! Origins of source files that a build makes.

use crate::types::Hash;

/// What a source file is made from: what is cited and shown instead of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// `path#/json/pointer` of a document, or the full name of a type.
    pub symbol: String,
    /// Hash of what that stands for.
    pub tokens: Hash,
    /// Its file.
    pub file: String,
    /// Its first line, from 1.
    pub line: u32,
}

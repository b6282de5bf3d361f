//! Origins of source files that a build makes.

use mastor_types::Hash;

/// What a generated source file is made from. Evidence and reports show this instead of the generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// `path#/json/pointer` of a document, or the full name of a type.
    pub symbol: String,
    /// Hash of the document part or type.
    pub tokens: Hash,
    /// Its file.
    pub file: String,
    /// Its first line, from 1.
    pub line: u32,
}

//! The operations of one revision: its document and its routes, and how they match.
//!
//! Input: the files of a revision. Output: matched operations with their entries, hidden handlers, import closures and
//! resolved citations. No call is followed here.

mod citations;
pub(super) mod document_edges;
pub(super) mod hidden;
pub mod imports;
pub mod matching;
mod named;
pub mod operations;

//! The operations of one revision: its document and its routes, and how they match.
//!
//! Comes in: the files of a revision. Goes out: matched operations with their entries, hidden handlers, import closures
//! and resolved citations. Never here: following a call.

mod citations;
pub(super) mod document_edges;
pub(super) mod hidden;
pub mod imports;
pub mod matching;
mod named;
pub mod operations;

//! The OpenAPI document: described from the code, and the given one mended.
//!
//! Comes in: an analysis and the given document. Goes out: a document, its text with edits, and what could not be mended.
//! Never here: drift that `ci` reports; that is derived.

pub mod described;
pub mod mended;
pub(in crate::pipeline) mod mending;
pub(in crate::pipeline) mod operations;
pub(in crate::pipeline) mod plan;
pub(in crate::pipeline) mod values;

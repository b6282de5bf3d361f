//! The OpenAPI document: described from the code, and the given one mended to match.
//!
//! Comes in: an analysis and the given document. Goes out: the described document, edits of the given one, and what
//! could not be mended. Never here: the drift that `ci` reports.

pub mod described;
pub mod mended;
pub(in crate::pipeline) mod mending;
pub(in crate::pipeline) mod operations;
pub(in crate::pipeline) mod plan;
pub(in crate::pipeline) mod values;

//! Objects: what a project, its container and its libraries do with the objects that code passes on.
//!
//! Comes in: a project and its bodies. Goes out: where objects are injected, how libraries use them, and which fields
//! are set. Never here: running code.

pub mod injection;
pub mod library_uses;
pub mod usage;

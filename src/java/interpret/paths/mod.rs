//! Paths: one way through an operation, with its conditions and what it learnt of its inputs.
//!
//! Comes in: conditions that a run decided, and its outcome. Goes out: simplified conditions in readable form, what
//! follows from them, and hints for further requests. Never here: running code.

pub mod condition;
pub(super) mod hinting;
pub mod hints;
pub mod known;
pub mod path;
mod say;

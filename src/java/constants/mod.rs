//! Constants: evaluates constant expressions and annotation arguments (JLS §15.29).
//!
//! Comes in: unevaluated expressions of a project. Goes out: their values, or that they have none. Never here: running
//! code.

mod arithmetic;
mod evaluate;
pub mod media_types;

//! Functional interfaces, and streams and optionals, which call them.
//!
//! Comes in: lambdas and known elements. Goes out: results; each element passes through all steps before the next one,
//! as in Java's lazy streams. Never here: parallel execution.

pub mod collectors;
pub mod functional;
pub mod optional;
pub mod stream_run;
pub mod stream_state;
pub mod streams;

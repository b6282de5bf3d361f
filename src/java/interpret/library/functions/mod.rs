//! Functional interfaces, and streams and optionals, which call them.
//!
//! Comes in: lambdas and known elements. Goes out: results of lazy execution, each element through all steps before the
//! next one. Never here: parallel execution.

pub mod collectors;
pub mod functional;
pub mod optional;
pub mod stream_run;
pub mod stream_state;
pub mod streams;

//! Models of library types: results and effects of their methods.
//!
//! Comes in: calls of library methods. Goes out: their results, effects and exceptions. Never here: a guess; a model
//! answers only what it knows exactly, and the machine treats every other call as unknown.
//!
//! There is one file per family, and one line in [`families`] for each.

pub use base::invocation::LibraryCall;
pub use base::result_types::result_type;
pub use families::{call, call_open, constant, field, is_given, is_silent};

#[macro_use]
mod native_state;

pub mod base;
pub mod collections;
pub mod constants;
pub mod environment;
pub mod families;
pub mod frameworks;
pub mod functions;
pub mod in_java;
pub mod json;
pub mod language;
pub mod numeric;
pub mod text;
pub mod time;
pub mod web;

//! Resolution: the meaning of names and calls in a body.
//!
//! Comes in: a body and its project. Goes out: the declaration of each name, and the targets of each call. Never here:
//! running code.

mod flow;
mod resolve_body;
pub mod resolve_calls;
mod resolve_expr;
mod resolve_infer;
mod resolve_patterns;
mod resolve_refs;
pub mod resolver;

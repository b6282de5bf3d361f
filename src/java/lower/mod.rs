//! Lowering: from the syntax of method bodies to the bodies of `ir`.
//!
//! Comes in: the syntax tree of a file. Goes out: a body for each of its members, with the spans of its code. Never
//! here: the resolution of a name or a type.

mod expr;
pub mod members;
mod stmt;
mod switch;

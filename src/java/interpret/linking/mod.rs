//! Linking: from a body and its resolution to code that can be run.
//!
//! Comes in: bodies, and the meaning of their names and calls. Goes out: linked code with slots, constants and
//! branches, made once for all paths; normal forms of bodies. Never here: the value of a variable.

pub mod alike;
mod annotations;
mod assignments;
pub mod branches;
pub mod code;
pub mod codes;
mod dispatch;
mod fold;
pub mod form;
pub mod link;
mod linker;

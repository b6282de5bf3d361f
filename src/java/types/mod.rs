//! Static types: of members, arguments and library calls, as far as they can be known without compiling.
//!
//! Comes in: declarations of a project, and signatures of libraries written as Java. Goes out: types of members,
//! candidates of a name, bound type variables. Never here: walking over a body.

pub(super) mod infer;
pub mod lookup;
pub mod signatures;
pub mod typing;

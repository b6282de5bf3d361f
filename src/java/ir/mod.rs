//! The intermediate representation: declarations, types, bodies and resolved calls as plain data.
//!
//! Comes in: nothing but values of the crate's ground. Goes out: the data that all other folders of `java` build and
//! read. Never here: parsing, or a look-up in a project.

pub mod body;
pub mod calls;
pub mod constant;
pub mod facts;
pub(super) mod few;
pub mod ids;
pub mod name;
pub mod named;
pub mod ty;

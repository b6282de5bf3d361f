//! Library types modelled in Java, one source file per type.
//!
//! Comes in: the full name of a library type. Goes out: its facts and bodies, and which of its members are modelled.
//! Never here: a library's own source.
//!
//! Each model implements the type's documentation in our own words, and the interpreter runs it. Models are never part
//! of the project's own code.

pub mod registry;
pub mod sources;

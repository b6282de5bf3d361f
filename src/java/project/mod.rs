//! A project: all Java files of one revision, indexed, with the names in them resolved.
//!
//! Comes in: files, their layout, and what frameworks and builds add. Goes out: an index over types and members, the
//! type hierarchy, bodies on demand, annotations and resolved type names. Never here: the type of an expression.

pub mod annotations;
mod bodies;
pub mod brought;
mod fallbacks;
mod hierarchy;
pub mod index;
pub mod languages;
mod library_names;
pub mod load;
pub mod made;
mod names;

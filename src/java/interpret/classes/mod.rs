//! Classes and their objects: creation, fields, enum constants, records and generated methods.
//!
//! Comes in: declarations of a project. Goes out: objects, the values of their fields, and results of methods that no
//! source shows. Never here: state that outlives a request.

pub mod construct;
pub mod enums;
mod generated;
pub mod hierarchy;
pub mod members;
pub mod objects;
pub mod records;

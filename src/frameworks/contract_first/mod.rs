//! Contract first: interfaces that the build generates from a document and that are not in the repository.

pub mod apis;
pub mod enums;
pub mod made;
mod members;
pub mod models;
pub mod names;
pub mod routes;
pub mod style;
pub mod values;

//! Contract first: interfaces that the build generates from a document, which stand nowhere in the repository.

pub mod names;
pub mod routes;

//! Controllers that a document names: `x-swagger-router-controller`, or a configured package with tag and `operationId`.

pub mod binding;
pub mod names;
pub mod record;
pub mod routes;
pub mod settings;

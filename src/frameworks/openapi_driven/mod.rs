//! Controllers that a document names: by `x-swagger-router-controller`, or by a configured package with tag and
//! `operationId`.

pub mod binding;
pub mod names;
pub mod record;
pub mod routes;
pub mod settings;

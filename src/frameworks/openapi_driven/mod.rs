//! Controllers that a document names: by `x-swagger-router-controller`, or by a configured package with tag and
//! `operationId`.
//!
//! Comes in: a project with its documents and settings. Goes out: a record, and routes. Never here: running a request.

pub mod binding;
pub mod names;
pub mod record;
pub mod routes;
pub mod settings;

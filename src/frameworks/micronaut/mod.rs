//! Micronaut: controllers, the values that it binds to their parameters, and its handling of exceptions.
//!
//! Comes in: a project with its files. Goes out: a record, routes, and exception rules. Never here: running a request.

pub mod binding;
pub mod exceptions;
pub mod names;
pub mod record;
pub mod routes;
pub mod thrown;

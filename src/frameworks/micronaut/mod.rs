//! Micronaut: controllers, the values that it binds to their parameters, and its handling of exceptions.

pub mod binding;
pub mod exceptions;
pub mod names;
pub mod record;
pub mod routes;
pub mod thrown;

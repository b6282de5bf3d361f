//! JAX-RS, both `javax` and `jakarta`: resources, sub-resource locators, and what the runtime does around them.
//!
//! Comes in: a project with its files. Goes out: a record, routes, exception rules, and request filters. Never here:
//! running a request.

pub mod application;
pub mod binding;
pub mod exceptions;
pub mod filters;
pub mod names;
pub mod record;
pub mod routes;
pub mod thrown;

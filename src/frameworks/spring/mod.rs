//! Spring: controllers, functional routes, exported repositories, and the framework's handling of their requests.
//!
//! Comes in: a project with its files. Goes out: records, routes, bindings, exception rules and security. Never here:
//! running a request.

pub mod binding;
pub mod exceptions;
pub mod functional;
pub mod names;
pub mod overlaps;
pub mod prefix;
pub mod reads;
pub mod records;
pub mod rest_repositories;
pub mod routes;
pub mod security;
pub mod suffixes;
pub mod thrown;

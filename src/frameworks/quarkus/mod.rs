//! Quarkus: what Quarkus REST adds to JAX-RS (binding, statuses, exceptions, security), the classes that its
//! extensions bring, and the routes that they make.

pub mod binding;
pub mod exceptions;
pub mod names;
pub mod panache;
pub mod reactive_routes;
pub mod record;
pub mod rest_data;
pub mod routes;
pub mod serves;
pub mod thrown;

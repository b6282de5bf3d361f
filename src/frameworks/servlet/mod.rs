//! Plain servlets, and the filters that run around requests.
//!
//! Comes in: a project with its files. Goes out: a record of which nothing is modelled, routes, and the paths and order
//! of filters. Never here: running a filter.

pub mod mappings;
pub mod patterns;
pub mod record;
pub mod registrations;
pub mod routes;

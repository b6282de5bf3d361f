//! Plain servlets, and the filters that run around requests.

pub mod mappings;
pub mod patterns;
pub mod record;
pub mod registrations;
pub mod routes;

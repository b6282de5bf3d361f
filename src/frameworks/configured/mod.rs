//! Entries of frameworks without built-in support, found by the patterns of `mastor.toml`: annotation, base class,
//! configuration file.

pub mod record;
pub mod routes;

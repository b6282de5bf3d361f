//! Entries of frameworks that nobody else knows, by the patterns of `mastor.toml`: annotation, base class, configuration file.

pub mod record;
pub mod routes;

//! Entries of frameworks without built-in support, found by the patterns of `mastor.toml`: annotation, base class,
//! configuration file.
//!
//! Comes in: a project, and patterns. Goes out: routes, and a record of which nothing is modelled. Never here: a rule
//! how such a framework handles a request.

pub mod record;
pub mod routes;

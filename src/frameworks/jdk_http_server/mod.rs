//! The JDK's own HTTP server: contexts, and handlers that compare path strings.
//!
//! Comes in: a project. Goes out: a record, and routes. Never here: running a handler; paths are read off its
//! comparisons.

mod compare;
pub mod record;
pub mod routes;

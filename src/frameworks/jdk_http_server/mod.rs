//! The JDK's own HTTP server: contexts, and handlers that compare path strings.

mod compare;
pub mod record;
pub mod routes;

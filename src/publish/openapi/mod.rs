//! The OpenAPI 3.0 document of a service: what its code does, typed by the `openapiv3` crate, with examples from confirmed oracles.

mod assemble;
mod examples;
mod names;
mod nulls;
mod paths;
mod references;

pub use assemble::{Assembled, Given, document};

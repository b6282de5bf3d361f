//! The OpenAPI 3.0 document of a service: the behaviour of its code in the types of the `openapiv3` crate, with
//! examples from confirmed oracles.
//!
//! Comes in: described operations, and the suite. Goes out: one document. Never here: reading code (that is
//! `derive::described`).

mod assemble;
mod examples;
mod names;
mod nulls;
mod paths;
mod references;

pub use assemble::{Assembled, DocumentInput, document};

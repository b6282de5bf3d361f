//! Oracles: derived from the paths of one operation.
//!
//! Comes in: tried requests. Goes out: the source context, and candidates with citations for all requests with certain
//! answers. Never here: a comparison of revisions.

pub mod bounds;
pub mod candidates;
pub mod contexts;
mod documented_limits;
pub mod drift;
pub mod error_cases;
pub mod given;
pub mod gives;
pub mod opaque;
pub mod pending;
pub mod response_fields;

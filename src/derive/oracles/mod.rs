//! Oracles: what is read off the paths of one operation: its source context, and an expectation for each request that is answered for certain. In come
//! tried requests; out go candidates with their citations. No base is compared here.

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

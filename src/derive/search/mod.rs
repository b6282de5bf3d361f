//! Search: chooses the requests that are tried on an operation, and those that are kept.
//!
//! Comes in: requests from `inputs`. Goes out: requests that show a new path, branch or boundary, each with its certain
//! answer. Never here: an expectation.

pub mod explore;
pub mod rows_alike;
pub mod sampling;
pub mod settled;
pub mod thinning;
pub mod trials;
pub mod tried;
pub mod variations;

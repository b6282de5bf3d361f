//! Search: which requests are tried on an operation, and which of them are kept. In come requests from `inputs`; out go those that show a path, a
//! branch or a boundary of their own, each with what it is answered for certain. No expectation is made here.

pub mod explore;
pub mod rows_alike;
pub mod sampling;
pub mod settled;
pub mod thinning;
pub mod trials;
pub mod tried;
pub mod variations;

//! App: the application that the container builds and starts, read once per revision: beans, middleware, users, and
//! startup state.
//!
//! Comes in: a project with its build and settings. Goes out: what applies to the requests of every operation. Never
//! here: running a request.

pub mod applies;
pub mod around;
pub mod aspects;
pub mod assumed;
pub mod begun;
pub mod callers;
pub mod catching;
pub mod guarded;
pub mod mains;
pub mod shared;
pub mod surroundings;
pub mod wiring;

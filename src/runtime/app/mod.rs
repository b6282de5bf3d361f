//! App: the application that the container builds and starts, read once per revision: beans, middleware, users, and
//! startup state. Input: a project with its build and settings. Output: what applies to the requests of every
//! operation. No request runs here.

pub mod applies;
pub mod around;
pub mod aspects;
pub mod assumed;
pub mod begun;
pub mod callers;
pub mod catching;
pub mod mains;
pub mod shared;
pub mod surroundings;
pub mod wiring;

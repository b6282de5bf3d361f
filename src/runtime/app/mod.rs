//! App: what the container makes and starts, read off a revision once: beans, what runs around requests, users, and what code did before the first
//! request. In comes a project with its build and settings; out goes what every operation's requests meet. No request is run here.

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

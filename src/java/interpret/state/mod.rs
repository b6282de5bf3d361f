//! State that exists before a request or outlives it: static fields, beans and running servers.
//!
//! Comes in: class initialisers, and code that runs at start-up. Goes out: the state that a request finds, and what it
//! left behind. Never here: stored rows, which are in `stores`.

pub mod beans;
pub mod begun;
pub mod hosted;
pub mod lasting;
mod recall;
pub(super) mod snapshots;
mod started;
pub mod statics;

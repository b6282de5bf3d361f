//! Walks: follow an entry from member to member until nothing new is reached.
//!
//! Comes in: an entry and the links of its project. Goes out: its closure. Never here: leaving out a call that cannot
//! be resolved; it widens the closure.

pub(super) mod core;
pub(super) mod cores;
pub mod walk;
mod walk_objects;
mod walk_open;

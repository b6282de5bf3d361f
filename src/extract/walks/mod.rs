//! Walks: follow an entry from member to member until nothing new is reached.
//!
//! Input: an entry and the links of its project. Output: its closure. A call that cannot be resolved widens the
//! closure; it is never left out.

pub(super) mod core;
pub(super) mod cores;
pub mod walk;
mod walk_objects;
mod walk_open;

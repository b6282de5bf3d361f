//! Ordered collections: arrays, lists, deques and priority queues.
//!
//! Comes in: calls on known elements. Goes out: changed elements, with the structural changes that iterators notice.
//! Never here: look-up by key.

pub mod array_tools;
pub mod collections;
pub mod deques;
pub mod heaps;
pub mod list_changes;
pub mod list_places;
pub mod lists;
pub mod rewriting;

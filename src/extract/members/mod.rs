//! Members by themselves: what one body calls, reads, creates and passes on.
//!
//! Comes in: the body of one member. Goes out: its direct edges, kept in the cache, and the form of a closure. Never
//! here: what an edge leads to.

pub(super) mod class_literals;
pub mod closure;
pub(super) mod edge_store;
pub mod edges;
pub(super) mod fleeting;
pub mod literals;
pub mod properties;

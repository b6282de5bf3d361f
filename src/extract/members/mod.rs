//! Members in isolation: what one body calls, reads, creates and passes on.
//!
//! Comes in: the body of one member. Goes out: its direct edges, which are cached, and the data type of a closure.
//! Never here: following an edge.

pub(super) mod class_literals;
pub mod closure;
pub(super) mod edge_store;
pub mod edges;
pub(super) mod fleeting;
pub mod literals;
pub mod properties;

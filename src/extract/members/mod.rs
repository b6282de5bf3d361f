//! Members in isolation: what one body calls, reads, creates and passes on.
//!
//! Input: the body of one member. Output: its direct edges, which are cached, and the data type of a closure. No edge
//! is followed here.

pub(super) mod class_literals;
pub mod closure;
pub(super) mod edge_store;
pub mod edges;
pub(super) mod fleeting;
pub mod literals;
pub mod properties;

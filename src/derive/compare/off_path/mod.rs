//! Changes that no compared path shows: declared, stored, written by a library, at the start, or seen only by a later
//! request.
//!
//! Comes in: changed inputs of an operation. Goes out: changes of declarations, stored data, security and source
//! contexts. Never here: the product of base and head.

pub(super) mod accessed;
pub(super) mod answered;
pub mod changed_context;
pub mod declared;
pub mod later;
pub mod moved_bounds;
pub(super) mod secured;
pub(super) mod started;
pub(super) mod stored;

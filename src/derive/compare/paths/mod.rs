//! Pairs of paths: where the answers and events of two paths differ, and under which condition.
//!
//! Comes in: two paths on the same inputs. Goes out: differences in words, their cause, and the conditions that tell
//! them apart. Never here: the choice of paths.

pub(super) mod asked;
mod brief;
pub(super) mod called;
pub mod cause;
mod chains;
pub(super) mod conditions;
pub mod difference;
pub mod differences;
pub mod found_objects;
pub(super) mod happened;
pub(super) mod innermost;
pub(super) mod instead;
pub(super) mod odds;
pub(super) mod of_request;
pub mod parts;
mod settled;
pub(super) mod words;

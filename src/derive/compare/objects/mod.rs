//! Objects of an operation: who reads, fills, holds or calls them besides its own code.
//!
//! Comes in: a side. Goes out: accessors, holders, wired classes, and the callers of a method. Never here: a difference
//! of answers.

pub(super) mod accessors;
pub(super) mod callers;
pub(super) mod checked;
pub(super) mod handed;
pub(super) mod holders;
pub(super) mod reads_only;
mod wired;

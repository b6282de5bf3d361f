//! Slices: runs oracles on the project's own handlers in one JVM, with stubs for everything outside (ARCHITECTURE.md,
//! *Slices*).
//!
//! Comes in: oracles and a revision's surface. Goes out: verdicts, what base and head answer differently, and tests for
//! the project. Never here: running code that the settings do not allow.

pub(super) mod ahead;
mod application;
pub(super) mod as_tests;
pub(super) mod beside;
mod command;
mod constants;
pub(super) mod for_strength;
pub(super) mod found;
mod jobs;
mod observed;
mod proposed;
mod search;
pub(super) mod searches;
mod session;
pub(super) mod side;
mod slots;
mod told;

pub use command::{SliceOptions, slice};

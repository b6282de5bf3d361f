//! Slices: oracles on the project's own handlers in one JVM, with stubs for what is outside (ARCHITECTURE.md,
//! *Slices*). In come oracles and a revision's surface, out go verdicts, what base and head answer otherwise, and tests
//! of the project's own. No code runs here that the settings do not allow.

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

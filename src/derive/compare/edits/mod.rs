//! Edits: what differs between the two revisions, and which of it can have an effect.
//!
//! Comes in: declarations, annotations, settings, scripts and files of both sides. Goes out: the changed inputs of an
//! operation, without those that no code can notice. Never here: a run.

pub(super) mod beside;
pub(super) mod changed;
pub(super) mod classes;
pub(super) mod constants;
pub(super) mod declarations;
mod documentation;
pub(super) mod functions;
pub(super) mod guarded;
pub(super) mod met_exceptions;
mod other_paths;
pub mod regions;
pub(super) mod scripts;
pub(super) mod set_alike;
pub(super) mod settings;
pub(super) mod start_up;
pub(super) mod twins;

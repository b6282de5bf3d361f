//! Manifests: every input that decides how an operation behaves, and what differs between two revisions.
//!
//! Comes in: closures, and the global context. Goes out: the analysis of a revision, fingerprints and the plan. Never
//! here: judging a change.

pub mod analysis;
pub mod fingerprint;
pub mod kept;
pub mod library_meanings;
mod others;
pub mod plan;
mod symbols;
pub mod unreached;

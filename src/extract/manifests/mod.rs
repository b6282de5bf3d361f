//! Manifests: every input that decides how an operation behaves, and what differs between two revisions.
//!
//! Input: closures, and the global context. Output: the analysis of a revision, fingerprints and the plan. No change is
//! judged here.

pub mod analysis;
pub mod fingerprint;
pub mod kept;
pub mod library_meanings;
mod others;
pub mod plan;
mod symbols;
pub mod unreached;

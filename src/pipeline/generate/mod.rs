//! `mastor generate`, and the engines: what rules and agents make of operations.
//!
//! Comes in: an analysis, the operations to work on, the committed suite. Goes out: oracles and sequences, normalised and joined, and what they cost.
//! Never here: the base of a pull request.

pub mod briefs;
pub mod bundles;
pub mod candidates;
pub mod dry_run;
pub mod engines;
pub mod made;
pub mod named;
pub mod study;
pub mod suites;

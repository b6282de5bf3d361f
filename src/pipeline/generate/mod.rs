//! `mastor generate` and the engines: makes oracles and sequences of operations.
//!
//! Comes in: an analysis, the operations to work on, and the committed suite. Goes out: oracles and sequences,
//! normalised and joined with the suite, and their cost. Never here: running the base of a pull request.

pub mod briefs;
pub mod bundles;
pub mod candidates;
pub mod dry_run;
pub mod engines;
mod inert;
pub mod made;
pub mod named;
pub mod readings;
pub mod study;
pub mod suites;

//! `mastor strength`: how many mutants the suite kills.
//!
//! Comes in: a suite and the project's classes. Goes out: a score, surviving mutants, and branches that no test takes.
//! Never here: making an oracle.

pub(in crate::pipeline) mod branches;
pub(in crate::pipeline) mod fast;
pub mod measure;
pub(in crate::pipeline) mod pit;
pub mod places;
pub(in crate::pipeline) mod run;
pub mod work;

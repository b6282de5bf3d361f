//! `mastor strength`: how many mutants the suite notices.
//!
//! Comes in: a suite and the project's classes. Goes out: a score, survivors and branches that no test takes.
//! Never here: an oracle; survivors are handed to the engines.

pub(in crate::pipeline) mod branches;
pub(in crate::pipeline) mod fast;
pub mod measure;
pub(in crate::pipeline) mod pit;
pub mod places;
pub(in crate::pipeline) mod run;
pub mod work;

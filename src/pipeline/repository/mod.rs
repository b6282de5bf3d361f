//! What a run works on: the repository with its base and head, their analyses, and the plan of what changed.
//!
//! Comes in: a repository, settings, git revisions. Goes out: the workspace, comparisons, plans, and the code that
//! oracles cite or changes edit. Never here: a request to a service, or a report.

pub mod cited;
pub(in crate::pipeline) mod code_differences;
pub mod comparison;
pub(in crate::pipeline) mod edits;
pub(in crate::pipeline) mod elsewhere;
mod moved;
mod moves;
pub mod planning;
pub(in crate::pipeline) mod planted;
pub mod relevant;
pub mod stale;
pub(in crate::pipeline) mod unserved;
pub mod workspace;

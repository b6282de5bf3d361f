//! What a run works on: the repository with its base and head, their analyses, and the plan of what changed.
//!
//! Comes in: a repository, settings, references of git. Goes out: `Workspace`, `Comparison`, plans, and what is cited or edited in them.
//! Never here: an engine, a service or a report.

pub mod cited;
pub(in crate::pipeline) mod code_differences;
pub mod comparison;
pub(in crate::pipeline) mod edits;
pub(in crate::pipeline) mod elsewhere;
pub mod planning;
pub(in crate::pipeline) mod planted;
pub mod relevant;
pub mod stale;
pub(in crate::pipeline) mod unserved;
pub mod workspace;

//! GitLab: the note on a merge request, and the code-quality report.
//!
//! Comes in: a report, and its text. Goes out: the note, and findings as a file. Never here: a verdict.

mod api;
pub mod code_quality;

pub use api::GitLab;

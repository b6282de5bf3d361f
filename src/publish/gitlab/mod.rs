//! GitLab: the note on a merge request, and the code-quality report.

mod api;
pub mod code_quality;

pub use api::GitLab;

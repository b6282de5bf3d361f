//! GitLab: the note of a merge request, and the code-quality report that the merge request shows beside its changes.

mod api;
pub mod code_quality;

pub use api::GitLab;

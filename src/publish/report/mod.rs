//! The report of a run: for the job summary, the pull request, the terminal and code scanning.
//!
//! Comes in: the report as plain data. Goes out: one content, rendered as Markdown, text and SARIF. Never here:
//! deciding a verdict.

mod causes;
pub mod comment;
mod headline;
pub mod report_md;
pub(super) mod report_rows;
pub mod report_text;
mod report_view;
pub mod sarif;
pub mod strength;
mod undecided_view;

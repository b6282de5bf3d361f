//! Results of a check, a replay or a run in slices.
//!
//! Comes in: outcomes, with requests and answers. Goes out: text, JSON, JUnit XML, and requests as `curl` commands.
//! Never here: a judgement of an answer.

pub mod check_text;
pub mod check_view;
pub mod curl;
pub mod junit_report;
pub mod replay_text;
pub mod slices;

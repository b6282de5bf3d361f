//! Files that a run writes for people: report, exports, page, and a user's own templates.
//!
//! Comes in: reports and suites. Goes out: files below `.mastor/out`, or where the user says.
//! Never here: a file of the suite.

pub mod export;
pub mod page;
pub mod templates;

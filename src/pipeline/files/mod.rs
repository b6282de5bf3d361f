//! Files that a run writes for people: report, exports and page, also with a user's own templates.
//!
//! Comes in: reports, suites and templates. Goes out: files below `.mastor/out`, or in the folder that the user names.
//! Never here: a file of the suite.

pub mod export;
pub mod page;
pub mod templates;

//! Publish: renders suites, plans and reports as files, terminal output and pull-request comments; one file for each
//! form.
//!
//! Comes in: suites, plans, reports and outcomes as plain data. Goes out: text, files, and comments of a pull request.
//! Never here: deciding a verdict.
//!
//! Exports are in [`exports`], the report in [`report`], results of a check in [`checks`]. [`terminal`] renders what
//! commands print, and its [`terminal::console`] is the only file that prints. [`github`] and [`gitlab`] send comments.
//! [`wording`] holds words and links that several forms share; [`schema`] lists the JSON Schemas of published objects.

pub mod checks;
pub mod exports;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod report;
#[cfg(test)]
mod sample;
pub mod schema;
pub mod terminal;
pub mod wording;

pub use exports::exported::{Export, Exported};
pub use exports::in_jvm::InJvm;
pub use mastor_types::suite::request;

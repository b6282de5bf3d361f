//! Publish: renders suites, plans and reports as files, terminal output and pull-request comments; one file for each
//! form.
//!
//! Exports: [`junit`], [`postman`], [`readable`], [`html`], [`openapi`]. The report: [`report_md`], [`report_text`],
//! [`json`]. A check: [`check_view`], [`check_text`], [`junit_report`], [`replay_text`], [`curl`]. The terminal:
//! [`console`] is the only file that prints; [`tables`] and [`explain`] render what it prints. [`schema`] lists the
//! JSON Schemas of published objects.

pub mod accepted;
pub mod agents;
mod asked;
pub mod audit;
pub mod backtest;
mod binds;
mod causes;
pub mod check_text;
pub mod check_view;
pub mod comment;
mod condition_words;
pub mod console;
pub mod curl;
pub mod explain;
pub mod exported;
pub mod github;
pub mod gitlab;
mod headline;
pub mod html;
mod hyperlinks;
pub mod in_jvm;
pub mod json;
pub mod junit;
pub mod junit_report;
mod junit_size;
mod links;
pub mod models;
mod names;
pub mod openapi;
pub mod postman;
mod postman_item;
mod postman_script;
mod postman_users;
pub mod readable;
pub mod replay_text;
pub mod report_md;
mod report_rows;
pub mod report_text;
mod report_view;
pub mod review;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod schema;
mod short_names;
pub mod slice_tests;
pub mod slices;
pub mod strength;
pub mod study;
pub mod tables;
mod undecided_view;
pub mod words;

pub use crate::types::request;
pub use exported::{Export, Exported};
pub use in_jvm::InJvm;

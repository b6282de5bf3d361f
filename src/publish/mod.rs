//! Publish: suite, plan and report → files, terminal, pull request; one file per form.
//!
//! Exports: [`junit`], [`postman`], [`readable`]. The report: [`report_md`], [`report_text`], [`json`]. The terminal: [`console`] is the only file
//! that prints, [`tables`] and [`explain`] are what it prints. [`schema`] names the JSON Schema of every published object.

pub mod accepted;
pub mod backtest;
mod binds;
pub mod console;
pub mod explain;
pub mod exported;
pub mod json;
pub mod junit;
mod names;
pub mod postman;
mod postman_script;
pub mod readable;
pub mod report_md;
pub mod report_text;
mod report_view;
#[cfg(test)]
mod sample;
pub mod schema;
pub mod tables;
pub mod words;

pub use crate::types::request;
pub use exported::{Export, Exported};

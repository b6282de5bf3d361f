//! The terminal: what commands other than `ci` and `check` print. Its `console` is the only file that prints.
//!
//! Comes in: results of commands. Goes out: tables and text with styles, which the console removes where they cannot be
//! shown. Never here: the text of a published file.

pub mod accepted;
pub mod agents;
pub mod audit;
pub mod backtest;
pub mod console;
pub mod explain;
mod hyperlinks;
pub mod models;
pub mod review;
pub mod study;
pub mod tables;

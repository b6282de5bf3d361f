//! `mastor ci` and related commands: from base and head to one report.
//!
//! Comes in: base and head. Goes out: changes grouped by cause, parts of a sharded run, and the report with its verdict
//! and exit. Never here: a change of the committed suite.

pub mod audit;
pub mod backtest;
pub mod causes;
pub mod changes;
pub mod conclude;
pub mod costs;
pub mod ignored;
pub mod part;
mod renewed;
pub mod run;
pub mod sharding;
pub mod told_sequences;

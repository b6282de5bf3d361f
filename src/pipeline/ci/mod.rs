//! `mastor ci` and the commands around it: the whole way from base and head to one report.
//!
//! Comes in: base and head. Goes out: derived changes by cause, the parts of a run, the report with its verdict and exit.
//! Never here: a write outside of `.mastor/out` and `.mastor/cache`.

pub mod audit;
pub mod backtest;
pub mod causes;
pub mod changes;
pub mod conclude;
pub mod costs;
pub mod ignored;
pub mod part;
pub mod run;
pub mod sharding;
pub mod told_sequences;

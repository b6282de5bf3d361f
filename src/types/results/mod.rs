//! Results of commands as data, most of it published as JSON.
//!
//! Comes in: nothing. Goes out: types of plans, changes, outcomes, reports and studies. Never here: how a result is
//! shown.

pub mod agents;
pub mod audit;
pub mod backtest;
pub mod change;
pub mod check;
pub mod compared;
pub mod dropped;
pub mod ignored;
pub mod outcome;
pub mod plan;
pub mod report;
pub mod slices;
pub mod strength;
pub mod study;
pub mod trace;

//! Runs: executes jobs on a service, alone, in passes and in rounds.
//!
//! Comes in: jobs and a target. Goes out: outcomes in the order of the jobs, each failure repeated on fresh state
//! before it counts. Never here: analysing code.

pub mod attempt;
pub mod check;
mod check_writers;
pub mod confirm;
pub mod environment;
pub mod exchange;
pub mod opposite_orders;
pub mod passes;
pub mod rounds;
pub mod run;
pub mod served;
pub mod shown;
pub mod target;

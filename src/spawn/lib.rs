//! The gateway to other programs: the only file that starts, signals and ends processes.
//!
//! Comes in: a program with its arguments, folder and variables. Goes out: its output and how it ended, or a process
//! group. Never here: deciding what to run.

mod process;
pub mod processes;

pub use process::{Ended, Group, MARK, Output, end_left_behind, git, git_with, may_run, run, started};

//! Strength: turns PITest's results for a service into scores and a list of surviving mutants.
//!
//! Comes in: results of mutants and of branch coverage. Goes out: scores, survivors, and branches without a test. Never
//! here: starting a process (the pipeline does).
//!
//! [`mutants`] parses the results, [`score`] counts them, and [`branches`] counts branch coverage.

pub mod branches;
pub mod mutants;
pub mod score;

pub use mutants::{Mutant, Status};
pub use score::{MutantLookups, strength};

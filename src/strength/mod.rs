//! Strength: turns PITest's results for a service into scores and a list of surviving mutants.
//!
//! [`mutants`] parses the results, [`score`] counts them, and [`branches`] counts branch coverage. The pipeline starts
//! the processes.

pub mod branches;
pub mod mutants;
pub mod score;

pub use mutants::{Mutant, Status};
pub use score::{Known, strength};

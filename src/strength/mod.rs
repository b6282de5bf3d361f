//! Strength: what PITest says of the mutants of a service → scores, and the mutants that no test noticed.
//!
//! [`mutants`] reads its results, [`score`] counts them, [`branches`] those that no test takes. Nothing here starts a process: that is the pipeline's.

pub mod branches;
pub mod mutants;
pub mod score;

pub use mutants::{Mutant, Status};
pub use score::{Known, strength};

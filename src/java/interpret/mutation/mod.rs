//! Mutations: their kinds, the search for them in a body, and the code with one of them applied.
//!
//! Comes in: the body of a member. Goes out: its mutations, and mutants as linked code. Never here: running a mutant.

mod find;
mod kinds;
mod make;

pub use find::mutations;
pub use kinds::{Mutation, Mutator};
pub use make::mutant;

#[cfg(test)]
mod tests;

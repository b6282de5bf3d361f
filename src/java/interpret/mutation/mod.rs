//! Mutations: their kinds, the search for them in a body, and the code with one of them applied.

mod find;
mod kinds;
mod make;

pub use find::mutations;
pub use kinds::{Mutation, Mutator};
pub use make::mutant;

#[cfg(test)]
mod tests;

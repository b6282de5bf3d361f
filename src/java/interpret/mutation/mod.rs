//! Mutations: the small mistakes that may be made in a body, which there are in one, and the code with one of them in it.

mod find;
mod kinds;
mod make;

pub use find::mutations;
pub use kinds::{Mutation, Mutator};
pub use make::mutant;

#[cfg(test)]
mod tests;

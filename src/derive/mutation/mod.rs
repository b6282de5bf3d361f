//! Mutation: changed copies of the code, run by the interpreter.
//!
//! Comes in: mutants and requests. Goes out: which requests kill which mutants, and more requests that do. Never here:
//! starting a JVM.

pub mod mutants;
pub mod telling;

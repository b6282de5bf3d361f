//! Mutation: changed copies of the code, run by the interpreter. In come mutants and requests; out goes which of them tell which mutant, and further
//! requests that do. No JVM is started here.

pub mod mutants;
pub mod telling;

//! Mutation: changed copies of the code, run by the interpreter. The input is mutants and requests; the output says
//! which requests kill which mutants, with more requests that do. No JVM is started here.

pub mod mutants;
pub mod telling;

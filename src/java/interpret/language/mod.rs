//! The language: evaluates expressions and runs statements as the Java Language Specification says.
//!
//! Comes in: linked code and the state of a path. Goes out: values, completed statements and thrown exceptions. Never
//! here: a model of a library type.

pub mod arrays;
pub mod assign;
pub mod casts;
pub mod elements;
pub mod eval;
pub mod exec;
pub mod identity;
pub mod lambdas;
pub mod names;
pub mod operate;
pub mod switches;
pub mod text;
pub mod tries;

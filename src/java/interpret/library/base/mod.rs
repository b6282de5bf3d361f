//! Shared by all models: the call they receive, and helpers for arguments, equality and conversion.
//!
//! Comes in: calls of library methods. Goes out: arguments as values, result types, the contents of library objects.
//! Never here: a model of one type.

pub mod contents;
pub mod invocation;
pub mod result_types;
pub mod support;

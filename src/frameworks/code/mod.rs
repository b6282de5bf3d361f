//! Queries on code that all frameworks share: annotations, inherited methods and simple expressions.
//!
//! Input: declarations and bodies of a project. Output: annotations by their resolved names, methods with their
//! declarations, constant strings. No rule of a single framework is here.

pub mod annotations;
pub mod constraints;
pub mod expressions;
pub mod inheritance;
pub mod remarks;
pub mod stereotypes;

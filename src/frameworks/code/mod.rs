//! Queries on code that all frameworks share: annotations, inherited methods and simple expressions.
//!
//! Comes in: declarations and bodies of a project. Goes out: annotations by their resolved names, methods with their
//! declarations, constant strings. Never here: a rule of a single framework.

pub mod annotations;
pub mod constraints;
pub mod expressions;
pub mod inheritance;
pub mod remarks;
pub mod simple_types;
pub mod stereotypes;

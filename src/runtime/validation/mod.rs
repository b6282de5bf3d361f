//! Validation: checks the constraints of parameters and bodies before a handler runs.
//!
//! Comes in: declared constraints and values. Goes out: violations, and the conditions under which there are none.
//! Never here: the answer to a violation (`server` decides it).

pub mod constraint_validators;
pub mod constraints;
pub mod validating;

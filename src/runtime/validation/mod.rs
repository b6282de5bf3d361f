//! Validation: checks the constraints of parameters and bodies before a handler runs. Input: declared constraints and
//! values. Output: violations, and the conditions under which there are none. `server` decides the answer to a
//! violation.

pub mod constraint_validators;
pub mod constraints;
pub mod validating;

//! Validation: the constraints of parameters and bodies, checked before a handler runs. In come declared constraints and values; out go violations,
//! and the conditions under which there are none. What a violation is answered with is for `server` to say.

pub mod constraint_validators;
pub mod constraints;
pub mod validating;

//! Judging: compares committed expectations with the code of a revision.
//!
//! Comes in: oracles and sequences. Goes out: whether the code meets each, breaks it or leaves it open. Never here: a
//! new expectation.

pub mod given;
pub mod known_answers;
pub mod noticed;
pub mod oracle;
pub mod sequence;

//! Base and head asked the same: the base's suite on the head, and both answers side by side.
//!
//! Comes in: a comparison with suites and candidates. Goes out: changes that were seen, proposals, and the confirmed candidates.
//! Never here: a decision whether a change is accepted.

pub(in crate::pipeline) mod base_answers;
pub(in crate::pipeline) mod base_side;
pub mod changes;
pub(in crate::pipeline) mod left_over;
pub mod question;
pub mod see;
pub mod sequences;
pub mod sides;

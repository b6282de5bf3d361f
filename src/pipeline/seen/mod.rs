//! Base and head with the same requests: runs the base's suite on the head, and compares the answers of both.
//!
//! Comes in: a comparison with its suites and candidates. Goes out: seen changes, proposals, and confirmed candidates.
//! Never here: deciding that a change is acceptable.

pub(in crate::pipeline) mod base_answers;
pub(in crate::pipeline) mod base_side;
pub mod changes;
pub(in crate::pipeline) mod left_over;
pub mod question;
pub mod see;
pub mod sequences;
pub mod sides;

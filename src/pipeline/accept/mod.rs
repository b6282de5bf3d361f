//! What the suite would become: proposals, decisions, and taking them.
//!
//! Comes in: what a run found against the committed suite. Goes out: proposals with ids, the suite as it would be, a commit of it.
//! Never here: a decision that nobody took.

pub(in crate::pipeline) mod decisions;
pub(in crate::pipeline) mod let_go;
pub mod proposals;
pub mod propose;
pub mod proposed;
pub mod take;

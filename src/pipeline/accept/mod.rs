//! Proposals: how the suite would change, and taking these changes.
//!
//! Comes in: what a run found, and the committed suite. Goes out: proposals with ids, the files of the proposed suite,
//! and a commit of them. Never here: accepting a change that no person accepted.

pub(in crate::pipeline) mod decisions;
pub(in crate::pipeline) mod let_go;
pub mod proposals;
pub mod propose;
pub mod proposed;
pub mod take;

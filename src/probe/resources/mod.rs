//! Resources of a service: values it returned, effects of writes, and how to remove what was made.
//!
//! Comes in: answers, and the operations of the service. Goes out: values for parameters, follow-up reads, chains of
//! writes, and removals. Never here: a verdict.

pub mod chain;
pub mod follow;
pub mod known;
pub mod tidy;

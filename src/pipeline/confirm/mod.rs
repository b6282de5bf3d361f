//! Confirmation: candidates and open requests on the running service, and what becomes of them.
//!
//! Comes in: claims (oracles, sequences, requests). Goes out: what held, what was refuted and why, what was seen beside it: follow-ups and chains of writes.
//! Never here: base against head.

pub(in crate::pipeline) mod chained;
pub mod claims;
pub mod discovery;
pub mod follow;
pub mod fresh_state;
pub(in crate::pipeline) mod retry_writers;
pub mod settle;

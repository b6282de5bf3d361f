//! Confirmation: runs candidates and open requests on the running service, and settles each.
//!
//! Comes in: claims (oracles, sequences, requests). Goes out: confirmed and refuted candidates with the reasons, and
//! observed follow-ups and chains of writes. Never here: a comparison of base and head.

pub(in crate::pipeline) mod chained;
pub mod claims;
pub mod discovery;
pub mod follow;
pub mod fresh_state;
pub(in crate::pipeline) mod retry_writers;
pub mod settle;

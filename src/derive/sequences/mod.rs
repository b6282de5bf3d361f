//! Sequences: several requests on the same stores, where one operation stores what another shows.
//!
//! Comes in: the oracles of several operations. Goes out: ordered steps with captures and expectations. Never here: a
//! way of its own to run a step, which runs like a single request.

pub mod candidates;
pub mod steps;
pub mod tour;

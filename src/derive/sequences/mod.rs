//! Sequences: several requests on the same stores, where one operation stores what another shows. The input is the
//! oracles of several operations; the output is ordered steps with captures and expectations. Each step runs like a
//! single request.

pub mod candidates;
pub mod steps;
pub mod tour;

//! Sequences: several requests on the same stores, where one operation stores what another shows. In come the oracles of several operations; out go
//! ordered steps with captures and expectations. Each step is run as single requests are.

pub mod candidates;
pub mod steps;
pub mod tour;

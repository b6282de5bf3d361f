//! Probe: runs a suite on a running service and produces outcomes.
//!
//! Comes in: a suite, and a service or how to start it. Goes out: outcomes; confirmed and completed oracles. Never
//! here: analysing code.
//!
//! [`http`] is the gateway to the service. [`runs`] executes each [`job`] in an order that isolates oracles, as users
//! of [`auth`]; [`answers`] judges what comes back, and [`resources`] knows what a service holds after a write.
//! [`service`] starts and stops the service.

pub mod answers;
pub mod auth;
pub mod fits;
pub mod http;
pub mod job;
pub mod resources;
pub mod runs;
pub mod service;

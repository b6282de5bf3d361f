//! Probe: runs a suite on a running service and produces outcomes.
//!
//! [`http`] is the gateway to the service; [`exchange`] builds a step's request; [`judge`] finds the assertions that do
//! not hold ([`select`] finds values, [`holds`] compares them). [`run`] executes each [`job`] in an order that isolates
//! oracles, as users of [`auth`]. [`service`] starts and stops the service.

pub mod attempt;
pub mod auth;
pub mod chain;
pub mod check;
mod check_writers;
pub mod confirm;
pub mod differ;
pub mod environment;
pub mod exchange;
pub mod field_path;
pub mod fits;
pub mod follow;
pub mod holds;
pub mod http;
pub mod job;
pub mod judge;
pub mod known;
pub mod moments;
pub mod observe;
pub mod opposite_orders;
pub mod passes;
pub mod pattern;
pub mod rounds;
pub mod run;
pub mod select;
pub mod served;
pub mod service;
pub mod shapes;
pub mod shown;
pub mod target;
pub mod tidy;
pub mod unstable;

//! Probe: a suite and a running service → outcomes.
//!
//! [`http`] is the gateway to the service; [`exchange`] makes an oracle's step into a request; [`judge`] says what of an answer was not as
//! expected ([`select`] finds the values, [`holds`] compares them); [`run`] sends every [`job`] in an order that keeps
//! oracles apart, as the users that [`auth`] knows. [`service`] starts the service and ends it.

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

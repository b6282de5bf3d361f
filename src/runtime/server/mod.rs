//! Server: what happens to a request, from the filters before the handler to the written answer.
//!
//! Comes in: a request that `request` can read. Goes out: its paths, with status, headers and body. Never here:
//! choosing a request.

pub mod dispatch;
pub mod failed;
pub mod filters;
pub mod functional;
pub mod guards;
pub mod headers;
pub mod hosted;
pub mod opaquely;
pub mod reactive;
pub mod request_filters;
pub mod respond;
pub mod response_context;
pub mod serve;

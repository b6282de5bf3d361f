//! Server: what happens to a request, from the filters before the handler to the written answer. Input: a request
//! that `request` can read. Output: its paths, with status, headers and body. The choice of requests is made
//! elsewhere.

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

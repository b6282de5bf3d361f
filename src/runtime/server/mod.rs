//! Server: what happens to a request, from the filters around it to the written answer. In comes a request that `request` can read; out go the paths
//! that it takes, with status, headers and body. Which requests are sent is for others to say.

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

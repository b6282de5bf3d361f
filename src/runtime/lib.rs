//! Runtime: the simulated framework.
//!
//! Comes in: an operation of one revision and a request. Goes out: every path of the request with its answer. Never
//! here: choosing a request, or judging an answer.
//!
//! The records in `frameworks` say what frameworks decide differently. A framework is named here only where a part
//! belongs to one alone, such as Spring Security in `server/guards.rs`.

pub mod app;
pub mod bench;
pub mod body;
pub mod request;
pub mod server;
pub mod subject;
pub mod validation;

pub use app::shared::Shared;
pub use subject::Subject;

//! Runtime: the simulated framework. Input: an operation of one revision and a request. Output: every path of the
//! request with its answer. The records in `frameworks/` say what a framework decides. No request is searched for
//! here, and no answer is judged.

pub mod app;
pub mod bench;
pub mod body;
pub mod request;
pub mod server;
pub mod subject;
pub mod validation;

pub use app::shared::Shared;
pub use subject::Subject;

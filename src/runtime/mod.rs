//! Runtime: the simulated framework. In comes an operation of one revision and a request; out go all paths that the request takes, each with what is
//! answered. It asks what a framework decides of the records in `frameworks/`; it never looks for requests, and never judges an answer.

pub mod app;
pub mod bench;
pub mod body;
pub mod request;
pub mod server;
pub mod subject;
pub mod validation;

pub use app::shared::Shared;
pub use subject::Subject;

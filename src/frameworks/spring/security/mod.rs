//! Spring Security: a project's configuration, which requests it admits for which caller, and the answers to the
//! others.
//!
//! Comes in: configuration code, annotations and build files. Goes out: chains, method rules, and verdicts on a request
//! of a caller. Never here: running a handler.

pub mod caller;
pub mod chain;
pub mod chains;
pub mod credentials;
pub mod generation;
pub mod matchers;
pub mod methods;
pub mod patterns;
pub mod reader;
pub mod words;

pub use caller::Caller;
pub use chain::{Chain, Refusal, Verdict};
pub use chains::Security;
pub use generation::Generation;

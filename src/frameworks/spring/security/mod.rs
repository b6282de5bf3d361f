//! Spring Security: what a project configures, which requests of whom it lets through, and what it answers to the others.

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

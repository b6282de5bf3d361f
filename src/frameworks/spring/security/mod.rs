//! Spring Security: what a project configures, which requests of nobody in particular it lets through, and what it answers to the others.

pub mod chain;
pub mod chains;
pub mod generation;
pub mod matchers;
pub mod methods;
pub mod patterns;
pub mod reader;
pub mod words;

pub use chain::{Chain, Refusal, Verdict};
pub use chains::Security;
pub use generation::Generation;

//! Plain data that every room shares; imports nothing from the crate.

pub mod hash;
pub mod http;
pub mod warning;

pub use hash::Hash;
pub use http::Method;
pub use warning::Warning;

//! Plain data that all modules share, including the types of the published JSON.
//!
//! Comes in: nothing. Goes out: types. Never here: an import from the rest of the crate.

pub mod account;
pub mod ci_run;
pub mod deadline;
pub mod described;
pub mod entry_pattern;
pub mod error;
pub mod event;
pub mod hash;
pub mod http;
pub mod manifest;
pub mod model;
pub mod op_id;
pub mod places;
pub mod results;
pub mod shard;
pub mod status;
pub mod suite;
pub mod turn;
pub mod user;
pub mod warning;

pub use hash::Hash;
pub use http::Method;
pub use op_id::OpId;
pub use warning::Warning;

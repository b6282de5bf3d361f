//! Plain data that every room shares, most of it the published contracts of DESIGN §5; imports nothing from the crate.

pub mod agents;
pub mod audit;
pub mod backtest;
pub mod binds;
pub mod change;
pub mod check;
pub mod ci_run;
pub mod dropped;
pub mod entry_pattern;
pub mod evidence;
pub mod hash;
pub mod http;
pub mod ignored;
pub mod manifest;
pub mod model;
pub mod op_id;
pub mod oracle;
pub mod outcome;
pub mod plan;
pub mod report;
pub mod request;
pub mod sequence;
pub mod shard;
pub mod source_context;
pub mod status;
pub mod strength;
pub mod study;
pub mod trace;
pub mod user;
pub mod warning;

pub use hash::Hash;
pub use http::Method;
pub use op_id::OpId;
pub use warning::Warning;

//! The service under test in a run: where it is, how it is started and asked, and `mastor check`.
//!
//! Comes in: settings and a revision. Goes out: a running service with its users, and results of the committed suite.
//! Never here: a change of the suite.

pub mod check;
pub mod head_build;
pub mod java_bench;
pub(in crate::pipeline) mod jdks;
pub mod launches;
pub mod live;
pub mod revisions;
pub mod service_path;
pub mod sign_up;

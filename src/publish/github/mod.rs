//! GitHub: the comment of a pull request, and the outputs and annotations of an Actions step.
//!
//! Comes in: a report, and its text. Goes out: the comment, outputs and annotations. Never here: a verdict.
//!
//! [`sticky`] decides what to do with existing comments, [`api`] is the gateway to the REST API, and [`marker`]
//! identifies mastor's comment.

pub mod annotations;
pub mod api;
pub mod marker;
pub mod outputs;
pub mod sticky;

pub use api::GitHub;
pub use marker::Marker;
pub use sticky::{Posted, Trouble};

//! GitHub: the sticky comment of a pull request, and what a step of its Actions takes: outputs and annotations.
//!
//! [`sticky`] decides what to do with the comments that are there, [`api`] is the gateway to the REST interface; [`marker`] is how a comment is known again.

pub mod annotations;
pub mod api;
pub mod marker;
pub mod outputs;
pub mod sticky;

pub use api::GitHub;
pub use marker::Marker;
pub use sticky::{Posted, Trouble};

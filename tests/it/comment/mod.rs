//! The pull-request comment, written by the binary to a fake GitHub that keeps state and validates each request against GitHub's published
//! OpenAPI document.

pub mod github;
mod gitlab;
pub mod looks;
mod posts;

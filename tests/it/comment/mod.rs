//! The pull-request comment, written by the binary against a stand-in for GitHub that keeps state and checks each request against GitHub's
//! published description of its interface.

pub mod github;
mod gitlab;
pub mod looks;
mod posts;

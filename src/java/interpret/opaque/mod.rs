//! Opaque values, events, and identities that both revisions share.
//!
//! Comes in: calls that a run does not follow, such as library calls without a model, injected collaborators and
//! unchanged members. Goes out: a value with an identity that is the same in both revisions, or an event with a
//! snapshot of its arguments. Never here: a comparison of revisions.

mod call_words;
pub mod calls;
pub mod canon;
pub mod does;
pub mod expand;
pub mod failures;
pub mod filled;
mod filtered;
pub mod follows;
pub mod found;
mod inherited;
mod listeners;
mod managed;
pub mod objects;
mod refused;
pub mod state;

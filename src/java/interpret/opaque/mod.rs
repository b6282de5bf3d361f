//! Opaque values, events and what both revisions share (ARCHITECTURE.md, *Opaque values*). In comes what a run does not
//! follow: a call into a library that no model answers, a collaborator that the container gives, a member that did not
//! change; out goes a value with an identity that is the same in both revisions, or an event with a snapshot of its
//! arguments. Nothing here decides whether two revisions answer alike.

pub mod calls;
pub mod canon;
pub mod does;
pub mod expand;
pub mod failures;
pub mod follows;
pub mod found;
pub mod objects;
mod refused;
pub mod state;

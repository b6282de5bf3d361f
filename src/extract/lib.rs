//! Extract: finds the operations of a revision, the inputs that decide how each behaves, and what a change affects.
//!
//! Comes in: a revision, or two. Goes out: operations, closures, manifests, the plan, and chains of `why`. Never here:
//! running code, or asking a model.
//!
//! [`surface()`] reads a revision up to its matched operations ([`api`]), [`analyse`] computes the closure
//! ([`members`], [`linked`], [`walks`]) and manifest of each, and [`manifests::plan`] compares the manifests of two
//! revisions.

pub mod api;
pub mod linked;
pub mod manifests;
pub mod members;
pub mod walks;

pub use api::operations::{Surface, SurfaceError, is_of_service, surface, surface_with};
pub use manifests::analysis::Analysis;
pub use manifests::fingerprint::analyse;
pub use manifests::kept::Fingerprints;

//! Extract: revision → operations, matches, closure, bundle, fingerprint, plan, why.
//!
//! [`surface`] reads a revision up to its matched operations, [`analyse`] follows what each reaches and makes its manifest, [`plan`] compares
//! the manifests of two revisions.

pub mod analysis;
mod class_literals;
pub mod closure;
mod document_edges;
pub mod edges;
pub mod fingerprint;
mod fleeting;
pub mod imports;
pub mod library_uses;
pub mod literals;
pub mod matching;
pub mod operations;
pub mod plan;
pub mod properties;
pub mod reach;

pub use analysis::Analysis;
pub use fingerprint::analyse;
pub use operations::{Surface, SurfaceError, surface};

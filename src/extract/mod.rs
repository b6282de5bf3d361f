//! Extract: revision → operations, matches, closure, bundle, fingerprint, plan, why.
//!
//! [`surface`] reads a revision up to its matched operations, [`analyse`] computes the closure and manifest of each,
//! and [`plan`] compares the manifests of two revisions.

pub mod analysis;
mod citations;
mod class_literals;
pub mod closure;
mod core;
mod cores;
mod digest;
mod dispatch;
mod document_edges;
mod edge_store;
pub mod edges;
mod facets;
pub mod fingerprint;
mod fleeting;
mod hidden;
pub mod imports;
pub mod kept;
pub mod library_meanings;
pub mod links;
pub mod literals;
mod marks;
pub mod matching;
mod named;
pub mod operations;
mod others;
pub mod plan;
pub mod properties;
pub mod reach;
mod scratch;
pub mod shared;
mod stored_changes;
mod symbols;
mod type_links;
pub mod unreached;
pub mod walk;
mod walk_objects;
mod walk_open;

pub use analysis::Analysis;
pub use fingerprint::analyse;
pub use kept::Fingerprints;
pub use operations::{Surface, SurfaceError, is_of_service, surface, surface_with};

//! Links: the edges of members, resolved once for all closures of a project.
//!
//! Comes in: direct edges, and the index of a project. Goes out: links, dispatch, facets of types, and numbers in place
//! of values. Never here: following an entry.

mod digest;
mod dispatch;
mod facets;
pub mod links;
mod marks;
pub mod reach;
pub(super) mod scratch;
pub mod shared;
mod stored_changes;
mod type_links;

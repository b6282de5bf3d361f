//! Links: the edges of members, resolved once for all closures of a project.
//!
//! Input: direct edges, and the index of a project. Output: links, dispatch, facets of types, and numbers in place of
//! values. No entry is followed here.

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

//! HTML export: a single page that works offline.
//!
//! Comes in: a suite, with results and cited code. Goes out: one file. Never here: a request to another host.
//!
//! The suite is embedded as JSON in inert script elements; a small script renders the selected parts as text. A content
//! security policy allows no other script.

mod known;
mod operations;
mod page;
mod sequences;
pub mod sources;

pub use known::PageContext;
pub use page::{FILE, html};
pub use sources::Source;

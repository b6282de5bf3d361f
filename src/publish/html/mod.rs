//! HTML export: one page that needs no network. The suite stands in it as JSON in scripts that nothing executes, and a small script draws what is looked
//! at, as text alone; a policy in the page's head lets no other script run.

mod known;
mod operations;
mod page;
mod sequences;
pub mod sources;

pub use known::Beside;
pub use page::{FILE, html};
pub use sources::Source;

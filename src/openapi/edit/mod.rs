//! Edits of a document's text: changes one place and keeps everything else, with its comments, order and quotes.
//!
//! Comes in: a text, and an edit. Goes out: the changed text, or why the edit is not possible. Never here: deciding
//! what to change.

mod apply;
mod block;
mod change;
mod flow;
mod json_tree;
mod manner;
mod tree;
mod yaml_tree;

pub use apply::apply;
pub use change::{Act, After, Edit, EditError, Edited};
pub use manner::TextLayout;

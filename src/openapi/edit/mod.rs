//! Edits of a document's text: changes one place and keeps everything else, with its comments, order and quotes.

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
pub use manner::Manner;

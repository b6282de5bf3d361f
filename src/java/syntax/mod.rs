//! Syntax: the tokens and the syntax tree of one file. Its `tree` is the only gateway to tree-sitter.
//!
//! Comes in: the text of a file. Goes out: tokens in normal form, syntax nodes, type references and literals. Never
//! here: the meaning of a name.

pub mod highlight;
pub mod keywords;
pub(super) mod literals;
mod normal_form;
mod text_block;
pub mod tokens;
pub mod tree;
pub mod type_refs;

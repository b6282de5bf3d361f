//! The Java language: parsing, declarations, name resolution and method bodies.
//!
//! Each layer can be used alone: [`syntax`] (tree-sitter, the only gateway) → [`facts`] (declarations of one file,
//! cached by blob) → [`project`] (all files of a revision, indexed) → `names` (resolves type names) → `constants`
//! (evaluates annotation arguments) → [`body`] (method bodies, lowered with their spans) → `calls` (the targets of
//! calls in a body).

/// Part of every cache key. It is raised whenever the same bytes would give different facts or bodies.
pub const ANALYSIS_VERSION: &str = "java-6";

pub mod annotations;
mod arithmetic;
mod bodies;
pub mod body;
pub mod brought;
mod build_files;
pub mod build_kind;
pub mod calls;
pub mod constant;
mod constants;
pub mod extract_facts;
pub mod facts;
mod few;
mod flow;
mod held;
mod hierarchy;
pub mod highlight;
pub mod ids;
mod infer;
pub mod injection;
pub mod interpret;
pub mod keywords;
pub mod layout;
mod library_names;
pub mod library_uses;
pub mod load;
pub mod lookup;
pub mod lower;
mod lower_expr;
mod lower_literals;
mod lower_stmt;
mod lower_switch;
pub mod made;
pub mod media_types;
pub mod models;
pub mod name;
pub mod named;
mod names;
mod normal_form;
pub mod origin;
mod outline;
pub mod packs;
pub mod project;
mod read_declarations;
mod read_files;
mod read_parts;
mod read_values;
mod resolve_body;
pub mod resolve_calls;
mod resolve_expr;
mod resolve_infer;
mod resolve_patterns;
mod resolve_refs;
pub mod resolver;
pub mod signatures;
mod source;
pub mod syntax;
mod text_block;
pub mod tokens;
pub mod ty;
pub mod type_refs;
pub mod typing;
pub mod usage;

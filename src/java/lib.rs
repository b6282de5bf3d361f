//! The Java language: parsing, declarations, name resolution and method bodies.
//!
//! Comes in: source files of a revision. Goes out: facts, names, constants, bodies, resolved calls, and the paths of
//! running bodies. Never here: what a framework does before and after a handler.
//!
//! Each layer can be used alone, and imports only the layers before it: [`ir`] (plain data) → [`syntax`] (tokens, and
//! the syntax tree by tree-sitter) → [`declarations`] (facts of one file) → [`lower`] (method bodies with their spans)
//! → `files` (single files, cached by blob) → [`models`] (library types written in Java) → [`build`] (modules and
//! source folders) → [`project`] (all files of a revision, indexed, with their names) → [`constants`] (annotation
//! arguments) → [`types`] (types of members and expressions) → [`resolve`] (targets of calls in a body) → [`objects`]
//! (what happens to objects) → [`interpret`] (runs bodies).

/// Part of every cache key. It is raised whenever the same bytes would give different facts or bodies.
pub const FACTS_VERSION: &str = "java-8";

pub mod build;
pub mod constants;
pub mod declarations;
pub mod files;
pub mod interpret;
pub mod ir;
pub mod lower;
pub mod models;
pub mod objects;
pub mod project;
pub mod resolve;
pub mod syntax;
pub mod types;

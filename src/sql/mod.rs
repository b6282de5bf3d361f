//! SQL: scripts as statements with their trees, the tables that they name, and the rows that they insert.
//!
//! The only room that knows the parser; others read its trees as [`ast`].

mod effect;
mod lenient;
mod lines;
mod parse;
mod routine;
mod script;
mod split;
mod tables;
mod values;
mod words;

pub use script::{Statement, one, statements};
/// The trees of statements.
pub use sqlparser::ast;
pub use values::{Row, conjuncts, inserted, literal, name_of, time};

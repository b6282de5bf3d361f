//! SQL: splits scripts into statements with their syntax trees, the tables that they name, and the rows that they
//! insert.
//!
//! Comes in: the text of a script. Goes out: statements, table names, and inserted values. Never here: running a
//! statement.
//!
//! The only folder that uses the SQL parser; other code reads its syntax trees through [`ast`].

mod definition;
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

pub use definition::Definition;
pub use script::{Statement, one, statements};
/// The types of syntax trees.
pub use sqlparser::ast;
pub use values::{Row, conjuncts, inserted, literal, name_of, time};

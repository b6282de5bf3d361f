//! Declarations: the facts of one file, read from its syntax tree.
//!
//! Comes in: the tree and tokens of a file. Goes out: its facts, and the outline that other files can see. Never here:
//! another file, or the code of a body.

pub mod extract_facts;
mod lombok_fields;
pub(super) mod outline;
mod read_declarations;
mod read_parts;
mod read_values;
mod source;

//! The interpreter: runs lowered bodies on concrete, symbolic, opaque and unknown values, and returns the paths it
//! took.
//!
//! [`machine::explore`] runs a function once for every combination of outcomes of symbolic conditions; each run is a
//! [`path::Path`]. A body is linked once ([`link`]): the resolver, shared with the closure, gives the meaning of
//! names and calls, variables get slots, and constants get values. A machine is one run: [`eval`] and [`exec`] walk
//! the code, [`calls`] and [`construct`] enter project code by the class of the receiver, and [`library`] contains
//! the models of library types. An unknown value carries its reasons. If unknown code may have changed state or
//! thrown, the path gets a doubt; nothing exact is claimed about a path with a doubt.

mod annotations;
pub mod arith;
pub mod arrays;
pub mod assign;
mod assignments;
pub mod beans;
pub mod begun;
pub mod branches;
pub mod calls;
pub mod casts;
pub mod code;
pub mod codes;
pub mod condition;
pub mod construct;
pub mod decimal_text;
mod dispatch;
pub mod doubts;
pub mod elements;
pub mod enums;
pub mod eval;
pub mod exec;
pub mod floats;
mod fold;
pub mod form;
pub mod frames;
pub mod function;
mod generated;
pub mod hierarchy;
mod hinting;
pub mod hints;
pub mod identity;
pub mod java_type;
pub mod known;
pub mod lambdas;
mod limits;
mod walked;
#[macro_use]
pub mod library;
pub mod hosted;
pub mod lasting;
pub mod link;
mod linker;
pub mod machine;
pub mod members;
pub mod mutation;
pub mod names;
pub mod objects;
pub mod opaque;
pub mod operate;
pub mod path;
mod recall;
pub mod receivers;
pub mod records;
pub mod region;
mod say;
pub mod scalar;
mod snapshots;
mod started;
pub mod statics;
pub mod stores;
pub mod switches;
pub mod term;
pub mod text;
pub mod tries;
pub mod types;
pub mod value;

#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod tests;

pub use codes::{Codes, Covered};
pub use machine::{Bounds, Context, Machine, Wiring, explore};
pub use path::{Outcome, Path};

//! The interpreter: runs lowered bodies on concrete, symbolic, opaque and unknown values.
//!
//! Comes in: a project, a function with its arguments, and bounds. Goes out: the paths that it took, each with its
//! outcome, effects and doubts. Never here: the choice of arguments, or a wall clock.
//!
//! [`engine::machine::explore`] runs a function once for every combination of outcomes of symbolic conditions; each run
//! is a [`paths::path::Path`]. A body is linked once ([`linking`]): the resolver, shared with the closure, gives the
//! meaning of names and calls, variables get slots, and constants get values. A machine is one run: [`language`] walks
//! the code, [`engine::calls`] and [`classes::construct`] enter project code by the class of the receiver, [`state`]
//! holds what is there before a request, and [`library`] contains the models of library types. An unknown value
//! ([`values`]) carries its reasons. If unknown code may have changed state or thrown, the path gets a doubt; nothing
//! exact is claimed about a path with a doubt.

#[macro_use]
pub mod library;

pub mod classes;
pub mod engine;
pub mod language;
pub mod linking;
pub mod mutation;
pub mod opaque;
pub mod paths;
pub mod state;
pub mod stores;
pub mod values;

#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod tests;

pub use engine::machine::{Bounds, Context, Machine, Wiring, explore};
pub use linking::codes::{Codes, Covered};
pub use paths::path::{Outcome, Path};

//! The surroundings of a program: clock, random identifiers, environment variables, files and logs.
//!
//! Comes in: calls whose result the outside world decides. Goes out: what is certain at every time and place, else
//! unknown values. Never here: a look at the machine that `mastor` runs on.

pub mod clock;
pub mod identifiers;
pub mod loggers;
pub mod nature;
pub mod outside;
pub mod places;
pub mod surroundings;

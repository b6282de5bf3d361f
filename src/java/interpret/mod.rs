//! The interpreter: runs lowered bodies over concrete, symbolic and unknown values, and returns the paths it took (DESIGN §9).
//!
//! [`machine::explore`] runs something once for every way through the conditions that are not concrete; each run is a [`path::Path`].
//! A machine is one such run: [`eval`] and [`exec`] walk the body, [`calls`] and [`objects`] go into project code, [`library`] into models.
//! What is not known is a value of its own and is named; what it may have changed or thrown is a doubt on the path, and on a path with a
//! doubt nothing exact may be said.

pub mod arith;
pub mod calls;
pub mod condition;
pub mod eval;
pub mod exec;
pub mod function;
pub mod hierarchy;
pub mod library;
pub mod machine;
pub mod names;
pub mod objects;
pub mod operate;
pub mod path;
pub mod scalar;
pub mod term;
pub mod value;

#[cfg(test)]
mod tests;

pub use machine::{Bounds, Context, Machine, Wiring, explore};
pub use path::{Outcome, Path};

//! Comparing: differences between the answers of base and head of an operation.
//!
//! Comes in: both sides of an operation. Goes out: changes, each with a request or condition that shows it, and what
//! kept the comparison from being complete. Never here: reading a suite.
//!
//! Each folder imports only those before it: [`sides`], `objects`, [`edits`], [`paths`], [`off_path`], [`proofs`];
//! [`change`] asks them in order.

pub mod change;
pub mod edits;
mod objects;
pub mod off_path;
pub mod paths;
pub mod proofs;
pub mod sides;

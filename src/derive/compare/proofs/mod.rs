//! Proofs: the runs that show a difference, or that base and head are the same.
//!
//! Comes in: both sides of an operation. Goes out: differences with an assignment that shows them, or *same*, or what
//! was not compared. Never here: how a change is told.

mod answers;
pub mod joint;
mod narrowed;
pub mod product;
mod requested;
pub mod round;
pub mod sameness;
mod served;
mod splits;
mod surrounded;
mod uncompared;
pub mod units;
mod untried;

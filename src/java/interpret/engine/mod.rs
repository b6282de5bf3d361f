//! The engine: one machine per path, with its forks, frames and dispatch.
//!
//! Comes in: linked code, arguments and bounds. Goes out: paths, with doubts where code could not be followed. Never
//! here: a rule of a framework, or a wall clock.

pub mod calls;
pub mod doubts;
mod fallbacks;
pub mod frames;
mod generated_classes;
mod limits;
pub mod machine;
pub mod receivers;
pub mod region;
mod walked;

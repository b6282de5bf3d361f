//! Comparing: what base and head of an operation answer differently. In come both sides of an operation; out go changes, each with a request or a
//! condition that shows it, and whether all that changed could be told. No suite is looked at here.

mod asked;
mod beside;
pub mod cause;
pub mod change;
mod changed;
pub mod changed_context;
mod classes;
mod constants;
mod declarations;
pub mod declared;
pub mod difference;
pub mod differences;
pub mod found_objects;
mod guarded;
mod handed;
mod happened;
mod holders;
mod innermost;
mod instead;
pub mod joint;
pub mod later;
pub mod moved_bounds;
mod odds;
pub mod parts;
pub mod product;
pub mod reach;
pub mod regions;
pub mod sameness;
mod set_alike;
pub mod side;
mod stored;
mod surrounded;
mod uncompared;
pub mod units;
mod wired;
mod words;

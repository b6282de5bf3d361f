//! Collections whose elements are known: what lists, maps and sets have in common.
//!
//! Comes in: calls on collections. Goes out: results in Java's iteration order, views and iterators. Never here: an
//! order that the JDK does not specify.

pub mod iterators;
pub mod keyed;
pub mod ordered;
pub mod shared;
pub mod utilities;
pub mod views;

//! The two sides: one operation in base and in head, with its runs and what one revision knows for all of its
//! operations.
//!
//! Comes in: two revisions of a service. Goes out: sides, the members that lead to a change, and what code passes to
//! libraries. Never here: a comparison of the two.

pub(super) mod hands;
pub(super) mod made;
pub mod reach;
pub(super) mod revision;
pub mod side;

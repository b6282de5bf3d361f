//! Answers: finds values in them, judges them, and tells what is stable.
//!
//! Comes in: answers of a service, and assertions. Goes out: assertions that do not hold, differences, fields that
//! vary, and observed assertions. Never here: sending a request.

pub mod differ;
pub mod field_path;
pub mod holds;
pub mod judge;
pub mod moments;
pub mod observe;
pub mod pattern;
pub mod select;
pub mod shapes;
pub mod unstable;

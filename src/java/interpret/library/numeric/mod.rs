//! Numbers: boxes, `Math`, random numbers with a seed, and `java.math`.
//!
//! Comes in: calls on numbers. Goes out: exact results, by the rules of the documentation. Never here: a result that
//! differs between releases.

pub mod big_decimals;
pub mod big_integers;
pub mod boxes;
pub mod decimal;
pub mod decimal_division;
pub mod decimal_forms;
pub mod integer_math;
pub mod math;
pub mod math_contexts;
pub mod number_constants;
pub mod number_texts;
pub mod numbers;
pub mod randoms;

//! Values of a running body: scalars, symbolic terms, heap objects and unknown values, with Java's arithmetic.
//!
//! Comes in: constants, inputs and the results of operations. Goes out: values with their types, exact or with the
//! reason why they are unknown. Never here: the state of a path.

pub mod arith;
pub mod decimal_text;
pub mod floats;
pub mod function;
pub mod java_type;
pub mod scalar;
pub mod term;
pub mod types;
pub mod value;

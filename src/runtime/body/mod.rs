//! Body: reads JSON and other bodies into the handler's types, and writes what it returns, by the rules of the
//! serialiser.
//!
//! Comes in: types and values. Goes out: values and body shapes, or the reason why they are unknown. Never here:
//! deciding a status.

pub mod forms;
pub mod links;
pub mod media;
pub mod mixed;
pub mod properties;
pub mod provider;
pub mod reading;
pub mod shape;
pub mod written;

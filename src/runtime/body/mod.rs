//! Body: reads JSON and other bodies into the handler's types, and writes what it returns, by the rules of the
//! serialiser. Input: types and values. Output: values and body shapes, or the reason why they are unknown. No status
//! is decided here.

pub mod forms;
pub mod links;
pub mod media;
pub mod mixed;
pub mod properties;
pub mod provider;
pub mod reading;
pub mod shape;
pub mod written;

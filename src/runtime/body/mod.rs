//! Body: JSON and other bodies, read as the types of a handler and written from what it returns, by the rules of the serialiser. In come types and
//! values; out go values and shapes of bodies, or what cannot be told. No status is decided here.

pub mod forms;
pub mod links;
pub mod media;
pub mod mixed;
pub mod properties;
pub mod provider;
pub mod reading;
pub mod shape;
pub mod written;

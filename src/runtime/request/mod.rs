//! Request: the inputs of a request, and how an operation's parameters are read from it.
//!
//! Comes in: the slots of an operation and the texts of a request. Goes out: values for the handler, or the framework's
//! refusal. Never here: reading a body (that is `body`), or running a handler.

pub mod binding;
pub mod case;
pub mod dispatched;
pub mod filled;
pub mod injected;
pub mod models;
pub mod paged;
pub mod read_by_hand;
pub mod rivals;
pub mod segments;
pub mod signature;
pub mod slot;
pub mod text_forms;

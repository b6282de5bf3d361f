//! Request: the inputs of a request, and how an operation's parameters are read from it. Input: the slots of an
//! operation and the texts of a request. Output: values for the handler, or the framework's refusal. `body` reads
//! bodies; no handler runs here.

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

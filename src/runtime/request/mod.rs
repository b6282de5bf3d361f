//! Request: what a request is, and how an operation's parameters are read from it. In come the slots of an operation and the texts of a request;
//! out go values for the handler, or what the framework refuses. Bodies are read in `body`, and no handler is run here.

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

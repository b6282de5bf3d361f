//! Inputs: values for requests, from comparisons in the code, types, stored rows and the document.
//!
//! Comes in: an operation with its runs so far. Goes out: requests to try. Never here: running the operation; only
//! conditions are evaluated.

pub mod assignment;
pub mod by_hand;
pub mod documented;
pub mod hinted;
pub mod learned;
pub mod samples;
pub mod sendable;
pub mod senders;
pub mod several;
pub mod solve;
pub mod stored;

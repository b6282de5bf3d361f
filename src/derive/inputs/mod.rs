//! Inputs: values for requests, found by what the code compares them with, by its types, its rows and the document. In comes an operation with what was
//! met so far; out go requests to try. Nothing is run here but conditions.

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

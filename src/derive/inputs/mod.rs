//! Inputs: values for requests, from comparisons in the code, types, stored rows and the document. The input is an
//! operation with its runs so far; the output is requests to try. Only conditions are evaluated here.

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

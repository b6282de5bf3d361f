//! Reading replies: only what has the right form and cites code that was sent passes.
//!
//! Comes in: replies of a model, untrusted. Goes out: contexts, associations, oracles and sequences, and why others
//! were dropped. Never here: an expectation that the reply did not contain.

pub mod read_context;
pub mod read_oracles;
pub mod read_sequences;
pub mod replies;
pub mod schemas;
pub mod text;

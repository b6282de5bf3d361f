//! The suite as data: oracles, sequences and source contexts, with requests, assertions and evidence.
//!
//! Comes in: nothing. Goes out: types of the committed files, and the request that each form sends. Never here: reading
//! or writing a file.

pub mod assertion;
pub mod assumption;
pub mod binds;
pub mod events;
pub mod evidence;
pub mod given;
pub mod input;
pub mod oracle;
pub mod path;
pub mod request;
pub mod sendable;
pub mod sequence;
pub mod source_context;
pub mod varies;

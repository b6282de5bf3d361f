//! Wording: words, names and links that several forms share.
//!
//! Comes in: assertions, conditions, symbols and places in files. Goes out: short plain text for people. Never here:
//! markup of one form.

pub(super) mod asked;
pub(super) mod condition_words;
pub(super) mod links;
pub(super) mod short_names;
pub mod words;

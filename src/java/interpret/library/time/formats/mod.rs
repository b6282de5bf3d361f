//! Text of dates and times: patterns, formatting and parsing.
//!
//! Comes in: formatters and text. Goes out: text, or fields resolved to a date or time. Never here: the default time
//! zone.

pub mod date_fields;
pub mod date_formats;
pub mod date_patterns;
pub mod date_reading;
pub mod formatters;
pub mod old_formats;

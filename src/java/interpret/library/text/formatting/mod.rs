//! Formatted text: `String.format` and `MessageFormat`.
//!
//! Comes in: format strings, arguments and locales. Goes out: the text as the JDK writes it. Never here: dates by a
//! pattern, which are in `time`.

pub mod format_numbers;
pub mod format_specs;
pub mod formats;
pub mod locales;

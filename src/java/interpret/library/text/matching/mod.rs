//! Regular expressions: parsed and matched in the same order as Java.
//!
//! Comes in: patterns and texts. Goes out: matches with their groups, and texts that match. Never here: more than a
//! limited number of steps.

pub mod matchers;
pub mod pattern_texts;
pub mod patterns;
pub mod regex;
pub mod regex_classes;
pub mod regex_match;
pub mod regex_read;
pub mod regex_samples;

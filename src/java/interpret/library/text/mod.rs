//! Text and bytes: strings, builders, characters, encodings, digests, readers and writers.
//!
//! Comes in: calls on texts. Goes out: exact results by UTF-16 units, or terms on symbolic texts. Never here: a result
//! that depends on the default locale or charset.

pub mod builders;
pub mod characters;
pub mod codings;
pub mod digests;
pub mod formatting;
pub mod input_text;
pub mod matching;
pub mod normalizer;
pub mod sequences;
pub mod strings;
pub mod text_tools;
pub mod texts;
pub mod writers;

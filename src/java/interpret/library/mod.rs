//! Models of library types: what their methods return and do. One file per family, one line in [`families`] for each.
//!
//! A model answers only what it knows exactly; everything else is left to the machine, which calls it unknown.

pub use families::{call, constant, is_silent, is_static};
pub use invocation::LibraryCall;
pub use result_types::result_type;

#[macro_use]
mod native_state;

pub mod array_tools;
pub mod atomics;
pub mod big_decimals;
pub mod big_integers;
pub mod boxes;
pub mod builders;
pub mod characters;
pub mod collections;
pub mod collectors;
pub mod constants;
pub mod contents;
pub mod decimal;
pub mod decimal_forms;
pub mod deques;
pub mod entries;
pub mod families;
pub mod formats;
pub mod functional;
pub mod heaps;
pub mod invocation;
pub mod iterators;
pub mod jax_rs;
pub mod list_changes;
pub mod list_places;
pub mod lists;
pub mod loggers;
pub mod map_entries;
pub mod map_makers;
pub mod maps;
pub mod matchers;
pub mod math;
pub mod number_texts;
pub mod numbers;
pub mod objects;
pub mod optional;
pub mod pattern_texts;
pub mod patterns;
pub mod regex;
pub mod regex_classes;
pub mod regex_match;
pub mod regex_read;
pub mod result_types;
pub mod rewriting;
pub mod sequences;
pub mod set_makers;
pub mod set_views;
pub mod sets;
pub mod shared;
pub mod spring;
pub mod stream_run;
pub mod stream_state;
pub mod streams;
pub mod strings;
pub mod support;
pub mod table;
pub mod texts;
pub mod throwables;
pub mod utilities;
pub mod views;

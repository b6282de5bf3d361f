//! What is known of entries that `mastor.toml` describes: where they are, and no more.

use crate::frameworks::record::{NOT_MODELLED, Record, Routing};

/// An entry pattern of `mastor.toml`.
pub static PATTERNS: Record =
    Record { name: "configured", routing: Routing { guesses_methods: true, ..NOT_MODELLED.routing }, ..NOT_MODELLED };

//! The framework record of entries that `mastor.toml` describes: only their location is known.

use crate::record::{NOT_MODELLED, Record, Routing};

/// Entries that match an entry pattern of `mastor.toml`.
pub static PATTERNS: Record =
    Record { name: "configured", routing: Routing { guesses_methods: true, ..NOT_MODELLED.routing }, ..NOT_MODELLED };

//! Keyed collections: maps, sets and their entries, as tables in Java's order.
//!
//! Comes in: calls on known keys. Goes out: entries, views and parts of sorted tables. Never here: positions in a list.

pub mod entries;
pub mod map_entries;
pub mod map_makers;
pub mod maps;
pub mod properties;
pub mod set_makers;
pub mod set_views;
pub mod sets;
pub mod table;

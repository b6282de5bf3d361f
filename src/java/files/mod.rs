//! Single files, each read once: from another project in memory, from the cache, or by parsing.
//!
//! Comes in: blobs of a revision. Goes out: their facts, bodies and outlines, also packed for the cache. Never here: an
//! index over several files.

pub(super) mod held;
pub mod packs;
pub(super) mod read_files;

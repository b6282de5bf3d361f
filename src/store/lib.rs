//! Files on disk: atomic writes, folders that git ignores, and a content-addressed cache.
//!
//! Comes in: bytes, with a path or a key. Goes out: files that are whole or not there, and verified records. Never
//! here: what the bytes mean.

pub mod atomic;
pub mod cache;
pub mod error;
pub mod folder;
pub mod links;

pub use atomic::{Batch, create_dir, remove, sweep, write, write_flushed, write_if_changed, write_or_remove};
pub use cache::Cache;
pub use error::StoreError;
pub use folder::create_ignored;

//! The committed suite in `.mastor/suite` and `.mastor/lock`: reading, comparing, merging and writing it without loss.
//!
//! Comes in: a source tree, and what an engine made. Goes out: a suite, its differences, proposals, and files. Never
//! here: making or running an oracle.
//!
//! `format` is the format of suite files and [`lock`] that of locks. [`load`] reads a suite from a source tree and
//! [`save`] writes one to disk. [`renew`] upgrades files of older versions, [`regenerate`] merges a committed suite
//! with an engine's output, [`compare`] finds the differences of two suites, and [`follow`] keeps follow-up sequences
//! consistent with the oracles of their writes.

pub mod candidates;
pub mod compare;
pub mod error;
pub mod follow;
pub mod format;
pub mod load;
pub mod lock;
pub mod proposal;
pub mod regenerate;
pub mod renew;
pub mod save;
pub mod tidy;

pub use error::SuiteError;
pub use load::{OperationSuite, Suite};
pub use lock::Lock;

/// Folder of the suite files, below the service's folder.
pub const SUITE_DIR: &str = ".mastor/suite";
/// Folder of the sequence files.
pub const SEQUENCES_DIR: &str = ".mastor/suite/sequences";
/// Folder of the lock files.
pub const LOCK_DIR: &str = ".mastor/lock";
/// Folder of a run's output, which is not committed.
pub const OUT_DIR: &str = ".mastor/out";
/// Folder of cached results, which is not committed.
pub const CACHE_DIR: &str = ".mastor/cache";

//! The committed suite: what stands in `.mastor/suite` and `.mastor/lock`, read and written so that it never loses
//! anything (ARCHITECTURE.md, *Contracts on disk*).
//!
//! `format` is the bytes of one file, [`lock`] of one lock, [`load`] reads a whole suite from any tree of files, [`save`] writes one to disk,
//! [`renew`] brings one of an older version up to this one, [`regenerate`] joins what is committed with what an engine made, [`compare`] tells two suites apart, [`follow`] keeps a write
//! and what was seen to follow from it together.

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
/// Folder of what a run writes and nobody commits.
pub const OUT_DIR: &str = ".mastor/out";
/// Folder of what makes the next run faster.
pub const CACHE_DIR: &str = ".mastor/cache";

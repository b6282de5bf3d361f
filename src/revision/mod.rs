//! A revision: the tree of files at a commit, in the work tree or in memory, read from git objects without a checkout.
//!
//! `tree` is what the rest of the crate works on; `git` is the only file that knows git2; `base` answers `--since`,
//! `deepen` fetches what a shallow clone lacks, `work_tree` lays what is on disk over HEAD, `changes` compares two trees.

pub mod base;
pub mod changes;
pub mod commit;
pub mod deepen;
pub mod eol;
pub mod error;
pub mod git;
pub mod id;
pub mod linked;
pub mod memory;
pub mod objects;
pub mod push;
pub mod text;
pub mod tree;
pub mod work_tree;

pub use base::Base;
pub use changes::{ChangeKind, FileChange, changes};
pub use commit::{Commit, HistoryKind};
pub use deepen::{Credentials, Deepening};
pub use error::RevisionError;
pub use git::{Repo, Scratch, Tracked, line_difference};
pub use id::{BlobId, CommitId};
pub use objects::Files;
pub use text::Text;
pub use tree::{FileEntry, READ_LIMIT, SourceTree, TEXT_LIMIT};

//! A revision: the tree of files at a commit, in the work tree or in memory, read from git objects without a checkout.
//!
//! Comes in: a repository, and the name of a commit. Goes out: trees of files, merge bases, changed files, patches and
//! commits. Never here: a change of the user's work tree or index.
//!
//! `tree` is the type that the rest of the crate uses; `git` is the only file that uses git2. `base` resolves
//! `--since`, `deepen` fetches missing history, `work_tree` combines HEAD with the changes on disk, and `changes`
//! compares two trees.

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

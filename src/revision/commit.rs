//! A commit as the reports name it: id, parents, subject and times.

use super::id::CommitId;

/// What is said about a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: CommitId,
    /// Ids of its parents, the first one being the line it was merged into; empty at a root and at a shallow boundary.
    pub parents: Vec<CommitId>,
    /// First line of its message; text that is not UTF-8 is replaced.
    pub subject: String,
    /// When it was written, in seconds since 1970.
    pub author_time: i64,
    /// When it was committed, in seconds since 1970.
    pub committer_time: i64,
}

impl Commit {
    /// The shortened id.
    pub fn short(&self) -> String {
        self.id.short()
    }
}

/// Which commits of the first-parent line a history lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryKind {
    /// Every one.
    Commits,
    /// Those with two parents or more: one for each merged pull request.
    Merges,
}

//! A commit as the reports name it: id, parents, subject and times.

use super::id::CommitId;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: CommitId,
    /// Ids of its parents, the first being the branch that it was merged into; empty at a root commit and at a shallow
    /// boundary.
    pub parents: Vec<CommitId>,
    /// First line of its message; text that is not UTF-8 is replaced.
    pub subject: String,
    /// Author time, in seconds since 1970.
    pub author_time: i64,
    /// Committer time, in seconds since 1970.
    pub committer_time: i64,
}

impl Commit {
    /// The shortened id.
    pub fn short(&self) -> String {
        self.id.short()
    }
}

/// Which commits of the first-parent line to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryKind {
    /// Every one.
    Commits,
    /// Merge commits only: those with two or more parents.
    Merges,
}

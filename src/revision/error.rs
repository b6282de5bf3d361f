//! What can go wrong while a revision is read.

use std::path::PathBuf;

/// A revision, or a file of one, that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// The user's: the command ran outside a git repository.
    #[error("no git repository at or above `{}`", dir.display())]
    NoRepository {
        /// Where the search began.
        dir: PathBuf,
    },
    /// The user's: nothing was committed yet, so there is no HEAD to compare with.
    #[error("the repository has no commits yet")]
    NoCommits,
    /// The user's: a bare repository has no work tree.
    #[error("the repository is bare: it has commits, but no work tree")]
    NoWorkTree,
    /// The user's: a folder that was named lies outside the repository.
    #[error("`{}` is not inside the repository `{}`", dir.display(), root.display())]
    OutsideRepository {
        /// The folder.
        dir: PathBuf,
        /// The repository's work tree.
        root: PathBuf,
    },
    /// The user's or the CI's: the revision to compare with is not here, or its history is cut off. Exit code 5.
    #[error("the base revision `{since}` cannot be used: {reason}{}", fetch_hint(command.as_deref()))]
    BaseMissing {
        /// What was asked for.
        since: String,
        /// Why it cannot be used.
        reason: String,
        /// The exact command that brings what is missing; none where no fetch would (no remote, unrelated histories).
        command: Option<String>,
    },
    /// The user's: a name that is no commit of this repository (where it is not the base that was asked for).
    #[error("`{spec}` names no commit of this repository")]
    UnknownRevision {
        /// What was asked for.
        spec: String,
    },
    /// The caller's: the tree holds no such file.
    #[error("no file `{path}` in this revision")]
    NoSuchFile {
        /// Path from the root.
        path: String,
    },
    /// Nobody's: a file beyond the limit up to which files are read.
    #[error("`{path}` has {size} bytes, more than the limit of {limit}")]
    FileTooLarge {
        /// Path from the root.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The clone's: git knows of the object but does not have it, as in a partial clone.
    #[error("the content of `{path}` is missing from the git repository (a partial clone?)")]
    ObjectMissing {
        /// Path from the root.
        path: String,
    },
    /// The machine's: a file of the work tree cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Io {
        /// Path from the root, or of the folder.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The repository's: git itself failed, in libgit2's words.
    #[error("git failed to {doing}: {message}")]
    Git {
        /// What was tried.
        doing: &'static str,
        /// What libgit2 says.
        message: String,
    },
}

fn fetch_hint(command: Option<&str>) -> String {
    command.map(|command| format!("; run `{command}`")).unwrap_or_default()
}

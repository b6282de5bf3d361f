//! Errors of reading a revision.

use std::path::PathBuf;

/// A revision or one of its files could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// The user's fault: the command ran outside a git repository.
    #[error("no git repository at or above `{}`", dir.display())]
    NoRepository {
        /// Where the search began.
        dir: PathBuf,
    },
    /// The user's fault: the repository has no commit, so there is no HEAD to compare with.
    #[error("the repository has no commits yet")]
    NoCommits,
    /// The user's fault: a bare repository has no work tree.
    #[error("the repository is bare: it has commits, but no work tree")]
    NoWorkTree,
    /// The user's fault: the given folder lies outside the repository.
    #[error("`{}` is not inside the repository `{}`", dir.display(), root.display())]
    OutsideRepository {
        /// The folder.
        dir: PathBuf,
        /// The repository's work tree.
        root: PathBuf,
    },
    /// The user's or the CI's fault: the revision to compare with is not in this clone, or its history is cut off. Exit
    /// code 5.
    #[error("the base revision `{since}` cannot be used: {reason}{}", fetch_hint(command.as_deref()))]
    BaseMissing {
        /// What was asked for.
        since: String,
        /// Why it cannot be used.
        reason: String,
        /// The command that fetches what is missing; `None` where no fetch would help (no remote, unrelated histories).
        command: Option<String>,
    },
    /// The user's fault: a name that is not a commit of this repository (for anything but the base).
    #[error("`{spec}` names no commit of this repository")]
    UnknownRevision {
        /// What was asked for.
        spec: String,
    },
    /// The caller's fault: the tree has no such file.
    #[error("no file `{path}` in this revision")]
    NoSuchFile {
        /// Path from the root.
        path: String,
    },
    /// Nobody's fault: the file exceeds the size limit for reading.
    #[error("`{path}` has {size} bytes, more than the limit of {limit}")]
    FileTooLarge {
        /// Path from the root.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The clone's fault: git knows the object but does not have it, as in a partial clone.
    #[error("the content of `{path}` is missing from the git repository (a partial clone?)")]
    ObjectMissing {
        /// Path from the root.
        path: String,
    },
    /// The machine's fault: a file of the work tree cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Io {
        /// Path from the root, or of the folder.
        path: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The repository's fault: a git operation failed.
    #[error("git failed to {doing}: {message}")]
    Git {
        /// The operation that failed.
        doing: &'static str,
        /// Error message of libgit2.
        message: String,
    },
}

fn fetch_hint(command: Option<&str>) -> String {
    command.map(|command| format!("; run `{command}`")).unwrap_or_default()
}

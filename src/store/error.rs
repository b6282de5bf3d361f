//! Errors of writing files.

use std::path::{Path, PathBuf};

/// A file or folder could not be written; the earlier content is kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The machine's fault: no permission, or a read-only disk.
    #[error("no right to write `{}`: {source}", path.display())]
    ReadOnly {
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The machine's fault: the disk or the quota is full.
    #[error("no space left to write `{}`: {source}", path.display())]
    Full {
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The repository's fault: the path leads through a symbolic link, which may point outside the repository.
    #[error("`{}` is a symbolic link: nothing is written through one", path.display())]
    Linked {
        /// The link.
        path: PathBuf,
    },
    /// The machine's or the user's fault: anything else, such as a folder where a file should be.
    #[error("cannot write `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
}

impl StoreError {
    /// The error for a path, chosen by the kind of the system's error.
    pub fn new(path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path, source },
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Full { path, source },
            _ => Self::Io { path, source },
        }
    }
}

/// Whether an error is, or is caused by, [`StoreError::Linked`].
pub fn is_of_link(error: &(dyn std::error::Error + 'static)) -> bool {
    if let Some(StoreError::Linked { .. }) = error.downcast_ref::<StoreError>() {
        return true;
    }
    let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    inner.is_some_and(|inner| is_of_link(inner)) || error.source().is_some_and(is_of_link)
}

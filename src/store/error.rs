//! What can go wrong while a file is written.

use std::path::{Path, PathBuf};

/// A file or folder that could not be written; what stood there before still stands.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The machine's: no right to write there, or a read-only disk.
    #[error("no right to write `{}`: {source}", path.display())]
    ReadOnly {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The machine's: the disk or the quota is full.
    #[error("no space left to write `{}`: {source}", path.display())]
    Full {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The repository's: a symbolic link stands on the way, and may lead out of it.
    #[error("`{}` is a symbolic link: nothing is written through one", path.display())]
    Linked {
        /// The link.
        path: PathBuf,
    },
    /// The machine's or the user's: anything else, such as a folder where a file should be.
    #[error("cannot write `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl StoreError {
    /// The error for a path, by what the system says.
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

/// Whether an error says, at first or as its cause, that a symbolic link stands on the way.
pub fn is_of_link(error: &(dyn std::error::Error + 'static)) -> bool {
    if let Some(StoreError::Linked { .. }) = error.downcast_ref::<StoreError>() {
        return true;
    }
    let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    inner.is_some_and(|inner| is_of_link(inner)) || error.source().is_some_and(is_of_link)
}

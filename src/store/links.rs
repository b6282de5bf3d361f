//! Guards against symbolic links in a repository, which a pull request may have added: nothing is written through one.

use std::path::{Path, PathBuf};

use super::error::StoreError;

/// Refuses a folder whose path below the repository's root contains a symbolic link. Links above the root belong to the
/// machine and are allowed.
///
/// # Errors
/// [`StoreError::Linked`] with the link.
pub fn refuse(folder: &Path) -> Result<(), StoreError> {
    match first(folder) {
        Some(path) => Err(StoreError::Linked { path }),
        None => Ok(()),
    }
}

/// The first symbolic link on the path from the repository's root to a folder.
pub fn first(folder: &Path) -> Option<PathBuf> {
    let mut link = None;
    for place in folder.ancestors().filter(|place| !place.as_os_str().is_empty()) {
        if std::fs::symlink_metadata(place).is_ok_and(|kind| kind.file_type().is_symlink()) {
            link = Some(place);
        } else if std::fs::symlink_metadata(place.join(".git")).is_ok() {
            return link.map(Path::to_owned);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn nothing_is_written_made_or_removed_through_a_link_below_a_repository() {
        use std::os::unix::fs::symlink;

        use super::*;
        use crate::{Batch, create_dir, remove, write, write_if_changed};
        let dir = tempfile::tempdir().unwrap();
        let (root, outside) = (dir.path().join("root"), dir.path().join("outside"));
        fs_err::create_dir_all(root.join(".git")).unwrap();
        fs_err::create_dir_all(outside.join(".git")).unwrap();
        fs_err::write(outside.join("x"), "theirs").unwrap();
        symlink(&outside, root.join("link")).unwrap();
        symlink(root.join("nowhere"), root.join("open")).unwrap();
        for through in ["link", "link/below", "open"] {
            let folder = root.join(through);
            let file = folder.join("x");
            let named = |error: StoreError| assert!(matches!(&error, StoreError::Linked { .. }), "{error}");
            named(write(&file, b"ours").unwrap_err());
            named(write_if_changed(&file, b"theirs").unwrap_err());
            named(Batch::default().write(&file, b"ours").unwrap_err());
            named(Batch::default().remove(&file).unwrap_err());
            named(create_dir(&folder).unwrap_err());
            named(remove(&file).unwrap_err());
        }
        assert_eq!(fs_err::read_to_string(outside.join("x")).unwrap(), "theirs");
        assert_eq!(fs_err::read_dir(&outside).unwrap().count(), 2);
        assert!(!root.join("nowhere").exists());
        // A link to the repository itself is allowed.
        symlink(&root, dir.path().join("way")).unwrap();
        write(&dir.path().join("way/a/b"), b"ours").unwrap();
        assert_eq!(fs_err::read_to_string(root.join("a/b")).unwrap(), "ours");
    }
}

//! Folders that git ignores, by a `.gitignore` of their own.

use std::path::Path;

use super::atomic;
use super::error::StoreError;

/// Creates a folder with a `.gitignore` that ignores everything in it, unless it has one already.
pub fn create_ignored(dir: &Path) -> Result<(), StoreError> {
    let ignore = dir.join(".gitignore");
    if ignore.is_file() {
        return Ok(());
    }
    atomic::write(&ignore, b"*\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignore_file_is_made_once_and_never_changed() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join(".mastor/out");
        create_ignored(&out).unwrap();
        assert_eq!(fs_err::read_to_string(out.join(".gitignore")).unwrap(), "*\n");
        fs_err::write(out.join(".gitignore"), "mine\n").unwrap();
        create_ignored(&out).unwrap();
        assert_eq!(fs_err::read_to_string(out.join(".gitignore")).unwrap(), "mine\n");
    }
}

//! Atomic file writes: a reader sees either the old or the new content, and a full or read-only disk keeps the old one.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::links;

/// Writes a file atomically: to a temporary file beside it, then renamed. Missing folders are created. A power cut may
/// lose it: see [`write_flushed`].
///
/// A symbolic link is replaced rather than followed; one in the path of folders is refused. A replaced file's
/// permissions are kept.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    stage(path, bytes, Flush::No)?.persist(path).map_err(|error| StoreError::new(path, error.error))
}

/// Writes a file atomically and flushes it to disk before it returns, for data that cannot be recreated.
pub fn write_flushed(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    stage(path, bytes, Flush::Yes)?.persist(path).map_err(|error| StoreError::new(path, error.error))?;
    flush_folder(folder_of(path));
    Ok(())
}

/// Writes a file atomically unless it has this content already; returns whether it was written.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool, StoreError> {
    if is_there(path, bytes) {
        return Ok(false);
    }
    write(path, bytes)?;
    Ok(true)
}

/// Files that are written together: each is first written and flushed beside its target, and [`Batch::commit`] then
/// renames them all. Where the disk fills up, all old files are kept.
#[derive(Debug, Default)]
pub struct Batch {
    staged: Vec<(tempfile::TempPath, PathBuf)>,
    removed: Vec<PathBuf>,
}

impl Batch {
    /// Stages a file unless it has this content already; returns whether it differs.
    ///
    /// # Errors
    /// Where the temporary file cannot be written.
    pub fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<bool, StoreError> {
        if is_there(path, bytes) {
            return Ok(false);
        }
        self.staged.push((stage(path, bytes, Flush::Yes)?, path.to_owned()));
        Ok(true)
    }

    /// Stages the removal of a file; returns whether the file exists.
    ///
    /// # Errors
    /// For a symbolic link in the path of folders.
    pub fn remove(&mut self, path: &Path) -> Result<bool, StoreError> {
        links::refuse(folder_of(path))?;
        let there = fs_err::symlink_metadata(path).is_ok();
        if there {
            self.removed.push(path.to_owned());
        }
        Ok(there)
    }

    /// Renames all staged files to their targets and removes the others.
    ///
    /// # Errors
    /// Where one operation fails; those before it have taken effect.
    pub fn commit(self) -> Result<(), StoreError> {
        let folders: BTreeSet<PathBuf> = self.staged.iter().map(|(_, path)| folder_of(path).to_owned()).collect();
        for (file, path) in self.staged {
            file.persist(&path).map_err(|error| StoreError::new(&path, error.error))?;
        }
        for path in self.removed {
            remove(&path)?;
        }
        folders.iter().for_each(|folder| flush_folder(folder));
        Ok(())
    }
}

/// Creates a folder and its missing parents.
///
/// # Errors
/// Where it cannot be created, and for a symbolic link in its path.
pub fn create_dir(folder: &Path) -> Result<(), StoreError> {
    links::refuse(folder)?;
    fs_err::create_dir_all(folder).map_err(|source| StoreError::new(folder, source))
}

/// Removes a file or a symbolic link, if it exists.
///
/// # Errors
/// Where it cannot be removed, and for a symbolic link in the path of folders.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    links::refuse(folder_of(path))?;
    match fs_err::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(StoreError::new(path, source)),
        _ => Ok(()),
    }
}

/// Writes a file atomically; without bytes, removes the file that an earlier run may have left.
///
/// # Errors
/// Where the file can be neither written nor removed.
pub fn write_or_remove(path: &Path, bytes: Option<&[u8]>) -> Result<(), StoreError> {
    match bytes {
        Some(bytes) => write(path, bytes),
        None => remove(path),
    }
}

/// Prefix and suffix of temporary file names.
const UNFINISHED: (&str, &str) = (".mastor-", ".tmp");

/// Removes temporary files that a killed run left in this folder.
pub fn sweep(folder: &Path) {
    for entry in fs_err::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1) {
            let _ = fs_err::remove_file(entry.path());
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flush {
    Yes,
    No,
}

/// Writes the content to a temporary file in the target's folder.
fn stage(path: &Path, bytes: &[u8], flush: Flush) -> Result<tempfile::TempPath, StoreError> {
    let folder = folder_of(path);
    create_dir(folder)?;
    stage_in(folder, path, bytes, flush).map_err(|source| StoreError::new(path, source))
}

fn stage_in(folder: &Path, path: &Path, bytes: &[u8], flush: Flush) -> std::io::Result<tempfile::TempPath> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
    let old = fs_err::symlink_metadata(path).ok();
    if old.as_ref().is_some_and(std::fs::Metadata::is_dir) {
        return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory));
    }
    let old = old.filter(std::fs::Metadata::is_file).map(|old| old.permissions());
    #[cfg(unix)]
    let rights = old.unwrap_or_else(|| std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(unix)]
    builder.permissions(rights);
    #[cfg(not(unix))]
    drop(old);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if flush == Flush::Yes {
        file.as_file().sync_all()?;
    }
    Ok(file.into_temp_path())
}

fn is_there(path: &Path, bytes: &[u8]) -> bool {
    let same_size = fs_err::symlink_metadata(path).is_ok_and(|old| old.is_file() && old.len() == bytes.len() as u64);
    same_size && links::refuse(folder_of(path)).is_ok() && fs_err::read(path).is_ok_and(|old| old == bytes)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A rename survives a power cut only once the folder is flushed. On systems that cannot flush a folder, it may be
/// lost.
fn flush_folder(folder: &Path) {
    if let Ok(folder) = fs_err::File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs_err::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_with_its_folders_and_nothing_is_left_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a/b/c.json");
        assert!(write_if_changed(&file, b"one").unwrap());
        assert!(!write_if_changed(&file, b"one").unwrap());
        assert!(write_if_changed(&file, b"two").unwrap());
        assert_eq!(fs_err::read(&file).unwrap(), b"two");
        assert_eq!(names(file.parent().unwrap()), ["c.json"]);
    }

    #[test]
    fn of_a_batch_nothing_is_in_its_place_before_all_can_be() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs_err::write(at("old"), "1").unwrap();
        fs_err::write(at("gone"), "1").unwrap();
        fs_err::create_dir(at("folder")).unwrap();
        let mut batch = Batch::default();
        assert!(batch.write(&at("old"), b"2").unwrap() && batch.write(&at("new"), b"2").unwrap());
        assert!(batch.remove(&at("gone")).unwrap() && !batch.remove(&at("never")).unwrap());
        assert!(!batch.write(&at("old"), b"1").unwrap());
        assert!(batch.write(&at("folder"), b"2").is_err());
        drop(batch);
        assert_eq!(names(dir.path()), ["folder", "gone", "old"]);
        let mut batch = Batch::default();
        assert!(batch.write(&at("old"), b"2").unwrap() && batch.remove(&at("gone")).unwrap());
        batch.commit().unwrap();
        assert_eq!(names(dir.path()), ["folder", "old"]);
        assert_eq!(fs_err::read(at("old")).unwrap(), b"2");
    }

    #[test]
    fn a_folder_in_the_way_stays_and_nothing_is_left_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x");
        fs_err::create_dir(&file).unwrap();
        fs_err::write(file.join("kept"), "1").unwrap();
        assert!(matches!(write(&file, b"new"), Err(StoreError::Io { .. })));
        assert_eq!(names(dir.path()), ["x"]);
        assert_eq!(names(&file), ["kept"]);
    }

    #[test]
    fn a_file_in_place_of_a_folder_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join("x"), "1").unwrap();
        let error = write(&dir.path().join("x/y"), b"new").unwrap_err();
        assert!(error.to_string().contains('x'), "{error}");
        assert_eq!(fs_err::read(dir.path().join("x")).unwrap(), b"1");
    }

    #[cfg(unix)]
    #[test]
    fn rights_are_kept_and_links_are_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("x"), dir.path().join("link"));
        fs_err::write(&file, "1").unwrap();
        fs_err::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        write(&file, b"2").unwrap();
        assert_eq!(fs_err::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        symlink(&file, &link).unwrap();
        write(&link, b"3").unwrap();
        assert_eq!(fs_err::read(&file).unwrap(), b"2");
        assert_eq!(fs_err::read(&link).unwrap(), b"3");
    }
}

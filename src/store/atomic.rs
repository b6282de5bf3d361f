//! Atomic files: a reader sees the old bytes or the new ones, and a full or read-only disk leaves the old ones.

use std::io::Write;
use std::path::Path;

use super::error::StoreError;

/// Writes a file whole: beside it first, flushed to the disk, then renamed over it. Folders on the way are made.
///
/// A symbolic link is replaced, not followed; the rights of a file that is replaced are kept.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs_err::create_dir_all(folder).map_err(|source| StoreError::new(folder, source))?;
    write_in(folder, path, bytes).map_err(|source| StoreError::new(path, source))
}

/// Writes a file whole unless it has these bytes already; says whether they differed.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool, StoreError> {
    let same_size = fs_err::symlink_metadata(path).is_ok_and(|old| old.is_file() && old.len() == bytes.len() as u64);
    if same_size && fs_err::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    write(path, bytes)?;
    Ok(true)
}

/// Writes a file whole, or removes what an earlier run left there where there is nothing to write.
///
/// # Errors
/// Where the file can be neither written nor removed.
pub fn write_or_remove(path: &Path, bytes: Option<&[u8]>) -> Result<(), StoreError> {
    match bytes {
        Some(bytes) => write(path, bytes),
        None => match fs_err::remove_file(path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(StoreError::new(path, source)),
            _ => Ok(()),
        },
    }
}

/// How the name of a file that is not yet whole begins and ends.
const UNFINISHED: (&str, &str) = (".mastor-", ".tmp");

/// Removes files of this folder that a killed run has left unfinished.
pub fn sweep(folder: &Path) {
    for entry in fs_err::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1) {
            let _ = fs_err::remove_file(entry.path());
        }
    }
}

fn write_in(folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
    let old = fs_err::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file).map(|old| old.permissions());
    #[cfg(unix)]
    let rights = old.unwrap_or_else(|| std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(unix)]
    builder.permissions(rights);
    #[cfg(not(unix))]
    drop(old);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The rename itself outlives a power cut only once the folder is flushed; where that is not possible, it is only later.
    if let Ok(folder) = fs_err::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
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

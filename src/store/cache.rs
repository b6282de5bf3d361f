//! The cache: a folder of records named by what they were made from, each verified when it is read.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::folder;
use crate::types::{Hash, Warning};

/// A folder of records. Losing it costs time only: whatever cannot be read is absent, whatever cannot be written is not kept.
///
/// Two processes may use one folder: a record appears by a rename, and has the same bytes whoever writes it.
#[derive(Debug)]
pub struct Cache {
    dir: Option<PathBuf>,
    /// Set when the first record could not be written; none is tried afterwards.
    unwritable: OnceLock<Warning>,
    made: OnceLock<()>,
    changing: Mutex<()>,
}

/// How much a cache holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheSize {
    /// Records.
    pub records: u64,
    /// Bytes in them.
    pub bytes: u64,
}

/// Begins every record; its digit changes when the form of records does.
const MAGIC: &[u8; 8] = b"mastor1\n";

/// Length of what precedes the payload: magic and checksum.
const HEADER: usize = MAGIC.len() + 32;

impl Cache {
    /// The cache in a folder, which is made when the first record is written.
    pub fn open(dir: &Path) -> Self {
        Self {
            dir: Some(dir.to_owned()),
            unwritable: OnceLock::new(),
            made: OnceLock::new(),
            changing: Mutex::default(),
        }
    }

    /// A cache that keeps nothing.
    pub fn disabled() -> Self {
        Self { dir: None, unwritable: OnceLock::new(), made: OnceLock::new(), changing: Mutex::default() }
    }

    /// The record of a kind (a folder's name) made from `key`; one that is damaged is removed and absent.
    pub fn get(&self, kind: &str, key: &str) -> Option<Vec<u8>> {
        let name = Hash::of_parts([kind.as_bytes(), key.as_bytes()]);
        let path = record_path(self.dir.as_deref()?, kind, &name);
        let mut bytes = std::fs::read(&path).ok()?;
        if verified(&bytes, &name) {
            bytes.drain(..HEADER);
            return Some(bytes);
        }
        let _ = std::fs::remove_file(&path);
        None
    }

    /// Keeps a record; where that fails, this and all later ones are not kept, and [`Cache::warning`] says so.
    pub fn put(&self, kind: &str, key: &str, bytes: &[u8]) {
        let Some(dir) = self.dir.as_deref().filter(|_| self.unwritable.get().is_none()) else { return };
        let name = Hash::of_parts([kind.as_bytes(), key.as_bytes()]);
        if let Err(message) = self.write(dir, kind, &name, bytes) {
            let message = format!("the cache cannot be written, so nothing is kept: {message}");
            let _ = self.unwritable.set(Warning::new("cache-not-written", message, None));
        }
    }

    /// Held while a record is read, changed and written again, so that of two threads neither loses what the other added.
    pub fn exclusive(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing is kept, once a record could not be written.
    pub fn warning(&self) -> Option<&Warning> {
        self.unwritable.get()
    }

    /// Records and bytes in the folder.
    pub fn size(&self) -> CacheSize {
        let mut size = CacheSize::default();
        for record in self.records() {
            size.records += 1;
            size.bytes += record.metadata().map_or(0, |metadata| metadata.len());
        }
        size
    }

    /// Removes all records, and says how many bytes that freed.
    pub fn clear(&self) -> Result<CacheSize, super::error::StoreError> {
        let size = self.size();
        for kind in self.dir.iter().flat_map(|dir| folders(dir)) {
            fs_err::remove_dir_all(&kind).map_err(|source| super::error::StoreError::new(&kind, source))?;
        }
        Ok(size)
    }

    fn write(&self, dir: &Path, kind: &str, name: &Hash, bytes: &[u8]) -> Result<(), String> {
        if self.made.get().is_none() {
            folder::create_ignored(dir).map_err(|error| error.to_string())?;
            let _ = self.made.set(());
        }
        let path = record_path(dir, kind, name);
        let shard = path.parent().unwrap_or(dir);
        let write = || -> std::io::Result<()> {
            // No flush to the disk: a record that a power cut tears fails its checksum, and is made again.
            let mut builder = tempfile::Builder::new();
            builder.prefix(".new-");
            let mut file = match builder.tempfile_in(shard) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    std::fs::create_dir_all(shard)?;
                    builder.tempfile_in(shard)?
                }
                other => other?,
            };
            let mut record = Vec::with_capacity(HEADER + bytes.len());
            record.extend_from_slice(MAGIC);
            record.extend_from_slice(&checksum(name, bytes));
            record.extend_from_slice(bytes);
            file.write_all(&record)?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error| format!("{}: {error}", path.display()))
    }

    fn records(&self) -> Vec<std::fs::DirEntry> {
        let shards = self.dir.iter().flat_map(|dir| folders(dir)).flat_map(|kind| folders(&kind));
        let entries = shards.filter_map(|shard| std::fs::read_dir(shard).ok()).flatten().flatten();
        entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())).collect()
    }
}

/// The folders in a folder; symbolic links are none.
fn folders(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
}

fn record_path(dir: &Path, kind: &str, name: &Hash) -> PathBuf {
    let name = name.hex();
    let (shard, rest) = name.split_at(2);
    let mut path = dir.join(kind);
    path.push(shard);
    path.push(rest);
    path
}

/// Over the name too, so that a record under another's name is not taken for it.
fn checksum(name: &Hash, payload: &[u8]) -> [u8; 32] {
    *Hash::of_parts([name.as_bytes(), payload]).as_bytes()
}

fn verified(record: &[u8], name: &Hash) -> bool {
    let Some((header, payload)) = record.split_at_checked(HEADER) else { return false };
    let (magic, sum) = header.split_at(MAGIC.len());
    magic == MAGIC && sum == checksum(name, payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_record(cache: &Cache) -> PathBuf {
        let records = cache.records();
        assert_eq!(records.len(), 1);
        records[0].path()
    }

    #[test]
    fn what_was_put_is_got_by_another_that_opens_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(&dir.path().join("cache"));
        assert_eq!(cache.get("facts", "k"), None);
        cache.put("facts", "k", b"value");
        cache.put("facts", "empty", b"");
        let again = Cache::open(&dir.path().join("cache"));
        assert_eq!(again.get("facts", "k").unwrap(), b"value");
        assert_eq!(again.get("facts", "empty").unwrap(), b"");
        assert_eq!(again.get("other", "k"), None);
        assert_eq!(fs_err::read_to_string(dir.path().join("cache/.gitignore")).unwrap(), "*\n");
        assert!(cache.warning().is_none());
    }

    #[test]
    fn every_damage_makes_a_record_absent_and_removes_it() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path());
        cache.put("facts", "k", b"value");
        let whole = fs_err::read(only_record(&cache)).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            for bytes in [&damaged[..], &whole[..at]] {
                cache.put("facts", "k", b"value");
                let path = only_record(&cache);
                fs_err::write(&path, bytes).unwrap();
                assert_eq!(cache.get("facts", "k"), None);
                assert!(!path.exists());
            }
        }
    }

    #[test]
    fn a_record_under_anothers_name_is_not_taken_for_it() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path());
        cache.put("facts", "a", b"of a");
        let of_a = fs_err::read(only_record(&cache)).unwrap();
        cache.clear().unwrap();
        cache.put("facts", "b", b"of b");
        fs_err::write(only_record(&cache), of_a).unwrap();
        assert_eq!(cache.get("facts", "b"), None);
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_off_with_one_warning() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join("file"), "").unwrap();
        let cache = Cache::open(&dir.path().join("file/cache"));
        cache.put("facts", "k", b"value");
        assert_eq!(cache.get("facts", "k"), None);
        assert_eq!(cache.warning().unwrap().code, "cache-not-written");
        Cache::disabled().put("facts", "k", b"value");
    }

    #[test]
    fn size_counts_and_clear_keeps_the_ignore_file() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path());
        assert_eq!(cache.size(), CacheSize::default());
        cache.put("facts", "a", b"12345");
        cache.put("replies", "b", b"");
        assert_eq!(cache.size(), CacheSize { records: 2, bytes: 2 * HEADER as u64 + 5 });
        assert_eq!(cache.clear().unwrap().records, 2);
        assert_eq!(cache.size(), CacheSize::default());
        assert!(dir.path().join(".gitignore").exists());
        cache.put("facts", "a", b"12345");
        assert!(cache.get("facts", "a").is_some());
    }

    #[test]
    fn many_threads_may_put_and_get_the_same() {
        use rayon::prelude::*;
        let dir = tempfile::tempdir().unwrap();
        let caches = [Cache::open(dir.path()), Cache::open(dir.path())];
        (0..200_usize).into_par_iter().for_each(|n| {
            let (cache, key) = (&caches[n % 2], (n % 10).to_string());
            cache.put("facts", &key, key.as_bytes());
            assert_eq!(cache.get("facts", &key).unwrap(), key.as_bytes());
        });
        assert_eq!(caches[0].size().records, 10);
    }
}

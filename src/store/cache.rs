//! The cache: a folder of records named by the hash of their inputs; each record is verified when it is read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use super::{folder, links};
use mastor_types::{Hash, Warning};

/// A folder of records. Losing it only costs time: an unreadable record counts as absent, and a record that cannot be
/// written is not kept.
///
/// Several processes may use one folder: a record appears by a rename, and its bytes are the same whoever writes it.
#[derive(Debug)]
pub struct Cache {
    dir: Option<PathBuf>,
    /// Set when the first write fails; later writes are not tried.
    unwritable: OnceLock<Warning>,
    made: OnceLock<()>,
    changing: Mutex<()>,
    /// Paths of damaged records, below the folder.
    damaged: Mutex<BTreeSet<String>>,
}

/// How much a cache holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheSize {
    /// Number of records.
    pub records: u64,
    /// Total bytes of the records.
    pub bytes: u64,
}

/// The first bytes of every record; the digit is the version of the record format.
const MAGIC: &[u8; 8] = b"mastor1\n";

/// Length of the header: magic bytes and checksum.
const HEADER: usize = MAGIC.len() + 32;

impl Cache {
    /// A cache in this folder, which is created with the first record.
    pub fn open(dir: &Path) -> Self {
        Self {
            dir: Some(dir.to_owned()),
            unwritable: OnceLock::new(),
            made: OnceLock::new(),
            changing: Mutex::default(),
            damaged: Mutex::default(),
        }
    }

    /// A cache that stores nothing.
    pub fn disabled() -> Self {
        Self {
            dir: None,
            unwritable: OnceLock::new(),
            made: OnceLock::new(),
            changing: Mutex::default(),
            damaged: Mutex::default(),
        }
    }

    /// The record of this kind (a folder name) and `key`. A damaged record is removed and counts as absent.
    pub fn get(&self, kind: &str, key: &str) -> Option<Vec<u8>> {
        let name = Hash::of_parts([kind.as_bytes(), key.as_bytes()]);
        let path = record_path(self.dir.as_deref()?, kind, &name);
        let mut bytes = std::fs::read(&path).ok()?;
        if verified(&bytes, &name) {
            bytes.drain(..HEADER);
            return Some(bytes);
        }
        let _ = std::fs::remove_file(&path);
        self.note_damage(&path);
        None
    }

    fn note_damage(&self, path: &Path) {
        let below = self.dir.as_deref().and_then(|dir| path.strip_prefix(dir).ok()).unwrap_or(path);
        let name = below.to_string_lossy().replace('\\', "/");
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
    }

    /// Damaged records that were found and removed, sorted; paths are relative to the folder.
    pub fn damaged(&self) -> Vec<String> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Stores a record. After a failure nothing more is stored, and [`Cache::warning`] returns the reason.
    pub fn put(&self, kind: &str, key: &str, bytes: &[u8]) {
        let Some(dir) = self.dir.as_deref().filter(|_| self.unwritable.get().is_none()) else { return };
        let name = Hash::of_parts([kind.as_bytes(), key.as_bytes()]);
        if let Err(message) = self.write(dir, kind, &name, bytes) {
            let message = format!("the cache cannot be written, so nothing is kept: {message}");
            let _ = self.unwritable.set(Warning::new("cache-not-written", message, None));
        }
    }

    /// A lock to hold while a record is read, changed and written, so that no thread loses what another added.
    pub fn exclusive(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing is stored, after a record could not be written.
    pub fn warning(&self) -> Option<&Warning> {
        self.unwritable.get()
    }

    /// Number and size of all records.
    pub fn size(&self) -> CacheSize {
        let mut size = CacheSize::default();
        for record in self.records() {
            size.records += 1;
            size.bytes += record.metadata().map_or(0, |metadata| metadata.len());
        }
        size
    }

    /// Number and size of records by kind.
    pub fn kinds(&self) -> BTreeMap<String, CacheSize> {
        let mut kinds: BTreeMap<String, CacheSize> = BTreeMap::new();
        for record in self.records() {
            let kind =
                record.path().parent().and_then(Path::parent).and_then(Path::file_name).map(|name| name.to_owned());
            let size = kinds.entry(kind.unwrap_or_default().to_string_lossy().into_owned()).or_default();
            size.records += 1;
            size.bytes += record.metadata().map_or(0, |metadata| metadata.len());
        }
        kinds
    }

    /// Reads every record and removes damaged ones, which [`Cache::damaged`] then lists.
    pub fn verify(&self) {
        for record in self.records() {
            let path = record.path();
            let whole =
                std::fs::read(&path).ok().zip(name_of(&path)).is_some_and(|(bytes, name)| verified(&bytes, &name));
            if !whole {
                let _ = std::fs::remove_file(&path);
                self.note_damage(&path);
            }
        }
    }

    /// Removes records older than `age`, then the oldest ones until at most `bytes` are left. Returns what was removed.
    pub fn prune(&self, age: Option<Duration>, bytes: Option<u64>) -> CacheSize {
        let now = SystemTime::now();
        let mut records: Vec<(SystemTime, u64, PathBuf)> = self
            .records()
            .into_iter()
            .filter_map(|record| {
                let metadata = record.metadata().ok()?;
                Some((metadata.modified().ok()?, metadata.len(), record.path()))
            })
            .collect();
        records.sort();
        let mut left: u64 = records.iter().map(|(_, size, _)| size).sum();
        let mut freed = CacheSize::default();
        for (written, size, path) in records {
            let old = age.is_some_and(|age| now.duration_since(written).is_ok_and(|since| since > age));
            let over = bytes.is_some_and(|bytes| left > bytes);
            if (old || over) && std::fs::remove_file(&path).is_ok() {
                left -= size;
                freed.records += 1;
                freed.bytes += size;
            }
        }
        freed
    }

    /// Removes all records; returns what was removed.
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
            sweep(dir);
            let _ = self.made.set(());
        }
        let path = record_path(dir, kind, name);
        let shard = path.parent().unwrap_or(dir);
        links::refuse(shard).map_err(|error| error.to_string())?;
        let write = || -> std::io::Result<()> {
            // Not flushed to disk: a record damaged by a power cut fails its checksum and is made again.
            let mut builder = tempfile::Builder::new();
            builder.prefix(UNFINISHED);
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
        let records = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        records.filter(|entry| !is_unfinished(entry)).collect()
    }
}

/// Prefix of the name of a record that is being written.
const UNFINISHED: &str = ".new-";

fn is_unfinished(entry: &std::fs::DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with(UNFINISHED)
}

/// Removes half-written records of killed runs; those younger than an hour may belong to a run in progress.
fn sweep(dir: &Path) {
    let hour = Duration::from_secs(3600);
    for shard in folders(dir).iter().flat_map(|kind| folders(kind)) {
        for entry in std::fs::read_dir(shard).into_iter().flatten().flatten().filter(is_unfinished) {
            let written = entry.metadata().and_then(|metadata| metadata.modified()).ok();
            if written.is_some_and(|written| written.elapsed().is_ok_and(|since| since > hour)) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// The subfolders of a folder, without symbolic links.
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

/// The record's hash, from its path; `None` where the path is not that of a record.
fn name_of(path: &Path) -> Option<Hash> {
    let rest = path.file_name()?.to_str()?;
    let shard = path.parent()?.file_name()?.to_str()?;
    format!("{shard}{rest}").parse().ok()
}

/// Includes the name, so that a record copied to another name fails verification.
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
                assert_eq!(cache.damaged().len(), 1);
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
    fn what_is_damaged_is_found_and_named_and_the_oldest_goes_first() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path());
        cache.put("facts", "a", b"12345");
        let first = only_record(&cache);
        cache.put("replies", "b", b"1");
        assert_eq!(cache.kinds()["facts"], CacheSize { records: 1, bytes: HEADER as u64 + 5 });
        cache.verify();
        assert_eq!(cache.damaged(), Vec::<String>::new());
        let long_ago = SystemTime::now() - Duration::from_secs(1_000_000);
        fs_err::OpenOptions::new().append(true).open(&first).unwrap().set_modified(long_ago).unwrap();
        assert_eq!(cache.prune(Some(Duration::from_secs(2_000_000)), None).records, 0);
        assert_eq!(cache.prune(None, Some(HEADER as u64 + 1)).records, 1);
        assert!(!first.exists() && cache.get("replies", "b").is_some());
        let other = only_record(&cache);
        fs_err::write(&other, b"mastor1\nforged").unwrap();
        cache.verify();
        assert!(cache.damaged()[0].starts_with("replies/") && !other.exists());
    }

    #[test]
    fn what_a_killed_run_left_unfinished_is_no_record_and_goes() {
        let dir = tempfile::tempdir().unwrap();
        Cache::open(dir.path()).put("facts", "a", b"1");
        let shard = only_record(&Cache::open(dir.path())).parent().unwrap().to_owned();
        let (old, new) = (shard.join(".new-old"), shard.join(".new-new"));
        fs_err::write(&new, "1").unwrap();
        fs_err::write(&old, "1").unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(7200);
        fs_err::OpenOptions::new().append(true).open(&old).unwrap().set_modified(long_ago).unwrap();
        let cache = Cache::open(dir.path());
        assert_eq!(cache.size().records, 1);
        cache.put("facts", "b", b"1");
        assert!(!old.exists() && new.exists());
        cache.verify();
        assert!(new.exists() && cache.damaged().is_empty());
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

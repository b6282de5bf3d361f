//! Packs: cached data of many files in a few records. One record per file would cost more to write than parsing the
//! file.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use crate::FACTS_VERSION;
use mastor_revision::BlobId;
use mastor_store::Cache;

/// Number of records per kind; a change of one file rewrites one of them.
const SHARDS: usize = 16;

/// Maximum size of a record; the oldest entries beyond it are dropped.
const MAX_BYTES: usize = 16 << 20;

/// Maximum ratio of a record's size to the entries in use: a few revisions fit, and an old cache stays as fast as a
/// new one.
const REVISIONS: usize = 4;

/// Records up to this size keep all entries.
const SMALL: usize = 256 << 10;

/// Size of an entry's header: blob id and length.
const HEADER: usize = 20 + 4;

/// Entries of one kind by blob id. New entries are written by `flush`, and when the packs are dropped.
pub struct Packs {
    cache: Option<Arc<Cache>>,
    kind: &'static str,
    shards: Vec<OnceLock<Shard>>,
}

#[derive(Default)]
struct Shard {
    bytes: Vec<u8>,
    places: HashMap<[u8; 20], Range<usize>>,
    fresh: Mutex<PendingEntries>,
}

/// Added entries, whether some of them are unwritten, and which stored entries are in use.
#[derive(Default)]
struct PendingEntries {
    entries: HashMap<[u8; 20], Vec<u8>>,
    unwritten: bool,
    /// Stored entries that were requested.
    used: HashSet<[u8; 20]>,
}

impl Packs {
    /// The packs of a kind in a cache; without a cache, entries stay in memory.
    pub fn open(cache: Option<&Arc<Cache>>, kind: &'static str) -> Self {
        Self { cache: cache.cloned(), kind, shards: (0..SHARDS).map(|_| OnceLock::new()).collect() }
    }

    /// The cache that stores the packs.
    pub fn cache(&self) -> Option<&Arc<Cache>> {
        self.cache.as_ref()
    }

    /// The entry of a blob, if it is present and complete.
    pub fn get<T: DeserializeOwned>(&self, blob: BlobId) -> Option<T> {
        let shard = self.shard(blob);
        let mut fresh = shard.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = fresh.entries.get(blob.as_bytes()).cloned() {
            drop(fresh);
            return postcard::from_bytes(&bytes).ok();
        }
        let place = shard.places.get(blob.as_bytes())?.clone();
        fresh.used.insert(*blob.as_bytes());
        drop(fresh);
        postcard::from_bytes(shard.bytes.get(place)?).ok()
    }

    /// Adds the entry of a blob.
    pub fn put<T: Serialize>(&self, blob: BlobId, value: &T) {
        if let Ok(bytes) = postcard::to_stdvec(value) {
            let mut fresh = self.shard(blob).fresh.lock().unwrap_or_else(PoisonError::into_inner);
            fresh.entries.insert(*blob.as_bytes(), bytes);
            fresh.unwritten = true;
        }
    }

    /// Marks the entry of a blob as in use: another project has already read it, so it is not requested here.
    pub fn note(&self, blob: BlobId) {
        if self.cache.is_some() {
            let mut fresh = self.shard(blob).fresh.lock().unwrap_or_else(PoisonError::into_inner);
            fresh.used.insert(*blob.as_bytes());
        }
    }

    /// Writes the new entries.
    pub fn flush(&self) {
        (0..SHARDS).into_par_iter().for_each(|at| self.write(at));
    }

    fn shard(&self, blob: BlobId) -> &Shard {
        let at = usize::from(blob.as_bytes()[0]) % SHARDS;
        self.shards[at].get_or_init(|| {
            let bytes = self.cache.as_ref().and_then(|cache| cache.get(self.kind, &key(at)));
            bytes.map(Shard::of).unwrap_or_default()
        })
    }

    fn write(&self, at: usize) {
        let (Some(cache), Some(shard)) = (&self.cache, self.shards[at].get()) else { return };
        let mut fresh = shard.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut fresh.unwritten) {
            return;
        }
        let _alone = cache.exclusive();
        let mut added: Vec<(&[u8; 20], &Vec<u8>)> = fresh.entries.iter().collect();
        added.sort_unstable();
        // Another project may have written the record since it was read.
        let current = cache.get(self.kind, &key(at)).map(Shard::of).unwrap_or_default();
        let mut old: Vec<(&[u8; 20], &Range<usize>)> = current.places.iter().collect();
        // Entries in use come first, so that the others are dropped.
        old.sort_unstable_by_key(|(blob, place)| (!fresh.used.contains(*blob), place.start));
        let old = old.into_iter().filter(|(blob, _)| !fresh.entries.contains_key(*blob));
        let (mut bytes, mut in_use) = (Vec::new(), 0);
        let entries = added.into_iter().map(|(blob, entry)| (blob, entry.as_slice()));
        for (blob, entry) in entries.chain(old.map(|(blob, place)| (blob, &current.bytes[place.clone()]))) {
            let Ok(length) = u32::try_from(entry.len()) else { continue };
            let size = HEADER + entry.len();
            if fresh.entries.contains_key(blob) || fresh.used.contains(blob) {
                in_use += size;
            }
            if bytes.len() + size > MAX_BYTES.min(SMALL.max(REVISIONS * in_use)) {
                break;
            }
            bytes.extend_from_slice(blob);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(entry);
        }
        cache.put(self.kind, &key(at), &bytes);
    }
}

impl Drop for Packs {
    fn drop(&mut self) {
        self.flush();
    }
}

impl Shard {
    /// Finds the entries in a record; ignores everything after an incomplete entry.
    fn of(bytes: Vec<u8>) -> Self {
        let mut places = HashMap::new();
        let mut at = 0;
        while let Some(header) = bytes.get(at..at + HEADER) {
            let (Ok(blob), Ok(length)) = (<[u8; 20]>::try_from(&header[..20]), <[u8; 4]>::try_from(&header[20..]))
            else {
                break;
            };
            let start = at + HEADER;
            let end = start + u32::from_le_bytes(length) as usize;
            if end > bytes.len() {
                break;
            }
            places.entry(blob).or_insert(start..end);
            at = end;
        }
        Self { bytes, places, ..Self::default() }
    }
}

fn key(shard: usize) -> String {
    format!("{FACTS_VERSION} pack {shard}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(first: u8, last: u8) -> BlobId {
        let mut bytes = [0; 20];
        (bytes[0], bytes[19]) = (first, last);
        BlobId::from_bytes(bytes)
    }

    #[test]
    fn what_is_put_is_there_at_once_and_later() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Arc::new(Cache::open(dir.path()));
        let first = Packs::open(Some(&cache), "things");
        first.put(blob(1, 1), &"one".to_owned());
        assert_eq!(first.get(blob(1, 1)), Some("one".to_owned()));
        drop(first);
        let second = Packs::open(Some(&cache), "things");
        second.put(blob(1, 2), &"two".to_owned());
        second.put(blob(1, 1), &"new one".to_owned());
        drop(second);
        let third = Packs::open(Some(&cache), "things");
        assert_eq!(third.get(blob(1, 1)), Some("new one".to_owned()));
        assert_eq!(third.get(blob(1, 2)), Some("two".to_owned()));
        assert_eq!(third.get::<String>(blob(2, 2)), None);
        assert_eq!(cache.size().records, 1);
        let memory = Packs::open(None, "things");
        memory.put(blob(3, 3), &7_u32);
        assert_eq!(memory.get(blob(3, 3)), Some(7_u32));
    }

    #[test]
    fn what_no_revision_uses_any_more_makes_room() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Arc::new(Cache::open(dir.path()));
        let text = "x".repeat(SMALL / 4);
        for n in 0..20 {
            let packs = Packs::open(Some(&cache), "things");
            packs.put(blob(1, n), &text);
            assert!(n == 0 || packs.get::<String>(blob(1, 0)).is_some());
        }
        assert!(cache.size().bytes < 20 * (SMALL as u64 / 4) / 2);
        let packs = Packs::open(Some(&cache), "things");
        assert!(packs.get::<String>(blob(1, 0)).is_some() && packs.get::<String>(blob(1, 19)).is_some());
        assert!(packs.get::<String>(blob(1, 2)).is_none());
    }

    #[test]
    fn what_another_one_asked_for_is_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Arc::new(Cache::open(dir.path()));
        for n in 0..20 {
            let packs = Packs::open(Some(&cache), "things");
            packs.put(blob(1, n), &"x".repeat(SMALL / 4));
            packs.note(blob(1, 0));
        }
        let packs = Packs::open(Some(&cache), "things");
        assert!(packs.get::<String>(blob(1, 0)).is_some() && packs.get::<String>(blob(1, 2)).is_none());
    }

    #[test]
    fn a_torn_record_keeps_its_whole_entries() {
        let mut bytes = vec![0; 20];
        bytes.extend_from_slice(&1_u32.to_le_bytes());
        bytes.push(9);
        bytes.extend_from_slice(&[1; 20]);
        bytes.extend_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Shard::of(bytes).places.len(), 1);
    }
}

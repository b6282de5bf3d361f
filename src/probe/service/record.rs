//! Records of running processes on disk, by which the next run finds and ends processes that a killed run left behind.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

use mastor_spawn as spawn;
use mastor_store::{self as store, StoreError};

/// Folder of the records in the cache.
const FOLDER: &str = "service";

/// The content of a record's file: what identifies a running command and its owner.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    /// Its mark, passed in an environment variable.
    mark: String,
    /// Id of its process group; 0 before the start.
    group: u32,
    /// Start time of its first process.
    started: String,
    /// Process id of the mastor run that owns it; while that runs, the command is left alone.
    owner: u32,
    /// Start time of that run, since process ids are reused.
    owner_started: String,
    /// Description for messages.
    what: String,
}

/// The record of one command; removed when dropped.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    entry: Entry,
}

impl Record {
    /// Writes the record of a command before it starts; from then on the command can be found by its mark.
    ///
    /// # Errors
    /// Where the file cannot be written. The command must not be started then.
    pub fn announce(cache: &Path, what: &str) -> Result<Self, StoreError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let owner = std::process::id();
        let owner_started = spawn::started(owner).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let seed = mastor_types::Hash::of_parts([
            owner.to_string().as_bytes(),
            owner_started.as_bytes(),
            count.to_string().as_bytes(),
            cache.as_os_str().as_encoded_bytes(),
        ]);
        let mark: String = seed.hex().chars().take(24).collect();
        let path = cache.join(FOLDER).join(format!("{mark}.json"));
        let entry = Entry { mark, group: 0, started: String::new(), owner, owner_started, what: what.to_owned() };
        store::create_ignored(cache)?;
        let record = Self { path, entry };
        record.write()?;
        Ok(record)
    }

    /// The mark that the command must carry.
    pub fn mark(&self) -> &str {
        &self.entry.mark
    }

    /// Adds the command's process group to the record.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn started(&mut self, group: u32) -> Result<(), StoreError> {
        self.entry.group = group;
        self.entry.started = spawn::started(group).unwrap_or_default();
        self.write()
    }

    fn write(&self) -> Result<(), StoreError> {
        store::write(&self.path, &serde_json::to_vec(&self.entry).unwrap_or_default())
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Ends processes that earlier runs left behind and returns their descriptions. Processes of another mastor run in
/// progress, and unrelated processes with a reused id, are left alone.
pub fn sweep(cache: &Path) -> Vec<String> {
    let mut ended = Vec::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(cache.join(FOLDER))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    for path in paths {
        let Some(entry) = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Entry>(&bytes).ok())
        else {
            let _ = std::fs::remove_file(&path);
            continue;
        };
        if spawn::started(entry.owner).is_some_and(|started| started == entry.owner_started) {
            continue;
        }
        if spawn::end_left_behind(entry.group, &entry.started, &entry.mark) {
            ended.push(format!("{} (process {})", entry.what, entry.group));
        }
        let _ = std::fs::remove_file(&path);
    }
    ended
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_a_killed_run_left_is_ended_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let env = BTreeMap::from([("PATH".to_owned(), std::env::var("PATH").unwrap())]);
        let start = |what: &str| {
            let mut record = Record::announce(dir.path(), what).unwrap();
            let (_, writer) = std::io::pipe().unwrap();
            let group = spawn::Group::shell("sleep 100", Path::new("/"), &env, record.mark(), writer).unwrap();
            record.started(group.id()).unwrap();
            (record, group)
        };
        let (mut ours, mut kept) = start("ours");
        let (mut left, mut ended) = start("left");
        let (mut reused, mut foreign) = start("reused");
        left.entry.owner_started = "before".to_owned();
        left.write().unwrap();
        // An unrelated process that has the id of one started earlier.
        reused.entry.owner_started = "before".to_owned();
        reused.entry.started = "before".to_owned();
        reused.entry.mark = "gone".to_owned();
        reused.write().unwrap();
        assert_eq!(sweep(dir.path()), [format!("left (process {})", ended.id())]);
        while ended.ended().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(kept.ended().is_none() && foreign.ended().is_none());
        assert!(ours.path.exists() && !left.path.exists() && !reused.path.exists());
        ours.started(kept.id()).unwrap();
        drop(ours);
        assert_eq!(std::fs::read_dir(dir.path().join(FOLDER)).unwrap().count(), 0);
    }
}

//! Records of running processes: what we started is written down, so that the next run finds and ends it where we were killed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

use crate::spawn;
use crate::store::{self, StoreError};

/// Folder of the records, below the cache.
const FOLDER: &str = "service";

/// A command of ours that runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    /// The value of its mark.
    mark: String,
    /// Its group; 0 until it is started.
    group: u32,
    /// When its first process started.
    started: String,
    /// Our own number and start: while we run, what we started is ours.
    owner: u32,
    owner_started: String,
    /// What it is, for messages.
    what: String,
}

/// The record of one command; removed when the command has ended.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    entry: Entry,
}

impl Record {
    /// Writes down that a command is about to start: from here on it can be found by its mark.
    ///
    /// # Errors
    /// Where the file cannot be written: nothing is started that could not be found again.
    pub fn announce(cache: &Path, what: &str) -> Result<Self, StoreError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let owner = std::process::id();
        let owner_started = spawn::started(owner).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let seed = crate::types::Hash::of_parts([
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

    /// The value of the mark that the command has to carry.
    pub fn mark(&self) -> &str {
        &self.entry.mark
    }

    /// Writes down the group that the command runs in.
    ///
    /// # Errors
    /// As for [`Record::announce`].
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

/// Ends what earlier runs left behind, and says what that was. What another run of ours uses at this moment is left alone, and so is every
/// process that only has the same number by now.
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
        // Another process that has the number of one that we once started.
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

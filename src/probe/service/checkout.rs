//! Checkouts: a commit's files in a linked work tree outside the repository, kept with their build output for later
//! runs.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::error::ServiceError;
use mastor_config::ServiceSettings;
use mastor_revision::{Commit, Repo, linked};
use mastor_store::StoreError;
use mastor_types::Hash;
use mastor_types::event::Events;

/// Maximum number of kept checkouts for a repository.
const KEPT: usize = 4;
/// Maximum total size of kept checkouts, in bytes.
const BYTES: u64 = 4 << 30;
/// Maximum wait for another run that uses the same checkout.
const PATIENCE: Duration = Duration::from_secs(1800);

/// A commit's files in a folder of their own, locked against other runs while this value lives.
#[derive(Debug)]
pub struct Checkout {
    dir: PathBuf,
    // Holds the lock.
    _lock: File,
}

impl Checkout {
    /// Checks out a commit, or reuses an earlier checkout that was built with the same settings.
    ///
    /// # Errors
    /// Where git cannot check the commit out, or there is no cache folder.
    pub async fn of(
        repo: &Repo,
        commit: &Commit,
        spec: &ServiceSettings,
        events: &Events,
    ) -> Result<Self, ServiceError> {
        let label = commit.short();
        let failed = |why: String| ServiceError::Checkout { label: label.clone(), why };
        let cache = mastor_env::user_cache_dir()
            .ok_or_else(|| failed("there is no folder for caches: set MASTOR_CACHE_DIR".to_owned()))?;
        let repository = repo.git_dir().canonicalize().unwrap_or_else(|_| repo.git_dir().to_owned());
        let key = Hash::of(repository.as_os_str().as_encoded_bytes()).hex();
        let all = cache.join("builds").join(key.chars().take(16).collect::<String>());
        let dir = all.join(format!("{label}-{}", build_key(spec)));
        fs_err::create_dir_all(&dir).map_err(|source| StoreError::new(&dir, source))?;
        let lock = lock(&dir, events, &label).await?;
        let checkout = Self { dir, _lock: lock };
        // If the repository was created anew at the same path, its linked work trees are lost and restoring fails.
        if !checkout.is_kept() || linked::restore(&checkout.root()).is_err() {
            checkout.discard(repo);
            linked::add(repo, commit, &checkout.root()).map_err(failed)?;
        }
        prune(&all, repo);
        Ok(checkout)
    }

    /// The root of the files.
    pub fn root(&self) -> PathBuf {
        self.dir.join("tree")
    }

    /// Whether the files are built.
    pub fn is_built(&self) -> bool {
        self.dir.join("built").is_file()
    }

    /// Marks the files as built, so that the next run skips the build.
    ///
    /// # Errors
    /// Where the mark cannot be written.
    pub fn keep(&self) -> Result<(), StoreError> {
        if self.is_built() {
            return Ok(());
        }
        mastor_store::write(&self.dir.join("built"), size(&self.root()).to_string().as_bytes())
    }

    /// A note about another build (not the service's) stored under this name.
    pub fn note(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.notes().join(name)).ok()
    }

    /// Stores a note about another build, so that the next run keeps the files and knows what was built.
    ///
    /// # Errors
    /// Where the note cannot be written.
    pub fn keep_with(&self, name: &str, note: &str) -> Result<(), StoreError> {
        mastor_store::write(&self.notes().join(name), note.as_bytes())
    }

    fn notes(&self) -> PathBuf {
        self.dir.join("notes")
    }

    /// Whether any build has marked the files.
    fn is_kept(&self) -> bool {
        self.is_built() || self.notes().is_dir()
    }

    fn discard(&self, repo: &Repo) {
        let _ = std::fs::remove_file(self.dir.join("built"));
        let _ = std::fs::remove_dir_all(self.notes());
        linked::remove(repo, &self.root());
    }
}

/// A hash of everything beside the commit that determines the build.
fn build_key(spec: &ServiceSettings) -> String {
    let env: Vec<String> = spec.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let parts = [spec.build.as_deref().unwrap_or_default(), spec.dir.as_str(), &env.join("\n")];
    Hash::of_parts(parts.map(str::as_bytes)).hex().chars().take(12).collect()
}

async fn lock(dir: &Path, events: &Events, label: &str) -> Result<File, ServiceError> {
    let path = dir.join("lock");
    let open = || File::options().create(true).truncate(false).write(true).open(&path);
    let file = open().map_err(|source| StoreError::new(&path, source))?;
    let since = Instant::now();
    let mut said = false;
    while file.try_lock().is_err() {
        if !std::mem::replace(&mut said, true) {
            events.said(format!("waiting for another run that uses the build of {label}"));
        }
        if since.elapsed() > PATIENCE {
            let why = "another run has been using its build for half an hour".to_owned();
            return Err(ServiceError::Checkout { label: label.to_owned(), why });
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // The time of last use, by which old checkouts are found.
    let _ = file.set_modified(SystemTime::now());
    Ok(file)
}

/// Removes the least recently used checkouts beyond the limits of number and size, except locked ones.
fn prune(all: &Path, repo: &Repo) {
    let mut found: Vec<(SystemTime, PathBuf)> = std::fs::read_dir(all)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let used = std::fs::metadata(entry.path().join("lock")).and_then(|lock| lock.modified()).ok()?;
            Some((used, entry.path()))
        })
        .collect();
    found.sort();
    found.reverse();
    let mut bytes = 0_u64;
    for (place, (_, dir)) in found.into_iter().enumerate() {
        let built = std::fs::read_to_string(dir.join("built")).ok().and_then(|text| text.trim().parse().ok());
        bytes = bytes.saturating_add(built.unwrap_or_else(|| size(&dir.join("tree"))));
        if place < KEPT && bytes <= BYTES {
            continue;
        }
        let free = File::options().write(true).open(dir.join("lock")).is_ok_and(|lock| lock.try_lock().is_ok());
        if free {
            linked::remove(repo, &dir.join("tree"));
            let _ = std::fs::remove_dir_all(&dir);
        }
    }
}

/// Total size of the files in a folder; symbolic links are not followed.
fn size(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => size(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

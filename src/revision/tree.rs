//! A source tree: the files of one revision, listed at once and read on demand.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::RevisionError;
use super::id::BlobId;
use super::text::Text;
use mastor_types::Warning;

/// Largest file that is read as text, in bytes. Larger sources are generated tables without behaviour.
pub const TEXT_LIMIT: u64 = 2 * 1024 * 1024;

/// Largest file that is read at all, in bytes, so that a committed archive cannot exhaust the memory.
pub const READ_LIMIT: u64 = 32 * 1024 * 1024;

/// One file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Path from the repository's root, with `/`.
    pub path: String,
    /// Id of its bytes.
    pub blob: BlobId,
}

/// Source of blob contents; implemented by the git gateway.
pub trait BlobSource: Send + Sync {
    /// The bytes of `blob`, unless it is larger than `limit`.
    fn read(&self, blob: BlobId, limit: u64) -> Result<Vec<u8>, ReadFailure>;
    /// The index of the first blob that is missing in the repository.
    fn first_missing(&self, blobs: &[BlobId]) -> Option<usize>;
}

/// Why a blob could not be read.
#[derive(Debug)]
pub enum ReadFailure {
    /// The repository does not have it.
    Missing,
    /// It is larger than the limit; holds its size in bytes.
    TooLarge(u64),
    /// Git failed, with this message.
    Failed(String),
}

/// File contents that override git's blobs: files in memory, and changed files of the work tree.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// Kept in memory.
    Bytes(Arc<[u8]>),
    /// Too large to keep in memory: read from disk on demand.
    Disk(PathBuf),
}

/// The content of a source tree.
#[derive(Default)]
pub struct Listing {
    /// Files in any order, each path once.
    pub files: Vec<FileEntry>,
    /// Files that were left out, with the reason.
    pub warnings: BTreeSet<Warning>,
    /// Contents that git does not have.
    pub overlay: HashMap<BlobId, Overlay>,
}

/// The files of one revision. Cheap to clone and readable from many threads.
#[derive(Clone)]
pub struct SourceTree {
    inner: Arc<Inner>,
    range: Range<usize>,
    /// Empty for a whole tree; for a subtree its folder, ending in `/`.
    prefix: Arc<str>,
}

struct Inner {
    label: String,
    files: Vec<FileEntry>,
    overlay: HashMap<BlobId, Overlay>,
    blobs: Option<Arc<dyn BlobSource>>,
    warnings: Mutex<BTreeSet<Warning>>,
}

impl SourceTree {
    /// A tree of these files; contents come from the overlay or from `blobs`.
    pub fn new(label: impl Into<String>, listing: Listing, blobs: Option<Arc<dyn BlobSource>>) -> Self {
        let Listing { mut files, warnings, overlay } = listing;
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        let range = 0..files.len();
        let inner = Inner { label: label.into(), files, overlay, blobs, warnings: Mutex::new(warnings) };
        Self { inner: Arc::new(inner), range, prefix: Arc::from("") }
    }

    /// The files, sorted by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &FileEntry> {
        self.entries().iter()
    }

    /// The files, sorted by path, as a slice, for work in parallel.
    pub fn entries(&self) -> &[FileEntry] {
        &self.inner.files[self.range.clone()]
    }

    /// The file at a path from the root.
    pub fn get(&self, path: &str) -> Option<&FileEntry> {
        let entries = self.entries();
        entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok().map(|at| &entries[at])
    }

    /// The bytes of a file, at most [`READ_LIMIT`].
    pub fn read(&self, path: &str) -> Result<Arc<[u8]>, RevisionError> {
        let entry = self.get(path).ok_or_else(|| RevisionError::NoSuchFile { path: path.to_owned() })?;
        if let Some(Overlay::Bytes(bytes)) = self.inner.overlay.get(&entry.blob) {
            return Ok(bytes.clone());
        }
        self.bytes(entry, READ_LIMIT).map(Arc::from)
    }

    /// The text of a file, at most [`TEXT_LIMIT`] bytes.
    pub fn text(&self, path: &str) -> Result<Text, RevisionError> {
        self.text_within(path, TEXT_LIMIT)
    }

    /// The text of a file of at most `limit` bytes.
    pub fn text_within(&self, path: &str, limit: u64) -> Result<Text, RevisionError> {
        let entry = self.get(path).ok_or_else(|| RevisionError::NoSuchFile { path: path.to_owned() })?;
        let text = Text::decode(self.bytes(entry, limit)?);
        if text.lossy {
            self.warn(Text::not_utf8(path));
        }
        Ok(text)
    }

    /// Checks that the contents of all files selected by `is_read` are available, which they may not be in a partial
    /// clone.
    ///
    /// # Errors
    /// [`RevisionError`] for the first missing one.
    pub fn complete(&self, is_read: impl Fn(&str) -> bool) -> Result<(), RevisionError> {
        let Some(blobs) = &self.inner.blobs else { return Ok(()) };
        let in_git = |entry: &&FileEntry| is_read(&entry.path) && !self.inner.overlay.contains_key(&entry.blob);
        let read: Vec<&FileEntry> = self.files().filter(in_git).collect();
        let ids: Vec<BlobId> = read.iter().map(|entry| entry.blob).collect();
        let missing = blobs.first_missing(&ids).and_then(|at| read.get(at));
        missing.map_or(Ok(()), |entry| Err(RevisionError::ObjectMissing { path: entry.path.clone() }))
    }

    /// Warnings from listing and from reading so far, sorted; those of this subtree only.
    pub fn warnings(&self) -> Vec<Warning> {
        let warnings = self.inner.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        let below = |file: &str| file.starts_with(&*self.prefix);
        warnings.iter().filter(|warning| warning.file.as_deref().is_none_or(below)).cloned().collect()
    }

    /// Adds a warning about a file of this tree, once. For callers that cache by blob id and so do not read the file
    /// again.
    pub fn warn(&self, warning: Warning) {
        self.inner.warnings.lock().unwrap_or_else(PoisonError::into_inner).insert(warning);
    }

    /// Name of this revision: a shortened commit id, `work tree` or `memory`.
    pub fn label(&self) -> &str {
        &self.inner.label
    }

    /// The subtree below a folder (`""`: the whole tree); paths stay relative to the root.
    #[must_use]
    pub fn subtree(&self, dir: &str) -> Self {
        let dir = dir.trim_matches('/');
        if dir.is_empty() || dir == "." {
            return self.clone();
        }
        let prefix = format!("{dir}/");
        let entries = self.entries();
        let start = entries.partition_point(|entry| entry.path.as_str() < prefix.as_str());
        let length = entries[start..].partition_point(|entry| entry.path.starts_with(&prefix));
        let start = self.range.start + start;
        Self { inner: self.inner.clone(), range: start..start + length, prefix: prefix.into() }
    }

    /// This tree with the files of a listing added or replaced.
    pub(super) fn over(&self, listing: Listing) -> Self {
        let taken: BTreeSet<String> = listing.files.iter().map(|file| file.path.clone()).collect();
        let mut files = listing.files;
        files.extend(self.entries().iter().filter(|file| !taken.contains(&file.path)).cloned());
        let mut overlay = self.inner.overlay.clone();
        overlay.extend(listing.overlay);
        let warnings = self.inner.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self::new(self.label(), Listing { files, warnings, overlay }, self.inner.blobs.clone())
    }

    fn bytes(&self, entry: &FileEntry, limit: u64) -> Result<Vec<u8>, RevisionError> {
        let read = match (self.inner.overlay.get(&entry.blob), &self.inner.blobs) {
            (Some(Overlay::Bytes(bytes)), _) if bytes.len() as u64 > limit => {
                Err(ReadFailure::TooLarge(bytes.len() as u64))
            }
            (Some(Overlay::Bytes(bytes)), _) => Ok(bytes.to_vec()),
            (Some(Overlay::Disk(file)), _) => return self.disk_bytes(entry, file, limit),
            (None, Some(blobs)) => blobs.read(entry.blob, limit),
            (None, None) => Err(ReadFailure::Missing),
        };
        read.map_err(|failure| self.failed(entry, failure, limit))
    }

    fn disk_bytes(&self, entry: &FileEntry, file: &std::path::Path, limit: u64) -> Result<Vec<u8>, RevisionError> {
        let io = |source| RevisionError::Io { path: entry.path.clone(), source };
        let size = fs_err::symlink_metadata(file).map_err(io)?.len();
        if size > limit {
            return Err(self.failed(entry, ReadFailure::TooLarge(size), limit));
        }
        fs_err::read(file).map_err(io)
    }

    /// Makes the error of a failed read and records it as a warning.
    fn failed(&self, entry: &FileEntry, failure: ReadFailure, limit: u64) -> RevisionError {
        let path = entry.path.clone();
        match failure {
            ReadFailure::Missing => {
                let message = "its content is missing from the git repository (a partial clone?)";
                self.warn(Warning::new("object-missing", message, Some(&path)));
                RevisionError::ObjectMissing { path }
            }
            ReadFailure::TooLarge(size) => {
                let message = format!("not read: {size} bytes, more than the limit of {limit}");
                self.warn(Warning::new("file-too-large", message, Some(&path)));
                RevisionError::FileTooLarge { path, size, limit }
            }
            ReadFailure::Failed(message) => RevisionError::Git { doing: "read a file", message },
        }
    }
}

impl std::fmt::Debug for SourceTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SourceTree({}, {} files)", self.inner.label, self.range.len())
    }
}

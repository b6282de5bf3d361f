//! The work tree as a revision: HEAD with the changed, new and deleted files on disk.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::eol;
use super::error::RevisionError;
use super::git::{self, PathState, Repo};
use super::id::BlobId;
use super::tree::{BlobSource, FileEntry, Listing, Overlay, READ_LIMIT, SourceTree, TEXT_LIMIT};
use mastor_types::Warning;

/// Maximum total size of changed files kept in memory; further ones are read from disk on demand.
const KEPT_BYTES: u64 = 64 * 1024 * 1024;

impl Repo {
    /// Whether the work tree has changes to tracked files, or untracked files that are not ignored. A bare repository
    /// is clean.
    pub fn is_dirty(&self) -> Result<bool, RevisionError> {
        if self.workdir().is_none() {
            return Ok(false);
        }
        Ok(!self.states()?.iter().all(is_own))
    }

    /// The work tree's files as by [`Repo::work_tree`], or `None` where it equals HEAD. Scanning the work tree is slow,
    /// so this does it once for both answers.
    pub fn work_tree_if_dirty(&self) -> Result<Option<SourceTree>, RevisionError> {
        if self.workdir().is_none() {
            return Ok(None);
        }
        let states = self.states()?;
        if states.iter().all(is_own) {
            return Ok(None);
        }
        self.lay_over_head(&states).map(Some)
    }

    /// The files of the work tree: those of HEAD from git, changed and untracked ones from disk.
    ///
    /// Ignored files and mastor's own output are left out; symbolic links become warnings. Ids and bytes are those that
    /// `git add` would store. Before the first commit, all files count as untracked.
    pub fn work_tree(&self) -> Result<SourceTree, RevisionError> {
        if self.workdir().is_none() {
            return Err(RevisionError::NoWorkTree);
        }
        self.lay_over_head(&self.states()?)
    }

    fn lay_over_head(&self, states: &[PathState]) -> Result<SourceTree, RevisionError> {
        let root = self.workdir().ok_or(RevisionError::NoWorkTree)?;
        let listing = match self.head() {
            Ok(head) => self.listing_at(head.id)?,
            Err(RevisionError::NoCommits) => Listing::default(),
            Err(error) => return Err(error),
        };
        let Listing { files, warnings, overlay } = listing;
        let files = files.into_iter().map(|file| (file.path, file.blob)).collect();
        let blobs = self.blobs();
        let mut build =
            Build { repo: self, root, blobs, files, kept: 0, listing: Listing { files: vec![], warnings, overlay } };
        for state in states {
            build.lay(state);
        }
        let Build { files, mut listing, blobs, .. } = build;
        listing.files = files.into_iter().map(|(path, blob)| FileEntry { path, blob }).collect();
        Ok(SourceTree::new("work tree", listing, Some(blobs)))
    }
}

/// Whether the path is mastor's own output.
fn is_own(state: &PathState) -> bool {
    std::str::from_utf8(&state.path).is_ok_and(git::is_own_output)
}

struct Build<'a> {
    repo: &'a Repo,
    root: &'a Path,
    blobs: Arc<dyn BlobSource>,
    files: BTreeMap<String, BlobId>,
    /// Total size of contents kept so far.
    kept: u64,
    listing: Listing,
}

impl Build<'_> {
    fn lay(&mut self, state: &PathState) {
        let Ok(path) = std::str::from_utf8(&state.path) else {
            self.listing.warnings.insert(git::path_not_utf8(&String::from_utf8_lossy(&state.path)));
            return;
        };
        if git::is_own_output(path) {
            return;
        }
        let before = self.files.remove(path);
        self.listing.warnings.retain(|warning| warning.file.as_deref() != Some(path));
        if !state.on_disk {
            return;
        }
        match self.read(path, before) {
            Ok(Some(blob)) => drop(self.files.insert(path.to_owned(), blob)),
            Ok(None) => {}
            Err(error) => {
                let message = format!("cannot be read: {error}");
                self.listing.warnings.insert(Warning::new("file-unreadable", message, Some(path)));
            }
        }
    }

    /// Reads a file from disk into the overlay; `None` where it is not a regular file (with a warning for links and
    /// submodules).
    fn read(&mut self, path: &str, before: Option<BlobId>) -> std::io::Result<Option<BlobId>> {
        if let Some(folder) = path.strip_suffix('/') {
            self.listing.warnings.insert(git::submodule(folder));
            return Ok(None);
        }
        let file = self.root.join(path);
        let metadata = match fs_err::symlink_metadata(&file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        if metadata.is_symlink() {
            self.listing.warnings.insert(git::symlink(path));
        }
        if !metadata.is_file() {
            return Ok(None);
        }
        if metadata.len() > READ_LIMIT {
            let message = format!("not read: {} bytes, more than the limit of {READ_LIMIT}", metadata.len());
            self.listing.warnings.insert(Warning::new("file-too-large", message, Some(path)));
            return Ok(None);
        }
        let mut bytes = fs_err::read(&file)?;
        let committed = || self.blobs.read(before?, TEXT_LIMIT).ok();
        let converted = eol::has_crlf(&bytes) && self.repo.conversion(path).applies(&bytes, committed);
        if converted {
            bytes = eol::to_lf(&bytes);
        }
        let (blob, size) = (git::blob_id(&bytes), bytes.len() as u64);
        let keep = converted || self.kept + size <= KEPT_BYTES;
        self.kept += if keep { size } else { 0 };
        let overlay = if keep { Overlay::Bytes(Arc::from(bytes)) } else { Overlay::Disk(file) };
        self.listing.overlay.insert(blob, overlay);
        Ok(Some(blob))
    }
}

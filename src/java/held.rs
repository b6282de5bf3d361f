//! Files as they were read, once for all projects of this process that hold the same bytes: of two revisions of a repository most files are the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};

use rustc_hash::FxHashMap;

use super::body::Body;
use super::facts::FileFacts;
use super::packs::Packs;
use crate::revision::BlobId;
use crate::store::Cache;
use crate::types::Hash;

/// The bodies of one file, by type and member.
pub(super) type FileBodies = Vec<Vec<Option<Arc<Body>>>>;

/// What was read of one file.
#[derive(Default)]
pub(super) struct Held {
    /// Whether somebody reads it, or has read it.
    taken: AtomicBool,
    /// `None` where it could not be read.
    read: OnceLock<Option<Read>>,
    /// Its bodies, once one of them was asked for.
    pub(super) bodies: OnceLock<FileBodies>,
}

/// What a file declares.
pub(super) struct Read {
    pub(super) facts: Arc<FileFacts>,
    pub(super) outline: Hash,
    pub(super) lossy: bool,
    /// Where its bodies are kept.
    pub(super) packs: Arc<Packs>,
}

/// What projects hold, by cache and blob: what is read goes into the cache of whoever reads it.
static HELD: LazyLock<Mutex<ByBlob>> = LazyLock::new(Mutex::default);

type ByBlob = FxHashMap<(usize, BlobId), Weak<Held>>;

/// A place for each of these blobs: those that a project holds already, and new ones.
pub(super) fn hold(cache: Option<&Arc<Cache>>, blobs: impl Iterator<Item = BlobId>) -> Vec<Arc<Held>> {
    // Whoever holds a file holds the cache too, so that no other one is at the same place.
    let of = cache.map_or(0, |cache| Arc::as_ptr(cache) as usize);
    let mut all = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|_, held| held.strong_count() > 0);
    let hold = |blob: BlobId| {
        let place = all.entry((of, blob)).or_default();
        place.upgrade().unwrap_or_else(|| {
            let held = Arc::new(Held::default());
            *place = Arc::downgrade(&held);
            held
        })
    };
    blobs.map(hold).collect()
}

impl Held {
    /// What was read of a file that no other project has.
    pub(super) fn own(read: Option<Read>, bodies: Option<FileBodies>) -> Arc<Self> {
        let held = Self { taken: AtomicBool::new(true), read: OnceLock::from(read), bodies: OnceLock::new() };
        held.keep(bodies);
        Arc::new(held)
    }

    /// Reads the file, unless another one does or has done so.
    pub(super) fn read_first(&self, read: impl FnOnce() -> (Option<Read>, Option<FileBodies>)) {
        if !self.taken.swap(true, Ordering::Relaxed) {
            self.read(read);
        }
    }

    /// What was read, by whom ever.
    pub(super) fn read(&self, read: impl FnOnce() -> (Option<Read>, Option<FileBodies>)) -> Option<&Read> {
        let read = || {
            let (read, bodies) = read();
            self.keep(bodies);
            read
        };
        self.read.get_or_init(read).as_ref()
    }

    /// What was read by now.
    pub(super) fn known(&self) -> Option<&Read> {
        self.read.get().and_then(Option::as_ref)
    }

    fn keep(&self, bodies: Option<FileBodies>) {
        if let Some(bodies) = bodies {
            self.bodies.get_or_init(|| bodies);
        }
    }
}

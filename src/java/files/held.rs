//! Shares parsed files between all projects of this process that contain the same bytes: two revisions have most
//! files in common.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};

use rustc_hash::FxHashMap;

use super::packs::Packs;
use crate::ir::body::Body;
use crate::ir::facts::FileFacts;
use mastor_revision::BlobId;
use mastor_store::Cache;
use mastor_types::Hash;

/// The lowered bodies of one file, by type and member.
pub(crate) type FileBodies = Vec<Vec<Option<Arc<Body>>>>;

/// A shared entry for one file.
#[derive(Default)]
pub(crate) struct SharedFile {
    /// Whether a thread is reading the file or has read it.
    taken: AtomicBool,
    /// The declarations; `None` if the file could not be read.
    read: OnceLock<Option<Read>>,
    /// The lowered bodies, set when one is first requested.
    pub(crate) bodies: OnceLock<FileBodies>,
}

/// The declarations of a file.
pub(crate) struct Read {
    pub(crate) facts: Arc<FileFacts>,
    pub(crate) outline: Hash,
    pub(crate) lossy: bool,
    /// The packs that store its bodies.
    pub(crate) packs: Arc<Packs>,
}

/// Entries in use, by cache and blob. A file that is read is written to the cache of the project that reads it.
static HELD: LazyLock<Mutex<ByBlob>> = LazyLock::new(Mutex::default);

type ByBlob = FxHashMap<(usize, BlobId), Weak<SharedFile>>;

/// The shared entry of each blob, created if no project has one yet.
pub(crate) fn hold(cache: Option<&Arc<Cache>>, blobs: impl Iterator<Item = BlobId>) -> Vec<Arc<SharedFile>> {
    // The pointer identifies the cache: each holder of a file keeps its cache alive, so its address is not reused.
    let of = cache.map_or(0, |cache| Arc::as_ptr(cache) as usize);
    let mut all = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|_, held| held.strong_count() > 0);
    let hold = |blob: BlobId| {
        let place = all.entry((of, blob)).or_default();
        place.upgrade().unwrap_or_else(|| {
            let held = Arc::new(SharedFile::default());
            *place = Arc::downgrade(&held);
            held
        })
    };
    blobs.map(hold).collect()
}

impl SharedFile {
    /// An entry for a single project, not shared with others.
    pub(crate) fn own(read: Option<Read>, bodies: Option<FileBodies>) -> Arc<Self> {
        let held = Self { taken: AtomicBool::new(true), read: OnceLock::from(read), bodies: OnceLock::new() };
        held.keep(bodies);
        Arc::new(held)
    }

    /// Reads the file, unless another thread is reading it or has read it.
    pub(crate) fn read_first(&self, read: impl FnOnce() -> (Option<Read>, Option<FileBodies>)) {
        if !self.taken.swap(true, Ordering::Relaxed) {
            self.read(read);
        }
    }

    /// The declarations of the file, read now if no thread has done so.
    pub(crate) fn read(&self, read: impl FnOnce() -> (Option<Read>, Option<FileBodies>)) -> Option<&Read> {
        let read = || {
            let (read, bodies) = read();
            self.keep(bodies);
            read
        };
        self.read.get_or_init(read).as_ref()
    }

    /// The declarations, if already read.
    pub(crate) fn known(&self) -> Option<&Read> {
        self.read.get().and_then(Option::as_ref)
    }

    fn keep(&self, bodies: Option<FileBodies>) {
        if let Some(bodies) = bodies {
            self.bodies.get_or_init(|| bodies);
        }
    }
}

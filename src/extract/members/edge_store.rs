//! The cache of members' edges, one record for each file.
//!
//! The edges of a body depend on the body, on the outlines of all files ([`mastor_java::declarations::outline`]), on
//! which modules see one another, and on this program. The key of a file's record is made from all of these, so a
//! record is found only if computing it again would give the same edges. The few edges that depend on the body of
//! another member are not cached.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::edges::Direct;
use mastor_java::files::packs::Packs;
use mastor_java::ir::ids::{FileId, MemberId};
use mastor_java::project::index::Project;
use mastor_revision::BlobId;
use mastor_types::Hash;

/// Kind of the cached edges.
const EDGES: &str = "edges";

/// Hash of the sources that compute edges; set by the build script.
const PROGRAM: &str = env!("MASTOR_EDGES");

/// Edges of one file: by type, then by member, in the order of its facts.
type FileEdges = Vec<Vec<Option<Direct>>>;

/// The cached edges of one project.
pub struct EdgeStore {
    packs: Option<Packs>,
    /// Hash of everything that the edges of all files depend on.
    project: Hash,
    files: Vec<OnceLock<Option<FileEdges>>>,
}

impl EdgeStore {
    /// An empty store; without a cache it stays empty.
    pub fn of(project: &Project) -> Self {
        let packs = project.cache().map(|cache| Packs::open(Some(cache), EDGES));
        let files = project.files().map(|_| OnceLock::new()).collect();
        let over = if packs.is_some() { over(project) } else { Hash::of(b"") };
        Self { packs, project: over, files }
    }

    /// Whether edges that are computed now will be cached.
    pub fn keeps(&self) -> bool {
        self.packs.is_some()
    }

    /// The cached edges of a member.
    pub fn get(&self, project: &Project, id: MemberId) -> Option<&Direct> {
        let packs = self.packs.as_ref()?;
        let file = project.file_of(id.ty);
        let edges = self.files[file.0 as usize].get_or_init(|| packs.get(self.key(project, file))).as_ref()?;
        edges.get(project.place_of(id.ty) as usize)?.get(id.index as usize)?.as_ref()
    }

    /// Caches newly computed edges; `fresh` returns them for each member of a file.
    pub fn keep<'d>(&self, project: &Project, fresh: impl Fn(MemberId) -> Option<&'d Direct> + Sync) {
        let Some(packs) = &self.packs else { return };
        let files: Vec<FileId> = project.files().collect();
        files.into_par_iter().for_each(|file| {
            let is_new = |member: MemberId| fresh(member).is_some_and(|direct| !direct.is_foreign);
            if !project.types_of(file).any(|ty| project.members(ty).any(is_new)) {
                return;
            }
            let of_member = |member: MemberId| {
                let fresh = fresh(member).filter(|direct| !direct.is_foreign);
                fresh.or_else(|| self.get(project, member)).cloned()
            };
            let edges: FileEdges =
                project.types_of(file).map(|ty| project.members(ty).map(of_member).collect()).collect();
            packs.put(self.key(project, file), &edges);
        });
        packs.flush();
    }

    /// The path is part of the key: the same bytes in another file declare other types.
    fn key(&self, project: &Project, file: FileId) -> BlobId {
        let file = project.file(file);
        let hash = Hash::of_parts([self.project.as_bytes().as_slice(), file.path.as_bytes(), file.blob.as_bytes()]);
        let mut key = [0; 20];
        key.copy_from_slice(&hash.as_bytes()[..20]);
        BlobId::from_bytes(key)
    }
}

fn over(project: &Project) -> Hash {
    let mut parts: Vec<Vec<u8>> = vec![PROGRAM.as_bytes().to_vec()];
    for (at, _) in project.modules().iter().enumerate() {
        let reach = project.layout().reach(mastor_java::build::layout::ModuleId(at as u32));
        parts.push(reach.iter().flat_map(|module| module.0.to_le_bytes()).collect());
    }
    for file in project.files() {
        let file = project.file(file);
        parts.push(file.path.clone().into_bytes());
        parts.push(file.module.0.to_le_bytes().to_vec());
        parts.push(file.outline.as_bytes().to_vec());
    }
    Hash::of_parts(parts.iter().map(Vec::as_slice))
}

//! Reads the facts and bodies of single files: from another project in memory, from the cache, or by parsing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::held::{FileBodies, Read, SharedFile};
use super::packs::Packs;
use crate::declarations::extract_facts::facts_with;
use crate::declarations::outline::outline;
use crate::ir::body::{Body, ExprKind, Lit};
use crate::ir::facts::FileFacts;
use crate::lower::members::lower_tree;
use mastor_revision::{FileEntry, SourceTree, Text};
use mastor_store::Cache;
use mastor_types::Hash;

/// Cache kind of the facts.
const FACTS: &str = "facts";

/// Cache kind of the bodies.
const BODIES: &str = "bodies";

/// Maximum number of expressions kept as lowered bodies while a project is read. Further bodies are kept as bytes,
/// which take a tenth of the memory.
const MAX_EXPRESSIONS: usize = 1 << 20;

/// The cached data of one file.
#[derive(Serialize, Deserialize)]
struct Record {
    facts: FileFacts,
    outline: Hash,
    lossy: bool,
}

/// The packs of facts and bodies.
pub(crate) struct Store {
    known: Packs,
    pub(crate) bodies: Arc<Packs>,
    /// How many more expressions may be kept as lowered bodies.
    room: AtomicUsize,
}

impl Store {
    /// Opens the packs in this cache.
    pub(crate) fn open(cache: Option<&Arc<Cache>>) -> Self {
        let (known, bodies) = (Packs::open(cache, FACTS), Arc::new(Packs::open(cache, BODIES)));
        Self { known, bodies, room: AtomicUsize::new(MAX_EXPRESSIONS) }
    }

    /// The facts and outline of a file, from whichever project has read it.
    pub(crate) fn facts(
        &self,
        tree: &SourceTree,
        entry: &FileEntry,
        held: &Arc<SharedFile>,
    ) -> (Arc<FileFacts>, Hash, Arc<SharedFile>) {
        let mut held = held.clone();
        if held.read(|| self.read(tree, entry)).is_none() {
            // Another tree failed to read the file; this tree has to try and report itself.
            let (read, bodies) = self.read(tree, entry);
            held = SharedFile::own(read, bodies);
        }
        let Some(read) = held.known() else { return (Arc::default(), Hash::of(b""), held) };
        if read.lossy {
            tree.warn(Text::not_utf8(&entry.path));
        }
        self.known.note(entry.blob);
        self.bodies.note(entry.blob);
        (read.facts.clone(), read.outline, held)
    }

    /// The facts and outline of a file, and its bodies if they were parsed and there is room for them.
    pub(crate) fn read(&self, tree: &SourceTree, entry: &FileEntry) -> (Option<Read>, Option<FileBodies>) {
        let Self { known, bodies, room } = self;
        let read = |Record { facts, outline, lossy }: Record| {
            Some(Read { facts: Arc::new(facts), outline, lossy, packs: bodies.clone() })
        };
        if let Some(record) = known.get::<Record>(entry.blob) {
            return (read(record), None);
        }
        // The tree itself reports a file that it cannot read.
        let Ok(text) = tree.text(&entry.path) else { return (None, None) };
        let mut lowered = Vec::new();
        // Most bodies are requested sooner or later, and parsing costs more than lowering.
        let mut facts = facts_with(&text.text, |facts, root| lowered = lower_tree(root, &text.text, facts));
        let size = lowered.iter().flatten().flatten().map(|body: &Body| body.exprs.len()).sum();
        let fits = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(size)).is_ok();
        if !fits || bodies.cache().is_some() {
            bodies.put(entry.blob, &lowered);
        }
        keep_literals(&mut facts, &lowered);
        let record = Record { outline: outline(&facts), facts, lossy: text.lossy };
        if known.cache().is_some() {
            known.put(entry.blob, &record);
        }
        let shared = |ty: Vec<Option<Body>>| ty.into_iter().map(|body| body.map(Arc::new)).collect();
        (read(record), fits.then(|| lowered.into_iter().map(shared).collect()))
    }
}

/// Copies the string literals of each body into its member's facts.
pub(crate) fn keep_literals(facts: &mut FileFacts, lowered: &[Vec<Option<Body>>]) {
    for (ty, bodies) in facts.types.iter_mut().zip(lowered) {
        for (member, body) in ty.members.iter_mut().zip(bodies) {
            member.literals = body.as_ref().map(literals).unwrap_or_default();
        }
    }
}

/// The string literals of a body.
fn literals(body: &Body) -> Vec<String> {
    let texts = body.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Lit(Lit::Str(text)) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

//! What the operations of one revision share when they are compared: each thing is read when it is first asked for, once for all of them.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::hands::Hands;
use crate::java::ids::{FileId, MemberId, TypeId};

/// What is shared of one revision. None of it depends on the operation that asks.
#[derive(Debug, Default)]
pub struct Revision {
    /// The code that a framework may run around handlers.
    pub(super) around: OnceLock<Surrounding>,
    /// The members that a member's body names and that can run.
    pub(super) successors: Memo<MemberId, [MemberId]>,
    /// What a member's own code hands out.
    pub(super) hands: Memo<MemberId, Hands>,
    /// The classes whose objects hold one of a class.
    pub(super) holders: Memo<TypeId, BTreeSet<TypeId>>,
    /// Classes of which a container makes the objects.
    pub(super) components: OnceLock<BTreeSet<TypeId>>,
    /// The entries of the operations whose code leads to a method, where nothing else may call it.
    pub(super) entries: Memo<MemberId, Option<BTreeSet<MemberId>>>,
    /// The files in which the name of a method stands, by that name.
    pub(super) naming: OnceLock<FxHashMap<String, Vec<FileId>>>,
    /// What scripts say of tables, by file and table.
    pub(super) scripts: Memo<crate::types::Hash, Said>,
    /// The classes of what the constructors of a class take.
    pub(super) taken: Memo<TypeId, [TypeId]>,
}

/// The code that a framework may run around the handlers of a revision.
#[derive(Debug, Default)]
pub(super) struct Surrounding {
    /// What its members hand out, all together.
    pub(super) hands: Hands,
    /// All members that it may run.
    pub(super) members: BTreeSet<MemberId>,
}

/// What a script says of one table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// All of it, however it is laid out.
    pub(super) whole: Vec<String>,
    /// What rows hold: columns with their types, and whatever else is no constraint.
    pub(super) rows: Vec<String>,
}

/// Things by key that several threads ask for.
#[derive(Debug)]
pub(super) struct Memo<K, V: ?Sized> {
    known: RwLock<FxHashMap<K, Arc<V>>>,
}

impl<K, V: ?Sized> Default for Memo<K, V> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K: Hash + Eq + Copy, V: ?Sized> Memo<K, V> {
    /// The thing of this key. Several threads may make it at once; the first result stays.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> Arc<V>) -> Arc<V> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let made = make();
        self.known.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(made).clone()
    }
}

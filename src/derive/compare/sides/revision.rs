//! Data that the operations of one revision share when they are compared; each part is computed on first use, once for
//! all operations.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::hands::MemberEscapes;
use crate::java::ir::ids::{FileId, MemberId, TypeId};

/// Shared data of one revision. None of it depends on the operation.
#[derive(Debug, Default)]
pub struct Revision {
    /// Code that a framework may run around handlers.
    pub(in crate::derive::compare) around: OnceLock<Surrounding>,
    /// The members that a member's body names and that can run.
    pub(in crate::derive::compare) successors: Memo<MemberId, [MemberId]>,
    /// What a member's own code passes to libraries.
    pub(in crate::derive::compare) hands: Memo<MemberId, MemberEscapes>,
    /// For each class, the classes whose objects contain one of it.
    pub(in crate::derive::compare) holders: Memo<TypeId, BTreeSet<TypeId>>,
    /// Classes of the objects that a container creates.
    pub(in crate::derive::compare) components: OnceLock<BTreeSet<TypeId>>,
    /// For each method, the entries of the operations whose code reaches it, if nothing else may call it.
    pub(in crate::derive::compare) entries: Memo<MemberId, Option<BTreeSet<MemberId>>>,
    /// For each method name, the files that contain it.
    pub(in crate::derive::compare) naming: OnceLock<FxHashMap<String, Vec<FileId>>>,
    /// The statements of scripts, by file and table.
    pub(in crate::derive::compare) scripts: Memo<crate::types::Hash, TableStatements>,
    /// The classes of the constructor parameters of a class.
    pub(in crate::derive::compare) taken: Memo<TypeId, [TypeId]>,
}

/// The code that a framework may run around the handlers of a revision.
#[derive(Debug, Default)]
pub(in crate::derive::compare) struct Surrounding {
    /// What its members pass on, combined.
    pub(in crate::derive::compare) hands: MemberEscapes,
    /// All members that may run.
    pub(in crate::derive::compare) members: BTreeSet<MemberId>,
}

/// The statements of a script about one table.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::derive::compare) struct TableStatements {
    /// All statements, normalised.
    pub(in crate::derive::compare) whole: Vec<String>,
    /// The content of rows: columns with their types, and everything that is not a constraint.
    pub(in crate::derive::compare) rows: Vec<String>,
}

/// Values by key that several threads share.
#[derive(Debug)]
pub(in crate::derive::compare) struct Memo<K, V: ?Sized> {
    known: RwLock<FxHashMap<K, Arc<V>>>,
}

impl<K, V: ?Sized> Default for Memo<K, V> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K: Hash + Eq + Copy, V: ?Sized> Memo<K, V> {
    /// The value for this key. Several threads may compute it at once; the first result is kept.
    pub(in crate::derive::compare) fn get(&self, key: K, make: impl FnOnce() -> Arc<V>) -> Arc<V> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let made = make();
        self.known.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(made).clone()
    }
}

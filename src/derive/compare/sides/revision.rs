//! Data that the operations of one revision share when they are compared; each part is computed on first use, once for
//! all operations.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::hands::MemberEscapes;
use mastor_java::ir::ids::{FileId, MemberId, TypeId};
use mastor_sql::Statement;

/// Shared data of one revision. None of it depends on the operation.
#[derive(Debug, Default)]
pub struct Revision {
    /// Code that a framework may run around handlers.
    pub(in crate::compare) around: OnceLock<Surrounding>,
    /// The members that a member's body names and that can run.
    pub(in crate::compare) successors: Memo<MemberId, [MemberId]>,
    /// What a member's own code passes to libraries.
    pub(in crate::compare) hands: Memo<MemberId, MemberEscapes>,
    /// For each class, the classes whose objects hold an instance of it.
    pub(in crate::compare) holders: Memo<TypeId, BTreeSet<TypeId>>,
    /// Classes of the objects that a container creates.
    pub(in crate::compare) components: OnceLock<BTreeSet<TypeId>>,
    /// For each method, the entries of the operations whose code reaches it, if nothing else may call it.
    pub(in crate::compare) entries: Memo<MemberId, Option<BTreeSet<MemberId>>>,
    /// For each method name, the files that contain it.
    pub(in crate::compare) naming: OnceLock<FxHashMap<String, Vec<FileId>>>,
    /// For each method, whether an annotation contains the method's name, in a file that contains the name.
    pub(in crate::compare) said: Memo<MemberId, bool>,
    /// For each constant of an enum, the code that may use it.
    pub(in crate::compare) users: Memo<MemberId, ConstantUsers>,
    /// The statements of all scripts, by table.
    pub(in crate::compare) scripts: OnceLock<BTreeMap<String, Vec<TableStatement>>>,
    /// The entities of each table.
    pub(in crate::compare) tables: OnceLock<BTreeMap<String, Vec<TypeId>>>,
    /// Where the container injects beans.
    pub(in crate::compare) injected: OnceLock<InjectionPoints>,
    /// The classes of the constructor parameters of a class.
    pub(in crate::compare) taken: Memo<TypeId, [TypeId]>,
}

/// The code that a framework may run around the handlers of a revision.
#[derive(Debug, Default)]
pub(in crate::compare) struct Surrounding {
    /// What the members of the surrounding code pass to libraries, all together.
    pub(in crate::compare) hands: MemberEscapes,
    /// All members that may run.
    pub(in crate::compare) members: BTreeSet<MemberId>,
}

/// The members whose code may use a constant of an enum.
#[derive(Debug, Default)]
pub(in crate::compare) struct ConstantUsers {
    /// Those that name it, and static methods of its enum.
    pub(in crate::compare) naming: BTreeSet<MemberId>,
    /// Those that iterate over the constants of its enum, or look one up by its name.
    pub(in crate::compare) looking_up: BTreeSet<MemberId>,
}

/// Where the container injects beans of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::compare) enum InjectionPoint {
    /// In a field or constructor of this class.
    Class(TypeId),
    /// As a parameter of this factory method.
    Factory(MemberId),
}

/// Injection points by the simple name of the injected type.
pub(in crate::compare) type InjectionPoints = BTreeMap<String, BTreeSet<InjectionPoint>>;

/// A statement of a script about a table.
#[derive(Debug)]
pub(in crate::compare) struct TableStatement {
    /// Path of the script.
    pub(in crate::compare) file: String,
    /// Text of the statement, normalised.
    pub(in crate::compare) text: String,
    /// The statement.
    pub(in crate::compare) statement: Arc<Statement>,
}

/// Values by key that several threads share.
#[derive(Debug)]
pub(in crate::compare) struct Memo<K, V: ?Sized> {
    known: RwLock<FxHashMap<K, Arc<V>>>,
}

impl<K, V: ?Sized> Default for Memo<K, V> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K: Hash + Eq + Copy, V: ?Sized> Memo<K, V> {
    /// The value for this key. Several threads may compute it at once; the first result is kept.
    pub(in crate::compare) fn get(&self, key: K, make: impl FnOnce() -> Arc<V>) -> Arc<V> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let made = make();
        self.known.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(made).clone()
    }
}

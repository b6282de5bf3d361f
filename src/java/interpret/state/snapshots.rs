//! Cached state after static initialisers that have the same result on every path: they run once, and later paths
//! take the state over.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::interpret::paths::path::{Modelled, Site};
use crate::interpret::stores::state::FollowedField;
use crate::interpret::values::value::{Heap, ObjId, Object, Type, Value};
use crate::ir::ids::{MemberId, TypeId};

/// Progress of a class's initialisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initialised {
    /// Its initialisers are running.
    Running,
    /// Done.
    Done,
    /// They threw.
    Failed,
}

/// The state that the initialisation of one class leaves.
#[derive(Debug)]
pub struct Snapshot {
    /// Whether it succeeded.
    pub initialised: Initialised,
    /// Classes that it initialised or read from; they are taken over first.
    pub uses: Vec<TypeId>,
    /// One past the index of its last shared object.
    pub upto: usize,
    /// Its static fields.
    pub statics: Vec<(MemberId, Value)>,
    /// State that outlives requests and is followed from here.
    pub lasting: Vec<FollowedField>,
    /// Beans and enum constants that it created.
    pub singles: Vec<((TypeId, Rc<str>), ObjId)>,
    /// Library constants that it created.
    pub constants: Vec<(Rc<str>, ObjId)>,
    /// Members that ran.
    pub members: BTreeSet<MemberId>,
    /// Models used.
    pub models: BTreeSet<&'static str>,
    /// Calls into libraries.
    pub library_calls: BTreeMap<Rc<str>, BTreeMap<Rc<str>, Modelled>>,
    /// What could not be followed.
    pub unknowns: BTreeSet<Rc<str>>,
    /// Reasons why the state is not exact.
    pub doubts: BTreeSet<Rc<str>>,
    /// Steps without those of the classes it uses.
    pub steps: u64,
    /// Cells without those of the classes it uses.
    pub cells: usize,
    /// The last call on a value.
    pub calling: Option<Site>,
    /// Argument types left for a model.
    pub argument_types: Vec<Type>,
    /// Maximum call depth.
    pub frames: usize,
    /// Maximum nesting of expressions.
    pub nesting: u32,
}

/// The state of a class in the cache.
#[derive(Debug, Clone)]
pub enum Stage {
    /// It ran on one path. If it is requested again, it is worth caching.
    SeenOnce,
    /// It is being run for the cache.
    Recording,
    /// It is cached.
    Kept(Rc<Snapshot>),
    /// It depends on the path, or failed, so it runs each time.
    Never,
}

/// The cached state of all classes, with the objects that they created.
#[derive(Debug, Clone, Default)]
pub struct Snapshots {
    heap: Rc<Vec<Rc<Object>>>,
    /// Number of strings created.
    made: u64,
    classes: FxHashMap<TypeId, Stage>,
}

impl Snapshots {
    /// A heap over all cached objects, and the number of strings created for them.
    pub fn heap(&self) -> (Heap, u64) {
        (Heap::over(self.heap.clone()), self.made)
    }

    /// The state of a class in the cache.
    pub fn stage(&self, ty: TypeId) -> Option<Stage> {
        self.classes.get(&ty).cloned()
    }

    /// Sets the state of a class in the cache.
    pub fn note(&mut self, ty: TypeId, stage: Stage) {
        self.classes.insert(ty, stage);
    }

    /// Adds the objects of a run that started on the current [`Snapshots::heap`]; returns the number of cached
    /// objects.
    pub fn keep(&mut self, objects: Vec<Object>, made: u64) -> usize {
        Rc::make_mut(&mut self.heap).extend(objects.into_iter().map(Rc::new));
        self.made = made;
        self.heap.len()
    }
}

/// A run whose result is to be cached.
#[derive(Debug, Default)]
pub struct Recording {
    /// See [`Snapshot::uses`].
    pub uses: Vec<TypeId>,
    /// Steps and cells of the classes it uses.
    pub taken_over: (u64, usize),
    /// Doubts of the classes it uses, which are not doubts of this class.
    pub doubts: BTreeSet<Rc<str>>,
    /// A class that must be cached first.
    pub wants: Option<TypeId>,
    /// Whether it used a class that cannot be cached.
    pub is_spoiled: bool,
}

//! What static initialisers leave that come out the same on every path: run once, and handed to later paths as it stands.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::path::{Modelled, Site};
use super::stores::state::Lasting;
use super::value::{Heap, ObjId, Object, Type, Value};
use crate::java::ids::{MemberId, TypeId};

/// How far the initialisation of a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initialised {
    /// Its initialisers run.
    Running,
    /// Done.
    Done,
    /// They threw.
    Failed,
}

/// What the initialisation of one class leaves.
#[derive(Debug)]
pub struct Snapshot {
    /// How it ended.
    pub initialised: Initialised,
    /// Classes that it initialised or read from: they come first.
    pub uses: Vec<TypeId>,
    /// One past its last shared object.
    pub upto: usize,
    /// Its static fields.
    pub statics: Vec<(MemberId, Value)>,
    /// What outlives requests and is followed from here.
    pub lasting: Vec<Lasting>,
    /// Beans and enum constants that it made.
    pub singles: Vec<((TypeId, Rc<str>), ObjId)>,
    /// Constants of library classes that it made.
    pub constants: Vec<(Rc<str>, ObjId)>,
    /// Members that ran.
    pub members: BTreeSet<MemberId>,
    /// Models used.
    pub models: BTreeSet<&'static str>,
    /// Calls into libraries.
    pub library_calls: BTreeMap<Rc<str>, BTreeMap<Rc<str>, Modelled>>,
    /// What could not be followed.
    pub unknowns: BTreeSet<Rc<str>>,
    /// Why nothing exact may be said of what follows.
    pub doubts: BTreeSet<Rc<str>>,
    /// Steps that it took, without those of the classes it uses.
    pub steps: u64,
    /// Cells that it took, without those of the classes it uses.
    pub cells: usize,
    /// The last call that it made on a value.
    pub calling: Option<Site>,
    /// The types of arguments that it left to a model.
    pub argument_types: Vec<Type>,
    /// How many frames it pushed on one another.
    pub frames: usize,
    /// How deep it nested expressions.
    pub nesting: u32,
}

/// What is known of the initialisation of a class.
#[derive(Debug, Clone)]
pub enum Stage {
    /// It ran on one path: where it is asked for again, it is worth keeping.
    Met,
    /// It is being run to be kept.
    Recording,
    /// It is kept.
    Kept(Rc<Snapshot>),
    /// It depends on the path, or failed: it runs anew each time.
    Never,
}

/// What is kept of all classes, with the objects that they made.
#[derive(Debug, Clone, Default)]
pub struct Snapshots {
    heap: Rc<Vec<Rc<Object>>>,
    /// How many strings were made.
    made: u64,
    classes: HashMap<TypeId, Stage>,
}

impl Snapshots {
    /// A heap over all objects that are kept, and how many strings were made for them.
    pub fn heap(&self) -> (Heap, u64) {
        (Heap::over(self.heap.clone()), self.made)
    }

    /// What is known of a class.
    pub fn stage(&self, ty: TypeId) -> Option<Stage> {
        self.classes.get(&ty).cloned()
    }

    /// Notes what is known of a class.
    pub fn note(&mut self, ty: TypeId, stage: Stage) {
        self.classes.insert(ty, stage);
    }

    /// Keeps the objects of a run that began over [`Snapshots::heap`] as it still is; how many there are now.
    pub fn keep(&mut self, objects: Vec<Object>, made: u64) -> usize {
        Rc::make_mut(&mut self.heap).extend(objects.into_iter().map(Rc::new));
        self.made = made;
        self.heap.len()
    }
}

/// A run that is made to be kept.
#[derive(Debug, Default)]
pub struct Recording {
    /// See [`Snapshot::uses`].
    pub uses: Vec<TypeId>,
    /// Steps and cells of the classes it uses.
    pub taken_over: (u64, usize),
    /// Doubts that those brought: they are no doubts of this class.
    pub doubts: BTreeSet<Rc<str>>,
    /// A class that must be kept first.
    pub wants: Option<TypeId>,
    /// Whether it used what cannot be kept.
    pub is_spoiled: bool,
}

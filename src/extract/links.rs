//! Links: what a member leads to, with everything looked up that is the same in every closure, so that following them compares numbers only.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::closure::Widening;
use super::edges::LibraryCall;
use super::shared::Known;
use crate::java::ids::{MemberId, TypeId};
use crate::java::library_uses::Implied;
use crate::java::name::Name;

/// Who makes an object that no code of the project makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A store: fields are filled directly, unless annotations on accessors say otherwise.
    Store,
    /// A reader of requests, files or messages: through constructors and setters.
    Data,
}

/// What a virtual call can run, by the type of the object.
#[derive(Debug, Default)]
pub struct Targets {
    /// The receiver's static type.
    pub on: TypeId,
    /// For each concrete type the method that runs; near types first.
    pub list: Vec<(TypeId, MemberId)>,
    by_type: Vec<(TypeId, MemberId)>,
}

impl Targets {
    /// Of a call on `on`.
    pub fn new(on: TypeId, list: Vec<(TypeId, MemberId)>) -> Self {
        let mut by_type = list.clone();
        by_type.sort();
        Self { on, list, by_type }
    }

    /// What runs on an object of exactly this type.
    pub fn at(&self, ty: TypeId) -> Option<MemberId> {
        let place = self.by_type.binary_search_by(|(known, _)| known.cmp(&ty)).ok()?;
        self.by_type.get(place).map(|(_, member)| *member)
    }
}

/// A call of a library member.
#[derive(Debug)]
pub struct LibraryLink {
    /// The call.
    pub call: LibraryCall,
    /// Simple name of the type and name of the member.
    pub short: Arc<str>,
    /// The number of the library type's name.
    pub base: u32,
    /// Of what the container injects, the types below the library type; `None` where nothing is known to be injected.
    pub injected: Option<Vec<TypeId>>,
    found: Mutex<FxHashMap<TypeId, Arc<[MemberId]>>>,
}

impl LibraryLink {
    /// Nothing found yet.
    pub fn new(call: LibraryCall, base: u32, injected: Option<Vec<TypeId>>) -> Self {
        let short = call.short().into();
        Self { call, short, base, injected, found: Mutex::default() }
    }

    /// What the call runs on objects of a type of the project, as `find` says when first asked.
    pub fn found(&self, ty: TypeId, find: impl FnOnce() -> Vec<MemberId>) -> Arc<[MemberId]> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(ty).or_insert_with(|| find().into()).clone()
    }
}

/// A name and arity that nothing was found for.
#[derive(Debug)]
pub struct UnresolvedLink {
    /// Name and arity.
    pub key: (String, usize),
    /// All members that can be meant, in the order of ids.
    pub members: Vec<MemberId>,
}

/// A library member that got any object, and may write it out.
#[derive(Debug)]
pub struct HandedAny {
    /// Dotted type and name.
    pub to: (Name, Name),
    /// What it calls on the object.
    pub implied: Implied,
    /// Whether it may write the object out.
    pub writes: bool,
}

/// One thing that a member leads to; see [`super::edges::Direct`]. Numbers at the end are lines.
#[derive(Debug)]
pub enum Step<'p> {
    /// A type is named or handled.
    Touch(TypeId),
    /// A value of the type is handed on, and nothing else is done with it here.
    HandOn(TypeId),
    /// The static initialiser of the member's type runs with it.
    Initialise,
    /// It is a constructor that calls no other one of its own type.
    Construct,
    /// A declaration is called.
    Call(MemberId, u32),
    /// What the container injects is called.
    Dispatch(MemberId, u32),
    /// The method of whatever object there is is called.
    Virtual(Arc<Known<Targets>>, u32),
    /// A method is named for a link to it, and does not run.
    Link(MemberId, u32),
    /// A field is read or written.
    Use(MemberId, u32),
    /// Something stored may be made, changed or removed.
    Changes(Option<u32>),
    /// This is injected into the field.
    Inject(TypeId, MemberId),
    /// Some bean is taken from the container, and it is not known which.
    AnyBean,
    /// An object is made.
    Make(TypeId, u32),
    /// A library gets the class object of the type; whether it may fill objects.
    Class(TypeId, bool, u32),
    /// A value is turned into text by an operator.
    Print(TypeId, u32),
    /// A library gets a value: what is called on it, whether it is written out.
    Hand(TypeId, Implied, bool, u32),
    /// The number of the name of a library type behind which values were given to libraries.
    Behind(u32),
    /// Its values go where any object may stand.
    Hide(TypeId),
    /// A library member gets any object.
    HandAny(Arc<Known<HandedAny>>),
    /// A call that nothing was found for.
    Unresolved(Arc<Known<UnresolvedLink>>, u32),
    /// Something that could not be followed.
    Widen(Box<Widening>),
    /// A type name that nothing declares.
    Missing(Arc<Known<Name>>),
    /// A call of a library member.
    Library(Arc<Known<LibraryLink>>),
    /// An annotation names the type, of which a library makes objects.
    Named(TypeId),
    /// A library implements this method, and makes what it returns.
    Proxied(TypeId, Source),
    /// A framework makes this edge.
    Extra(&'p (MemberId, Arc<str>)),
}

/// What one member leads to, in the order in which it is followed: in one piece, since every closure goes through the links of nearly all members.
pub type Links<'p> = Box<[Step<'p>]>;

/// What closures ask of a type, each list made when it is first asked for.
#[derive(Debug, Default)]
pub struct TypeLinks {
    /// All supertypes, near ones first.
    pub(super) supers: OnceLock<Vec<TypeId>>,
    /// All subtypes, near ones first.
    pub(super) subs: OnceLock<Vec<TypeId>>,
    /// `toString` and the like by the type that must be live, of this type and those below it.
    pub(super) implicit: OnceLock<Vec<(TypeId, MemberId, Implied)>>,
    /// What a serialiser reads, with the types of it.
    pub(super) read: OnceLock<Vec<(MemberId, Vec<TypeId>)>>,
    /// What is made with an object that is read from data.
    pub(super) data_parts: OnceLock<Vec<TypeId>>,
    /// Initialisers that run with an implicit constructor.
    pub(super) construct: OnceLock<Vec<MemberId>>,
    /// What a library calls on an object, with what a call of it runs.
    pub(super) callbacks: OnceLock<Vec<(MemberId, Arc<Known<Targets>>)>>,
    /// Edges that frameworks make.
    pub(super) extra: OnceLock<Vec<(MemberId, Arc<str>)>>,
    /// Edges that stores make where something is written.
    pub(super) when_stored: OnceLock<Vec<(MemberId, Arc<str>)>>,
}

//! Links: the edges of a member, resolved as far as they are the same in every closure, so that following them only
//! compares numbers.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::shared::Numbered;
use crate::members::closure::Widening;
use crate::members::edges::LibraryCall;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::name::Name;
use mastor_java::objects::library_uses::ImplicitCalls;

/// The origin of objects that no code of the project creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A store: it fills fields directly, unless annotations on accessors say otherwise.
    Store,
    /// A reader of requests, files or messages: it uses constructors and setters.
    Data,
}

/// The methods that a virtual call can run, by the type of the object.
#[derive(Debug, Default)]
pub struct Targets {
    /// The receiver's static type.
    pub on: TypeId,
    /// The method that runs for each concrete type; near types first.
    pub list: Vec<(TypeId, MemberId)>,
    by_type: Vec<(TypeId, MemberId)>,
}

impl Targets {
    /// The targets of a call on `on`.
    pub fn new(on: TypeId, list: Vec<(TypeId, MemberId)>) -> Self {
        let mut by_type = list.clone();
        by_type.sort();
        Self { on, list, by_type }
    }

    /// The method that runs on an object of exactly this type.
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
    /// The injected types that are below the library type; `None` if no injection is known.
    pub injected: Option<Vec<TypeId>>,
    found: Mutex<FxHashMap<TypeId, Arc<[MemberId]>>>,
}

impl LibraryLink {
    /// A link without results yet.
    pub fn new(call: LibraryCall, base: u32, injected: Option<Vec<TypeId>>) -> Self {
        let short = call.short().into();
        Self { call, short, base, injected, found: Mutex::default() }
    }

    /// The methods that the call runs on objects of a project type; `find` computes them on first use.
    pub fn found(&self, ty: TypeId, find: impl FnOnce() -> Vec<MemberId>) -> Arc<[MemberId]> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(ty).or_insert_with(|| find().into()).clone()
    }
}

/// A name and arity for which no method was found.
#[derive(Debug)]
pub struct UnresolvedLink {
    /// Name and arity.
    pub key: (String, usize),
    /// All members that the call can mean, in the order of ids.
    pub members: Vec<MemberId>,
}

/// A library member that receives any object, and may serialise it.
#[derive(Debug)]
pub struct HandedAny {
    /// Dotted type and name.
    pub to: (Name, Name),
    /// The methods that it calls on the object.
    pub implied: ImplicitCalls,
    /// Whether it may serialise the object.
    pub writes: bool,
}

/// One resolved edge of a member; see [`crate::members::edges::Direct`]. A number at the end is a line.
#[derive(Debug)]
pub enum Step<'p> {
    /// A type is named or handled.
    Touch(TypeId),
    /// A value of the type is passed on, and nothing else is done with it here.
    HandOn(TypeId),
    /// The static initialiser of the member's type runs too.
    Initialise,
    /// The member is a constructor that calls no other constructor of its own type.
    Construct,
    /// A declaration is called.
    Call(MemberId, u32),
    /// A method of an injected object is called.
    Dispatch(MemberId, u32),
    /// A method is called on any object that exists.
    Virtual(Arc<Numbered<Targets>>, u32),
    /// A method is named for a link to it, and does not run.
    Link(MemberId, u32),
    /// A field is read or written.
    Use(MemberId, u32),
    /// Stored data may be created, changed or removed.
    Changes(Option<u32>),
    /// An object of this type is injected into the field.
    Inject(TypeId, MemberId),
    /// An unknown bean is looked up in the container.
    AnyBean,
    /// An object is created.
    Make(TypeId, u32),
    /// A library receives the class object of the type; the flag says whether it may fill objects.
    Class(TypeId, bool, u32),
    /// An operator converts a value to text.
    Print(TypeId, u32),
    /// A library receives a value: the methods that it calls on it, and whether it serialises it.
    Hand(TypeId, ImplicitCalls, bool, u32),
    /// The number of a library type's name; values of this type are passed to libraries.
    Behind(u32),
    /// Values of the type are passed where any object is accepted.
    Hide(TypeId),
    /// A library member receives any object.
    HandAny(Arc<Numbered<HandedAny>>),
    /// A call for which no method was found.
    Unresolved(Arc<Numbered<UnresolvedLink>>, u32),
    /// A place that could not be followed.
    Widen(Box<Widening>),
    /// A type name that nothing declares.
    Missing(Arc<Numbered<Name>>),
    /// A call of a library member.
    Library(Arc<Numbered<LibraryLink>>),
    /// An annotation names the type, and a library creates objects of it.
    Named(TypeId),
    /// A library implements this method, and creates the objects that it returns.
    Proxied(TypeId, Source),
    /// A framework adds this edge.
    Extra(&'p (MemberId, Arc<str>)),
}

/// The links of one member, in the order in which they are followed. They are in one block of memory, since every
/// closure reads the links of nearly all members.
pub type Links<'p> = Box<[Step<'p>]>;

/// Lists about a type that closures need, each computed on first use.
#[derive(Debug, Default)]
pub struct TypeLinks {
    /// All supertypes, near ones first.
    pub(crate) supers: OnceLock<Vec<TypeId>>,
    /// All subtypes, near ones first.
    pub(crate) subs: OnceLock<Vec<TypeId>>,
    /// `toString` and the like of this type and the types below it, with the type that must be live.
    pub(crate) implicit: OnceLock<Vec<(TypeId, MemberId, ImplicitCalls)>>,
    /// Members that a serialiser reads, with the types of their values.
    pub(crate) read: OnceLock<Vec<(MemberId, Vec<TypeId>)>>,
    /// Types of the objects that are created together with an object that is read from data.
    pub(crate) data_parts: OnceLock<Vec<TypeId>>,
    /// Initialisers that run with an implicit constructor.
    pub(crate) construct: OnceLock<Vec<MemberId>>,
    /// Methods that a library calls on an object, with the methods that a call of each runs.
    pub(crate) callbacks: OnceLock<Vec<(MemberId, Arc<Numbered<Targets>>)>>,
    /// Edges that frameworks add.
    pub(crate) extra: OnceLock<Vec<(MemberId, Arc<str>)>>,
    /// Edges that apply when a store writes.
    pub(crate) when_stored: OnceLock<Vec<(MemberId, Arc<str>)>>,
}

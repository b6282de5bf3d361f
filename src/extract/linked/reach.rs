//! Data that the closures of one project share: every part is computed once, on first use.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use super::links::{HandedAny, LibraryLink, Links, Targets, TypeLinks, UnresolvedLink};
use super::scratch::Scratch;
use super::shared::{Numbered, Shared};
use crate::members::edge_store::EdgeStore;
use crate::members::edges::{Direct, direct};
use crate::members::fleeting::fleeting;
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::name::Name;
use mastor_java::objects::injection::{ExtraEdges, Injection};
use mastor_java::resolve::resolver::Resolver;

/// Members of a type, grouped by the event that runs them.
#[derive(Debug, Default)]
pub struct TypeFacets {
    /// Static initialisers, enum constants, and static fields whose initialiser is not a constant.
    pub statics: Vec<MemberId>,
    /// Instance initialisers and instance fields with an initialiser.
    pub initialisers: Vec<MemberId>,
    /// Methods that override a library's methods, so that a library calls them on an object of this type.
    pub callbacks: Vec<MemberId>,
    /// Whether it is a row of a store.
    pub is_row: bool,
    /// Whether annotations say that it is read from requests, files or messages, and it is not a row of a store.
    pub is_data: bool,
    /// Library types above this one, sorted.
    pub library_bases: Vec<Name>,
    /// The numbers of their names.
    pub base_ids: Vec<u32>,
    /// The type's own `toString`, `equals`, `hashCode` and `compareTo`.
    pub implicit: Vec<MemberId>,
    /// Getters and other members that a serialiser reads: methods, fields.
    pub getters: Vec<MemberId>,
    /// Setters, creators, and other members that a deserialiser writes.
    pub setters: Vec<MemberId>,
    /// The constructors that a library may call: the one without arguments, else all.
    pub constructors: Vec<MemberId>,
    /// Constructors that can be called without arguments.
    pub without_arguments: Vec<MemberId>,
    /// Whether it declares a constructor.
    pub declares_constructor: bool,
    /// Methods that run after construction.
    pub after: Vec<MemberId>,
    /// For stored data: methods that may change the object.
    pub changers: Vec<MemberId>,
    /// Types of the fields: objects of them are created and written together with an object of this type.
    pub parts: Vec<TypeId>,
    /// Types in `parts` that are kept in sets and maps, so that their objects are hashed and compared.
    pub hashed: Vec<TypeId>,
    /// Getters of the identity; stores call them.
    pub identity: Vec<MemberId>,
    /// Classes that annotations on the type and its members name; a library creates objects of them.
    pub named: Vec<TypeId>,
    /// Supertypes that the header names.
    pub supers: Vec<TypeId>,
    /// Other types in the header: type arguments, bounds, annotations, the enclosing type.
    pub header: Vec<TypeId>,
    /// Annotations on the type, by simple name.
    pub annotations: Vec<String>,
    /// Superclass within the project.
    pub superclass: Option<TypeId>,
    /// Whether objects of exactly this type can exist.
    pub concrete: bool,
    /// Whether annotations say that a library creates and fills its objects: entities, documents, bound data.
    pub stored: bool,
    /// Whether it is stored only as a part of its subtypes.
    pub shares_parts: bool,
    /// Whether a store reads and writes its objects through accessors.
    pub by_accessors: bool,
}

/// Data that all closures of one project share; every part is computed on first use.
pub struct Reach<'p> {
    /// Resolves the bodies of members.
    pub resolver: Resolver<'p>,
    /// What the container injects.
    pub injection: &'p dyn Injection,
    /// Edges that frameworks add.
    pub extra: &'p ExtraEdges,
    store: EdgeStore,
    direct: Vec<OnceLock<Box<Direct>>>,
    pub(crate) facets: Vec<OnceLock<TypeFacets>>,
    /// Whether some serialiser of the project reads fields.
    pub(crate) by_fields: bool,
    /// Types whose objects exist only while the enclosing member runs.
    fleeting: Vec<bool>,
    pub(crate) links: Vec<OnceLock<Links<'p>>>,
    pub(crate) type_links: Vec<TypeLinks>,
    pub(crate) dispatch: Shared<(MemberId, TypeId), Targets>,
    pub(crate) library: Shared<crate::members::edges::LibraryCall, LibraryLink>,
    pub(crate) handed_any: Shared<(Name, Name), HandedAny>,
    pub(crate) unresolved: Shared<(String, usize), UnresolvedLink>,
    names: Shared<Name, Name>,
    annotated: OnceLock<BTreeMap<TypeId, Vec<MemberId>>>,
    scratch: Mutex<Vec<Scratch>>,
}

impl<'p> Reach<'p> {
    /// Starts with nothing computed.
    pub fn new(resolver: Resolver<'p>, injection: &'p dyn Injection, extra: &'p ExtraEdges) -> Self {
        let members = resolver.member_count();
        let types = resolver.project().types().len();
        let project = resolver.project();
        let by_fields = project.files().any(|file| {
            let facts = &project.file(file).facts;
            facts.imports.iter().any(|import| import.path.starts_with("com.google.gson"))
                || facts.type_words.iter().any(|word| word == "PropertyAccessor")
        });
        Self {
            resolver,
            by_fields,
            fleeting: fleeting(project),
            injection,
            extra,
            store: EdgeStore::of(project),
            direct: (0..members).map(|_| OnceLock::new()).collect(),
            facets: (0..types).map(|_| OnceLock::new()).collect(),
            links: (0..members).map(|_| OnceLock::new()).collect(),
            type_links: (0..types).map(|_| TypeLinks::default()).collect(),
            dispatch: Shared::default(),
            library: Shared::default(),
            handed_any: Shared::default(),
            unresolved: Shared::default(),
            names: Shared::default(),
            annotated: OnceLock::new(),
            scratch: Mutex::default(),
        }
    }

    /// The methods with an annotation that the project declares.
    pub(super) fn annotated_methods(&self, annotation: TypeId) -> &[MemberId] {
        let project = self.resolver.project();
        let all = self.annotated.get_or_init(|| {
            let mut all: BTreeMap<TypeId, Vec<MemberId>> = BTreeMap::new();
            let members = (0..project.types().len()).flat_map(|ty| project.members(TypeId(ty as u32)));
            for id in members.filter(|id| project.member(*id).kind == MemberKind::Method) {
                for annotation in &project.member(id).annotations {
                    if let Some(ty) = project.resolve_at(id, &annotation.name).project() {
                        all.entry(ty).or_default().push(id);
                    }
                }
            }
            all
        });
        all.get(&annotation).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether objects of a type may exist whatever an operation has done so far. Rows of a store exist only if code
    /// creates, reads or names them.
    pub fn may_be_there(&self, id: TypeId) -> bool {
        !self.injection.managed(id)
            && !self.fleeting.get(id.0 as usize).is_some_and(|fleeting| *fleeting)
            && !self.facets(id).is_row
    }

    /// Passes the direct edges of a member to `ask`; they stay in memory only if they are to be cached.
    pub(super) fn with_direct<T>(&self, id: MemberId, ask: impl FnOnce(&Direct) -> T) -> T {
        if let Some(known) = self.store.get(self.resolver.project(), id) {
            return ask(known);
        }
        if !self.store.keeps() {
            return ask(&direct(&self.resolver, id));
        }
        ask(self.direct[self.resolver.dense(id)].get_or_init(|| Box::new(direct(&self.resolver, id))))
    }

    /// Caches the newly computed edges for the next run, and frees the rest in the background.
    pub fn finish(self) {
        self.store.keep(self.resolver.project(), |id| self.direct[self.resolver.dense(id)].get().map(Box::as_ref));
        let (resolved, direct) = (self.resolver.into_resolved(), self.direct);
        rayon::spawn(move || drop(direct));
        rayon::spawn(move || drop(resolved));
        self.links.into_par_iter().for_each(drop);
    }

    /// Empty marks for a walk.
    pub fn scratch(&self) -> Scratch {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Returns marks, for use by the next walk.
    pub fn give_back(&self, mut scratch: Scratch) {
        scratch.clear();
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    /// The name of a library type, with its number.
    pub fn name(&self, name: Name) -> Arc<Numbered<Name>> {
        self.names.get(&name, || name)
    }
}

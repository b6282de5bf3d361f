//! What closures of one project share: every part is computed once, when it is first needed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use super::edge_store::EdgeStore;
use super::edges::{Direct, direct};
use super::fleeting::fleeting;
use super::links::{HandedAny, LibraryLink, Links, Targets, TypeLinks, UnresolvedLink};
use super::scratch::Scratch;
use super::shared::{Known, Shared};
use crate::java::facts::MemberKind;
use crate::java::ids::{MemberId, TypeId};
use crate::java::injection::{ExtraEdges, Injection};
use crate::java::name::Name;
use crate::java::resolver::Resolver;

/// Members of a type by what makes them run.
#[derive(Debug, Default)]
pub struct TypeFacets {
    /// Static initialisers, enum constants, and static fields whose initialiser is not a constant.
    pub statics: Vec<MemberId>,
    /// Instance initialisers and instance fields with an initialiser.
    pub initialisers: Vec<MemberId>,
    /// Methods that a library calls on an object of this type: those that override a library's methods.
    pub callbacks: Vec<MemberId>,
    /// Whether it is a row of a store.
    pub is_row: bool,
    /// Whether annotations say that it is read from requests, files or messages, and it is no row of a store.
    pub is_data: bool,
    /// Library types above this one, sorted.
    pub library_bases: Vec<Name>,
    /// The numbers of their names.
    pub base_ids: Vec<u32>,
    /// `toString`, `equals`, `hashCode`, `compareTo`, own ones.
    pub implicit: Vec<MemberId>,
    /// Getters and what else a serialiser reads: methods, fields.
    pub getters: Vec<MemberId>,
    /// Setters, creators, and what else a deserialiser writes.
    pub setters: Vec<MemberId>,
    /// The constructor that a library calls: the one without arguments, else all.
    pub constructors: Vec<MemberId>,
    /// Constructors that can be called without arguments.
    pub without_arguments: Vec<MemberId>,
    /// Whether it declares a constructor.
    pub declares_constructor: bool,
    /// Methods that run after construction.
    pub after: Vec<MemberId>,
    /// Of stored data, methods that may change the object.
    pub changers: Vec<MemberId>,
    /// Types of the fields: what else is made and written with an object of this type.
    pub parts: Vec<TypeId>,
    /// Those of `parts` that are kept in sets and maps, so that they are hashed and compared.
    pub hashed: Vec<TypeId>,
    /// Getters of the identity, which stores ask for.
    pub identity: Vec<MemberId>,
    /// Types that annotations on the type and its members name as classes: a library makes objects of them.
    pub named: Vec<TypeId>,
    /// Supertypes that the header names.
    pub supers: Vec<TypeId>,
    /// What else the header names: type arguments, bounds, annotations, the type around it.
    pub header: Vec<TypeId>,
    /// Annotations on the type, by simple name.
    pub annotations: Vec<String>,
    /// Superclass within the project.
    pub superclass: Option<TypeId>,
    /// Whether objects of exactly this type can exist.
    pub concrete: bool,
    /// Whether annotations say that a library makes its objects and fills them: entities, documents, bound data.
    pub stored: bool,
    /// Whether it is stored only as a part of the types below it.
    pub shares_parts: bool,
    /// Whether a store reads and writes its objects through accessors.
    pub by_accessors: bool,
}

/// All that closures of one project share; every part is computed when first needed.
pub struct Reach<'p> {
    /// Meaning of the bodies.
    pub resolver: Resolver<'p>,
    /// What the container injects.
    pub injection: &'p dyn Injection,
    /// Edges that frameworks make.
    pub extra: &'p ExtraEdges,
    store: EdgeStore,
    direct: Vec<OnceLock<Box<Direct>>>,
    pub(super) facets: Vec<OnceLock<TypeFacets>>,
    /// Whether some serialiser of the project looks at fields.
    pub(super) by_fields: bool,
    /// Types whose objects are there only while the member around them runs.
    fleeting: Vec<bool>,
    pub(super) links: Vec<OnceLock<Links<'p>>>,
    pub(super) type_links: Vec<TypeLinks>,
    pub(super) dispatch: Shared<(MemberId, TypeId), Targets>,
    pub(super) library: Shared<super::edges::LibraryCall, LibraryLink>,
    pub(super) handed_any: Shared<(Name, Name), HandedAny>,
    pub(super) unresolved: Shared<(String, usize), UnresolvedLink>,
    names: Shared<Name, Name>,
    annotated: OnceLock<BTreeMap<TypeId, Vec<MemberId>>>,
    scratch: Mutex<Vec<Scratch>>,
}

impl<'p> Reach<'p> {
    /// Nothing computed yet.
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

    /// The methods that carry an annotation of the project.
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

    /// Whether objects of a type may be there, whatever an operation has done so far. Rows of a store are there where code makes, reads or names them.
    pub fn may_be_there(&self, id: TypeId) -> bool {
        !self.injection.managed(id)
            && !self.fleeting.get(id.0 as usize).is_some_and(|fleeting| *fleeting)
            && !self.facets(id).is_row
    }

    /// Asks for what a member leads to, which is kept only where it is to be cached.
    pub(super) fn with_direct<T>(&self, id: MemberId, ask: impl FnOnce(&Direct) -> T) -> T {
        if let Some(known) = self.store.get(self.resolver.project(), id) {
            return ask(known);
        }
        if !self.store.keeps() {
            return ask(&direct(&self.resolver, id));
        }
        ask(self.direct[self.resolver.dense(id)].get_or_init(|| Box::new(direct(&self.resolver, id))))
    }

    /// Keeps the edges that were read for the next run, and frees what was computed without letting anyone wait for it.
    pub fn finish(self) {
        self.store.keep(self.resolver.project(), |id| self.direct[self.resolver.dense(id)].get().map(Box::as_ref));
        let (resolved, direct) = (self.resolver.into_resolved(), self.direct);
        rayon::spawn(move || drop(direct));
        rayon::spawn(move || drop(resolved));
        self.links.into_par_iter().for_each(drop);
    }

    /// Marks for a walk, none of them set.
    pub fn scratch(&self) -> Scratch {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps marks for the next walk.
    pub fn give_back(&self, mut scratch: Scratch) {
        scratch.clear();
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    /// A name of a library, with its number.
    pub fn name(&self, name: Name) -> Arc<Known<Name>> {
        self.names.get(&name, || name)
    }
}

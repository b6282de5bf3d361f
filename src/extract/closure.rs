//! The closure of an entry: every member that can run, or decides what runs, when it is called, with the edge that reached each.
//!
//! Soundness comes first. A call runs, of each type below the receiver's static type, the method that objects of that type have; types that only a
//! container makes count where they are injected or named. What a library gets in its hands it may call: the methods that override its own,
//! and `toString`, `equals`, `hashCode` and `compareTo`. What an entry returns is written out through its getters; what it takes is made by
//! constructors and setters.
//!
//! A call that nothing was found for reaches every member of its name and arity in the types that the closure touches. That is all it can mean: the
//! static type of its receiver comes out of a declaration, and each declaration that the closure uses names its types, which are touched. Only where
//! a type is missing from the repository (the build generates it) can such a call lead beyond, and then it reaches all of that name in the project.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::edges::{Handed, LibraryCall};
use super::library_uses::{ClassUse, Implied, class_use, implied, writes_out};
use super::reach::{Reach, class_values};
use crate::java::calls::Unresolved;
use crate::java::facts::{MemberKind, Modifiers, TypeKind};
use crate::java::ids::{FileId, MemberId, TypeId};
use crate::java::injection::EdgeSource;
use crate::java::resolve_calls::ANY_ARITY;

/// Why a member is in the closure: what its parent does with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// It is the entry.
    Entry,
    /// Calls it, or refers to it.
    Calls,
    /// Calls what it implements or overrides.
    Dispatches,
    /// Reads or writes it.
    Uses,
    /// Makes an object of its type, so it runs.
    Makes,
    /// Touches its type, whose static initialiser runs.
    Initialises,
    /// Gives an object of its type to a library, which calls it.
    CalledBack,
    /// Its type is written out.
    Serialises,
    /// Its type is made by a library: read from a request, a file or a store.
    Materialises,
    /// An object of its type is injected.
    Injects,
    /// A call of this name was not resolved.
    Widens,
    /// A framework makes the edge: in what way.
    Framework(String),
}

impl EdgeKind {
    /// In words, as `why` prints it behind the member.
    pub fn words(&self) -> String {
        match self {
            Self::Entry => "entry".to_owned(),
            Self::Calls => "called".to_owned(),
            Self::Dispatches => "implements what is called".to_owned(),
            Self::Uses => "read or written".to_owned(),
            Self::Makes => "runs when an object is made".to_owned(),
            Self::Initialises => "runs when its type is first used".to_owned(),
            Self::CalledBack => "called back by a library".to_owned(),
            Self::Serialises => "written out".to_owned(),
            Self::Materialises => "read in".to_owned(),
            Self::Injects => "injected".to_owned(),
            Self::Widens => "may be what an unresolved name means".to_owned(),
            Self::Framework(how) => how.clone(),
        }
    }
}

/// How a member was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// From which member; `None` for the entry.
    pub from: Option<MemberId>,
    /// In what way.
    pub kind: EdgeKind,
    /// Line in the parent, where one is known.
    pub line: Option<u32>,
}

/// Something that made the closure larger than what is certainly reached, or that could not be followed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Widening {
    /// The member in which it stands.
    pub at: MemberId,
    /// Line, from 1.
    pub line: u32,
    /// What could not be followed.
    pub what: String,
}

/// All that one entry reaches.
#[derive(Debug, Clone, Default)]
pub struct Closure {
    /// Members with the edge that reached each first, in the order of ids.
    pub members: BTreeMap<MemberId, Edge>,
    /// Types whose declaration the members rest on.
    pub types: BTreeSet<TypeId>,
    /// What could not be followed.
    pub widenings: Vec<Widening>,
    /// Library members called, as simple type and name.
    pub library: BTreeSet<String>,
    /// Type names that no file declares.
    pub missing: BTreeSet<String>,
}

impl Closure {
    /// The files of all members and types.
    pub fn files(&self, reach: &Reach<'_>) -> BTreeSet<FileId> {
        let project = reach.resolver.project();
        let of_members = self.members.keys().map(|member| member.ty);
        of_members.chain(self.types.iter().copied()).map(|ty| project.file_of(ty)).collect()
    }

    /// How a member was reached, the entry first; empty where it was not.
    pub fn why(&self, member: MemberId) -> Vec<(MemberId, &Edge)> {
        let mut chain = Vec::new();
        let mut at = Some(member);
        while let Some(edge) = at.and_then(|member| self.members.get(&member)) {
            if let Some(member) = at {
                chain.push((member, edge));
            }
            at = edge.from.filter(|from| chain.iter().all(|(known, _)| known != from));
        }
        chain.reverse();
        chain
    }
}

/// The closure of an entry method; `receiver` is the class that it runs on, where that is not the one that declares it.
pub fn closure(reach: &Reach<'_>, entry: MemberId, receiver: Option<TypeId>) -> Closure {
    let mut walk = Walk::new(reach);
    walk.entry(entry, receiver.unwrap_or(entry.ty));
    walk.run();
    walk.finish()
}

/// Who makes an object that no code of the project makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A store: fields are filled directly, unless annotations on accessors say otherwise.
    Store,
    /// A reader of requests, files or messages: through constructors and setters.
    Data,
}

/// Where an event comes from.
#[derive(Clone, Copy)]
struct Cause {
    from: Option<MemberId>,
    line: Option<u32>,
}

struct Walk<'r, 'p> {
    reach: &'r Reach<'p>,
    out: Closure,
    reached: Vec<bool>,
    queue: VecDeque<MemberId>,
    /// By type: what has been done for it.
    touched: Vec<bool>,
    live: Vec<bool>,
    statics: Vec<bool>,
    made: Vec<bool>,
    serialised: Vec<bool>,
    materialised: Vec<bool>,
    filled: Vec<bool>,
    /// Library types behind which values were given to libraries.
    behind: BTreeSet<String>,
    /// Members that frameworks call.
    framework_called: BTreeSet<MemberId>,
    called_back: Vec<bool>,
    implied: Vec<Implied>,
    /// Virtual calls by static type of the receiver, for types that come alive later.
    virtuals: BTreeMap<TypeId, Vec<(MemberId, Cause)>>,
    seen: BTreeSet<(MemberId, TypeId)>,
    unresolved: BTreeMap<(String, usize), Cause>,
    /// Types whose values went where any object may stand, and what of libraries got any object, each with its cause.
    hidden: BTreeMap<TypeId, Cause>,
    handed_any: BTreeMap<(String, String), Cause>,
    /// Calls of library types behind which objects of the project can stand.
    library: BTreeMap<LibraryCall, Cause>,
    /// The entry, as the cause of what no single member causes.
    first: Option<Cause>,
    /// Types that are touched and have methods which a library type declares.
    answering: BTreeSet<TypeId>,
}

impl<'r, 'p> Walk<'r, 'p> {
    fn new(reach: &'r Reach<'p>) -> Self {
        let types = reach.resolver.project().types().len();
        let none = || vec![false; types];
        Self {
            reach,
            out: Closure::default(),
            reached: vec![false; reach.resolver.member_count()],
            queue: VecDeque::new(),
            touched: none(),
            live: none(),
            statics: none(),
            made: none(),
            serialised: none(),
            materialised: none(),
            filled: none(),
            behind: BTreeSet::new(),
            framework_called: BTreeSet::new(),
            called_back: none(),
            implied: vec![Implied::default(); types],
            virtuals: BTreeMap::new(),
            seen: BTreeSet::new(),
            unresolved: BTreeMap::new(),
            hidden: BTreeMap::new(),
            handed_any: BTreeMap::new(),
            library: BTreeMap::new(),
            answering: BTreeSet::new(),
            first: None,
        }
    }

    fn entry(&mut self, entry: MemberId, receiver: TypeId) {
        let cause = Cause { from: None, line: None };
        self.member(entry, EdgeKind::Entry, cause);
        let own = Cause { from: Some(entry), line: None };
        self.first = Some(own);
        super::edges::behind(&self.reach.resolver.types.signature(entry).ret, &mut self.behind);
        self.inject(receiver, own);
        if let Some(implementation) = self.reach.implementation(receiver, entry) {
            self.member(implementation, EdgeKind::Dispatches, own);
        }
        for edge in [entry].into_iter().chain(self.reach.resolver.project().overridden(entry)) {
            self.member(edge, EdgeKind::Uses, own);
        }
        let mut found = Vec::new();
        let signature = self.reach.resolver.types.signature(entry);
        signature.ret.projects(&mut found);
        for ty in std::mem::take(&mut found) {
            self.serialise(ty, own);
        }
        for param in &signature.params {
            param.projects(&mut found);
        }
        for ty in found {
            self.materialise(ty, Source::Data, own);
        }
    }

    fn run(&mut self) {
        loop {
            while let Some(member) = self.queue.pop_front() {
                self.process(member);
            }
            if !self.widen() {
                return;
            }
        }
    }

    fn finish(mut self) -> Closure {
        let touched = self.touched.iter().enumerate().filter(|(_, touched)| **touched);
        self.out.types = touched.map(|(at, _)| TypeId(at as u32)).collect();
        self.out.widenings.sort();
        self.out.widenings.dedup();
        self.out
    }

    /// Adds a member.
    fn member(&mut self, id: MemberId, kind: EdgeKind, cause: Cause) {
        let dense = self.reach.resolver.dense(id);
        if !std::mem::replace(&mut self.reached[dense], true) {
            self.out.members.insert(id, Edge { from: cause.from, kind, line: cause.line });
            self.queue.push_back(id);
        }
    }

    fn process(&mut self, id: MemberId) {
        let reach = self.reach;
        let direct = reach.direct(id);
        let at = |line: u32| Cause { from: Some(id), line: Some(line) };
        let here = Cause { from: Some(id), line: None };
        for ty in &direct.touched {
            self.touch(*ty, here);
        }
        let member = reach.resolver.project().member(id);
        if member.modifiers.has(Modifiers::STATIC) || member.kind != MemberKind::Field {
            self.initialise(id.ty, here);
        }
        if direct.initialises {
            self.construct(id.ty, here);
        }
        for call in &direct.calls {
            self.member(call.to, EdgeKind::Calls, at(call.line));
            if let Some(on) = call.on {
                self.dispatch(call.to, on, call.via, at(call.line));
            }
        }
        for (field, line) in &direct.fields {
            self.field(*field, at(*line));
        }
        for (field, line) in &direct.written {
            self.member(*field, EdgeKind::Uses, at(*line));
        }
        for (ty, line) in &direct.made {
            self.make(*ty, at(*line));
        }
        for (ty, to, line) in &direct.classes {
            match to.as_deref().map_or(ClassUse::Makes, class_use) {
                ClassUse::Name => {}
                ClassUse::Makes => self.by_class(*ty, false, at(*line)),
                ClassUse::Fills => self.by_class(*ty, true, at(*line)),
            }
        }
        self.behind.extend(direct.behind.iter().cloned());
        for ty in &direct.hidden {
            self.hidden.entry(*ty).or_insert(here);
        }
        for to in &direct.handed_any {
            self.handed_any.entry(to.clone()).or_insert(here);
        }
        for (ty, line) in &direct.printed {
            self.implied(*ty, Implied::TEXT, at(*line));
        }
        for handed in &direct.handed {
            self.hand(handed, at(handed.line));
        }
        for unresolved in &direct.unresolved {
            self.unresolved(id, unresolved);
        }
        for (what, line) in &direct.reflection {
            self.out.widenings.push(Widening { at: id, line: *line, what: format!("reflection: {what}") });
        }
        for what in &direct.unknown {
            let line = member.span.line;
            self.out.widenings.push(Widening { at: id, line, what: format!("not understood: {what}") });
        }
        self.out.missing.extend(direct.missing.iter().cloned());
        for call in &direct.library {
            self.out.library.insert(call.short());
            self.library.entry(call.clone()).or_insert(here);
        }
        let mut named = Vec::new();
        for annotation in &member.annotations {
            annotation.args.iter().for_each(|(_, value)| class_values(value, &mut named));
        }
        self.named(id.ty, &named, here);
        self.proxied(id, here);
        self.extra(id, here);
    }

    /// Edges that frameworks make.
    fn extra(&mut self, id: MemberId, cause: Cause) {
        let reach = self.reach;
        let direct = reach.direct(id);
        let annotations = direct.annotations.iter().cloned().map(EdgeSource::Annotation);
        let library = direct.library.iter().map(|call| EdgeSource::Library(call.short()));
        for source in std::iter::once(EdgeSource::Member(id)).chain(annotations).chain(library) {
            for (to, kind) in reach.extra.from(&source) {
                self.by_framework(*to, kind, cause);
            }
        }
    }

    /// A member that a framework calls: what it returns goes to the framework, which writes it out or calls it back.
    fn by_framework(&mut self, to: MemberId, kind: &str, cause: Cause) {
        self.member(to, EdgeKind::Framework(kind.to_owned()), cause);
        if !self.framework_called.insert(to) {
            return;
        }
        let here = Cause { from: Some(to), line: None };
        let signature = self.reach.resolver.types.signature(to);
        super::edges::behind(&signature.ret, &mut self.behind);
        let mut found = Vec::new();
        signature.ret.projects(&mut found);
        for ty in found {
            self.serialise(ty, here);
        }
    }

    fn touch(&mut self, id: TypeId, cause: Cause) {
        if std::mem::replace(&mut self.touched[id.0 as usize], true) {
            return;
        }
        let reach = self.reach;
        let facets = reach.facets(id);
        for ty in &facets.header {
            self.touch(*ty, cause);
        }
        if facets.stored {
            self.materialise(id, Source::Store, cause);
        }
        if !reach.injection.managed(id) || reach.resolver.project().ty(id).kind != TypeKind::Interface {
            self.live(id);
        }
        let annotations = facets.annotations.iter().cloned().map(EdgeSource::Annotation);
        for source in std::iter::once(EdgeSource::Type(id)).chain(annotations) {
            for (to, kind) in reach.extra.from(&source) {
                self.by_framework(*to, kind, cause);
            }
        }
        let annotated = reach.resolver.project().ty(id).kind == TypeKind::Annotation;
        if annotated || facets.stored {
            for ty in &facets.named {
                self.by_class(*ty, true, cause);
            }
        }
        if !facets.callbacks.is_empty() {
            self.answering.insert(id);
        }
    }

    /// A library makes objects of the types that annotations name: validators, converters, serialisers, identities.
    fn named(&mut self, scope: TypeId, names: &[String], cause: Cause) {
        for name in names {
            if let Some(ty) = self.reach.resolver.project().resolve(scope, name).project() {
                self.by_class(ty, true, cause);
            }
        }
    }

    /// A library gets the class object of a type, so it may make objects of it.
    fn by_class(&mut self, ty: TypeId, fills: bool, cause: Cause) {
        self.touch(ty, cause);
        self.live(ty);
        if self.reach.injection.managed(ty) {
            return;
        }
        if self.reach.facets(ty).stored {
            self.materialise(ty, Source::Store, cause);
        } else if fills {
            self.materialise(ty, Source::Data, cause);
        } else {
            self.make(ty, cause);
            for member in &self.reach.facets(ty).constructors {
                self.member(*member, EdgeKind::Materialises, cause);
            }
        }
        self.call_back(ty, cause);
    }

    /// Static initialisers of a type and its superclasses run.
    fn initialise(&mut self, id: TypeId, cause: Cause) {
        if std::mem::replace(&mut self.statics[id.0 as usize], true) {
            return;
        }
        let facets = self.reach.facets(id);
        self.touch(id, cause);
        for member in &facets.statics {
            self.member(*member, EdgeKind::Initialises, cause);
        }
        if let Some(base) = facets.superclass {
            self.initialise(base, cause);
        }
    }

    /// An object of this type can be the receiver of calls.
    fn live(&mut self, id: TypeId) {
        if std::mem::replace(&mut self.live[id.0 as usize], true) || !self.reach.facets(id).concrete {
            return;
        }
        let project = self.reach.resolver.project();
        for above in std::iter::once(id).chain(project.all_supers(id)) {
            for (to, at) in self.virtuals.get(&above).cloned().unwrap_or_default() {
                if let Some(member) = self.reach.implementation(id, to) {
                    self.member(member, EdgeKind::Dispatches, at);
                }
            }
        }
    }

    fn is_live(&self, id: TypeId) -> bool {
        self.live[id.0 as usize] || self.reach.may_be_there(id)
    }

    fn dispatch(&mut self, to: MemberId, on: TypeId, via: Option<MemberId>, cause: Cause) {
        if let Some(types) = via.and_then(|field| self.reach.injection.injected(field)) {
            for ty in types {
                if let Some(member) = self.reach.implementation(ty, to) {
                    self.member(member, EdgeKind::Dispatches, cause);
                }
            }
            return;
        }
        if !self.seen.insert((to, on)) {
            return;
        }
        self.virtuals.entry(on).or_default().push((to, cause));
        for (ty, member) in self.reach.dispatch(to, on).iter() {
            if self.is_live(*ty) {
                self.member(*member, EdgeKind::Dispatches, cause);
            }
        }
    }

    fn field(&mut self, id: MemberId, cause: Cause) {
        self.member(id, EdgeKind::Uses, cause);
        if let Some(types) = self.reach.injection.injected(id) {
            for ty in types {
                self.inject(ty, Cause { from: Some(id), line: None });
            }
        }
    }

    /// The container makes an object of this type.
    fn inject(&mut self, id: TypeId, cause: Cause) {
        self.make(id, cause);
        let facets = self.reach.facets(id);
        for member in facets.constructors.iter().chain(&facets.after) {
            self.member(*member, EdgeKind::Injects, cause);
        }
    }

    /// An object of this type is made.
    fn make(&mut self, id: TypeId, cause: Cause) {
        self.initialise(id, cause);
        self.live(id);
        if std::mem::replace(&mut self.made[id.0 as usize], true) {
            return;
        }
        let project = self.reach.resolver.project();
        // Without a constructor of its own the implicit one runs.
        let own = project.members(id).any(|member| project.member(member).kind == MemberKind::Constructor);
        if !own {
            self.construct(id, cause);
            if let Some(base) = self.reach.facets(id).superclass {
                for member in project.constructors(base, 0) {
                    self.member(member, EdgeKind::Makes, cause);
                }
            }
        }
    }

    /// Instance initialisers of a type and of superclasses without a constructor run.
    fn construct(&mut self, id: TypeId, cause: Cause) {
        let project = self.reach.resolver.project();
        let mut at = Some(id);
        // Broken source can inherit from itself.
        let mut seen = Vec::new();
        while let Some(ty) = at.filter(|ty| !seen.contains(ty)) {
            seen.push(ty);
            for member in &self.reach.facets(ty).initialisers {
                self.member(*member, EdgeKind::Makes, cause);
            }
            at = self.reach.facets(ty).superclass;
            at = at.filter(|base| !project.members(*base).any(|m| project.member(m).kind == MemberKind::Constructor));
        }
    }

    /// A library calls the methods of an object that override its own.
    fn call_back(&mut self, id: TypeId, cause: Cause) {
        if std::mem::replace(&mut self.called_back[id.0 as usize], true) {
            return;
        }
        let project = self.reach.resolver.project();
        for ty in std::iter::once(id).chain(project.all_supers(id)) {
            for member in &self.reach.facets(ty).callbacks {
                self.member(*member, EdgeKind::CalledBack, cause);
                self.dispatch(*member, id, None, cause);
            }
        }
    }

    /// `toString` and the like are called by operators and libraries, on this type or one below.
    fn implied(&mut self, id: TypeId, what: Implied, cause: Cause) {
        let known = &mut self.implied[id.0 as usize];
        if known.or(what) == *known {
            return;
        }
        *known = known.or(what);
        let project = self.reach.resolver.project();
        for ty in std::iter::once(id).chain(project.all_subtypes(id)) {
            if !self.is_live(ty) {
                continue;
            }
            for owner in std::iter::once(ty).chain(project.all_supers(ty)) {
                for member in &self.reach.facets(owner).implicit {
                    if what.calls(&project.member(*member).name) {
                        self.member(*member, EdgeKind::CalledBack, cause);
                    }
                }
            }
        }
    }

    fn hand(&mut self, handed: &Handed, cause: Cause) {
        self.implied(handed.ty, implied(&handed.library, &handed.name), cause);
        self.call_back(handed.ty, cause);
        if writes_out(&handed.library, &handed.name) {
            self.serialise(handed.ty, cause);
        }
        for member in &self.reach.facets(handed.ty).identity {
            self.member(*member, EdgeKind::CalledBack, cause);
        }
    }

    /// A serialiser reads objects of this type, those below it, and what they hold.
    fn serialise(&mut self, id: TypeId, cause: Cause) {
        if std::mem::replace(&mut self.serialised[id.0 as usize], true) {
            return;
        }
        self.touch(id, cause);
        let project = self.reach.resolver.project();
        for ty in std::iter::once(id).chain(project.all_subtypes(id)).chain(project.all_supers(id)) {
            if self.reach.injection.managed(ty) {
                continue;
            }
            for member in &self.reach.facets(ty).getters {
                self.member(*member, EdgeKind::Serialises, cause);
                let mut parts = Vec::new();
                self.reach.resolver.types.signature(*member).ret.projects(&mut parts);
                for part in parts {
                    self.serialise(part, Cause { from: Some(*member), line: None });
                }
            }
        }
    }

    /// A library makes objects of this type, fills them, and makes what they hold.
    fn materialise(&mut self, id: TypeId, source: Source, cause: Cause) {
        let place = id.0 as usize;
        let facets = self.reach.facets(id);
        let fills = source == Source::Data || facets.by_accessors;
        let known = if source == Source::Data { self.filled[place] } else { self.materialised[place] };
        if known || self.reach.injection.managed(id) {
            return;
        }
        self.materialised[place] = true;
        self.filled[place] |= source == Source::Data;
        self.touch(id, cause);
        self.make(id, cause);
        for member in facets.constructors.iter().chain(&facets.after) {
            self.member(*member, EdgeKind::Materialises, cause);
        }
        if fills {
            for member in &facets.setters {
                self.member(*member, EdgeKind::Materialises, cause);
            }
        }
        for ty in &facets.named {
            self.by_class(*ty, true, cause);
        }
        for part in &facets.hashed {
            self.implied(*part, Implied::HASH, cause);
        }
        for part in self.parts(id, source) {
            self.materialise(part, source, cause);
        }
        if let Some(base) = facets.superclass {
            self.materialise(base, source, cause);
        }
        for below in self.reach.resolver.project().subtypes(id) {
            self.materialise(*below, source, cause);
        }
    }

    /// What is made together with an object: of data that is read what its properties are, of a stored object all that it refers to.
    fn parts(&self, id: TypeId, source: Source) -> Vec<TypeId> {
        let facets = self.reach.facets(id);
        if source == Source::Store {
            return facets.parts.clone();
        }
        let types = &self.reach.resolver.types;
        let mut found = Vec::new();
        for member in facets.setters.iter().chain(&facets.constructors) {
            let signature = types.signature(*member);
            signature.params.iter().chain([&signature.ret]).for_each(|ty| ty.projects(&mut found));
        }
        found.retain(|ty| *ty != id);
        found
    }

    /// A method without a body that no class of the project has: a library implements it, so it makes what the method returns.
    fn proxied(&mut self, id: MemberId, cause: Cause) {
        let types = &self.reach.resolver.types;
        if !types.is_abstract(id) || !self.reach.dispatch(id, id.ty).is_empty() {
            return;
        }
        let signature = types.signature(id);
        let mut found = Vec::new();
        signature.ret.projects(&mut found);
        for ty in found {
            let source = if self.reach.facets(ty).stored { Source::Store } else { Source::Data };
            self.materialise(ty, source, cause);
        }
    }

    /// Objects of the project behind library types: the methods that calls of the library's run on them.
    fn answer(&mut self) {
        let mut by_base: BTreeMap<&str, Vec<TypeId>> = BTreeMap::new();
        for ty in self.answering.clone() {
            let bases = &self.reach.facets(ty).library_bases;
            for base in bases {
                by_base.entry(base).or_default().push(ty);
            }
            if self.made[ty.0 as usize]
                && bases.iter().any(|base| self.behind.contains(base))
                && let Some(cause) = self.first
            {
                self.call_back(ty, cause);
            }
        }
        for (call, cause) in self.library.clone() {
            let injected = call.via.and_then(|field| self.reach.injection.injected(field));
            let below = |ty: &TypeId| self.reach.facets(*ty).library_bases.contains(&call.ty);
            let candidates: Vec<TypeId> = match injected {
                Some(found) => found.into_iter().filter(below).collect(),
                None => by_base
                    .get(call.ty.as_str())
                    .into_iter()
                    .flatten()
                    .copied()
                    .filter(|ty| self.is_live(*ty))
                    .collect(),
            };
            for ty in candidates {
                for member in self.reach.resolver.project().find_method(ty, &call.name, call.arity) {
                    self.member(member, EdgeKind::Dispatches, cause);
                }
            }
        }
    }

    /// Values that lost their type on the way reach whatever library gets any object.
    fn hand_hidden(&mut self) {
        let all: Implied = self.handed_any.keys().fold(Implied::default(), |all, (ty, name)| all.or(implied(ty, name)));
        let written = self.handed_any.iter().find(|((ty, name), _)| writes_out(ty, name)).map(|(_, cause)| *cause);
        for (ty, cause) in self.hidden.clone() {
            self.implied(ty, all, cause);
            if let Some(at) = written {
                self.serialise(ty, at);
            }
        }
    }

    fn unresolved(&mut self, id: MemberId, call: &Unresolved) {
        let arity = if call.arity == ANY_ARITY { String::new() } else { format!("/{}", call.arity) };
        let what = format!("unresolved call: {}{arity}", call.name);
        self.out.widenings.push(Widening { at: id, line: call.line, what });
        let cause = Cause { from: Some(id), line: Some(call.line) };
        self.unresolved.entry((call.name.clone(), call.arity)).or_insert(cause);
    }

    /// Reaches what unresolved calls can mean by now; whether that was anything new.
    fn widen(&mut self) -> bool {
        let project = self.reach.resolver.project();
        let everywhere = !self.out.missing.is_empty();
        let before = self.out.members.len();
        self.answer();
        self.hand_hidden();
        for ((name, arity), cause) in self.unresolved.clone() {
            let arities = if arity == ANY_ARITY { 0..12 } else { arity..arity + 1 };
            let found: BTreeSet<MemberId> = arities.flat_map(|arity| project.methods_named(&name, arity)).collect();
            for member in found {
                if everywhere || self.touched[member.ty.0 as usize] {
                    self.member(member, EdgeKind::Widens, cause);
                }
            }
        }
        self.out.members.len() > before
    }
}

#[cfg(test)]
#[path = "closure_tests.rs"]
mod tests;

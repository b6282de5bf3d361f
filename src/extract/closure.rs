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

use super::edges::Handed;
use super::reach::Reach;
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
    called_back: Vec<bool>,
    implicit: Vec<bool>,
    /// Virtual calls by static type of the receiver, for types that come alive later.
    virtuals: BTreeMap<TypeId, Vec<(MemberId, Cause)>>,
    seen: BTreeSet<(MemberId, TypeId)>,
    unresolved: BTreeMap<(String, usize), Cause>,
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
            called_back: none(),
            implicit: none(),
            virtuals: BTreeMap::new(),
            seen: BTreeSet::new(),
            unresolved: BTreeMap::new(),
        }
    }

    fn entry(&mut self, entry: MemberId, receiver: TypeId) {
        let cause = Cause { from: None, line: None };
        self.member(entry, EdgeKind::Entry, cause);
        let own = Cause { from: Some(entry), line: None };
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
            self.materialise(ty, true, own);
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
        for (ty, line) in &direct.made {
            self.make(*ty, at(*line));
        }
        for (ty, line) in &direct.classes {
            self.materialise(*ty, true, at(*line));
            self.live(*ty, at(*line));
        }
        for (ty, line) in &direct.printed {
            self.implied(*ty, at(*line));
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
        self.out.library.extend(direct.library.iter().cloned());
        self.proxied(id, here);
        self.extra(id, here);
    }

    /// Edges that frameworks make.
    fn extra(&mut self, id: MemberId, cause: Cause) {
        let reach = self.reach;
        let direct = reach.direct(id);
        let annotations = direct.annotations.iter().cloned().map(EdgeSource::Annotation);
        let library = direct.library.iter().cloned().map(EdgeSource::Library);
        for source in std::iter::once(EdgeSource::Member(id)).chain(annotations).chain(library) {
            for (to, kind) in reach.extra.from(&source) {
                self.member(*to, EdgeKind::Framework(kind.clone()), cause);
            }
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
            self.materialise(id, facets.by_accessors, cause);
        }
        if !reach.injection.managed(id) || reach.resolver.project().ty(id).kind != TypeKind::Interface {
            self.live(id, cause);
        }
        let annotations = facets.annotations.iter().cloned().map(EdgeSource::Annotation);
        for source in std::iter::once(EdgeSource::Type(id)).chain(annotations) {
            for (to, kind) in reach.extra.from(&source) {
                self.member(*to, EdgeKind::Framework(kind.clone()), cause);
            }
        }
        if reach.resolver.project().ty(id).kind == TypeKind::Annotation {
            self.annotation(id, cause);
        }
    }

    /// What an annotation type of the project names, such as its validators, a library makes and calls.
    fn annotation(&mut self, id: TypeId, cause: Cause) {
        let project = self.reach.resolver.project();
        for annotation in &project.ty(id).annotations {
            for (_, value) in &annotation.args {
                let mut classes = Vec::new();
                class_values(value, &mut classes);
                for class in classes {
                    if let Some(ty) = project.resolve(id, &class).project() {
                        self.inject(ty, cause);
                    }
                }
            }
        }
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
    fn live(&mut self, id: TypeId, cause: Cause) {
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
        let _ = cause;
    }

    fn is_live(&self, id: TypeId) -> bool {
        self.live[id.0 as usize] || !self.reach.injection.managed(id)
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
        self.live(id, cause);
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
        self.call_back(id, cause);
    }

    /// Instance initialisers of a type and of superclasses without a constructor run.
    fn construct(&mut self, id: TypeId, cause: Cause) {
        let project = self.reach.resolver.project();
        let mut at = Some(id);
        while let Some(ty) = at {
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
    fn implied(&mut self, id: TypeId, cause: Cause) {
        if std::mem::replace(&mut self.implicit[id.0 as usize], true) {
            return;
        }
        let project = self.reach.resolver.project();
        for ty in std::iter::once(id).chain(project.all_subtypes(id)) {
            if !self.is_live(ty) {
                continue;
            }
            for owner in std::iter::once(ty).chain(project.all_supers(ty)) {
                for member in &self.reach.facets(owner).implicit {
                    self.member(*member, EdgeKind::CalledBack, cause);
                }
            }
        }
    }

    fn hand(&mut self, handed: &Handed, cause: Cause) {
        self.implied(handed.ty, cause);
        self.call_back(handed.ty, cause);
        if writes_out(&handed.to) {
            self.serialise(handed.ty, cause);
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
    fn materialise(&mut self, id: TypeId, accessors: bool, cause: Cause) {
        if std::mem::replace(&mut self.materialised[id.0 as usize], true) || self.reach.injection.managed(id) {
            return;
        }
        self.touch(id, cause);
        self.make(id, cause);
        let facets = self.reach.facets(id);
        for member in facets.constructors.iter().chain(&facets.after) {
            self.member(*member, EdgeKind::Materialises, cause);
        }
        if accessors {
            for member in &facets.setters {
                self.member(*member, EdgeKind::Materialises, cause);
            }
        }
        for part in &facets.parts {
            self.materialise(*part, accessors, cause);
        }
        if let Some(base) = facets.superclass {
            self.materialise(base, accessors, cause);
        }
        for below in self.reach.resolver.project().subtypes(id) {
            self.materialise(*below, accessors, cause);
        }
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
            self.materialise(ty, true, cause);
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

/// Names of types in an annotation's argument.
fn class_values(value: &crate::java::facts::Value, found: &mut Vec<String>) {
    use crate::java::facts::Value;
    match value {
        Value::Class(ty) => found.push(ty.name.clone()),
        Value::Array(items) => items.iter().for_each(|item| class_values(item, found)),
        _ => {}
    }
}

/// Whether a library member, as simple type and name, may write out what it gets.
fn writes_out(to: &str) -> bool {
    let (ty, name) = to.split_once('.').unwrap_or((to, ""));
    let by_type =
        ["Response", "BodyBuilder", "ModelAndView", "Model", "Gson", "ObjectMapper", "ObjectWriter", "Entity"];
    let by_name =
        ["ok", "entity", "body", "bodyValue", "write", "writeValue", "writeValueAsString", "writeValueAsBytes"];
    let more = ["toJson", "toJsonTree", "valueToTree", "addAttribute", "addObject", "convertValue", "send", "json"];
    by_type.iter().any(|known| ty.contains(known)) || by_name.contains(&name) || more.contains(&name)
}

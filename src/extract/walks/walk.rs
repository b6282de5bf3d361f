//! The walk: follows an entry from member to member, breadth first, until nothing new is reached.
//!
//! The walk is sound rather than precise. A virtual call runs, for each type below the receiver's static type, the
//! method of that type; types that only a container makes count if they are injected or named. A library may call the
//! objects that it receives: the methods that override its own, and `toString`, `equals`, `hashCode` and `compareTo`.
//! What an entry returns is serialised through its getters; its parameters are created by constructors and setters.
//!
//! The order only decides which edge reaches a member first; it is the same in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

use super::core::{Core, Cores};
use crate::linked::links::{HandedAny, LibraryLink, Source, Step, Targets, UnresolvedLink};
use crate::linked::reach::Reach;
use crate::linked::scratch::{ABOVE, HIDDEN, NAMED, Scratch, TOUCHED, USED};
use crate::linked::shared::Numbered;
use crate::members::closure::{Cause, Closure, Edge, EdgeKind, Members, Widening};
use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::name::Name;
use mastor_java::objects::library_uses::ImplicitCalls;

/// The handler where a walk starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// The method.
    pub entry: MemberId,
    /// The class of the receiver.
    pub receiver: TypeId,
    /// Whether its HTTP methods are all safe, as `GET` is (RFC 9110, section 9.2.1). Then stored data changes only if
    /// code visibly changes it.
    pub reads: bool,
}

/// The closure of an entry. The contents of `cores` are taken over and not followed again.
pub fn closure<'r>(reach: &'r Reach<'_>, cores: &'r Cores<'r>, start: Start) -> Closure {
    let mut walk = Walk::new(reach, cores, reach.scratch());
    walk.entry(start.entry, start.receiver);
    if !start.reads {
        walk.changes(Cause { from: Some(start.entry), line: None });
    }
    walk.run();
    let (closure, scratch) = walk.finish();
    reach.give_back(scratch);
    closure
}

/// Computes in parallel the links that the closures of these entries (method, receiver) will need, as far as each
/// member alone shows them, which is nearly all. Walks mostly follow the same members, so parallel walks would
/// otherwise wait for one another.
pub fn look_ahead(reach: &Reach<'_>, entries: &[(MemberId, TypeId)]) {
    let seen: Vec<AtomicBool> = (0..reach.resolver.member_count()).map(|_| AtomicBool::new(false)).collect();
    rayon::scope(|scope| {
        for (entry, receiver) in entries {
            look_up(reach, *entry, &seen, scope);
            injected(reach, *receiver, &mut |member| look_up(reach, member, &seen, scope));
        }
    });
}

/// Computes the links of a member and of the members that it leads to, each in its own task.
fn look_up<'r>(reach: &'r Reach<'_>, id: MemberId, seen: &'r [AtomicBool], scope: &rayon::Scope<'r>) {
    if seen[reach.resolver.dense(id)].swap(true, Ordering::Relaxed) {
        return;
    }
    scope.spawn(move |scope| leads_to(reach, id, false, &mut |member| look_up(reach, member, seen, scope)));
}

/// Calls `next` for the members that a member alone is known to lead to. With `any`, its calls run on objects of every
/// type, else only on objects that may exist whatever else is reached.
pub(crate) fn leads_to(reach: &Reach<'_>, id: MemberId, any: bool, next: &mut impl FnMut(MemberId)) {
    let there = |targets: &Targets, next: &mut dyn FnMut(MemberId)| {
        targets.list.iter().filter(|(ty, _)| any || reach.may_be_there(*ty)).for_each(|(_, member)| next(*member));
    };
    for step in reach.links(id) {
        match step {
            Step::Touch(ty) | Step::HandOn(ty) => {
                reach.facets(*ty);
            }
            Step::Call(to, _) | Step::Dispatch(to, _) | Step::Use(to, _) | Step::Extra((to, _)) => next(*to),
            Step::Virtual(targets, _) => there(&targets.value, next),
            Step::Initialise => statics(reach, id.ty, next),
            Step::Construct => reach.initialisers(id.ty).iter().for_each(|member| next(*member)),
            Step::Make(ty, _) => made(reach, *ty, next),
            Step::Inject(ty, _) | Step::Class(ty, ..) | Step::Named(ty) | Step::Proxied(ty, _) => {
                injected(reach, *ty, next);
            }
            Step::Hand(ty, ..) => {
                for (member, targets) in reach.callbacks(*ty) {
                    next(*member);
                    there(&targets.value, next);
                }
            }
            _ => {}
        }
    }
}

/// Static initialisers of a type and its superclasses.
fn statics(reach: &Reach<'_>, ty: TypeId, next: &mut impl FnMut(MemberId)) {
    let (mut at, mut known) = (Some(ty), Vec::new());
    // The loop ends for a class that extends itself, too.
    while let Some(ty) = at.filter(|ty| !known.contains(ty)) {
        known.push(ty);
        reach.facets(ty).statics.iter().for_each(|member| next(*member));
        at = reach.facets(ty).superclass;
    }
}

/// Members that run when an object is created, except the constructor.
fn made(reach: &Reach<'_>, ty: TypeId, next: &mut impl FnMut(MemberId)) {
    statics(reach, ty, next);
    let facets = reach.facets(ty);
    if !facets.declares_constructor {
        reach.initialisers(ty).iter().for_each(|member| next(*member));
        let base = facets.superclass.map(|base| &reach.facets(base).without_arguments);
        base.into_iter().flatten().for_each(|member| next(*member));
    }
}

/// Members that run when a container or a library creates an object.
fn injected(reach: &Reach<'_>, ty: TypeId, next: &mut impl FnMut(MemberId)) {
    made(reach, ty, next);
    let facets = reach.facets(ty);
    facets.constructors.iter().chain(&facets.after).for_each(|member| next(*member));
}

pub(super) struct Walk<'r, 'p> {
    pub(crate) reach: &'r Reach<'p>,
    /// The available cores; `taken` lists those that the walk has taken over.
    cores: &'r Cores<'r>,
    pub(crate) taken: Vec<&'r Core<'r>>,
    pub(crate) marks: Scratch,
    /// Members in the order in which they were reached; those before `at` have been followed.
    pub(crate) members: Vec<(MemberId, Edge)>,
    at: usize,
    pub(crate) widenings: Vec<Widening>,
    pub(crate) missing: Vec<&'r Numbered<Name>>,
    /// Methods that are named for a link to them.
    pub(crate) linked: Vec<(MemberId, Cause)>,
    /// Virtual calls by static type of the receiver, for types that become live later.
    pub(crate) virtuals: FxHashMap<TypeId, Vec<(&'r Targets, Cause)>>,
    pub(crate) unresolved: Vec<(&'r Numbered<UnresolvedLink>, Cause)>,
    /// Types whose values are passed where any object is accepted, and library members that receive any object, each
    /// with its cause.
    pub(crate) hidden: Vec<(TypeId, Cause)>,
    pub(crate) handed_any: Vec<(&'r Numbered<HandedAny>, Cause)>,
    /// Calls of library members.
    pub(crate) library: Vec<(&'r Numbered<LibraryLink>, Cause)>,
    /// The entry, as the cause of steps that no single member causes.
    pub(crate) first: Option<Cause>,
    /// Touched types with methods that a library type declares.
    pub(crate) answering: Vec<TypeId>,
    /// Concrete types of which objects exist.
    pub(crate) alive: Vec<TypeId>,
    /// Whether an unknown bean is looked up in the container.
    pub(crate) takes_any: bool,
    /// Where stored data may be created, changed or removed.
    pub(crate) changes: Option<Cause>,
    /// Touched types with edges that apply when a store writes.
    pub(crate) stored: Vec<TypeId>,
    /// The class of the entry's receiver.
    pub(crate) home: Option<TypeId>,
}

impl<'r, 'p> Walk<'r, 'p> {
    pub(crate) fn new(reach: &'r Reach<'p>, cores: &'r Cores<'r>, mut marks: Scratch) -> Self {
        Self {
            reach,
            cores,
            taken: Vec::new(),
            members: std::mem::take(&mut marks.reached),
            marks,
            at: 0,
            widenings: Vec::new(),
            missing: Vec::new(),
            linked: Vec::new(),
            virtuals: FxHashMap::default(),
            unresolved: Vec::new(),
            hidden: Vec::new(),
            handed_any: Vec::new(),
            library: Vec::new(),
            first: None,
            answering: Vec::new(),
            alive: Vec::new(),
            takes_any: false,
            changes: None,
            stored: Vec::new(),
            home: None,
        }
    }

    pub(crate) fn entry(&mut self, entry: MemberId, receiver: TypeId) {
        let cause = Cause { from: None, line: None };
        self.member(entry, EdgeKind::Entry, cause);
        let own = Cause { from: Some(entry), line: None };
        self.first = Some(own);
        self.home = Some(receiver);
        let signature = self.reach.resolver.types.signature(entry);
        self.behind(&signature.ret);
        self.inject(receiver, own);
        if let Some(implementation) = self.reach.implementation(receiver, entry) {
            self.member(implementation, EdgeKind::Dispatches, own);
        }
        for edge in [entry].into_iter().chain(self.reach.resolver.project().overridden(entry)) {
            self.member(edge, EdgeKind::Uses, own);
        }
        let mut found = Vec::new();
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

    pub(crate) fn run(&mut self) {
        loop {
            while let Some((member, _)) = self.members.get(self.at) {
                let member = *member;
                self.at += 1;
                self.process(member);
            }
            if !self.widen() {
                return;
            }
        }
    }

    fn finish(mut self) -> (Closure, Scratch) {
        // Stored data that is only passed on does not count.
        let is_looked_at = |ty: &TypeId| self.marks.types.has(ty.0, ABOVE) || !self.reach.facets(*ty).stored;
        let types = |flag| {
            let mut types: Vec<TypeId> = self.marks.types.with(flag).map(TypeId).filter(is_looked_at).collect();
            types.sort_unstable();
            types
        };
        let (types, used) = (types(TOUCHED), types(USED));
        for (id, cause) in std::mem::take(&mut self.linked) {
            self.member(id, EdgeKind::Links, cause);
        }
        let mut widenings = std::mem::take(&mut self.widenings);
        widenings.sort();
        widenings.dedup();
        let closure = Closure {
            members: Members::of(&self.members, |id| self.reach.resolver.dense(id), self.reach.resolver.member_count())
                .with(self.taken.iter().map(|core| core.members.clone()).collect()),
            types,
            used,
            widenings,
            library: self.library.iter().map(|(link, _)| link.value.short.clone()).collect(),
            missing: self.missing.iter().map(|name| name.value.to_string()).collect(),
        };
        (closure, self.into_scratch())
    }

    /// Returns the marks for the next walk.
    pub(super) fn into_scratch(mut self) -> Scratch {
        self.marks.reached = self.members;
        self.marks
    }

    /// Adds a member. A member that is reached through the container, a framework or a virtual call must be in the
    /// application of the entry.
    pub(crate) fn member(&mut self, id: MemberId, kind: EdgeKind, cause: Cause) {
        let is_led =
            matches!(kind, EdgeKind::Dispatches | EdgeKind::Injects | EdgeKind::Framework(_) | EdgeKind::Widens);
        if is_led && !self.is_here(id.ty) {
            return;
        }
        if !self.marks.types.has(id.ty.0, USED) && self.uses(id, &kind) {
            self.marks.types.set(id.ty.0, USED);
        }
        if self.changes.is_none() && self.is_change(id, &kind, cause) {
            self.changes(cause);
        }
        if self.marks.members.insert(self.reach.resolver.dense(id) as u32) {
            self.members.push((id, Edge { from: cause.from, kind, line: cause.line }));
        }
    }

    /// Records that stored data may be created, changed or removed here.
    pub(crate) fn changes(&mut self, cause: Cause) {
        self.changes.get_or_insert(cause);
    }

    /// Whether this edge calls a method that may change stored data, other than from a constructor or initialiser of
    /// the same type.
    fn is_change(&self, id: MemberId, kind: &EdgeKind, cause: Cause) -> bool {
        let makes =
            |from: MemberId| from.ty == id.ty && self.reach.resolver.project().member(from).kind != MemberKind::Method;
        matches!(kind, EdgeKind::Calls | EdgeKind::Dispatches)
            && self.reach.facets(id.ty).changers.contains(&id)
            && !cause.from.is_some_and(makes)
    }

    /// Whether this edge uses a member's type, beyond creating and filling its objects.
    fn uses(&self, id: MemberId, kind: &EdgeKind) -> bool {
        let member = self.reach.resolver.project().member(id);
        match member.kind {
            MemberKind::Field if member.modifiers.has(Modifiers::STATIC) => false,
            MemberKind::Method => *kind != EdgeKind::Materialises,
            // Methods that use a private field count themselves; any other field may be read elsewhere.
            MemberKind::Field => *kind != EdgeKind::Makes || !member.modifiers.has(Modifiers::PRIVATE),
            MemberKind::RecordComponent | MemberKind::EnumConstant => true,
            _ => false,
        }
    }

    fn process(&mut self, id: MemberId) {
        let reach: &'r Reach<'p> = self.reach;
        if let Some(core) = self.cores.at(reach, self.home, id) {
            self.take(core);
            return;
        }
        let at = |line: u32| Cause { from: Some(id), line: Some(line) };
        let here = Cause { from: Some(id), line: None };
        for step in reach.links(id) {
            match step {
                Step::Touch(ty) if self.marks.types.has(ty.0, NAMED) => {}
                Step::Touch(ty) => self.touch(*ty, here),
                Step::HandOn(ty) => self.hand_on(*ty, here),
                Step::Initialise => self.initialise(id.ty, here),
                Step::Construct => self.construct(id.ty, here),
                Step::Call(to, line) => self.member(*to, EdgeKind::Calls, at(*line)),
                Step::Dispatch(member, line) => self.member(*member, EdgeKind::Dispatches, at(*line)),
                Step::Virtual(targets, line) => self.dispatch(targets, at(*line)),
                Step::Changes(line) => self.changes(Cause { from: Some(id), line: *line }),
                Step::Link(method, line) => self.linked.push((*method, at(*line))),
                Step::Use(field, line) => self.member(*field, EdgeKind::Uses, at(*line)),
                Step::Inject(ty, field) => self.inject(*ty, Cause { from: Some(*field), line: None }),
                Step::Make(ty, line) => self.make(*ty, at(*line)),
                Step::Class(ty, fills, line) => self.by_class(*ty, *fills, at(*line)),
                Step::Print(ty, line) => self.implied(*ty, ImplicitCalls::TEXT, at(*line)),
                Step::Hand(ty, implied, writes, line) => self.hand(*ty, *implied, *writes, at(*line)),
                Step::Named(ty) => self.by_class(*ty, true, here),
                Step::Proxied(ty, source) => self.materialise(*ty, *source, here),
                Step::Extra((to, kind)) => self.by_framework(*to, kind, here),
                kept => self.keep(kept, here),
            }
        }
    }

    /// Records a step that is followed only after everything else is reached.
    fn keep(&mut self, step: &'r Step<'p>, here: Cause) {
        match step {
            Step::Behind(name) => {
                self.marks.behind.insert(*name);
            }
            Step::AnyBean => self.takes_any = true,
            Step::Hide(ty) if self.marks.types.set(ty.0, HIDDEN) => self.hidden.push((*ty, here)),
            Step::HandAny(to) if self.marks.handed_any.insert(to.id) => self.handed_any.push((to, here)),
            Step::Unresolved(call, line) if !call.value.members.is_empty() && self.marks.unresolved.insert(call.id) => {
                self.unresolved.push((call, Cause { line: Some(*line), ..here }));
            }
            Step::Widen(widening) => self.widenings.push((**widening).clone()),
            Step::Missing(name) if self.marks.missing.insert(name.id) => self.missing.push(name),
            Step::Library(call) if self.marks.library.insert(call.id) => self.library.push((call, here)),
            _ => {}
        }
    }

    /// Whether a type can be in the application that serves the entry.
    pub(super) fn is_here(&self, ty: TypeId) -> bool {
        self.home.is_none_or(|home| self.reach.injection.sees(home, ty))
    }

    /// Follows a method call on all objects that exist.
    pub(crate) fn dispatch(&mut self, targets: &'r Numbered<Targets>, cause: Cause) {
        if !self.marks.calls.insert(targets.id) {
            return;
        }
        self.virtuals.entry(targets.value.on).or_default().push((&targets.value, cause));
        for (ty, member) in &targets.value.list {
            if self.is_live(*ty) {
                self.member(*member, EdgeKind::Dispatches, cause);
            }
        }
    }

    /// Adds a member that a framework calls. The framework serialises its return value or calls it back, unless the
    /// value is a bean, which other code uses.
    pub(super) fn by_framework(&mut self, to: MemberId, kind: &Arc<str>, cause: Cause) {
        self.member(to, EdgeKind::Framework(kind.clone()), cause);
        if !self.is_here(to.ty) {
            return;
        }
        if !self.marks.framework_called.insert(self.reach.resolver.dense(to) as u32) {
            return;
        }
        let here = Cause { from: Some(to), line: None };
        let signature = self.reach.resolver.types.signature(to);
        self.behind(&signature.ret);
        let mut found = Vec::new();
        signature.ret.projects(&mut found);
        for ty in found {
            match kind.starts_with("makes ") {
                true => self.touch(ty, here),
                false => self.serialise(ty, here),
            }
        }
    }

    /// Marks the library types in this type: their values can be objects of the project.
    fn behind(&mut self, ty: &mastor_java::ir::ty::Ty) {
        let mut found = std::collections::BTreeSet::new();
        crate::members::edges::library_types(ty, &mut found);
        for name in &found {
            self.marks.behind.insert(self.reach.name(*name).id);
        }
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;

//! Open calls in a walk: members that are reached last, through library types and ambiguous names.
//!
//! A call for which no method was found reaches every member of its name and arity in the types that the closure
//! touches. It cannot mean anything else: the static type of its receiver comes from a declaration, and each
//! declaration that the closure uses touches the types that it names. Only if a type is missing from the repository,
//! because the build generates it, can such a call lead elsewhere; then it reaches all members of that name and arity
//! in the project.

use rustc_hash::FxHashMap;

use super::walk::Walk;
use crate::linked::links::LibraryLink;
use crate::linked::scratch::{MADE, TOUCHED};
use crate::linked::shared::Numbered;
use crate::members::closure::EdgeKind;
use mastor_java::ir::ids::TypeId;
use mastor_java::objects::library_uses::ImplicitCalls;

impl Walk<'_, '_> {
    /// Reaches what open calls can mean at this point; returns whether that was anything new.
    pub(crate) fn widen(&mut self) -> bool {
        let everywhere = !self.missing.is_empty();
        let before = self.marks.members.list().len();
        if self.takes_any {
            self.take_beans();
        }
        self.answer();
        self.call_stored();
        self.hand_hidden();
        self.unresolved.sort_by(|(a, _), (b, _)| a.value.key.cmp(&b.value.key));
        for at in 0..self.unresolved.len() {
            let (call, cause) = self.unresolved[at];
            for member in &call.value.members {
                if everywhere || self.marks.types.has(member.ty.0, TOUCHED) {
                    self.member(*member, EdgeKind::Widens, cause);
                }
            }
        }
        self.marks.members.list().len() > before
    }

    /// Follows calls of library methods whose receiver can be an object of the project.
    fn answer(&mut self) {
        let reach = self.reach;
        self.answering.sort_unstable();
        let mut by_base: FxHashMap<u32, Vec<TypeId>> = FxHashMap::default();
        for at in 0..self.answering.len() {
            let ty = self.answering[at];
            let bases = &reach.facets(ty).base_ids;
            for base in bases {
                by_base.entry(*base).or_default().push(ty);
            }
            if self.marks.types.has(ty.0, MADE)
                && bases.iter().any(|base| self.marks.behind.has(*base))
                && let Some(cause) = self.first
            {
                self.call_back(ty, cause);
            }
        }
        let can_run = |(call, _): &(&Numbered<LibraryLink>, _)| match &call.value.injected {
            Some(found) => !found.is_empty(),
            None => by_base.contains_key(&call.value.base),
        };
        let mut calls: Vec<_> = self.library.iter().copied().filter(can_run).collect();
        calls.sort_by(|(a, _), (b, _)| a.value.call.cmp(&b.value.call));
        for (link, cause) in calls {
            let link = &link.value;
            let behind = by_base.get(&link.base).map(Vec::as_slice).unwrap_or_default();
            for ty in link.injected.as_deref().unwrap_or(behind) {
                if link.injected.is_none() && !self.is_live(*ty) {
                    continue;
                }
                let call = &link.call;
                let find = || reach.resolver.project().find_method(*ty, &call.name, call.arity);
                for member in link.found(*ty, find).iter() {
                    self.member(*member, EdgeKind::Dispatches, cause);
                }
            }
        }
    }

    /// Runs the code that a store calls when it creates, changes or removes a row; the row may be of any touched stored
    /// type.
    fn call_stored(&mut self) {
        let Some(cause) = self.changes else { return };
        let reach = self.reach;
        for ty in std::mem::take(&mut self.stored) {
            for (to, how) in reach.when_stored(ty) {
                self.by_framework(*to, how, cause);
            }
        }
    }

    /// Injects every bean that an unknown look-up in the container may have returned: those on which a followed call
    /// can run.
    fn take_beans(&mut self) {
        let reach = self.reach;
        // The first call of each library type suffices: there are many beans and calls.
        let mut first: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, (link, _)) in self.library.iter().enumerate().filter(|(_, (link, _))| link.value.injected.is_none()) {
            first.entry(link.value.base).or_insert(at);
        }
        for bean in
            reach.injection.all().iter().filter(|bean| !self.marks.types.has(bean.0, MADE)).copied().collect::<Vec<_>>()
        {
            let above = std::iter::once(bean).chain(reach.supers(bean).iter().copied());
            let calls = |above: TypeId| {
                let own = self.virtuals.get(&above).map(Vec::as_slice).unwrap_or_default();
                own.iter().chain(self.taken.iter().flat_map(move |core| core.calls_on(above)))
            };
            let mut calls = above.flat_map(calls);
            let cause = calls.find(|(targets, _)| targets.at(bean).is_some()).map(|(_, cause)| *cause);
            let called = || reach.facets(bean).base_ids.iter().filter_map(|base| first.get(base)).min();
            if let Some(cause) = cause.or_else(|| called().map(|at| self.library[*at].1)) {
                self.inject(bean, cause);
                self.touch(bean, cause);
            }
        }
    }

    /// Passes values whose type was lost to every library member that receives any object.
    fn hand_hidden(&mut self) {
        let all: ImplicitCalls =
            self.handed_any.iter().fold(ImplicitCalls::default(), |all, (to, _)| all.or(to.value.implied));
        let written = self.handed_any.iter().filter(|(to, _)| to.value.writes);
        let written = written.min_by(|(a, _), (b, _)| a.value.to.cmp(&b.value.to));
        let written = written.map(|(_, cause)| *cause);
        self.hidden.sort_unstable_by_key(|(ty, _)| *ty);
        for at in 0..self.hidden.len() {
            let (ty, cause) = self.hidden[at];
            self.implied(ty, all, cause);
            if let Some(at) = written {
                self.serialise(ty, at);
            }
        }
    }
}

//! Cores: code that many entries reach alike is followed once, and every walk that reaches it takes over the result.
//!
//! The more a closure contains, the more a member reaches, never less. So everything that is reached from the member
//! alone belongs to every closure that contains it. After a walk takes over a core, only the interaction of the two is
//! left to follow: calls of one on objects of the other. A sample of walks shows which members deserve a core: those
//! through which most of several closures is reached.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::core::{Core, Cores};
use super::walk::Walk;
use crate::linked::reach::Reach;
use crate::linked::scratch::{HIDDEN, LIVE, TOUCHED};
use crate::members::closure::{Cause, EdgeKind, Members};
use mastor_java::build::layout::ModuleId;
use mastor_java::ir::ids::{MemberId, TypeId};

/// Thresholds for making cores.
#[derive(Debug, Clone, Copy)]
pub struct CoreThresholds {
    /// With fewer entries than this, no cores are made.
    pub entries: usize,
    /// Least number of members in a core.
    pub members: usize,
}

impl Default for CoreThresholds {
    fn default() -> Self {
        Self { entries: 24, members: 200 }
    }
}

/// Number of entries whose walks are sampled to find cores.
const SAMPLE: usize = 12;
/// Largest number of cores.
const MOST: usize = 16;

impl<'r> Cores<'r> {
    /// The cores for these entries (method, receiver), given in order; empty if little is shared. `none` is an empty
    /// set of cores.
    pub fn of(
        reach: &'r Reach<'_>,
        entries: &[(MemberId, TypeId)],
        none: &'r Cores<'r>,
        worth: CoreThresholds,
    ) -> Self {
        let project = reach.resolver.project();
        let mut modules: BTreeMap<ModuleId, Vec<(MemberId, TypeId)>> = BTreeMap::new();
        for entry in entries {
            modules.entry(project.module_of(entry.1)).or_default().push(*entry);
        }
        modules.retain(|_, entries| entries.len() >= worth.entries);
        let of = |(module, entries): (ModuleId, Vec<(MemberId, TypeId)>)| {
            let found = Self::of_module(reach, &entries, none, worth);
            found.into_iter().map(move |(hub, core)| ((module, hub), core))
        };
        Self { by_member: modules.into_iter().flat_map(of).collect() }
    }

    fn of_module(
        reach: &'r Reach<'_>,
        entries: &[(MemberId, TypeId)],
        none: &'r Cores<'r>,
        worth: CoreThresholds,
    ) -> Vec<(MemberId, Core<'r>)> {
        let Some((_, home)) = entries.first() else { return Vec::new() };
        let sample: Vec<_> = (0..SAMPLE).filter_map(|at| entries.get(at * entries.len() / SAMPLE)).collect();
        let trees: Vec<Tree> = sample
            .into_par_iter()
            .map(|(entry, receiver)| {
                let mut walk = Walk::new(reach, none, reach.scratch());
                walk.entry(*entry, *receiver);
                walk.run();
                let tree = Tree::of(&walk);
                reach.give_back(walk.into_scratch());
                tree
            })
            .collect();
        let core = |hub: MemberId| (hub, Core::of(reach, none, (hub, *home)));
        hubs(trees, worth.members).into_par_iter().map(core).collect()
    }
}

/// The tree of first edges of a walk.
struct Tree {
    /// Each member with the index of its parent, which comes earlier in the list; its own index if it has no parent.
    members: Vec<(MemberId, usize)>,
    /// Size of each member's subtree, itself included.
    behind: Vec<usize>,
}

impl Tree {
    fn of(walk: &Walk<'_, '_>) -> Self {
        let mut places: FxHashMap<MemberId, usize> = FxHashMap::default();
        let mut members = Vec::with_capacity(walk.members.len());
        for (at, (id, edge)) in walk.members.iter().enumerate() {
            let from = edge.from.and_then(|from| places.get(&from).copied());
            members.push((*id, from.unwrap_or(at)));
            places.insert(*id, at);
        }
        let mut behind = vec![1; members.len()];
        for (at, (_, from)) in members.iter().enumerate().rev().filter(|(at, (_, from))| from != at) {
            behind[*from] += behind[at];
        }
        Self { members, behind }
    }

    /// Removes the subtree of a member.
    fn without(&mut self, hub: MemberId) {
        let Some(at) = self.members.iter().position(|(id, _)| *id == hub) else { return };
        let less = self.behind[at];
        let mut above = at;
        while self.members[above].1 != above {
            above = self.members[above].1;
            self.behind[above] = self.behind[above].saturating_sub(less);
        }
        self.behind[at] = 0;
        for below in at + 1..self.members.len() {
            if self.behind[self.members[below].1] == 0 {
                self.behind[below] = 0;
            }
        }
    }
}

/// The members whose subtrees cover most of several trees, the largest first.
fn hubs(mut trees: Vec<Tree>, least: usize) -> Vec<MemberId> {
    let mut found = Vec::new();
    while found.len() < MOST {
        let mut total: FxHashMap<MemberId, (usize, usize)> = FxHashMap::default();
        for tree in &trees {
            // The first member is the entry itself.
            let rows = tree.members.iter().zip(&tree.behind).skip(1);
            for ((id, _), behind) in rows.filter(|(_, behind)| **behind >= least) {
                let known = total.entry(*id).or_default();
                *known = (known.0 + behind, known.1 + 1);
            }
        }
        let shared = total.into_iter().filter(|(_, (_, trees))| *trees > 1);
        let Some((hub, _)) = shared.max_by_key(|(id, (behind, _))| (*behind, std::cmp::Reverse(*id))) else { break };
        trees.iter_mut().for_each(|tree| tree.without(hub));
        found.push(hub);
    }
    found
}

impl<'r> Core<'r> {
    fn of(reach: &'r Reach<'_>, none: &'r Cores<'r>, (hub, home): (MemberId, TypeId)) -> Self {
        let mut walk = Walk::new(reach, none, reach.scratch());
        walk.home = Some(home);
        walk.member(hub, EdgeKind::Entry, Cause { from: None, line: None });
        walk.first = Some(Cause { from: Some(hub), line: None });
        walk.run();
        let members = Members::of(&walk.members, |id| reach.resolver.dense(id), reach.resolver.member_count());
        let core = Self {
            members: Arc::new(members),
            numbers: walk.marks.members.list().to_vec(),
            types: walk.marks.types.iter().collect(),
            is_alive: walk.alive.iter().copied().collect(),
            alive: std::mem::take(&mut walk.alive),
            answering: std::mem::take(&mut walk.answering),
            calls: walk.marks.calls.list().to_vec(),
            behind: walk.marks.behind.list().to_vec(),
            framework_called: walk.marks.framework_called.list().to_vec(),
            virtuals: std::mem::take(&mut walk.virtuals),
            hidden: std::mem::take(&mut walk.hidden),
            handed_any: std::mem::take(&mut walk.handed_any),
            unresolved: std::mem::take(&mut walk.unresolved),
            library: std::mem::take(&mut walk.library),
            missing: std::mem::take(&mut walk.missing),
            linked: std::mem::take(&mut walk.linked),
            widenings: std::mem::take(&mut walk.widenings),
            takes_any: walk.takes_any,
            changes: walk.changes,
            stored: std::mem::take(&mut walk.stored),
        };
        reach.give_back(walk.into_scratch());
        core
    }
}

impl<'r> Walk<'r, '_> {
    /// Takes over everything that a core has reached, and follows the interaction of walk and core.
    pub(crate) fn take(&mut self, core: &'r Core<'r>) {
        self.extend(core);
        // Calls of one side may run methods of objects that only the other side has.
        let new: Vec<TypeId> = core.alive.iter().copied().filter(|ty| !self.marks.types.has(ty.0, LIVE)).collect();
        let old: Vec<TypeId> = self.alive.iter().copied().filter(|ty| !core.is_alive.contains(ty)).collect();
        for (ty, flags) in &core.types {
            self.marks.types.set(*ty, *flags);
        }
        let cause = Cause { from: self.first.and_then(|first| first.from), line: None };
        for ty in &new {
            self.run_on(*ty);
        }
        self.taken.push(core);
        for ty in old.iter().chain(&new) {
            self.implied_on(*ty, cause);
        }
        for ty in &old {
            for above in std::iter::once(*ty).chain(self.reach.supers(*ty).iter().copied()) {
                self.run_calls_of(core, above, *ty);
            }
        }
        self.alive.extend(new);
    }

    /// Reaches the methods that a core's virtual calls on the static type `above` run on an object of type `id`.
    pub(super) fn run_calls_of(&mut self, core: &'r Core<'r>, above: TypeId, id: TypeId) {
        for (targets, cause) in core.calls_on(above) {
            if let Some(member) = targets.at(id) {
                self.member(member, EdgeKind::Dispatches, *cause);
            }
        }
    }

    /// Adds the lists of a core to those of the walk, without duplicates.
    fn extend(&mut self, core: &'r Core<'r>) {
        let marks = &mut self.marks;
        for number in &core.numbers {
            marks.members.insert(*number);
        }
        for (own, other) in [
            (&mut marks.calls, &core.calls),
            (&mut marks.behind, &core.behind),
            (&mut marks.framework_called, &core.framework_called),
        ] {
            other.iter().for_each(|number| {
                own.insert(*number);
            });
        }
        self.hidden.extend(core.hidden.iter().filter(|(ty, _)| !marks.types.has(ty.0, HIDDEN)));
        self.answering.extend(core.answering.iter().filter(|ty| !marks.types.has(ty.0, TOUCHED)));
        self.handed_any.extend(core.handed_any.iter().filter(|(to, _)| marks.handed_any.insert(to.id)));
        self.unresolved.extend(core.unresolved.iter().filter(|(call, _)| marks.unresolved.insert(call.id)));
        self.library.extend(core.library.iter().filter(|(call, _)| marks.library.insert(call.id)));
        self.missing.extend(core.missing.iter().filter(|name| marks.missing.insert(name.id)));
        self.linked.extend(&core.linked);
        self.widenings.extend(core.widenings.iter().cloned());
        self.takes_any |= core.takes_any;
        self.changes = self.changes.or(core.changes);
        self.stored.extend(&core.stored);
    }
}

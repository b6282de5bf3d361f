//! Units: changed members that are compared by themselves, on open arguments, once for all operations of two revisions. Where base and head of a unit
//! are alike, so are all that call it (regression verification: Godlin and Strichman, DAC 2009).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

use super::joint::{Joint, Product, Ran, join};
use super::reach::{Reach, successors};
use super::sameness::{ChangedCode, left};
use super::side::{Side, is_served_alike};
use crate::java::facts::{MemberKind, Modifiers};
use crate::java::ids::MemberId;
use crate::java::project::Project;

/// Members around handlers that are compared by themselves for one operation, at most.
const AROUND: usize = 12;

/// What a unit came to, with what of it ran.
pub type Found = (Product, [Ran; 2]);

/// What units came to, by their symbols in base and head: the same for all operations of two revisions.
#[derive(Default)]
pub struct Alone(Mutex<BTreeMap<Symbols, Known>>);

/// The symbols of a unit in base and head.
type Symbols = (String, String);
/// What a unit came to, once that is known.
type Known = Arc<OnceLock<Found>>;
/// A member of base with that of head.
type Unit = (MemberId, MemberId);

/// What is known of changed members by themselves.
#[derive(Default)]
pub struct Proven {
    /// What ran where units are alike.
    pub ran: [Ran; 2],
    /// Changed members of base and head that do the same in both, whoever calls them.
    pub members: [BTreeSet<MemberId>; 2],
}

/// The units of one operation.
pub struct Units<'u> {
    old: &'u Side<'u>,
    new: &'u Side<'u>,
    changed: &'u ChangedCode,
    alone: &'u Alone,
}

impl<'u> Units<'u> {
    /// Takes both sides of an operation, with what differs between them.
    pub fn of((old, new): (&'u Side<'u>, &'u Side<'u>), changed: &'u ChangedCode, alone: &'u Alone) -> Self {
        Self { old, new, changed, alone }
    }

    /// Whether both can be run where what is not followed is opaque; without knowing what changed nothing can be taken as unchanged.
    pub fn can_run(&self) -> bool {
        let runs = |side: &Side<'_>| side.bench.runs_opaquely();
        self.changed.symbols().next().is_some() && runs(self.old) && runs(self.new)
    }

    /// Compares each changed member by itself, one that is private by the members that call it.
    pub fn proven(&self) -> Proven {
        let mut proven = Proven::default();
        if !self.can_run() {
            return proven;
        }
        let mut of_member: Vec<([Option<MemberId>; 2], Vec<Unit>)> = Vec::new();
        for symbol in self.changed.symbols() {
            let members = [self.old, self.new].map(|side| side.bench.subject.project.by_symbol(symbol));
            if let Some(units) = self.units(members, Until::Callable) {
                of_member.push((members, units));
            }
        }
        let mut differ: BTreeSet<Unit> = BTreeSet::new();
        let mut alike: BTreeSet<Unit> = BTreeSet::new();
        for unit in of_member.iter().flat_map(|(_, units)| units) {
            if differ.contains(unit) || alike.contains(unit) {
                continue;
            }
            let (found, ran) = self.compared(*unit);
            if found.changes.is_empty() && found.stopped.is_empty() {
                alike.insert(*unit);
                join(&mut proven.ran, ran);
            } else {
                differ.insert(*unit);
            }
        }
        for (members, units) in of_member {
            if !units.is_empty() && units.iter().all(|unit| alike.contains(unit)) {
                for (all, member) in proven.members.iter_mut().zip(members) {
                    all.extend(member);
                }
            }
        }
        proven
    }

    /// Whether all that changed for the operation does the same by itself.
    pub fn are_all_alike(&self, proven: &Proven) -> bool {
        let is_proven =
            |side: usize| self.changed.members[side].iter().all(|member| proven.members[side].contains(member));
        self.can_run()
            && is_proven(0)
            && is_proven(1)
            && is_served_alike(self.old, self.new)
            && left((self.old, self.new), self.changed, &proven.ran).0.is_empty()
    }

    /// Compares the members by which nothing of their files is called, and that lead to these inputs: what the framework calls around handlers.
    pub fn around(&self, inputs: &[String]) -> Vec<Found> {
        let mut units = BTreeSet::new();
        for symbol in inputs {
            let members = [self.old, self.new].map(|side| side.bench.subject.project.by_symbol(symbol));
            units.extend(self.units(members, Until::Top).into_iter().flatten());
        }
        units.into_iter().take(AROUND).map(|unit| self.compared(unit)).collect()
    }

    /// The units by which a changed member is compared; `None` where one of them is no method that both revisions have.
    fn units(&self, [was, is]: [Option<MemberId>; 2], until: Until) -> Option<Vec<Unit>> {
        let (of_old, of_new) = (self.old.bench.subject.project, self.new.bench.subject.project);
        let runs = |project: &Project, member: MemberId| {
            let facts = project.member(member);
            facts.kind == MemberKind::Method && facts.body.is_some()
        };
        let mut found = Vec::new();
        let sides = [(self.old, was, of_new), (self.new, is, of_old)];
        for (at, (side, member, other)) in sides.into_iter().enumerate() {
            let project = side.bench.subject.project;
            for root in member.into_iter().flat_map(|member| roots(side, member, other, until)) {
                let twin = other.by_symbol(&project.symbol(root));
                match twin.filter(|twin| runs(project, root) && runs(other, *twin)) {
                    Some(twin) if at == 0 => found.push((root, twin)),
                    Some(twin) => found.push((twin, root)),
                    None if until == Until::Callable => return None,
                    None => {}
                }
            }
        }
        Some(found)
    }

    fn compared(&self, (was, is): Unit) -> Found {
        let key = (self.old.bench.subject.project.symbol(was), self.new.bench.subject.project.symbol(is));
        let cell = match self.alone.0.lock() {
            Ok(mut known) => known.entry(key).or_default().clone(),
            Err(_) => Arc::default(),
        };
        let found = cell.get_or_init(|| {
            let [old, new] = &self.changed.members;
            let reaches = (Reach::from(self.old, &[was], old), Reach::from(self.new, &[is], new));
            reaches.0.share(&reaches.1);
            Joint { old: self.old, new: self.new, reaches: &reaches, changed: self.changed, unit: Some((was, is)) }
                .best()
        });
        found.clone()
    }
}

/// How far callers are followed within a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// To members that code elsewhere may call.
    Callable,
    /// To members that nothing of the file calls.
    Top,
}

/// The members of a member's file that lead to it, itself among them, at which following callers ends.
fn roots(side: &Side<'_>, member: MemberId, other: &Project, until: Until) -> Vec<MemberId> {
    let project = side.bench.subject.project;
    let is_callable = |at: MemberId| {
        let facts = project.member(at);
        until == Until::Callable
            && !facts.modifiers.has(Modifiers::PRIVATE)
            && other.by_symbol(&project.symbol(at)).is_some()
    };
    if is_callable(member) {
        return vec![member];
    }
    let mut callers: HashMap<MemberId, Vec<MemberId>> = HashMap::new();
    let facts = project.member(member);
    let is_constant = facts.kind == MemberKind::Field && facts.modifiers.has(Modifiers::STATIC);
    for ty in project.types_of(project.file_of(member.ty)) {
        for caller in project.members(ty) {
            // Who makes an object makes none of its class's constants.
            if is_constant && project.member(caller).kind != MemberKind::Method {
                continue;
            }
            for called in successors(side, caller) {
                callers.entry(called).or_default().push(caller);
            }
        }
    }
    let (mut found, mut seen, mut open) = (Vec::new(), BTreeSet::new(), vec![member]);
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        match callers.get(&at).filter(|_| !is_callable(at)) {
            Some(above) => open.extend(above.iter().copied()),
            None => found.push(at),
        }
    }
    found
}

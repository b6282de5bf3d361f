//! Units: changed members that are compared by themselves, on open arguments, once for all operations of two revisions.
//! If base and head of a unit are alike, so are all of its callers (regression verification: Godlin and Strichman, DAC
//! 2009).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

use super::joint::{Joint, RunScope};
use super::requested::{Decided, cover_alone, is_filtering, on_requests, skips};
use super::round::{Product, Ran, Unit, UnitResult, join};
use super::served::served_otherwise;
use super::uncompared::uncovered_stops;
use crate::compare::edits::beside::short;
use crate::compare::edits::changed::ChangedCode;
use crate::compare::edits::functions::function_regions;
use crate::compare::edits::regions::BodyDiff;
use crate::compare::objects::callers::{is_called_for_others, reached_through};
use crate::compare::objects::handed::handed;
use crate::compare::paths::of_request::RequestTest;
use crate::compare::sides::reach::{Reach, successors};
use crate::compare::sides::revision::Revision;
use crate::compare::sides::side::Side;
use mastor_java::interpret::engine::region::Region;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::ir::facts::{MemberKind, Modifiers, Nesting, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Maximum number of members around handlers that are compared by themselves for one operation.
const AROUND: usize = 12;

/// Data that all operations of two revisions share: the results of units, and intermediate results of each revision.
pub struct SharedUnits {
    known: Mutex<BTreeMap<Symbols, CachedUnit>>,
    operations: u64,
    /// Shared data of base and of head.
    pub(in crate::compare) revisions: [Revision; 2],
}

/// Above this number of affected operations, the joint run comes before requests: requests are more informative, but
/// take longer.
const MANY: u64 = 60;

/// Approximate number of interpreter steps for requests, shared by all operations.
const REQUESTED: u64 = 24_000_000;
/// Maximum and minimum number of interpreter steps for the requests of one operation.
const REQUESTED_MOST: u64 = 4_000_000;
const REQUESTED_LEAST: u64 = 200_000;

/// Approximate number of steps in one round, shared by all operations.
const TOGETHER: u64 = 8_000_000;
/// Minimum number of steps of one operation in one round.
const LEAST: u64 = 20_000;

impl SharedUnits {
    /// Shared data for this number of operations.
    pub fn of(operations: usize) -> Self {
        Self { known: Mutex::default(), operations: operations.max(1) as u64, revisions: Default::default() }
    }

    /// Whether so many operations are affected that requests are tried last.
    pub(in crate::compare) fn affects_many(&self) -> bool {
        self.operations > MANY
    }

    /// Maximum number of interpreter steps for the requests of one operation, not counting those that each side tries
    /// anyway.
    pub(in crate::compare) fn request_steps(&self) -> u64 {
        (REQUESTED / self.operations).clamp(REQUESTED_LEAST, REQUESTED_MOST)
    }

    /// Maximum number of steps of one operation in one round.
    pub(in crate::compare) fn steps(&self) -> u64 {
        (TOGETHER / self.operations).clamp(LEAST, super::joint::STEPS)
    }
}

/// The file and symbol of a unit in base and head, and what is decided of the requests.
type Symbols = (String, String, Vec<(RequestTest, bool)>);
/// The result of a unit, once it is known.
type CachedUnit = Arc<OnceLock<UnitResult>>;

/// Results for single changed members.
#[derive(Default)]
pub struct Proven {
    /// Coverage of the units that are alike.
    pub ran: [Ran; 2],
    /// Changed members of base and head that behave alike for every caller.
    pub members: [BTreeSet<MemberId>; 2],
}

/// The units of one operation.
pub struct Units<'u> {
    old: &'u Side<'u>,
    new: &'u Side<'u>,
    changed: &'u ChangedCode,
    alone: &'u SharedUnits,
}

impl<'u> Units<'u> {
    /// The units of both sides of an operation with these differences.
    pub fn of((old, new): (&'u Side<'u>, &'u Side<'u>), changed: &'u ChangedCode, alone: &'u SharedUnits) -> Self {
        Self { old, new, changed, alone }
    }

    /// Maximum number of steps of the operation in one round.
    pub fn steps(&self) -> u64 {
        self.alone.steps()
    }

    /// Whether so many operations are affected that each reports the changes of its members instead of its own.
    pub fn affects_many(&self) -> bool {
        self.alone.affects_many()
    }

    /// The changes of a changed member with this symbol by itself; `None` if it did not change, or cannot run in both
    /// revisions.
    pub fn by_itself(&self, symbol: &str) -> Option<Product> {
        let is_changed = self.changed.symbols().any(|changed| changed == symbol);
        let members = [self.old, self.new].map(|side| side.member(symbol));
        let units = self.units(members, CallerLimit::Changed).filter(|_| is_changed)?;
        Some(self.compared(*units.first()?).0)
    }

    /// Whether both sides can run with opaque values, and it is known what changed.
    pub fn can_run(&self) -> bool {
        let runs = |side: &Side<'_>| side.bench.runs_opaquely();
        self.changed.symbols().next().is_some() && runs(self.old) && runs(self.new)
    }

    /// Compares each changed member by itself. A member that is private, or that only one revision has, is compared
    /// through its callers in the file.
    pub fn proven(&self) -> Proven {
        let mut proven = Proven::default();
        if !self.can_run() {
            return proven;
        }
        let mut of_member: Vec<([Option<MemberId>; 2], Vec<Unit>)> = Vec::new();
        for symbol in self.changed.symbols() {
            let members = [self.old, self.new].map(|side| side.member(symbol));
            if let Some(units) = self.units(members, CallerLimit::Callable) {
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

    /// Whether the comparisons of single members prove *same*: all changed members agree, and nothing else is left to
    /// compare.
    pub fn are_all_alike(&self, proven: &Proven) -> bool {
        let is_proven =
            |side: usize| self.changed.members[side].iter().all(|member| proven.members[side].contains(member));
        self.can_run()
            && is_proven(0)
            && is_proven(1)
            && served_otherwise(self.old, self.new).is_empty()
            && uncovered_stops((self.old, self.new), self.changed, &proven.ran).0.is_empty()
    }

    /// Compares members that lead to these inputs, without those in `met`. First come members without callers in their
    /// files, which the framework calls around handlers; then members that code elsewhere may call; then the changed
    /// members.
    pub fn around(&self, inputs: &[String], met: &[BTreeSet<MemberId>; 2]) -> Vec<(Unit, UnitResult)> {
        // What a member does for other requests alone is not told of this operation.
        let mut idle: Vec<(Unit, UnitResult)> = Vec::new();
        for symbol in inputs {
            idle.extend(self.idle_around(symbol).map(|(unit, ran)| (unit, (Product::default(), ran))));
        }
        let is_idle = |unit: &Unit| idle.iter().any(|(own, _)| own == unit);
        let mut units: Vec<Unit> = Vec::new();
        for until in [CallerLimit::Top, CallerLimit::Callable, CallerLimit::Changed] {
            for symbol in inputs {
                let members = [self.old, self.new].map(|side| side.member(symbol));
                let found: BTreeSet<Unit> = self.units(members, until).into_iter().flatten().collect();
                // A caller of a changed member that the operation does not reach shows nothing about the operation.
                let is_new = |unit: &Unit| {
                    let symbol = self.new.bench.subject.project.symbol(unit.1);
                    !(units.contains(unit)
                        || is_idle(unit)
                        || met[0].contains(&unit.0) && met[1].contains(&unit.1)
                        || is_called_for_others((self.old, self.new), &symbol))
                };
                units.extend(found.into_iter().filter(is_new).collect::<Vec<_>>());
            }
        }
        let compared: Vec<(Unit, UnitResult)> =
            units.into_iter().take(AROUND).map(|unit| (unit, self.compared(unit))).collect();
        idle.into_iter().chain(compared).collect()
    }

    /// A member with its coverage, if only filters and interceptors reach it, and all of these do the same as before on the
    /// requests of this operation.
    fn idle_around(&self, symbol: &str) -> Option<(Unit, [Ran; 2])> {
        let [was, is] = [self.old, self.new].map(|side| side.member(symbol));
        let unit = (was?, is?);
        let mut tops: BTreeSet<String> = BTreeSet::new();
        for (side, member) in [(self.old, unit.0), (self.new, unit.1)] {
            if handed(side).members.contains(&member) || is_filtering(side, member) {
                return None;
            }
            let found = reached_through(side, member, |one| is_filtering(side, one))?;
            tops.extend(found.into_iter().map(|top| side.bench.subject.project.symbol(top)));
        }
        let is_alike = |top: &String| {
            let members = [self.old, self.new].map(|side| side.member(top));
            let [Some(was), Some(is)] = members else { return false };
            let (found, _) = self.compared((was, is));
            found.changes.is_empty() && found.stopped.is_empty()
        };
        if tops.is_empty() || !tops.iter().all(is_alike) {
            return None;
        }
        let mut ran: [Ran; 2] = Default::default();
        cover_alone((self.old, unit.0), &mut ran[0]);
        cover_alone((self.new, unit.1), &mut ran[1]);
        Some((unit, ran))
    }

    /// The name of a unit, with its class.
    pub fn named(&self, (_, is): Unit) -> String {
        format!("`{}`", short(&self.new.bench.subject.project.symbol(is)))
    }

    /// Compares a member where the operation first calls it, in the states in which the operation calls it; `None` if
    /// the run does not reach it.
    pub fn in_context(&self, (was, is): Unit) -> Option<Product> {
        let reach = |side, member| Reach::of(side, &BTreeSet::from([member])).until(member);
        let reaches = (reach(self.old, was), reach(self.new, is));
        reaches.0.share(&reaches.1);
        let (old, new, changed, steps) = (self.old, self.new, self.changed, self.steps());
        let joint = Joint {
            old,
            new,
            reaches: &reaches,
            changed,
            on: RunScope::Until([was, is]),
            steps,
            given: Vec::new(),
            tests: RefCell::default(),
        };
        let (found, ran) = joint.best();
        (ran[0].0.contains(&was) && ran[1].0.contains(&is)).then_some(found)
    }

    /// The units through which a changed member is compared; `None` if one of them cannot run in both revisions.
    fn units(&self, [was, is]: [Option<MemberId>; 2], until: CallerLimit) -> Option<Vec<Unit>> {
        let runs = |project: &Project, member: MemberId| {
            let facts = project.member(member);
            let of = project.ty(member.ty);
            let is_made = facts.kind == MemberKind::Constructor
                && of.kind == TypeKind::Class
                && (of.nesting == Nesting::Top || of.modifiers.has(Modifiers::STATIC));
            let gives = matches!(
                facts.kind,
                MemberKind::Method | MemberKind::Field | MemberKind::EnumConstant | MemberKind::StaticInitializer
            );
            (gives || is_made) && facts.body.is_some()
        };
        let mut found = Vec::new();
        let sides = [(self.old, was, self.new), (self.new, is, self.old)];
        for (at, (side, member, other)) in sides.into_iter().enumerate() {
            let project = side.bench.subject.project;
            // A static initialiser is compared by the fields that it sets, so both revisions must have the same static
            // fields.
            let sets_others = |member: MemberId| {
                project.member(member).kind == MemberKind::StaticInitializer
                    && other.member(&project.symbol(member)).is_some_and(|twin| {
                        static_fields(project, member.ty) != static_fields(other.bench.subject.project, twin.ty)
                    })
            };
            if member.is_some_and(sets_others) {
                return None;
            }
            for root in member.into_iter().flat_map(|member| roots(side, member, other, until)) {
                let twin = other.member(&project.symbol(root));
                match twin.filter(|twin| runs(project, root) && runs(other.bench.subject.project, *twin)) {
                    Some(twin) if at == 0 => found.push((root, twin)),
                    Some(twin) => found.push((twin, root)),
                    None if until == CallerLimit::Callable => return None,
                    None => {}
                }
            }
        }
        Some(found)
    }

    /// Compares a member by itself: for all operations, and where it tests the path or method of the request, for those
    /// of this operation.
    fn compared(&self, unit: Unit) -> UnitResult {
        let whole = self.known(unit, &[], || self.compared_where(unit, &[]));
        // Only around handlers is the request that code asks about the operation's own.
        if !(is_filtering(self.old, unit.0) && is_filtering(self.new, unit.1)) {
            return whole;
        }
        let sure = self.decided(&whole.0);
        if sure.is_empty() || (whole.0.changes.is_empty() && whole.0.stopped.is_empty()) {
            return whole;
        }
        self.known(unit, &sure, || self.compared_where(unit, &sure))
    }

    /// What the requests of this operation decide of the tests that a unit makes.
    fn decided(&self, found: &Product) -> Vec<(RequestTest, bool)> {
        let endpoints = [self.old, self.new].map(|side| side.bench.subject.endpoint);
        let decided = |test: &RequestTest| {
            let [before, after] = endpoints.map(|endpoint| test.holds(endpoint));
            before.filter(|_| before == after)
        };
        found.requests.iter().filter_map(|test| Some((test.clone(), decided(test)?))).collect()
    }

    /// The result that is known for requests that decide these tests, or else this one.
    fn known(&self, (was, is): Unit, sure: &Decided, make: impl FnOnce() -> UnitResult) -> UnitResult {
        // Several modules may have classes with the same name.
        let name = |side: &Side<'_>, member: MemberId| {
            let project = side.bench.subject.project;
            format!("{} {}", project.shown(member.ty, 1).0, project.symbol(member))
        };
        let key = (name(self.old, was), name(self.new, is), sure.to_vec());
        let cell = match self.alone.known.lock() {
            Ok(mut known) => known.entry(key).or_default().clone(),
            Err(_) => Arc::default(),
        };
        cell.get_or_init(make).clone()
    }

    /// Compares a member by itself on requests that decide these tests.
    fn compared_where(&self, unit: Unit, sure: &Decided) -> UnitResult {
        let [was, is] = &self.changed.members;
        let reaches = (Reach::from(self.old, &[unit.0], was), Reach::from(self.new, &[unit.1], is));
        reaches.0.share(&reaches.1);
        let (old, new, changed, steps) = (self.old, self.new, self.changed, self.alone.steps());
        let joint = |on, given: &[Cond]| {
            let (reaches, given, tests) = (&reaches, given.to_vec(), RefCell::default());
            Joint { old, new, reaches, changed, on, steps, given, tests }
        };
        let compared = |given: &[Cond]| {
            let found = joint(RunScope::Members([unit.0, unit.1]), given).best();
            // Functions of other forms leave a comparison open, or show no more than that they are others.
            if (found.0.is_vague || found.0.changes.is_empty() && !found.0.stopped.is_empty())
                && let Some(within) = self.by_functions(unit, |on| joint(on, given).best())
            {
                return within;
            }
            if found.0.changes.is_empty() && !found.0.stopped.is_empty() {
                let requests = found.0.requests.clone();
                if let Some((parts, ran)) = self.by_regions(unit, |on| joint(on, given).best()) {
                    return (Product { requests, ..parts }, ran);
                }
            }
            found
        };
        let skipped = skips(old.bench.subject.project, unit.0).zip(skips(new.bench.subject.project, unit.1));
        on_requests((unit, skipped), sure, |on| joint(on, &[]), compared)
    }

    /// Compares only the function that a member hands on and within which its bodies differ.
    fn by_functions(&self, (was, is): Unit, joint: impl Fn(RunScope) -> UnitResult) -> Option<UnitResult> {
        let code = |side: &Side<'_>, member| side.bench.codes.code(member);
        let (old, new) = (code(self.old, was)?, code(self.new, is)?);
        let projects = [self.old, self.new].map(|side| side.bench.subject.project);
        let [before, after] = &self.changed.members;
        if leads_to_others(self.old, was, before) || leads_to_others(self.new, is, after) {
            return None;
        }
        let regions = function_regions((projects[0], &old), (projects[1], &new))?;
        let (found, mut ran) = joint(RunScope::Regions(Box::new(regions)));
        let is_alike = found.changes.is_empty() && found.stopped.is_empty();
        match is_alike {
            // All of its paths from any state were followed, and what is around it has the same form in both.
            true => {
                cover_alone((self.old, was), &mut ran[0]);
                cover_alone((self.new, is), &mut ran[1]);
                Some((found, ran))
            }
            false => (!found.changes.is_empty() && !found.is_vague).then_some((found, ran)),
        }
    }

    /// Counts as covered what is around two regions, which has the same form in both.
    fn with_surroundings(&self, regions: &[Region; 2], mut ran: [Ran; 2]) -> [Ran; 2] {
        for ((region, side), (members, covered)) in regions.iter().zip([self.old, self.new]).zip(&mut ran) {
            let (codes, member) = (&side.bench.codes, region.member);
            members.insert(member);
            let asked = codes.executed(member).into_iter().map(|one| one.at);
            covered.performed.extend(asked.filter(|at| !region.holds(*at)).map(|at| ((member, at), true)));
            let ways = codes.branches(member).into_iter().filter(|branch| !region.holds(branch.at));
            covered.ways.extend(ways.map(|branch| (member, branch.at, branch.way)));
        }
        ran
    }

    /// Compares only the differing regions of a member's bodies, if the run of the whole member is incomplete.
    fn by_regions(&self, (was, is): Unit, joint: impl Fn(RunScope) -> UnitResult) -> Option<UnitResult> {
        let code = |side: &Side<'_>, member| side.bench.codes.code(member);
        let (old, new) = (code(self.old, was)?, code(self.new, is)?);
        let projects = [self.old, self.new].map(|side| side.bench.subject.project);
        let parted = BodyDiff::of((projects[0], &old), (projects[1], &new))?;
        let found = joint(RunScope::Regions(Box::new(parted.regions(true))));
        if !found.0.changes.is_empty() {
            return Some(found);
        }
        // If the regions agree from any state, the members agree.
        let regions = parted.regions(false);
        let (found, ran) = joint(RunScope::Regions(Box::new(regions.clone())));
        if !found.changes.is_empty() || !found.stopped.is_empty() {
            return None;
        }
        Some((found, self.with_surroundings(&regions, ran)))
    }
}

fn static_fields(project: &Project, ty: TypeId) -> BTreeSet<&str> {
    let is_static = |member: &MemberId| {
        let facts = project.member(*member);
        facts.kind == MemberKind::Field && facts.modifiers.has(Modifiers::STATIC)
    };
    project.members(ty).filter(is_static).map(|member| project.member(member).name.as_str()).collect()
}

/// Whether code that a member reaches changed too.
fn leads_to_others(side: &Side<'_>, member: MemberId, changed: &BTreeSet<MemberId>) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![member]);
    while let Some(at) = open.pop() {
        if at != member && changed.contains(&at) {
            return true;
        }
        if seen.insert(at) {
            open.extend(successors(side, at).iter().copied());
        }
    }
    false
}

/// How far callers are followed within a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallerLimit {
    /// Up to members that code elsewhere may call.
    Callable,
    /// Up to members without callers in the file.
    Top,
    /// Not at all.
    Changed,
}

/// The direct and indirect callers of a member within its file at which following callers ends; the member itself if it
/// ends there.
fn roots(side: &Side<'_>, member: MemberId, other: &Side<'_>, until: CallerLimit) -> Vec<MemberId> {
    let project = side.bench.subject.project;
    let is_callable = |at: MemberId| {
        let facts = project.member(at);
        until == CallerLimit::Callable
            && !facts.modifiers.has(Modifiers::PRIVATE)
            && other.member(&project.symbol(at)).is_some()
    };
    if until == CallerLimit::Changed || is_callable(member) {
        return vec![member];
    }
    let mut callers: HashMap<MemberId, Vec<MemberId>> = HashMap::new();
    let facts = project.member(member);
    let is_constant = facts.kind == MemberKind::Field && facts.modifiers.has(Modifiers::STATIC);
    for ty in project.types_of(project.file_of(member.ty)) {
        for caller in project.members(ty) {
            // Constants are not created together with an object, so only methods count as callers.
            if is_constant && project.member(caller).kind != MemberKind::Method {
                continue;
            }
            for called in successors(side, caller).iter() {
                callers.entry(*called).or_default().push(caller);
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

//! One round of the joint run: the changes that it has found, with the paths that show them, and what else it has met.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::compare::paths::asked::{
    Asked, coincidences, fails, hardly_met, holding, pins_number, rests_on, states_left, unlikely_failures,
};
use crate::compare::paths::conditions::PathConditions;
use crate::compare::paths::of_request::RequestTest;
use crate::compare::paths::words::Weight;
use crate::compare::paths::{called, conditions};
use mastor_java::interpret::Covered;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::server::opaquely::ComparablePath;
use mastor_types::results::change::Change;
use mastor_types::results::compared::Stop;

/// Maximum number of pairs of equal paths whose conditions are kept.
pub(super) const MOST_ALIKE: usize = 60;

/// Number of changes whose conditions are narrowed.
const NARROWED: usize = 2;

/// Maximum number of changes reported for one operation, and of seldom ones among them.
const TOLD: usize = 6;
const TOLD_SELDOM: usize = 3;

/// Maximum number of stops that are kept.
const NAMED: usize = 8;

/// The result of a joint run.
#[derive(Debug, Clone, Default)]
pub struct Product {
    /// The differences.
    pub changes: Vec<Change>,
    /// What prevented the result *same*.
    pub stopped: BTreeSet<Stop>,
    /// Changed inputs that were not compared.
    pub open_inputs: Vec<String>,
    /// Number of joint paths on which both sides are alike.
    pub alike: usize,
    /// The greatest weight among the changes.
    pub weight: Weight,
    /// Whether base and head agree on all paths, every path was followed to its end, and the only changed code that did
    /// not run is code that no path reaches.
    pub is_followed: bool,
    /// What paths ask of the path and the method of the request.
    pub(in crate::compare) requests: BTreeSet<RequestTest>,
    /// Whether every change says only that a value differs, and not how.
    pub(in crate::compare) is_vague: bool,
}

/// Adds the coverage of another run.
pub fn join(all: &mut [Ran; 2], own: [Ran; 2]) {
    for (all, own) in all.iter_mut().zip(own) {
        all.0.extend(own.0);
        all.1.extend(own.1);
    }
}

/// A member of base with its counterpart in head.
pub type Unit = (MemberId, MemberId);

/// The result of a unit, with its coverage.
pub type UnitResult = (Product, [Ran; 2]);

/// Members that ran, with their covered statements and branches.
pub type Ran = (BTreeSet<MemberId>, Covered);

/// The path constraints of pairs that do not show a change.
#[derive(Clone, Copy)]
pub(super) struct Excluded<'e> {
    /// Paths on which both sides agree.
    pub(super) alike: &'e [PathConstraints],
    /// The paths of `alike` on which at least one side does not fail.
    pub(super) answered: &'e [PathConstraints],
    /// Paths on which both sides differ in another way.
    pub(super) others: &'e [&'e PathConstraints],
}

/// The result of one round of the joint run.
#[derive(Default)]
pub(super) struct Round {
    pub(super) found: Product,
    /// Members that ran on each side.
    pub(super) members: [BTreeSet<MemberId>; 2],
    /// Opaque members of the project on which a difference depends.
    pub(super) blamed: BTreeSet<Rc<str>>,
    /// Opaque members of the project on which the conditions of a difference depend.
    pub(super) asked_of: BTreeSet<Rc<str>>,
    /// The changes found.
    pub(super) met: Vec<ChangeWithPaths>,
    /// Indices into `met`, by text and member of the change.
    pub(super) ways: BTreeMap<String, usize>,
    /// Conditions of some paths on which both sides are alike.
    pub(super) alike: Vec<PathConstraints>,
    /// Those conditions of `alike` under which at least one side does not fail.
    pub(super) answered: Vec<PathConstraints>,
    /// Calls whose results base, and head, test on any of their paths.
    pub(super) calls: [BTreeSet<Rc<str>>; 2],
    /// The calls, by their keys, whose results base tests on any of its paths.
    pub(super) tested_in_base: BTreeSet<u128>,
    /// Steps taken.
    pub(super) steps: u64,
    /// Whether paths of base were left out.
    pub(super) is_cut: bool,
    /// Number of changes that are reported under the conditions of only one of their paths.
    pub(super) samples: usize,
    /// How unlikely the first change is.
    pub(super) first: Option<Unlikely>,
    /// Whether the condition of a change depends on what an opaque member of the project gives for constants.
    pub(super) is_of_constants: bool,
}

/// A change, with the paths that show it. `Change::seldom` is set if callers rarely take any of these paths, or if the
/// paths say little: a value is null, a call fails, or base fails too.
pub(super) struct ChangeWithPaths {
    pub(super) change: Change,
    /// Conditions tested on every path.
    pub(super) asked: Asked,
    /// Conditions tested on the likeliest path.
    pub(super) on_one: Asked,
    /// Everything that holds on that path.
    pub(super) holds: PathConstraints,
    /// Everything that holds on each of these paths, for the first of them.
    pub(super) paths: Vec<PathConstraints>,
    /// How unlikely that path is.
    pub(super) unlikely: Unlikely,
    /// Maximum number, over these paths, of calls that only one side makes.
    pub(super) apart: usize,
    /// Whether base rejects the request or fails on every path.
    pub(super) is_refused: bool,
    /// How informative the difference is.
    pub(super) weight: Weight,
    /// The method of the call that has other arguments, if the change is about these.
    pub(super) of_call: Option<Rc<str>>,
    /// Whether the change says only that a value differs, and not how.
    pub(super) is_vague: bool,
}

/// How unlikely a pair of paths is. The fields are compared in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unlikely {
    /// Number of conditions that callers hardly ever meet.
    pub(super) odd: usize,
    /// Number of conditions that test what earlier requests have left in fields.
    pub(super) states: usize,
    /// How unlikely its failures are.
    pub(super) failures: usize,
    /// Number of values that must happen to be equal, and of collections that must be empty.
    pub(super) coincidences: usize,
    /// Number of conditions.
    pub(super) conditions: usize,
}

impl Unlikely {
    /// Whether a path is much less likely than another one: it needs several coincidences more, or, where callers hardly
    /// meet the other one either, more that they hardly meet.
    pub(super) fn is_far_beyond(&self, other: &Self, is_usual: bool) -> bool {
        let rare = |one: &Self| (one.odd, one.states, one.failures);
        match is_usual {
            true => self.coincidences > other.coincidences + 2,
            false => (rare(self), self.coincidences) > (rare(other), other.coincidences + 1),
        }
    }

    pub(super) fn of(before: &ComparablePath, after: &ComparablePath) -> Self {
        Self {
            odd: hardly_met(before, after),
            states: states_left(before, after),
            failures: unlikely_failures(before, after),
            coincidences: coincidences(before, after),
            conditions: before.conditions.len() + after.conditions.len(),
        }
    }
}

impl Round {
    /// The result of the round: its changes with their conditions, those on ordinary requests first. `narrowed` is asked
    /// to narrow the conditions of the first changes, with the paths on which both sides agree, and those on which they
    /// differ in another way.
    pub(super) fn told(
        mut self,
        mut narrowed: impl FnMut(&str, &PathConditions<'_>, Vec<Cond>, Excluded<'_>) -> Vec<Cond>,
    ) -> Self {
        let mut met = std::mem::take(&mut self.met);
        gained_after_lost(&mut met);
        // Changes of successful answers come before changes of rejections, and likely failures before unlikely ones.
        let of_calls: BTreeSet<Rc<str>> = met.iter().filter_map(|met| met.of_call.clone()).collect();
        met.sort_by_key(|met| {
            // Under a condition on the result of another call that has other arguments now, it is a consequence of these.
            let is_of_other = |method: Rc<str>| of_calls.contains(&method) && met.of_call != Some(method);
            let asked = met.on_one.iter().flat_map(|(_, cond)| rests_on(cond));
            let follows = asked.map(|one| called::method_name(&one)).any(is_of_other);
            let apart = std::cmp::Reverse(met.apart);
            let tells_little = met.weight != Weight::Status;
            // Two values that read alike: whatever they result from says more.
            let is_vague = met.change.before.is_some() && met.change.before == met.change.after;
            let unlikely = (met.unlikely.odd, met.unlikely.states, met.unlikely.failures, met.unlikely.coincidences);
            // Where base gives nothing, callers got no further either.
            let is_refused = (met.is_refused, met.change.before.as_deref() == Some("null"));
            (met.change.seldom, follows, is_refused, unlikely, pins_number(&met.asked), is_vague, tells_little, apart)
        });
        fewest_first(&mut met);
        self.first = met.first().map(|met| met.unlikely);
        self.found.is_vague = !met.is_empty() && met.iter().all(|met| met.is_vague);
        for (at, own) in met.iter().enumerate() {
            let seldom = self.found.changes.iter().filter(|change| change.seldom).count();
            if self.found.changes.len() >= TOLD || (own.change.seldom && seldom >= TOLD_SELDOM) {
                continue;
            }
            // Paths with the same change need no condition that tells them apart.
            let tells_otherwise = |other: &&ChangeWithPaths| other.change.what != own.change.what;
            let others: Vec<&PathConstraints> =
                met.iter().filter(tells_otherwise).flat_map(|other| &other.paths).collect();
            let same: Vec<&PathConstraints> =
                met.iter().filter(|other| !tells_otherwise(other)).flat_map(|other| &other.paths).collect();
            let (on_all, on_one, holds) = (&own.asked, &own.on_one, &own.holds);
            let mut rivals: BTreeMap<&str, Vec<&PathConstraints>> = BTreeMap::new();
            let is_rival = |other: &&ChangeWithPaths| {
                (!other.change.seldom && !other.is_refused)
                    || is_reversed(&own.change, &other.change)
                    || without_numbers(&own.change.what) == without_numbers(&other.change.what)
            };
            for other in met.iter().filter(tells_otherwise).filter(is_rival) {
                rivals.entry(&other.change.what).or_default().extend(&other.paths);
            }
            let rivals: Vec<Vec<&PathConstraints>> = rivals.into_values().collect();
            let asked =
                PathConditions { on_all, on_one, holds, same: &same, is_refused: own.is_refused, rivals: &rivals };
            let (mut when, is_sample) = conditions::when(&asked, (&self.alike, &self.answered), &others);
            self.samples += usize::from(is_sample);
            if at < NARROWED && (!when.is_empty() || self.is_cut) {
                let excluded = Excluded { alike: &self.alike, answered: &self.answered, others: &others };
                when = narrowed(&own.change.what, &asked, when, excluded);
            }
            self.found.changes.push(own.change.clone().under(&conditions::in_words(&when)));
        }
        self
    }

    /// Counts a pair of paths that are alike, and keeps its conditions. Paths that come by the changed code say most about
    /// when a change is met, so that the others may take no more than half of the room.
    pub(super) fn alike(&mut self, before: &ComparablePath, after: &ComparablePath, comes_by: bool) {
        self.found.alike += 1;
        if self.alike.len() < if comes_by { MOST_ALIKE } else { MOST_ALIKE / 2 } {
            let holds = holding(before, after);
            self.answered.extend((!fails(before) || !fails(after)).then(|| holds.clone()));
            self.alike.push(holds);
        }
    }

    pub(super) fn stop(&mut self, stop: Stop) {
        if self.found.stopped.len() < NAMED {
            self.found.stopped.insert(stop);
        }
    }
}

/// Whether one change turns A into B and the other one B into A at the same place, so that what parts the two decides which
/// is met.
fn is_reversed(one: &Change, other: &Change) -> bool {
    let symbol = |change: &Change| change.evidence_after.as_ref().map(|place| place.symbol.clone());
    one.before.is_some() && one.before == other.after && one.after == other.before && symbol(one) == symbol(other)
}

/// Corrects which changes are seldom. If a call was removed on some paths and added on others, as by a reversed
/// condition, the removal is usual and the addition seldom, unless the addition needs fewer coincidences. If an exception now ends other paths than before, the paths
/// that it no longer ends are seldom.
fn gained_after_lost(met: &mut [ChangeWithPaths]) {
    let of = |change: &Change| (change.before.clone().unwrap_or_default(), change.after.clone().unwrap_or_default());
    let throws = |end: &str| end.starts_with("throws ");
    let fewest = |is_removal: bool, call: &str| {
        let side = |met: &&ChangeWithPaths| {
            let (was, is) = of(&met.change);
            if is_removal { was == call && is.is_empty() } else { is == call && was.is_empty() }
        };
        met.iter().filter(side).map(|met| met.unlikely.coincidences).min()
    };
    let calls: BTreeSet<String> = met.iter().map(|met| of(&met.change)).flat_map(|(was, is)| [was, is]).collect();
    let rather_added: BTreeSet<String> = calls
        .into_iter()
        .filter(
            |call| matches!((fewest(false, call), fewest(true, call)), (Some(added), Some(removed)) if added < removed),
        )
        .collect();
    let (lost, gained): (BTreeSet<String>, BTreeSet<String>) = met.iter().map(|met| of(&met.change)).unzip();
    let thrown_now: BTreeSet<String> = met
        .iter()
        .map(|met| of(&met.change))
        .filter(|(was, is)| !throws(was) && throws(is))
        .map(|(_, is)| is)
        .collect();
    for met in met {
        match of(&met.change) {
            (was, is) if was.is_empty() && lost.contains(&is) => met.change.seldom = !rather_added.contains(&is),
            (was, is) if is.is_empty() && gained.contains(&was) => met.change.seldom = rather_added.contains(&was),
            (was, is) if throws(&was) && !throws(&is) && thrown_now.contains(&was) => met.change.seldom = true,
            _ => {}
        }
    }
}

/// A sentence without its numbers.
fn without_numbers(what: &str) -> String {
    what.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// Of changes that differ in numbers alone (of elements, of turns), puts the one that needs the fewest conditions first.
fn fewest_first(met: &mut [ChangeWithPaths]) {
    for at in 0..met.len() {
        let first = &met[at];
        let is_alike = |other: &ChangeWithPaths| {
            other.change.seldom == first.change.seldom
                && other.is_refused == first.is_refused
                && without_numbers(&other.change.what) == without_numbers(&first.change.what)
        };
        let likely = |place: &usize| (met[*place].unlikely, *place);
        let best = (at..met.len()).filter(|place| is_alike(&met[*place])).min_by_key(likely).unwrap_or(at);
        met[at..=best].rotate_right(1);
    }
}

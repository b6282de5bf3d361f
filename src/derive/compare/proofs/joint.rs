//! Joint run of base and head on open inputs: both share inputs, choices, conditions and opaque values, so that
//! unchanged code cancels (differential symbolic execution: Person and others, FSE 2008; SymDiff: Lahiri and others,
//! CAV 2012).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::answers::answers;
use super::narrowed::{Narrowing, Trial};
use super::round::{ChangeWithPaths, MOST_ALIKE, Product, Ran, Round, Unlikely};
use super::splits::splits;
use super::untried::untried_size;
use crate::compare::edits::changed::{ChangedCode, Nearness};
use crate::compare::edits::declarations::is_stored;
use crate::compare::objects::handed::hands_out_member;
use crate::compare::paths::asked::{
    asked, fails, fails_apart, found_by_others, holding, is_seldom, left_open, rests_on,
};
use crate::compare::paths::difference::{self, Comparison, Difference, DifferenceKind, SEALED, Step};
use crate::compare::paths::happened::{apart, decisive, events, handed_otherwise};
use crate::compare::paths::innermost;
use crate::compare::paths::instead::{calls_asked, replaced_condition};
use crate::compare::paths::odds::{diverging_calls, diverging_in_time};
use crate::compare::paths::of_request::RequestTest;
use crate::compare::paths::parts::Assignments;
use crate::compare::paths::words::{said, weight};
use crate::compare::sides::reach::Reach;
use crate::compare::sides::side::{Side, change};
use crate::judge::oracle::place;
use mastor_java::interpret::Bounds;
use mastor_java::interpret::engine::region::{GOES_ON, Region};
use mastor_java::interpret::opaque::state::Event;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::path::{Outcome, Site, Taken};
use mastor_java::interpret::values::term::{Canon, Opaque, Origin, Term};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::server::opaquely::{ComparablePath, Start};
use mastor_types::results::change::{Change, ChangeEffect, Place};
use mastor_types::results::compared::Stop;

/// Maximum number of rounds. Each further round opens the opaque members on which the comparison of the round before
/// depended.
pub(super) const ROUNDS: usize = 4;

/// Maximum number of rounds for a member that is compared by itself. An operation that depends on it is compared
/// afterwards.
const ROUNDS_ALONE: usize = 2;

/// Maximum number of changes of each kind, usual and seldom ones, that a round keeps.
const MET: usize = 6;

/// Number of changes after which no more paths are compared.
const ENOUGH: usize = 3;

/// The work of the search for assignments that counts as one step; see [`Assignments::work`].
const SEARCHED: u64 = 16;

/// Part of the steps of one round that further runs about conditions may take.
const NARROWING: u64 = 2;

/// Bounds of one run of base.
const BASE: Bounds =
    Bounds { depth: 80, forks: 30, paths: 200, steps: 60_000, total_steps: 400_000, turns: 3, cells: 200_000 };
/// Bounds of one run of head, under the conditions of one path of base.
const HEAD: Bounds = Bounds { paths: 24, total_steps: 120_000, ..BASE };
/// Bounds of one run of base for a single member.
pub(super) const ALONE: Bounds = Bounds { paths: 80, total_steps: 100_000, ..BASE };

/// Maximum number of steps in one round of a comparison.
pub(in crate::compare) const STEPS: u64 = 400_000;
/// Maximum number of steps in one round for a single member.
const STEPS_ALONE: u64 = 200_000;

/// Base and head of one operation, for a joint run.
pub(super) struct Joint<'j> {
    pub(in crate::compare) old: &'j Side<'j>,
    pub(in crate::compare) new: &'j Side<'j>,
    pub(in crate::compare) reaches: &'j (Reach<'j>, Reach<'j>),
    pub(in crate::compare) changed: &'j ChangedCode,
    pub(in crate::compare) on: RunScope,
    /// Maximum number of steps in one round for a whole operation.
    pub(in crate::compare) steps: u64,
    /// Conditions that hold on every path: what is known of the request.
    pub(in crate::compare) given: Vec<Cond>,
    /// What the paths so far have asked of the request's path and method.
    pub(in crate::compare) tests: RefCell<BTreeMap<RequestTest, Cond>>,
}

/// The code that runs on both sides.
#[derive(Debug, Clone)]
pub(in crate::compare) enum RunScope {
    /// The operation.
    Operation,
    /// The operation, up to the end of one member of each side.
    Until([MemberId; 2]),
    /// One member of each side.
    Members([MemberId; 2]),
    /// A part of one member of each side.
    Regions(Box<[Region; 2]>),
}

impl RunScope {
    fn start(&self, side: usize) -> Start<'_> {
        match self {
            Self::Operation | Self::Until(_) => Start::Operation,
            Self::Members(members) => Start::Member(members[side]),
            Self::Regions(regions) => Start::Region(&regions[side]),
        }
    }

    /// The member of head that runs, as a whole or in part.
    fn member(&self) -> Option<MemberId> {
        match self {
            Self::Operation => None,
            Self::Members([_, member]) | Self::Until([_, member]) => Some(*member),
            Self::Regions(regions) => Some(regions[1].member),
        }
    }
}

impl Joint<'_> {
    /// Runs both sides, and opens the opaque members that differences depend on, until none is left to open.
    pub(in crate::compare) fn best(&self) -> (Product, [Ran; 2]) {
        let mut best: Option<(Product, [Ran; 2])> = None;
        // About the best round so far: whether it shows a change on ordinary requests, its changes, and how many of
        // them are reported under sampled conditions.
        let (mut is_usual, mut ways, mut of_samples, mut likeliest) = (false, BTreeSet::new(), 0, None);
        // Whether they depend on what a member gives for constants, which only its code says.
        let mut asks_constants = false;
        let rounds = if self.on.member().is_some() { ROUNDS_ALONE } else { ROUNDS };
        for _ in 0..rounds {
            let (codes_old, codes_new) = (&self.old.bench.codes, &self.new.bench.codes);
            let ((round, of_old), of_new) = codes_new.covering(|| codes_old.covering(|| self.run()));
            let Round {
                found, members: [old, new], blamed, asked_of, ways: own, samples, is_of_constants, first, ..
            } = round;
            let is_same = found.changes.is_empty() && found.stopped.is_empty();
            let tells_usual = found.changes.iter().any(|change| !change.seldom);
            // A change that an assignment has proven stands, even if a later round shows no change, or only seldom
            // ones. It also stands if a later round shows it again under the condition of one of several ways through
            // the members that were opened: the condition on what these return says more. So does the call of an object
            // that an opened member gives, if each of its ways gives another object, and a change on much likelier paths.
            let is_sampled = samples > of_samples && ways.iter().all(|way| own.contains_key(way));
            let is_split = best.as_ref().is_some_and(|(best, _)| splits(&found.changes, &best.changes));
            let is_far = matches!((&first, &likeliest), (Some(own), Some(best)) if own.is_far_beyond(best, is_usual));
            let is_repeated = !asks_constants && (is_sampled || is_split || is_far);
            let says_more = match is_usual {
                true => tells_usual && !is_repeated,
                false => tells_usual || (!found.changes.is_empty() && !is_repeated),
            };
            if best.as_ref().is_none_or(|(best, _)| is_same || says_more || best.changes.is_empty()) {
                best = Some((found, [(old, of_old), (new, of_new)]));
                (is_usual, ways, of_samples, likeliest) = (tells_usual, own.into_keys().collect(), samples, first);
                asks_constants = is_of_constants;
            }
            let open = |members| [self.reaches.0.open(members), self.reaches.1.open(members)].contains(&true);
            // Opening the members behind conditions may show that the conditions contradict each other.
            if is_same || (!open(&blamed) && !open(&asked_of)) {
                break;
            }
        }
        let (mut found, ran) = best.unwrap_or_default();
        found.requests = self.tests.borrow().keys().cloned().collect();
        (found, ran)
    }

    pub(super) fn note_tests(&self, paths: &[ComparablePath]) {
        let mut tests = self.tests.borrow_mut();
        paths.iter().flat_map(|ended| &ended.asked).for_each(|asked| RequestTest::within(&asked.cond, &mut tests));
    }

    pub(super) fn before(&self, known: &[Cond], bounds: Bounds) -> (Vec<ComparablePath>, bool) {
        let known = &self.with_given(known);
        self.of_shared_fields(self.old.bench.opaquely(self.on.start(0), &self.reaches.0, known, bounds))
    }

    pub(super) fn after(&self, known: &[Cond]) -> (Vec<ComparablePath>, bool) {
        let known = &self.with_given(known);
        self.of_shared_fields(self.new.bench.opaquely(self.on.start(1), &self.reaches.1, known, HEAD))
    }

    fn with_given(&self, known: &[Cond]) -> Vec<Cond> {
        self.given.iter().chain(known).cloned().collect()
    }

    /// Where a constructor or an initialiser runs by itself: leaves out the fields of the created object that only one
    /// revision has, unless a library may read them by name. Code that names such a field is compared. What a constructor of a
    /// stored class sets from its parameters is written to a row, and stays.
    fn of_shared_fields(&self, (mut paths, is_whole): (Vec<ComparablePath>, bool)) -> (Vec<ComparablePath>, bool) {
        let project = self.new.bench.subject.project;
        let facts = self.on.member().map(|member| (project.member(member), is_stored(project, member.ty)));
        let is_initial = facts.is_some_and(|(facts, is_stored)| match facts.kind {
            MemberKind::Constructor => !is_stored || facts.params.is_empty(),
            kind => matches!(kind, MemberKind::EnumConstant | MemberKind::Field),
        });
        for path in paths.iter_mut().filter(|_| is_initial && !matches!(self.on, RunScope::Until(_))) {
            let Some(Canon::Object(class, parts)) = &path.given else { continue };
            let is_shared = |name: &str| {
                let fields =
                    [self.old, self.new].map(|side| {
                        let class = side.class(class)?;
                        side.bench.subject.project.own_field(class, name).map(|field| {
                            !is_stored(side.bench.subject.project, field.ty) && hands_out_member(side, field)
                        })
                    });
                !matches!(fields, [Some(false), None] | [None, Some(false)])
            };
            if parts.iter().any(|(name, _)| !is_shared(name)) {
                let kept: Rc<[_]> = parts.iter().filter(|(name, _)| is_shared(name)).cloned().collect();
                path.given = Some(Canon::Object(class.clone(), kept));
            }
        }
        (paths, is_whole)
    }

    fn run(&self) -> Round {
        let mut round = Round::default();
        let is_alone = matches!(self.on, RunScope::Members(_) | RunScope::Regions(_));
        let (bounds, most) = match is_alone {
            true => (ALONE, STEPS_ALONE),
            false => (Bounds { total_steps: BASE.total_steps.min(self.steps), ..BASE }, self.steps),
        };
        let (mut paths, complete) = self.before(&[], bounds);
        round.steps = steps_of(&paths);
        round.calls[0] = paths.iter().flat_map(|ended| calls_asked(ended).into_values().flatten()).collect();
        self.note_tests(&paths);
        let tested = paths.iter().flat_map(|ended| &ended.asked).flat_map(|taken| rests_on(&taken.cond));
        round.tested_in_base = tested.filter(|one| one.origin == Origin::Call).map(|one| one.key).collect();
        // Paths of ordinary requests come first.
        paths.sort_by_key(fails);
        // A constructor that throws on every path is one that the run does not follow rightly.
        let starts = paths.iter().any(|ended| !ended.never_starts);
        if !complete {
            round.stop(Stop::of("there are more paths than were followed"));
        }
        // No released code always ends in a null pointer, so the run has missed code that sets the value.
        let entry = self.old.bench.subject.endpoint.entry;
        let mut handled = paths.iter().filter(|ended| ended.path.members.contains(&entry)).peekable();
        if matches!(self.on, RunScope::Operation) && handled.peek().is_some() && handled.all(is_null_pointer) {
            round.stop(Stop::of("it always meets a null pointer, as far as it was followed"));
        }
        for before in &paths {
            round.members[0].extend(&before.path.members);
            // Changes on ordinary requests are more informative, so the search for them continues a while longer.
            let usual = round.met.iter().filter(|met| !met.change.seldom).count();
            if usual >= ENOUGH || (round.met.len() >= ENOUGH && round.steps > most / 4) {
                round.is_cut = true;
                break;
            }
            if round.steps > most {
                round.is_cut = true;
                round.stop(Stop::of("it takes too many steps"));
                break;
            }
            // A path of base that was cut off is not compared.
            if let Outcome::Cut(bound) = before.path.outcome {
                round.stop(Stop::of(bound.describe()));
                continue;
            }
            let known = conditions(&before.conditions);
            let (after, complete) = self.after(&known);
            round.steps += steps_of(&after);
            if !complete {
                round.stop(Stop::of("there are more paths than were followed"));
            }
            round.calls[1].extend(after.iter().flat_map(|ended| calls_asked(ended).into_values().flatten()));
            self.note_tests(&after);
            // No request reaches a service that starts neither in base nor in head.
            let may_start = |after: &&ComparablePath| !(starts && before.never_starts && after.never_starts);
            // Paths that do not reach the member show nothing about it.
            let is_met =
                |after: &&ComparablePath| !matches!(self.on, RunScope::Until(_)) || before.is_ended || after.is_ended;
            for after in after.iter().filter(may_start).filter(is_met) {
                if round.steps > most {
                    round.stop(Stop::of("it takes too many steps"));
                    break;
                }
                round.members[1].extend(&after.path.members);
                self.pair(before, after, &mut round);
            }
        }
        if round.met.is_empty()
            && let Some(size) = untried_size(self.old, &round.members[0], &paths)
        {
            round.stop(Stop::of(format!("no collection of {size} elements was tried, which the code asks for")));
        }
        let tested = round.tested_in_base.clone();
        let mut narrowing = Narrowing::of(|known| self.trial(known, &tested), most / NARROWING);
        round.told(|what, asked, when, excluded| narrowing.narrowed(what, asked, when, excluded))
    }

    /// Runs both sides under these conditions, with the calls whose results base tests.
    fn trial(&self, known: &[Cond], tested: &BTreeSet<u128>) -> Trial {
        let (paths, is_complete) = self.before(known, HEAD);
        let mut trial = Trial { steps: steps_of(&paths), is_complete, ..Trial::default() };
        let given = known.iter().map(|cond| Taken { cond: cond.clone(), site: None });
        for mut before in paths {
            before.conditions.splice(0..0, given.clone());
            let (after, is_complete) = self.after(&conditions(&before.conditions));
            trial.steps += steps_of(&after);
            trial.is_complete &= is_complete;
            for after in &after {
                let mut round = Round { tested_in_base: tested.clone(), ..Round::default() };
                self.pair(&before, after, &mut round);
                trial.steps += round.steps;
                trial.is_open |= !round.found.stopped.is_empty();
                let (is_refused, holds) = (fails(&before) && fails(after), holding(&before, after));
                match round.met.pop() {
                    Some(met) => {
                        trial.told.insert(met.change.what.clone());
                        trial.usual.extend((!met.change.seldom).then(|| met.change.what.clone()));
                        trial.paths.extend((!is_refused).then_some((met.change.what, holds)));
                    }
                    None if round.found.alike > 0 && is_refused => trial.is_refused_alike = true,
                    None => trial.alike.extend((round.found.alike > 0).then_some(holds)),
                }
            }
        }
        trial
    }

    /// Compares a path of base with a path of head that starts from the conditions of base's path.
    fn pair(&self, before: &ComparablePath, after: &ComparablePath, round: &mut Round) {
        // It is unknown whether a call with other arguments fails too, so no difference is derived if one call fails
        // and the other does not.
        if fails_apart(before, after) {
            return;
        }
        let later = diverging_in_time(before, after);
        let mut known = conditions(&before.conditions);
        known.extend(conditions(&after.conditions));
        let mut on = Assignments::of(&known);
        let told = self.compared((before, after), &mut on, round);
        let (what, after_again) = match told {
            Comparison::Alike => {
                round.steps += on.work() / SEARCHED;
                round.alike(before, after, self.comes_by(before, after));
                return;
            }
            // A condition that only head tests may also decide what base does, although base does not test it. So base
            // runs again under the conditions of both paths.
            Comparison::Differs(_) | Comparison::Open(_) if !after.conditions.is_empty() => {
                let (again, _) = self.before(&known, HEAD);
                round.steps += steps_of(&again);
                match again.as_slice() {
                    // Base does not test again the conditions that it starts from, so they are added.
                    [only] => {
                        let mut whole = only.clone();
                        whole.conditions = before.conditions.iter().chain(&only.conditions).cloned().collect();
                        let mut told = self.compared((only, after), &mut on, round);
                        // Head also runs again under the conditions of both paths.
                        if !matches!(told, Comparison::Alike) {
                            let (again, _) = self.after(&known);
                            round.steps += steps_of(&again);
                            if let [after] = again.as_slice() {
                                told = self.compared((only, after), &mut on, round);
                            }
                        }
                        (told, Some(whole))
                    }
                    _ => (Comparison::Open("base may go more than one way there".to_owned()), None),
                }
            }
            told => (told, None),
        };
        round.steps += on.work() / SEARCHED;
        let before = after_again.as_ref().unwrap_or(before);
        let what = match (what, later) {
            (Comparison::Differs(_), Some(call)) => {
                Comparison::Open(format!("whether `{}` gives something else by then is not known", call.words))
            }
            (what, _) => what,
        };
        match what {
            Comparison::Alike => round.alike(before, after, self.comes_by(before, after)),
            Comparison::Differs(difference) => self.tell(before, after, &difference, round),
            Comparison::Open(why) => {
                let site = after.path.exit.map(|site| place(self.new.bench.subject, site));
                round.stop(Stop {
                    what: why,
                    file: site.as_ref().map(|site| site.file.clone()),
                    line: site.as_ref().map(|site| site.line),
                });
            }
        }
    }

    /// Whether a pair of paths tests a condition in a changed part.
    fn comes_by(&self, before: &ComparablePath, after: &ComparablePath) -> bool {
        let tests = [before, after]
            .into_iter()
            .enumerate()
            .flat_map(|(side, ended)| ended.asked.iter().map(move |one| (side, one)));
        let mut sites = tests.filter_map(|(side, one)| Some((side, one.site?)));
        sites.any(|(side, site)| self.changed.nearness(side, site) == Nearness::Part)
    }

    fn compared(
        &self,
        (before, after): (&ComparablePath, &ComparablePath),
        on: &mut Assignments<'_>,
        round: &mut Round,
    ) -> Comparison {
        for ended in [before, after] {
            if let Outcome::Cut(bound) = ended.path.outcome {
                return Comparison::Open(bound.describe().to_owned());
            }
            if let Some(why) = ended.conditions.iter().find_map(|taken| left_open(&taken.cond)) {
                return Comparison::Open(why);
            }
        }
        // A doubt that both sides have affects both alike.
        let mut doubts = before.path.doubts.symmetric_difference(&after.path.doubts);
        if let Some(doubt) = doubts.next() {
            return Comparison::Open(doubt.to_string());
        }
        let answer = answers(before, after, on);
        let events = match &answer {
            Comparison::Differs(Difference { of: DifferenceKind::Status, .. }) => Comparison::Alike,
            _ => events((before, after), on),
        };
        if !matches!((&answer, &events), (Comparison::Alike, Comparison::Alike)) {
            let all = [&before.given, &after.given].into_iter().flatten();
            let happened = before.events.iter().chain(&after.events);
            let own = happened.clone().map(|event| event.callee.clone());
            let operands = happened.flat_map(|event| &event.operands);
            let thrown = [&before.thrown, &after.thrown].into_iter().flatten().map(|(_, object)| object);
            let calls = all.chain(operands).chain(thrown).flat_map(difference::calls).map(|call| call.callee.clone());
            round.blamed.extend(calls.chain(own).filter(|callee| callee.contains('#')));
        }
        match (answer, events) {
            (Comparison::Alike, Comparison::Alike) => match handed_otherwise(&before.quiet, &after.quiet) {
                Some(call) => {
                    Comparison::Open(format!("whether `{call}` fails with what it is handed now is not known"))
                }
                None => Comparison::Alike,
            },
            (Comparison::Differs(_), _) | (_, Comparison::Differs(_))
                if let Some(why) = replaced_condition((before, after), &round.calls) =>
            {
                Comparison::Open(why)
            }
            // If an exception ended one side, the exception is more informative than the calls that this side lacks.
            (told @ Comparison::Differs(_), Comparison::Differs(Difference { of, .. }))
                if is_of_calls(&of) && is_cut_short(before, after) =>
            {
                told
            }
            // An added or removed call is more informative than its consequences.
            (Comparison::Differs(_), Comparison::Differs(told)) if is_of_calls(&told.of) => Comparison::Differs(told),
            // A field that a call receives unset comes back in the answer as whatever the call left there.
            (Comparison::Differs(answer), Comparison::Differs(argument)) if comes_back_unset(&answer, &argument) => {
                Comparison::Differs(argument)
            }
            (told @ Comparison::Differs(_), _) | (_, told @ Comparison::Differs(_)) => told,
            (told @ Comparison::Open(_), _) | (_, told) => told,
        }
    }

    /// Rewords a difference of a void method, whose result only says that execution continues.
    fn without_result(&self, mut difference: Difference) -> Difference {
        let member = self.on.member().map(|member| self.new.bench.subject.project.member(member));
        let is_void = member.is_some_and(|facts| {
            facts.kind == MemberKind::Method && facts.ty.as_ref().is_none_or(|ty| ty.simple() == "void")
        });
        if is_void && difference.of == DifferenceKind::Given && difference.place.is_empty() {
            for end in [&mut difference.before, &mut difference.after].into_iter().filter(|end| *end == "null") {
                *end = GOES_ON.to_owned();
            }
        }
        difference
    }

    fn tell(&self, before: &ComparablePath, after: &ComparablePath, difference: &Difference, round: &mut Round) {
        let told_first = difference;
        // Two calls of one method give different results only if their arguments differ, so the arguments are the
        // change.
        // Where base tests the call of head too, on this path or another, what it does with the results is the change.
        let at_odds = diverging_calls(before, after).filter(|odds| !round.tested_in_base.contains(&odds.calls.1.key));
        let own = at_odds.as_ref().filter(|odds| !is_made(before, &odds.calls.1));
        let handed =
            own.and_then(|odds| innermost::handed_differently((&odds.calls.0, &odds.calls.1), &holding(before, after)));
        let is_handed = handed.is_some();
        let computed = matches!(&self.on, RunScope::Regions(regions) if regions[1].is_value)
            && difference.of == DifferenceKind::Given
            && difference.place.iter().all(|step| matches!(step, Step::Part(name) if name.is_empty()))
            && ![&difference.before, &difference.after].iter().any(|value| value.starts_with("throws "));
        let difference = &match handed {
            Some(handed) => handed,
            None if computed => Difference { of: DifferenceKind::Computed, ..difference.clone() },
            None => self.without_result(difference.clone()),
        };
        let what = said(difference);
        let of_call = difference.place.iter().rev().find_map(|step| match step {
            Step::Argument(method) => Some(method.clone()),
            _ => None,
        });
        let effect = match (&difference.of, difference.before.parse::<u16>(), difference.after.parse::<u16>()) {
            (DifferenceKind::Status, Ok(was), Ok(is)) => ChangeEffect::of_statuses(was, is),
            (DifferenceKind::Given, Ok(was), Ok(is)) if difference.place.last() == Some(&Step::Status) => {
                ChangeEffect::of_statuses(was, is)
            }
            _ => ChangeEffect::Unclear,
        };
        let what = match self.on.member() {
            Some(member) if matches!(&self.on, RunScope::Regions(regions) if regions[1].is_function) => {
                format!("{what}, in a function of `{}`", self.short(member))
            }
            Some(member) => format!("{what}, in `{}`", self.short(member)),
            None => what,
        };
        round.found.weight = round.found.weight.min(weight(difference));
        // The place in changed code where the decision is made, else the end of the path.
        let evidence = |at: usize, side: &Side<'_>, ended: &ComparablePath| {
            let is_changed = |site: &Site| self.changed.members[at].contains(&site.member);
            let asked = ended.conditions.iter().rev().filter_map(|taken| taken.site).find(is_changed);
            let site = ended.path.exit.filter(is_changed).or(asked);
            let site = site.or_else(|| self.changed.part_of(at, &ended.path.members)).or(ended.path.exit);
            site.map(|site| place(side.bench.subject, site)).or_else(|| Some(side.entry()))
        };
        let (evidence_before, evidence_after) = (evidence(0, self.old, before), evidence(1, self.new, after));
        let conditions = before.conditions.iter().chain(&after.conditions);
        for call in conditions.flat_map(|taken| rests_on(&taken.cond)).filter(|call| call.callee.contains('#')) {
            round.is_of_constants |= is_of_constants(&call);
            round.asked_of.insert(call.callee.clone());
        }
        let symbol = |place: &Option<Place>| place.as_ref().map(|place| place.symbol.clone());
        let way = format!("{what} {:?} {:?}", symbol(&evidence_before), symbol(&evidence_after));
        let tested = decisive(told_first, (before, after)).map(|all| {
            // What either side tests after the two calls have had different results follows from these.
            let odds = at_odds.as_ref().filter(|_| is_handed);
            let at = odds.and_then(|odds| all.iter().position(|taken| odds.conditions.contains(&taken.cond)));
            &all[..at.unwrap_or(all.len())]
        });
        let mut asked = asked(self.changed, tested, [&before.asked, &after.asked]);
        // That a look-up finds something is the usual case, but not by another argument than in base.
        for cond in found_by_others(before, after) {
            match asked.iter_mut().find(|(_, own)| own == cond) {
                Some(known) => known.0 = Nearness::Part,
                None => asked.push((Nearness::Part, cond.clone())),
            }
        }
        if let Some(odds) = at_odds {
            asked.retain(|(_, cond)| !odds.conditions.contains(cond));
        }
        // Of several calls that may fail, the first is the likeliest to fail, since the later ones may not be reached.
        let unlikely = Unlikely::of(before, after);
        let seldom = is_seldom(before, after);
        if let Some(met) = round.ways.get(&way).and_then(|at| round.met.get_mut(*at)) {
            met.change.seldom &= seldom;
            met.is_refused &= fails(before);
            if unlikely < met.unlikely {
                (met.unlikely, met.on_one, met.holds) = (unlikely, asked, holding(before, after));
            }
            met.apart = met.apart.max(apart(&before.events, &after.events));
            // A condition is decisive only if it holds on every path of the change.
            let holds = holding(before, after);
            met.asked.retain(|(_, cond)| holds.decides(cond) == Some(true));
            if met.paths.len() < MOST_ALIKE {
                met.paths.push(holds);
            }
            return;
        }
        let of_kind = round.met.iter().filter(|met| met.change.seldom == seldom).count();
        if of_kind >= MET {
            return;
        }
        round.ways.insert(way, round.met.len());
        let made = change(self.new, effect, what);
        let (was, is) = (Some(difference.before.clone()), Some(difference.after.clone()));
        let made = Change { before: was, after: is, evidence_before, evidence_after, seldom, ..made };
        let apart = apart(&before.events, &after.events);
        let (on_one, holds, is_refused) = (asked.clone(), holding(before, after), fails(before));
        let (weight, paths) = (weight(difference), vec![holds.clone()]);
        round.met.push(ChangeWithPaths {
            change: made,
            on_one,
            holds,
            paths,
            asked,
            unlikely,
            apart,
            is_refused,
            weight,
            of_call,
            is_vague: [&difference.before, &difference.after].iter().any(|value| *value == SEALED),
        });
    }

    fn short(&self, member: MemberId) -> String {
        let project = self.new.bench.subject.project;
        let facts = project.member(member);
        let name = if facts.kind == MemberKind::StaticInitializer { "static" } else { &facts.name };
        format!("{}#{name}", project.shown_name(member.ty))
    }
}

/// Whether a call takes constants alone.
fn is_of_constants(call: &Opaque) -> bool {
    let is_constant = |operand: &Canon| match operand {
        Canon::Term(term) => matches!(&**term, Term::Const(_)),
        operand => operand.is_mark(),
    };
    !call.operands.is_empty() && call.operands.iter().all(is_constant)
}

/// Whether only one side makes a call, or the sides make calls in another order or number.
fn is_of_calls(of: &DifferenceKind) -> bool {
    matches!(of, DifferenceKind::Call | DifferenceKind::Order | DifferenceKind::Times(_))
}

/// Whether one side ends in an exception before the other one does, if that does at all, and its events until then are those
/// of the other side.
fn is_cut_short(before: &ComparablePath, after: &ComparablePath) -> bool {
    // Which objects have changed by the end says nothing about the order.
    let calls = |ended: &ComparablePath| -> Vec<String> {
        ended.events.iter().filter(|event| event.left().is_none()).map(Event::text).collect()
    };
    let (was, is) = (calls(before), calls(after));
    let (cut, whole) = match (&before.thrown, &after.thrown) {
        (Some(_), None) => (was, is),
        (None, Some(_)) => (is, was),
        (Some(_), Some(_)) if was.len() < is.len() => (was, is),
        (Some(_), Some(_)) => (is, was),
        (None, None) => return false,
    };
    cut.len() < whole.len() && whole.starts_with(&cut)
}

/// Whether a field of the answer differs only because the object that a call received, and gave back, lacks it now.
fn comes_back_unset(answer: &Difference, argument: &Difference) -> bool {
    matches!(argument.of, DifferenceKind::Argument(_))
        && argument.after == "null"
        && answer.before == argument.before
        && answer.place.last() == argument.place.last()
}

/// Whether the result of a call is used on a path, in the answer or by another call.
fn is_made(ended: &ComparablePath, call: &Opaque) -> bool {
    let operands = ended.events.iter().flat_map(|event| &event.operands);
    ended.given.iter().chain(operands).flat_map(difference::calls).any(|one| one.key == call.key)
}

fn steps_of(paths: &[ComparablePath]) -> u64 {
    paths.iter().map(|ended| ended.path.steps).sum()
}

/// Whether a path ends in a null pointer exception without message and cause.
fn is_null_pointer(ended: &ComparablePath) -> bool {
    let is_silent = |object: &Canon| matches!(object, Canon::Object(_, parts) if parts.is_empty());
    matches!(&ended.thrown, Some((class, object)) if &**class == "java.lang.NullPointerException" && is_silent(object))
}

fn conditions(taken: &[Taken]) -> Vec<Cond> {
    taken.iter().map(|taken| taken.cond.clone()).collect()
}

//! Base and head joined: both run together on open inputs, sharing inputs, choices, conditions and opaque values, so that unchanged code cancels
//! (differential symbolic execution: Person and others, FSE 2008; SymDiff: Lahiri and others, CAV 2012).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::changed::{ChangedCode, Nearness};
use super::parts::{self, Assignments, Difference, Of, Step, Told};
use super::reach::Reach;
use super::side::{Side, change};
use super::words::{Weight, said, weight};
use crate::derive::judge::oracle::place;
use crate::java::body::BinaryOp;
use crate::java::facts::MemberKind;
use crate::java::ids::MemberId;
use crate::java::interpret::condition::Cond;
use crate::java::interpret::function::Function;
use crate::java::interpret::known::Known;
use crate::java::interpret::opaque::calls::{HANDED, QUERY};
use crate::java::interpret::opaque::expand::SIZE;
use crate::java::interpret::opaque::state::{Event, says_failing};
use crate::java::interpret::path::{Outcome, Site, Taken};
use crate::java::interpret::region::Region;
use crate::java::interpret::term::{Canon, Opaque, Origin, Term};
use crate::java::interpret::{Bounds, Covered};
use crate::runtime::server::opaquely::{ANY_EXCEPTION, Ended, Start};
use crate::types::change::{Change, ChangeEffect};
use crate::types::compared::Stop;

/// How often members are opened that a comparison depends on.
const ROUNDS: usize = 4;

/// How often where a member is compared by itself: an operation that it decides is compared behind it.
const ROUNDS_ALONE: usize = 2;

/// Changes that are told of one operation, at most.
const TOLD: usize = 6;

/// Changes after which no further path is looked at.
const ENOUGH: usize = 3;

/// Ways on which both are alike that are remembered, at most.
const MOST_ALIKE: usize = 60;

/// Stops that are named, at most.
const NAMED: usize = 8;

/// Bounds of one run of base, and of head on one of its paths.
const BASE: Bounds =
    Bounds { depth: 80, forks: 30, paths: 200, steps: 60_000, total_steps: 400_000, turns: 3, cells: 200_000 };
const HEAD: Bounds = Bounds { paths: 24, total_steps: 120_000, ..BASE };
const ALONE: Bounds = Bounds { paths: 80, total_steps: 100_000, ..BASE };

/// Steps of one round of a comparison at most, and of one of a member by itself.
pub(super) const STEPS: u64 = 400_000;
const STEPS_ALONE: u64 = 200_000;

/// What the product came to.
#[derive(Debug, Clone, Default)]
pub struct Product {
    /// What differs.
    pub changes: Vec<Change>,
    /// What kept the revisions from being called the same.
    pub stopped: BTreeSet<Stop>,
    /// Changed inputs that nothing compared.
    pub open_inputs: Vec<String>,
    /// Joint paths on which both are alike.
    pub alike: usize,
    /// The greatest weight among the changes.
    pub weight: Weight,
}

/// Adds what ran elsewhere.
pub fn join(all: &mut [Ran; 2], own: [Ran; 2]) {
    for (all, own) in all.iter_mut().zip(own) {
        all.0.extend(own.0);
        all.1.asked.extend(own.1.asked);
        all.1.ways.extend(own.1.ways);
    }
}

/// Members that ran, with what of them did.
pub type Ran = (BTreeSet<MemberId>, Covered);

/// Base and head of one operation, run together.
pub(super) struct Joint<'j> {
    pub(super) old: &'j Side<'j>,
    pub(super) new: &'j Side<'j>,
    pub(super) reaches: &'j (Reach<'j>, Reach<'j>),
    pub(super) changed: &'j ChangedCode,
    pub(super) on: On,
    /// Steps that one round may take where an operation is run.
    pub(super) steps: u64,
}

/// What is run of both sides.
#[derive(Debug, Clone)]
pub(super) enum On {
    /// The operation.
    Operation,
    /// A member of each.
    Members([MemberId; 2]),
    /// A part of a member of each.
    Regions(Box<[Region; 2]>),
}

impl On {
    fn start(&self, side: usize) -> Start<'_> {
        match self {
            Self::Operation => Start::Operation,
            Self::Members(members) => Start::Member(members[side]),
            Self::Regions(regions) => Start::Region(&regions[side]),
        }
    }

    /// The member of head that is run, or part of which is.
    fn member(&self) -> Option<MemberId> {
        match self {
            Self::Operation => None,
            Self::Members([_, member]) => Some(*member),
            Self::Regions(regions) => Some(regions[1].member),
        }
    }
}

/// What one round of running both came to.
#[derive(Default)]
struct Round {
    found: Product,
    /// Members that ran on each side.
    members: [BTreeSet<MemberId>; 2],
    /// Members of the project that are not followed, and on which a difference rests.
    blamed: BTreeSet<Rc<str>>,
    /// The changes by what they say and where, with their places in the list.
    ways: BTreeMap<String, usize>,
    /// Of each change what was asked on every way on which it was met, with how near to what changed.
    asked: Vec<Vec<(Nearness, Cond)>>,
    /// The same on the way on which it was met first.
    first_asked: Vec<Vec<(Nearness, Cond)>>,
    /// Of each change whether every way on which it was met is one that callers hardly take, or that says little: something is null, a call fails, or
    /// base fails too.
    seldom: Vec<bool>,
    /// Of each change how many things that are made fail on the way of the first conditions.
    makers: Vec<usize>,
    /// What holds on ways on which both are alike, some of them.
    alike: Vec<Known>,
    /// Steps that were taken.
    steps: u64,
}

impl Joint<'_> {
    /// Runs both, and opens what a difference rests on, until nothing is left to open.
    pub(super) fn best(&self) -> (Product, [Ran; 2]) {
        let mut best: Option<(Product, [Ran; 2])> = None;
        // Whether what is told is met by callers who do nothing wrong.
        let mut is_usual = false;
        let rounds = if self.on.member().is_some() { ROUNDS_ALONE } else { ROUNDS };
        for _ in 0..rounds {
            let (codes_old, codes_new) = (&self.old.bench.codes, &self.new.bench.codes);
            let ((round, of_old), of_new) = codes_new.covering(|| codes_old.covering(|| self.run()));
            let Round { found, members: [old, new], blamed, seldom, .. } = round;
            let is_same = found.changes.is_empty() && found.stopped.is_empty();
            let tells_usual = seldom.contains(&false);
            // A round that follows more and tells nothing, or only what callers hardly meet, takes back nothing that an assignment has shown.
            let says_more = tells_usual || (!is_usual && !found.changes.is_empty());
            if best.as_ref().is_none_or(|(best, _)| is_same || says_more || best.changes.is_empty()) {
                best = Some((found, [(old, of_old), (new, of_new)]));
                is_usual = tells_usual;
            }
            let opened = [self.reaches.0.open(&blamed), self.reaches.1.open(&blamed)];
            if is_same || !opened.contains(&true) {
                break;
            }
        }
        best.unwrap_or_default()
    }

    fn before(&self, known: &[Cond], bounds: Bounds) -> (Vec<Ended>, bool) {
        self.old.bench.opaquely(self.on.start(0), &self.reaches.0, known, bounds)
    }

    fn after(&self, known: &[Cond]) -> (Vec<Ended>, bool) {
        self.new.bench.opaquely(self.on.start(1), &self.reaches.1, known, HEAD)
    }

    fn run(&self) -> Round {
        let mut round = Round::default();
        let (bounds, most) = if self.on.member().is_some() { (ALONE, STEPS_ALONE) } else { (BASE, self.steps) };
        let (mut paths, complete) = self.before(&[], bounds);
        round.steps = steps_of(&paths);
        // What callers meet who do nothing wrong comes first.
        paths.sort_by_key(fails);
        if !complete {
            round.stop(Stop::of("there are more paths than were followed"));
        }
        // Nobody ships what never gets further than a null pointer: something was not seen that sets it.
        let entry = self.old.bench.subject.endpoint.entry;
        let mut handled = paths.iter().filter(|ended| ended.path.members.contains(&entry)).peekable();
        if matches!(self.on, On::Operation) && handled.peek().is_some() && handled.all(is_null_pointer) {
            round.stop(Stop::of("it always meets a null pointer, as far as it was followed"));
        }
        for before in &paths {
            round.members[0].extend(&before.path.members);
            // What shows where nothing is amiss says more: it is looked for a while longer.
            let usual = round.seldom.iter().filter(|seldom| !**seldom).count();
            if usual >= ENOUGH || (round.found.changes.len() >= ENOUGH && round.steps > most / 4) {
                break;
            }
            if round.steps > most {
                round.stop(Stop::of("it takes too many steps"));
                break;
            }
            // What base does not come to the end of is held against nothing.
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
            for after in &after {
                if round.steps > most {
                    round.stop(Stop::of("it takes too many steps"));
                    break;
                }
                round.members[1].extend(&after.path.members);
                self.pair(before, after, &mut round);
            }
        }
        let ways = round.asked.iter().zip(&round.first_asked);
        for (made, (asked, first)) in round.found.changes.iter_mut().zip(ways) {
            // What decides stands in what changed, or was seen not to hold where both are alike.
            let decides = |(near, cond): &&(Nearness, Cond)| {
                *near == Nearness::Part || round.alike.iter().any(|known| known.decides(cond) == Some(false))
            };
            let deciding =
                |asked: &[(Nearness, Cond)]| asked.iter().filter(decides).cloned().collect::<Vec<(Nearness, Cond)>>();
            // Where some ways are alike, it takes something to differ.
            let mut asked = deciding(asked);
            if asked.is_empty() && round.found.alike > 0 {
                asked = deciding(first);
            }
            let when = when(&asked);
            if !when.is_empty() {
                made.what = format!("{} ({when})", made.what);
            }
        }
        let changes = std::mem::take(&mut round.found.changes);
        let mut told: Vec<(bool, Change)> = round.seldom.iter().copied().zip(changes).collect();
        told.sort_by_key(|(seldom, _)| *seldom);
        round.found.changes = told.into_iter().map(|(seldom, made)| Change { seldom, ..made }).collect();
        round
    }

    /// Compares one path of base with one of head that takes the same way.
    fn pair(&self, before: &Ended, after: &Ended, round: &mut Round) {
        let mut known = conditions(&before.conditions);
        known.extend(conditions(&after.conditions));
        let told = self.compared(before, after, &known, round);
        let (what, after_again) = match told {
            Told::Alike => {
                round.alike(before, after);
                return;
            }
            // What head alone asks may decide in base too, where nothing asked.
            Told::Differs(_) | Told::Open(_) if !after.conditions.is_empty() => {
                let (again, _) = self.before(&known, HEAD);
                round.steps += steps_of(&again);
                match again.as_slice() {
                    // What it was told to hold it does not ask again.
                    [only] => {
                        let mut whole = only.clone();
                        whole.conditions = before.conditions.iter().chain(&only.conditions).cloned().collect();
                        (self.compared(only, after, &known, round), Some(whole))
                    }
                    _ => (Told::Open("base may go more than one way there".to_owned()), None),
                }
            }
            told => (told, None),
        };
        let before = after_again.as_ref().unwrap_or(before);
        match what {
            Told::Alike => round.alike(before, after),
            Told::Differs(difference) => self.tell(before, after, &difference, round),
            Told::Open(why) => {
                let site = after.path.exit.map(|site| place(self.new.bench.subject, site));
                round.stop(Stop {
                    what: why,
                    file: site.as_ref().map(|site| site.file.clone()),
                    line: site.as_ref().map(|site| site.line),
                });
            }
        }
    }

    fn compared(&self, before: &Ended, after: &Ended, known: &[Cond], round: &mut Round) -> Told {
        for ended in [before, after] {
            if let Outcome::Cut(bound) = ended.path.outcome {
                return Told::Open(bound.describe().to_owned());
            }
            if let Some(why) = ended.conditions.iter().find_map(|taken| left_open(&taken.cond)) {
                return Told::Open(why);
            }
        }
        // What both leave open is the same on both.
        let mut doubts = before.path.doubts.symmetric_difference(&after.path.doubts);
        if let Some(doubt) = doubts.next() {
            return Told::Open(doubt.to_string());
        }
        let mut on = Assignments::of(known);
        let answer = answers(before, after, &mut on);
        let events = match &answer {
            Told::Differs(Difference { of: Of::Status, .. }) => Told::Alike,
            _ => events(&before.events, &after.events, &mut on),
        };
        if !matches!((&answer, &events), (Told::Alike, Told::Alike)) {
            let all = [&before.given, &after.given].into_iter().flatten();
            let happened = before.events.iter().chain(&after.events);
            let own = happened.clone().map(|event| event.callee.clone());
            let operands = happened.flat_map(|event| &event.operands);
            let thrown = [&before.thrown, &after.thrown].into_iter().flatten().map(|(_, object)| object);
            let calls = all.chain(operands).chain(thrown).flat_map(parts::calls).map(|call| call.callee.clone());
            round.blamed.extend(calls.chain(own).filter(|callee| callee.contains('#')));
        }
        match (answer, events) {
            (Told::Alike, Told::Alike) => match handed_otherwise(&before.quiet, &after.quiet) {
                Some(call) => Told::Open(format!("whether `{call}` fails with what it is handed now is not known")),
                None => Told::Alike,
            },
            (Told::Differs(_), _) | (_, Told::Differs(_)) if let Some(why) = otherwise(before, after) => {
                Told::Open(why)
            }
            // What is called, or no longer called, says more than what that leaves behind.
            (Told::Differs(_), told @ Told::Differs(Difference { of: Of::Call, .. })) => told,
            (told @ Told::Differs(_), _) | (_, told @ Told::Differs(_)) => told,
            (told @ Told::Open(_), _) | (_, told) => told,
        }
    }

    fn tell(&self, before: &Ended, after: &Ended, difference: &Difference, round: &mut Round) {
        // That two calls of one method say different things needs that they are handed different things: that is the change.
        let at_odds = at_odds(before, after);
        let handed = at_odds.as_ref().and_then(|odds| parts::handed_differently(&odds.calls.0, &odds.calls.1));
        let computed = matches!(&self.on, On::Regions(regions) if regions[1].is_value)
            && difference.of == Of::Given
            && difference.place.iter().all(|step| matches!(step, Step::Part(name) if name.is_empty()))
            && ![&difference.before, &difference.after].iter().any(|value| value.starts_with("throws "));
        let difference = &match handed {
            Some(handed) => handed,
            None if computed => Difference { of: Of::Computed, ..difference.clone() },
            None => difference.clone(),
        };
        let what = said(difference);
        let effect = match (&difference.of, difference.before.parse::<u16>(), difference.after.parse::<u16>()) {
            (Of::Status, Ok(was), Ok(is)) => ChangeEffect::of_statuses(was, is),
            (Of::Given, Ok(was), Ok(is)) if difference.place.last() == Some(&Step::Status) => {
                ChangeEffect::of_statuses(was, is)
            }
            _ => ChangeEffect::Unclear,
        };
        let what = match self.on.member() {
            Some(member) => format!("{what}, in `{}`", self.short(member)),
            None => what,
        };
        round.found.weight = round.found.weight.min(weight(difference));
        // Where it is decided in what changed, else where the path ends.
        let evidence = |at: usize, side: &Side<'_>, ended: &Ended| {
            let is_changed = |site: &Site| self.changed.members[at].contains(&site.member);
            let asked = ended.conditions.iter().rev().filter_map(|taken| taken.site).find(is_changed);
            let site = ended.path.exit.filter(is_changed).or(asked).or(ended.path.exit);
            site.map(|site| place(side.bench.subject, site)).or_else(|| Some(side.entry()))
        };
        let (evidence_before, evidence_after) = (evidence(0, self.old, before), evidence(1, self.new, after));
        let way = format!("{what} {evidence_before:?} {evidence_after:?}");
        let mut asked = self.asked(before, after);
        if let Some(odds) = at_odds {
            asked.retain(|(_, cond)| !odds.conditions.contains(cond));
        }
        let seldom = before.conditions.iter().chain(&after.conditions).any(|taken| is_seldom(&taken.cond))
            || (fails(before) && fails(after));
        let makers = failing_makers(before, after);
        if let Some(known) = round.ways.get(&way).copied() {
            round.seldom[known] &= seldom;
            if makers < round.makers[known] {
                round.makers[known] = makers;
                round.first_asked[known] = asked;
            }
            // What does not hold on another way decides nothing.
            let holds = holding(before, after);
            round.asked[known].retain(|(_, cond)| holds.decides(cond) == Some(true));
            return;
        }
        let of_kind = round.seldom.iter().filter(|known| **known == seldom).count();
        if round.found.changes.len() >= TOLD || (seldom && of_kind >= ENOUGH) {
            return;
        }
        round.seldom.push(seldom);
        round.makers.push(makers);
        round.ways.insert(way, round.found.changes.len());
        round.first_asked.push(asked.clone());
        round.asked.push(asked);
        let mut made = change(self.new, effect, what);
        (made.before, made.after) = (Some(difference.before.clone()), Some(difference.after.clone()));
        (made.evidence_before, made.evidence_after) = (evidence_before, evidence_after);
        round.found.changes.push(made);
    }

    fn short(&self, member: MemberId) -> String {
        let project = self.new.bench.subject.project;
        // An anonymous class is known by the one around it.
        let mut ty = member.ty;
        while let (true, Some(outer)) = (project.ty(ty).name.is_empty(), project.outer(ty)) {
            ty = outer;
        }
        let facts = project.member(member);
        let name = if facts.kind == MemberKind::StaticInitializer { "static" } else { &facts.name };
        format!("{}#{name}", project.ty(ty).name)
    }

    /// What is asked where it differs, each once, with how near to what changed.
    fn asked(&self, before: &Ended, after: &Ended) -> Vec<(Nearness, Cond)> {
        let is_usual = |cond: &Cond| matches!(cond, Cond::Input(..) | Cond::IsNull(_)) || says_failing(cond);
        let is_telling = |cond: &Cond| !matches!(cond, Cond::Not(inner) if is_usual(inner));
        let mut all: Vec<(Nearness, Cond)> = Vec::new();
        for (side, ended) in [before, after].into_iter().enumerate() {
            for taken in ended.conditions.iter().filter(|taken| is_telling(&taken.cond)) {
                let Some(site) = taken.site else { continue };
                let near = self.changed.nearness(side, site);
                match all.iter_mut().find(|(_, known)| known.to_string() == taken.cond.to_string()) {
                    Some(known) => known.0 = known.0.max(near),
                    None => all.push((near, taken.cond.clone())),
                }
            }
        }
        all
    }
}

/// Whether a condition is one that callers hardly meet: something is null, a call that is not followed fails, or one that is handed null finds something.
fn is_seldom(cond: &Cond) -> bool {
    let takes_null = || {
        let mut opaque = Vec::new();
        cond.opaque(&mut opaque);
        opaque.iter().any(|one| one.origin == Origin::Call && one.operands.contains(&Canon::null()))
    };
    matches!(cond, Cond::IsNull(_)) || says_failing(cond) || (!matches!(cond, Cond::Not(_)) && takes_null())
}

/// How many things that are made, rather than collaborators that are called, fail on a path.
fn failing_makers(before: &Ended, after: &Ended) -> usize {
    let makes = |cond: &Cond| {
        let mut opaque = Vec::new();
        cond.opaque(&mut opaque);
        says_failing(cond) && opaque.iter().any(|one| one.callee.contains("<init>"))
    };
    before.conditions.iter().chain(&after.conditions).filter(|taken| makes(&taken.cond)).count()
}

/// The number of elements that a condition is on.
fn counted(cond: &Cond) -> Option<&Term> {
    let is_size = |term: &&Rc<Term>| match &***term {
        Term::Opaque(part) => part.origin == Origin::Part && &*part.callee == SIZE,
        Term::Apply(Function::Size, _) => true,
        _ => false,
    };
    let Cond::Compare(_, _, a, b) = plain(cond) else { return None };
    [a, b].into_iter().find(is_size).map(|term| &**term)
}

/// What holds on one way of both.
fn holding(before: &Ended, after: &Ended) -> Known {
    let mut holds = Known::default();
    before.conditions.iter().chain(&after.conditions).for_each(|taken| holds.add(taken.cond.clone()));
    holds
}

/// Whether a path ends in an exception, or in an answer that is an error.
fn fails(ended: &Ended) -> bool {
    ended.thrown.is_some() || ended.status.is_some_and(|status| status >= 400)
}

/// Two calls of one method that are answered differently.
struct Odds {
    /// The calls in base and head.
    calls: (Rc<Opaque>, Rc<Opaque>),
    /// What is asked of either.
    conditions: Vec<Cond>,
}

/// Whether base and head ask the same of two calls of one method and are answered differently: that head hands over something else is the cause, and not
/// what either call says.
fn at_odds(before: &Ended, after: &Ended) -> Option<Odds> {
    // The question without what is handed over, with the calls that it is about.
    type Question = (Vec<Rc<Opaque>>, String, Cond);
    let asked = |own: &Ended, other: &Ended| -> Vec<Question> {
        let known: Vec<&Cond> = other.conditions.iter().map(|taken| &taken.cond).collect();
        let only = own
            .conditions
            .iter()
            .filter(|taken| !known.contains(&&taken.cond) && !known.contains(&&taken.cond.negate()));
        let of = |taken: &Taken| {
            let mut opaque = Vec::new();
            taken.cond.opaque(&mut opaque);
            let calls = opaque.into_iter().filter(|one| one.origin == Origin::Call).collect();
            (calls, without_handed(&taken.cond.to_string()), taken.cond.clone())
        };
        only.map(of).filter(|(calls, ..): &Question| !calls.is_empty()).collect()
    };
    let (was, is) = (asked(before, after), asked(after, before));
    let is_one = |calls: &[Rc<Opaque>], other: &[Rc<Opaque>]| {
        calls.len() == other.len() && calls.iter().zip(other).all(|(a, b)| a.callee == b.callee)
    };
    let mut both = was.iter().flat_map(|was| is.iter().map(move |is| (was, is)));
    let ((old, ..), (new, ..)) = both.find(|(was, is)| is_one(&was.0, &is.0) && was.1 != is.1)?;
    // The outermost: what is handed to it may come from others.
    let depth = |call: &Rc<Opaque>| parts::calls(&Canon::Term(Rc::new(Term::Opaque(call.clone())))).len();
    let differing = old.iter().zip(new).filter(|(a, b)| a.key != b.key);
    let calls = differing.max_by_key(|(a, _)| depth(a)).map(|(a, b)| (a.clone(), b.clone()))?;
    let about = |(calls, _, cond): &Question| calls.iter().any(|one| one.callee == old[0].callee).then(|| cond.clone());
    let conditions = was.iter().chain(&is).filter_map(about).collect();
    Some(Odds { calls, conditions })
}

/// Words without what stands in brackets.
fn without_handed(words: &str) -> String {
    let mut deep = 0_usize;
    let kept = words.chars().filter(|one| {
        match one {
            '(' => deep += 1,
            ')' => deep = deep.saturating_sub(1),
            _ => return deep == 0,
        }
        false
    });
    kept.collect()
}

/// When it differs, in words: what was asked nearest to what changed; two conditions at most.
fn when(asked: &[(Nearness, Cond)]) -> String {
    let nearest = asked.iter().map(|(near, _)| *near).max();
    let mut chosen: Vec<Cond> = Vec::new();
    for (_, cond) in asked.iter().filter(|(near, _)| Some(*near) == nearest) {
        // Of how many elements a collection has the last word is enough.
        chosen.retain(|known| counted(known).is_none() || counted(known) != counted(cond));
        let met = chosen.iter().enumerate().find_map(|(at, known)| Some((at, meeting(known, cond)?)));
        match met {
            Some((at, value)) => chosen[at] = value,
            None => chosen.push(cond.clone()),
        }
    }
    let words: Vec<String> = chosen.iter().map(Cond::to_string).collect();
    words[words.len().saturating_sub(2)..].join(" and ")
}

/// The only value that two bounds leave.
fn meeting(one: &Cond, other: &Cond) -> Option<Cond> {
    let (Cond::Compare(op, prim, term, bound), Cond::Compare(other_op, _, other_term, other_bound)) = (one, other)
    else {
        return None;
    };
    let is_closed = matches!((op, other_op), (BinaryOp::Ge, BinaryOp::Le) | (BinaryOp::Le, BinaryOp::Ge));
    (is_closed && term == other_term && bound == other_bound)
        .then(|| Cond::Compare(BinaryOp::Eq, *prim, term.clone(), bound.clone()))
}

fn steps_of(paths: &[Ended]) -> u64 {
    paths.iter().map(|ended| ended.path.steps).sum()
}

impl Round {
    /// Counts a way on which both are alike, and keeps what holds on it.
    fn alike(&mut self, before: &Ended, after: &Ended) {
        self.found.alike += 1;
        if self.alike.len() < MOST_ALIKE {
            self.alike.push(holding(before, after));
        }
    }

    fn stop(&mut self, stop: Stop) {
        if self.found.stopped.len() < NAMED {
            self.found.stopped.insert(stop);
        }
    }
}

/// Why a difference is none for certain: one side asks a call that the other does not know, in place of what that one asks.
fn otherwise(before: &Ended, after: &Ended) -> Option<String> {
    type Asked = BTreeMap<String, BTreeSet<Rc<str>>>;
    // A condition and its contrary ask the same.
    let asked = |ended: &Ended| -> Asked {
        let of = |cond: &Cond| {
            let mut opaque = Vec::new();
            cond.opaque(&mut opaque);
            // What a lambda is handed is no element of a loop.
            let is_asked = |one: &&Rc<Opaque>| one.origin == Origin::Call || one.callee.contains(HANDED);
            let calls = opaque.iter().filter(is_asked).map(|one| one.callee.clone()).collect();
            (format!("{cond:?}").min(format!("{:?}", cond.negate())), calls)
        };
        ended.asked.iter().map(of).collect()
    };
    let (was, is) = (asked(before), asked(after));
    let strange = |own: &Asked, other: &Asked| {
        let known: BTreeSet<&Rc<str>> = other.values().flatten().collect();
        let instead = || other.iter().filter(|(cond, _)| !own.contains_key(*cond));
        let (replaces, replaces_by_call) = (instead().next().is_some(), instead().any(|(_, calls)| !calls.is_empty()));
        let only = own.iter().filter(|(cond, _)| !other.contains_key(*cond));
        let is_known = |call: &Rc<str>| known.iter().any(|other| **other == *call || parts::are_queries(call, other));
        let mut calls = only.flat_map(|(_, calls)| calls).filter(|call| !is_known(call));
        // What a store says cannot be asked of the request instead.
        calls.find(|call| if is_of_store(call) { replaces_by_call } else { replaces }).cloned()
    };
    let call = strange(&is, &was).or_else(|| strange(&was, &is))?;
    Some(format!("what `{call}` says is not held against what was asked in its place"))
}

/// Whether a callee is a query, or another method that a library gives a type of the project.
fn is_of_store(callee: &str) -> bool {
    let has_count = callee.rsplit_once('/').is_some_and(|(_, count)| count.parse::<u8>().is_ok());
    callee.contains(QUERY) || (callee.contains('#') && has_count)
}

/// A library's method that is called as often as before, with something else: nothing uses what it gives, but it may fail.
fn handed_otherwise(before: &[(Rc<str>, String)], after: &[(Rc<str>, String)]) -> Option<Rc<str>> {
    let of = |all: &[(Rc<str>, String)]| -> BTreeMap<Rc<str>, Vec<String>> {
        let mut found: BTreeMap<Rc<str>, Vec<String>> = BTreeMap::new();
        all.iter().for_each(|(callee, with)| found.entry(callee.clone()).or_default().push(with.clone()));
        found.values_mut().for_each(|with| with.sort());
        found
    };
    let (was, is) = (of(before), of(after));
    let mut both = was.iter().filter_map(|(callee, with)| Some((callee, with, is.get(callee)?)));
    both.find(|(_, was, is)| was.len() == is.len() && was != is).map(|(callee, ..)| callee.clone())
}

/// Whether a path ends where something is asked of null that the code made nothing else of.
fn is_null_pointer(ended: &Ended) -> bool {
    let is_silent = |object: &Canon| matches!(object, Canon::Object(_, parts) if parts.is_empty());
    matches!(&ended.thrown, Some((class, object)) if &**class == "java.lang.NullPointerException" && is_silent(object))
}

/// Why a condition is not known on both sides alike.
fn left_open(cond: &Cond) -> Option<String> {
    if let Cond::Unknown(_, why) = plain(cond) {
        return Some(why.to_string());
    }
    let mut opaque = Vec::new();
    cond.opaque(&mut opaque);
    opaque.iter().flat_map(|one| one.operands.iter()).find_map(Canon::unknown).map(|why| why.to_string())
}

fn plain(cond: &Cond) -> &Cond {
    match cond {
        Cond::Not(inner) => plain(inner),
        other => other,
    }
}

fn conditions(taken: &[Taken]) -> Vec<Cond> {
    taken.iter().map(|taken| taken.cond.clone()).collect()
}

/// Compares how two paths end, at the level that is known on both: the answer, else what was thrown.
fn answers(before: &Ended, after: &Ended, on: &mut Assignments<'_>) -> Told {
    if let (Some(was), Some(is)) = (before.status, after.status)
        && was != is
    {
        return match on.any() {
            true => Told::Differs(Difference {
                of: Of::Status,
                place: Vec::new(),
                before: was.to_string(),
                after: is.to_string(),
            }),
            false => Told::Open(format!("no values were found on which it answers {is} where it answered {was}")),
        };
    }
    match (&before.given, &after.given, &before.thrown, &after.thrown) {
        (Some(was), Some(is), _, _) => parts::compare(was, is, on),
        (None, None, Some((was, _)), Some((is, _)))
            if was != is && [was, is].iter().any(|one| &***one == ANY_EXCEPTION) =>
        {
            Told::Open("which exception is thrown is not known".to_owned())
        }
        (None, None, Some((was, old)), Some((is, new))) => {
            let classes = |name: &Rc<str>| Canon::Named(name.clone());
            match parts::compare(&classes(was), &classes(is), on) {
                Told::Alike => match parts::compare(old, new, on) {
                    Told::Differs(difference) => {
                        let class = is.rsplit(['.', '$']).next().unwrap_or(is);
                        Told::Differs(Difference { of: Of::Thrown(Rc::from(class)), ..difference })
                    }
                    told => told,
                },
                Told::Differs(_) => throws(format!("throws {was}"), format!("throws {is}")),
                told => told,
            }
        }
        (None, None, None, None) => Told::Open("what is answered is not known".to_owned()),
        (None, Some(is), Some((was, _)), None) if on.any() => throws(format!("throws {was}"), parts::words(is)),
        (Some(was), None, None, Some((is, _))) if on.any() => throws(parts::words(was), format!("throws {is}")),
        _ => Told::Open("what is answered is not known".to_owned()),
    }
}

/// What is called, in order.
fn callees(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| &*event.callee).collect()
}

fn throws(before: String, after: String) -> Told {
    Told::Differs(Difference { of: Of::Given, place: Vec::new(), before, after })
}

/// Whether an event is a call that does something: neither that an object is made, nor how one is left, nor a check.
fn says_much(event: &Event) -> bool {
    // Classes whose methods do no more than throw.
    const CHECKS: &[&str] = &[".Assert.", ".Preconditions.", ".Validate.", ".Objects."];
    event.left().is_none()
        && !event.callee.contains("<init>")
        && !CHECKS.iter().any(|class| event.callee.contains(class))
}

/// Whether an event gives no more than what another one of these is called on: `template.opsForValue()` before `.set(…)`.
fn leads_on(event: &Event, all: &[Event]) -> bool {
    let is_on = |other: &Event| match other.operands.first() {
        Some(Canon::Term(term)) => matches!(&**term, Term::Opaque(on) if on.callee == event.callee),
        _ => false,
    };
    all.iter().any(is_on)
}

/// Whether one of two calls takes away and the other puts, by their names.
fn undoes(was: &Event, is: &Event) -> bool {
    const TAKES: &[&str] = &["delete", "remove", "clear", "purge", "evict"];
    const PUTS: &[&str] = &["save", "insert", "add", "put", "create", "update", "persist", "store", "merge"];
    let begins = |event: &Event, verbs: &[&str]| {
        let name = event.callee.split(['/', '(']).next().unwrap_or_default();
        let name = name.rsplit(['.', '#']).next().unwrap_or_default();
        verbs.iter().any(|verb| name.starts_with(verb))
    };
    (begins(was, TAKES) && begins(is, PUTS)) || (begins(was, PUTS) && begins(is, TAKES))
}

/// Compares what happened outside.
fn events(before: &[Event], after: &[Event], on: &mut Assignments<'_>) -> Told {
    let (old, new): (Vec<String>, Vec<String>) =
        (before.iter().map(Event::text).collect(), after.iter().map(Event::text).collect());
    let unknown = before.iter().chain(after).flat_map(|event| &event.operands).find_map(Canon::unknown);
    if old == new {
        return unknown.map_or(Told::Alike, |why| Told::Open(why.to_string()));
    }
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (gone, come) = (&before[start..before.len() - end], &after[start..after.len() - end]);
    let telling = |all: &[Event]| -> Vec<Event> {
        all.iter().filter(|event| says_much(event) && !leads_on(event, all)).cloned().collect()
    };
    let (said_gone, said_come) = (telling(gone), telling(come));
    let texts = |all: &[Event]| -> Vec<String> { all.iter().map(Event::text).collect() };
    let (gone, come) = match texts(&said_gone) == texts(&said_come) {
        true => (gone, come),
        false => (said_gone.as_slice(), said_come.as_slice()),
    };
    let only = |event: &Event, is_new: bool| {
        let of = match event.left() {
            Some(object) => Of::Left(object),
            None => Of::Call,
        };
        let (before, after) =
            if is_new { (String::new(), event.words.to_string()) } else { (event.words.to_string(), String::new()) };
        Told::Differs(Difference { of, place: Vec::new(), before, after })
    };
    let told = match (gone, come) {
        ([], [first, ..]) => only(first, true),
        ([first, ..], []) => only(first, false),
        ([was, ..], [is, ..]) if was.callee == is.callee && was.operands.len() == is.operands.len() => {
            let mut told = Told::Alike;
            for (a, b) in was.operands.iter().zip(&is.operands) {
                match parts::compare(a, b, on) {
                    Told::Alike => {}
                    Told::Differs(difference) => {
                        let of = is.left().map_or_else(|| Of::Argument(is.words.clone()), Of::Left);
                        return Told::Differs(Difference { of, ..difference });
                    }
                    open => told = open,
                }
            }
            match told {
                // They are written otherwise, and come to the same.
                Told::Alike => return events(&gone[1..], &come[1..], on),
                told => told,
            }
        }
        ([was, rest @ ..], come) if callees(rest) == callees(come) => only(was, false),
        (gone, [is, rest @ ..]) if callees(gone) == callees(rest) => only(is, true),
        // Two methods of one collaborator may come to the same; of two of them they do not.
        ([was, ..], [is, ..])
            if was.callee != is.callee && (was.operands.first() != is.operands.first() || undoes(was, is)) =>
        {
            let (before, after) = (was.words.to_string(), is.words.to_string());
            Told::Differs(Difference { of: Of::Call, place: Vec::new(), before, after })
        }
        ([was, ..], [is, ..]) => Told::Open(format!("`{}` is not held against `{}`", is.words, was.words)),
        ([], []) => Told::Open("the order of what happens differs".to_owned()),
    };
    match told {
        Told::Differs(_) if !on.any() => Told::Open("no values were found that lead there".to_owned()),
        told => told,
    }
}

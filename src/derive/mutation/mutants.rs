//! Mutants, run by the interpreter: what becomes of each of them where committed oracles meet it.

use std::collections::BTreeMap;

use crate::derive::judge::noticed::{is_known, noticed};
use crate::derive::judge::sequence::{StepsJudgement, judge_on};
use crate::derive::search::explore::{Settled, settle};
use crate::java::ids::MemberId;
use crate::java::interpret::mutation::{Mutation, Mutator};
use crate::java::interpret::path::Bound;
use crate::java::interpret::{Covered, Outcome};
use crate::runtime::bench::Bench;
use crate::runtime::request::case::Case;
use crate::runtime::subject::Subject;
use crate::types::oracle::{Check, Oracle};
use crate::types::sequence::Sequence;

/// How many steps more than without a mistake a request may take, beside ten times as many.
const SLACK: u64 = 20_000;
/// Steps of one request at most.
const MOST: u64 = 400_000;

/// A request whose answer is known, with what is asserted of it.
#[derive(Debug, Clone)]
pub struct Test {
    /// The request.
    pub case: Case,
    checks: Vec<Check>,
    settled: Settled,
    /// The steps that it takes.
    pub steps: u64,
    /// What it runs.
    pub covered: Covered,
}

/// What a test makes of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// An assertion fails.
    Noticed,
    /// It does not end.
    Late,
    /// The answer meets what is asserted.
    Unnoticed,
    /// The code does not say.
    Open,
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// This test noticed it, by its place.
    Noticed(usize),
    /// On this test it did not end.
    Late(usize),
    /// Tests ran it, and none noticed.
    Unnoticed,
    /// Tests ran it, and of some of them it is not known what they would have said.
    Open,
    /// Only the start of the application ran it.
    AtStart,
    /// Nothing ran it.
    NotCovered,
}

/// A mutant: the member whose body is changed, and its place among the mutations of that.
pub type MutantId = (MemberId, usize);

/// One mutant, with what became of it.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Which one.
    pub id: MutantId,
    /// What kind of mistake it is.
    pub mutator: Mutator,
    /// Its line.
    pub line: u32,
    /// What became of it.
    pub fate: Fate,
    /// The tests that ran it, by their places.
    pub covered_by: Vec<usize>,
}

impl Test {
    /// A test of a request; where its answer is not known for certain, what it runs. `checks` says what is asserted of it.
    ///
    /// # Errors
    /// Where the answer is not known for certain.
    pub fn of(
        bench: &Bench<'_>,
        case: Case,
        checks: impl FnOnce(&Settled) -> Vec<Check>,
    ) -> Result<Self, Box<Covered>> {
        let (run, covered) = bench.codes.covering(|| bench.try_case(&case));
        let steps = run.served.iter().map(|served| served.path.steps).sum();
        let Some(settled) = settle(&run) else { return Err(Box::new(covered)) };
        let checks = checks(&settled);
        Ok(Self { case, checks, settled, steps, covered })
    }

    /// Whether all of its answer's body is known.
    pub fn is_whole(&self) -> bool {
        is_known(&self.settled.body)
    }

    /// Whether it runs what was changed.
    pub fn covers(&self, mutation: &Mutation) -> bool {
        self.covered.asked.contains(&(mutation.member, mutation.at))
    }

    /// What it makes of the mutant that is in place.
    pub fn meet(&self, bench: &Bench<'_>) -> Met {
        let run = bench.try_within(&self.case, (self.steps * 10 + SLACK).min(MOST));
        let Some(settled) = settle(&run) else {
            let late = run.served.iter().any(|served| matches!(served.path.outcome, Outcome::Cut(Bound::Steps)));
            return if late { Met::Late } else { Met::Open };
        };
        let mut met = Met::Unnoticed;
        for check in &self.checks {
            match noticed(check, &self.settled, &settled) {
                Some(true) => return Met::Noticed,
                Some(false) => {}
                None => met = Met::Open,
            }
        }
        met
    }
}

/// What becomes of all mutants of these members where the oracles of one operation meet them.
pub fn measure(subject: &Subject<'_>, oracles: &[Oracle], members: &[MemberId]) -> Vec<Measured> {
    let bench = Bench::new(subject);
    let mut tests: Vec<(usize, Test)> = Vec::new();
    let mut unsettled: Vec<(usize, Covered)> = Vec::new();
    for (place, oracle) in oracles.iter().enumerate() {
        let Some(case) = Case::of_request(&oracle.input, &bench.signature) else { continue };
        let case = case.sent_by(&oracle.as_user);
        let checks: Vec<Check> = oracle.assertions.iter().map(|assertion| assertion.check.clone()).collect();
        let fits = |settled: &Settled| {
            let holds = checks.iter().all(|check| noticed(check, settled, settled) != Some(true));
            if holds { checks.clone() } else { Vec::new() }
        };
        match Test::of(&bench, case, fits) {
            Ok(test) if !test.checks.is_empty() => tests.push((place, test)),
            Ok(Test { covered, .. }) => unsettled.push((place, covered)),
            Err(covered) => unsettled.push((place, *covered)),
        }
    }
    // What is quick is asked first.
    tests.sort_by_key(|(place, test)| (test.steps, *place));
    let mut measured = Vec::new();
    for member in members {
        for (number, mutation) in bench.codes.mutations(*member).into_iter().enumerate() {
            let (fate, covered_by) = fate(&bench, &mutation, &tests, &unsettled);
            let (mutator, line) = (mutation.mutator, mutation.line);
            measured.push(Measured { id: (*member, number), mutator, line, fate, covered_by });
        }
    }
    measured
}

/// What a sequence makes of mutants: `None` where it does not run them, or is not known to hold without. One subject a step.
pub fn measure_steps(subjects: &[Subject<'_>], sequence: &Sequence, mutants: &[MutantId]) -> Vec<Option<Met>> {
    let benches: Vec<Bench<'_>> = subjects.iter().map(Bench::new).collect();
    let Some(first) = benches.first() else { return vec![None; mutants.len()] };
    let (judgement, covered) = first.codes.covering(|| judge_on(&benches, sequence));
    let mut known: BTreeMap<MemberId, Vec<Mutation>> = BTreeMap::new();
    let mut meet = |(member, number): &MutantId| {
        let of_member = known.entry(*member).or_insert_with(|| first.codes.mutations(*member));
        let mutation = of_member.get(*number)?;
        let runs = covered.asked.contains(&(mutation.member, mutation.at));
        let met = || match first.codes.mutated(mutation, || judge_on(&benches, sequence)) {
            StepsJudgement::Broken { .. } => Met::Noticed,
            StepsJudgement::Hold => Met::Unnoticed,
            StepsJudgement::Unknown => Met::Open,
        };
        runs.then(|| if judgement == StepsJudgement::Hold { met() } else { Met::Open })
    };
    mutants.iter().map(&mut meet).collect()
}

fn fate(
    bench: &Bench<'_>,
    mutation: &Mutation,
    tests: &[(usize, Test)],
    unsettled: &[(usize, Covered)],
) -> (Fate, Vec<usize>) {
    let at = (mutation.member, mutation.at);
    let covering: Vec<&(usize, Test)> = tests.iter().filter(|(_, test)| test.covers(mutation)).collect();
    let open = unsettled.iter().filter(|(_, covered)| covered.asked.contains(&at)).map(|(place, _)| *place);
    let mut covered_by: Vec<usize> = covering.iter().map(|(place, _)| *place).chain(open).collect();
    covered_by.sort_unstable();
    if covered_by.is_empty() {
        let mut all = tests.iter().map(|(_, test)| &test.covered).chain(unsettled.iter().map(|(_, covered)| covered));
        let fate = if all.any(|covered| covered.started.contains(&at)) { Fate::AtStart } else { Fate::NotCovered };
        return (fate, covered_by);
    }
    let mut fate = if covering.len() < covered_by.len() { Fate::Open } else { Fate::Unnoticed };
    bench.codes.mutated(mutation, || {
        for (place, test) in covering {
            match test.meet(bench) {
                Met::Noticed => {
                    fate = Fate::Noticed(*place);
                    break;
                }
                Met::Late => {
                    fate = Fate::Late(*place);
                    break;
                }
                Met::Open => fate = Fate::Open,
                Met::Unnoticed => {}
            }
        }
    });
    (fate, covered_by)
}

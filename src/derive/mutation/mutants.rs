//! Runs mutants in the interpreter: whether committed oracles kill them.

use std::collections::BTreeMap;

use crate::judge::noticed::{is_known, kills};
use crate::judge::sequence::{StepsJudgement, judge_on};
use crate::search::explore::{Settled, settle};
use mastor_java::interpret::mutation::{Mutation, Mutator};
use mastor_java::interpret::paths::path::Bound;
use mastor_java::interpret::{Covered, Outcome};
use mastor_java::ir::ids::MemberId;
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_runtime::subject::Subject;
use mastor_types::suite::assertion::Check;
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;

/// Steps that a request may take with a mutant, in addition to ten times its steps without.
const SLACK: u64 = 20_000;
/// Maximum number of steps of one request.
const MOST: u64 = 400_000;

/// A request with a known answer, and its assertions.
#[derive(Debug, Clone)]
pub struct Test {
    /// The request.
    pub case: Case,
    checks: Vec<Check>,
    settled: Settled,
    /// Number of steps without a mutant.
    pub steps: u64,
    /// The code that it covers.
    pub covered: Covered,
}

/// The result of a test on a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MutantResult {
    /// An assertion fails: the mutant is killed.
    Noticed,
    /// It takes too many steps.
    Late,
    /// All assertions hold: the mutant survives.
    Unnoticed,
    /// Undecided.
    Open,
}

/// The fate of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Killed by the test with this index.
    Noticed(usize),
    /// It took too many steps on the test with this index.
    Late(usize),
    /// Tests covered it, and none killed it.
    Unnoticed,
    /// Tests covered it, and the results of some are undecided.
    Open,
    /// Only the start of the application covered it.
    AtStart,
    /// No test covered it.
    NotCovered,
}

/// A mutant: the member whose body is changed, and the index of the mutation in it.
pub type MutantId = (MemberId, usize);

/// A mutant and its fate.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its id.
    pub id: MutantId,
    /// The kind of mutation.
    pub mutator: Mutator,
    /// Its line.
    pub line: u32,
    /// Its fate under the tests.
    pub fate: Fate,
    /// Indices of the tests that covered it.
    pub covered_by: Vec<usize>,
}

impl Test {
    /// A test of a request with the assertions that `checks` returns.
    ///
    /// # Errors
    /// The code that the request covers, if its answer is not certain.
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

    /// Whether the body of its answer is completely known.
    pub fn is_whole(&self) -> bool {
        is_known(&self.settled.body)
    }

    /// Whether it covers the mutated code.
    pub fn covers(&self, mutation: &Mutation) -> bool {
        self.covered.asked.contains(&(mutation.member, mutation.at))
    }

    /// The result of the test on the active mutant.
    pub fn meet(&self, bench: &Bench<'_>) -> MutantResult {
        let run = bench.try_within(&self.case, (self.steps * 10 + SLACK).min(MOST));
        let Some(settled) = settle(&run) else {
            let late = run.served.iter().any(|served| matches!(served.path.outcome, Outcome::Cut(Bound::Steps)));
            return if late { MutantResult::Late } else { MutantResult::Open };
        };
        let mut met = MutantResult::Unnoticed;
        for check in &self.checks {
            match kills(check, &self.settled, &settled) {
                Some(true) => return MutantResult::Noticed,
                Some(false) => {}
                None => met = MutantResult::Open,
            }
        }
        met
    }
}

/// The fates of all mutants of these members, under the oracles of one operation.
pub fn measure(subject: &Subject<'_>, oracles: &[Oracle], members: &[MemberId]) -> Vec<Measured> {
    let bench = Bench::new(subject);
    let mut tests: Vec<(usize, Test)> = Vec::new();
    let mut unsettled: Vec<(usize, Covered)> = Vec::new();
    for (place, oracle) in oracles.iter().enumerate() {
        let Some(case) = Case::of_request(&oracle.input, &bench.signature) else { continue };
        let case = case.sent_by(&oracle.as_user);
        let checks: Vec<Check> = oracle.assertions.iter().map(|assertion| assertion.check.clone()).collect();
        let fits = |settled: &Settled| {
            let holds = checks.iter().all(|check| kills(check, settled, settled) != Some(true));
            if holds { checks.clone() } else { Vec::new() }
        };
        match Test::of(&bench, case, fits) {
            Ok(test) if !test.checks.is_empty() => tests.push((place, test)),
            Ok(Test { covered, .. }) => unsettled.push((place, covered)),
            Err(covered) => unsettled.push((place, *covered)),
        }
    }
    // Fast tests run first.
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

/// The results of a sequence on mutants: `None` if it does not cover the mutant, or does not certainly hold without it.
/// There is one subject for each step.
pub fn measure_steps(subjects: &[Subject<'_>], sequence: &Sequence, mutants: &[MutantId]) -> Vec<Option<MutantResult>> {
    let benches: Vec<Bench<'_>> = subjects.iter().map(Bench::new).collect();
    let Some(first) = benches.first() else { return vec![None; mutants.len()] };
    let (judgement, covered) = first.codes.covering(|| judge_on(&benches, sequence));
    let mut known: BTreeMap<MemberId, Vec<Mutation>> = BTreeMap::new();
    let mut meet = |(member, number): &MutantId| {
        let of_member = known.entry(*member).or_insert_with(|| first.codes.mutations(*member));
        let mutation = of_member.get(*number)?;
        let runs = covered.asked.contains(&(mutation.member, mutation.at));
        let met = || match first.codes.mutated(mutation, || judge_on(&benches, sequence)) {
            StepsJudgement::Broken { .. } => MutantResult::Noticed,
            StepsJudgement::Hold => MutantResult::Unnoticed,
            StepsJudgement::Unknown => MutantResult::Open,
        };
        runs.then(|| if judgement == StepsJudgement::Hold { met() } else { MutantResult::Open })
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
                MutantResult::Noticed => {
                    fate = Fate::Noticed(*place);
                    break;
                }
                MutantResult::Late => {
                    fate = Fate::Late(*place);
                    break;
                }
                MutantResult::Open => fate = Fate::Open,
                MutantResult::Unnoticed => {}
            }
        }
    });
    (fate, covered_by)
}

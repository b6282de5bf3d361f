//! Searches for requests that kill a mutant, or take a branch, which no request so far kills or takes; the search is
//! bounded by counted steps.

use std::collections::BTreeSet;

use super::mutants::{MutantResult, Test};
use crate::inputs::solve::Pool;
use crate::oracles::candidates::assertions;
use crate::search::explore::{Purpose, Settled, TriedRequest};
use crate::search::sampling::Sampling;
use crate::search::tried::CoveredTarget;
use mastor_java::interpret::Covered;
use mastor_java::interpret::linking::branches::Branch;
use mastor_java::interpret::mutation::Mutation;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::bench::Bench;
use mastor_runtime::server::serve::Run;
use mastor_types::results::strength::{Survivor, Targets, Untaken};
use mastor_types::suite::assertion::Check;

/// Maximum number of steps for one operation, with and without mutants.
const STEPS: u64 = 40_000_000;
/// Fixed cost of a run, in addition to its steps.
const RUN: u64 = 300;
/// Maximum number of requests that are tried.
const SAMPLES: usize = 2_500;
/// Maximum number of requests that are kept, besides those of `OPEN`.
const KEPT: usize = 40;
/// Maximum number of kept requests whose answers the code leaves open.
const OPEN: usize = 30;
/// The same for one mutant.
const REACHED: usize = 3;
/// Maximum number of requests that are run on one mutant without killing it.
const IN_VAIN: usize = 400;

/// A mutant that no request kills yet.
struct LiveMutant {
    mutation: Mutation,
    /// Number of requests that were run on it without killing it.
    in_vain: usize,
    /// Number of requests that cover it and whose answers the code leaves open.
    reached: usize,
    is_told: bool,
}

/// Requests that kill one of these mutants or take one of these branches. A request is kept only for a mutant or branch
/// that no earlier request kills or takes, or for a mutant that it covers with an answer which the code leaves open.
pub fn killing_requests(bench: &Bench<'_>, open: &Run, tried: &[TriedRequest], targets: &Targets) -> Vec<TriedRequest> {
    let mut wanted: Vec<LiveMutant> = mutations(bench, &targets.survivors)
        .into_iter()
        .map(|mutation| LiveMutant { mutation, in_vain: 0, reached: 0, is_told: false })
        .collect();
    let mut ways = branches(bench, &targets.branches);
    if wanted.is_empty() && ways.is_empty() {
        return Vec::new();
    }
    let mut tests: Vec<Test> = Vec::new();
    for one in tried {
        match Test::of(bench, one.case.clone(), checks) {
            Ok(test) => {
                take(&test.covered, &mut ways);
                tests.push(test);
            }
            Err(covered) => _ = take(&covered, &mut ways),
        }
    }
    for test in &tests {
        meet(bench, test, &mut wanted);
    }
    wanted.iter_mut().for_each(|wanted| wanted.in_vain = 0);
    // Samples start from the tests that cover most of the targets.
    let covered = |test: &Test| {
        let near = ways.iter().filter(|way| test.covered.asked.contains(&(way.member, way.at)));
        near.count() + wanted.iter().filter(|one| !one.is_told && test.covers(&one.mutation)).count()
    };
    let mut starts: Vec<(usize, &Test)> = tests.iter().map(|test| (covered(test), test)).collect();
    starts.sort_by_key(|(covered, _)| std::cmp::Reverse(*covered));
    let mut runs = vec![open];
    runs.extend(tried.iter().map(|one| &one.run));
    let pool = Pool::of(bench, &runs);
    let starts = starts.into_iter().map(|(_, test)| test.case.clone()).chain([pool.valid()]).collect();
    let mut sampling = Sampling::new(&pool, starts);
    let mut known: Vec<_> = tried.iter().map(|one| one.case.clone()).collect();
    let (mut kept, mut spent, mut opened) = (Vec::new(), 0, 0);
    for _ in 0..SAMPLES {
        let is_done = ways.is_empty() && wanted.iter().all(|one| one.is_told || one.in_vain >= IN_VAIN);
        if kept.len() >= KEPT + OPEN || spent >= STEPS || is_done {
            break;
        }
        let Some((case, input)) = sampling.draw() else { break };
        if known.contains(&case) || !pool.is_sendable(&case) {
            continue;
        }
        known.push(case.clone());
        let told = match Test::of(bench, case.clone(), checks) {
            Ok(test) => {
                let (told, more) = meet(bench, &test, &mut wanted);
                spent += more + test.steps + RUN;
                let taken = take(&test.covered, &mut ways);
                match told.or(taken) {
                    None if targets.is_observed && !test.is_whole() && opened < OPEN => {
                        reach(&test.covered, &mut wanted).inspect(|_| opened += 1)
                    }
                    told => told,
                }
            }
            Err(covered) => {
                spent += 2 * RUN;
                let is_asked = targets.is_observed && opened < OPEN;
                let reached = || reach(&covered, &mut wanted).or_else(|| take(&covered, &mut ways));
                is_asked.then(reached).flatten().inspect(|_| opened += 1)
            }
        };
        if let Some(first) = told {
            sampling.start(case.clone());
            let run = bench.try_case(&case);
            kept.push(TriedRequest { case, purpose: Purpose::Sample(input), run, tells: Some(first) });
        }
    }
    kept
}

/// The first remaining mutant that a request with an open answer covers: a running service may kill it.
fn reach(covered: &Covered, wanted: &mut [LiveMutant]) -> Option<CoveredTarget> {
    let mut first = None;
    for one in wanted.iter_mut().filter(|one| !one.is_told && one.reached < REACHED) {
        if covered.asked.contains(&(one.mutation.member, one.mutation.at)) {
            one.reached += 1;
            first = first.or(Some(one.told()));
        }
    }
    first
}

impl LiveMutant {
    fn told(&self) -> CoveredTarget {
        let Mutation { member, line, mutator, .. } = &self.mutation;
        CoveredTarget { member: *member, line: *line, what: Some(mutator.what()) }
    }
}

/// All checks that a settled answer allows.
fn checks(settled: &Settled) -> Vec<Check> {
    assertions(settled).into_iter().map(|assertion| assertion.check).collect()
}

/// Runs a request on the remaining mutants that it covers; returns the first mutant that it kills, and the steps taken.
fn meet(bench: &Bench<'_>, test: &Test, wanted: &mut [LiveMutant]) -> (Option<CoveredTarget>, u64) {
    let (mut told, mut spent) = (None, 0);
    for one in wanted.iter_mut().filter(|one| !one.is_told && one.in_vain < IN_VAIN) {
        if !test.covers(&one.mutation) {
            continue;
        }
        spent += test.steps + RUN;
        one.is_told = match bench.codes.mutated(&one.mutation, || test.meet(bench)) {
            MutantResult::Noticed | MutantResult::Late => true,
            MutantResult::Unnoticed | MutantResult::Open => false,
        };
        one.in_vain += 1;
        if one.is_told && told.is_none() {
            told = Some(one.told());
        }
    }
    (told, spent)
}

/// The first of these branches that a request takes; removes all that it takes.
fn take(covered: &Covered, ways: &mut Vec<Branch>) -> Option<CoveredTarget> {
    let mut first = None;
    ways.retain(|branch| {
        let is_taken = covered.ways.contains(&(branch.member, branch.at, branch.way));
        if is_taken && first.is_none() {
            first = Some(CoveredTarget { member: branch.member, line: branch.line, what: None });
        }
        !is_taken
    });
    first
}

/// The branches on these lines.
fn branches(bench: &Bench<'_>, targets: &[Untaken]) -> Vec<Branch> {
    let project = bench.subject.project;
    let files: BTreeSet<&str> = targets.iter().map(|target| target.file.as_str()).collect();
    let types = project.types().filter(|ty| project.origin(*ty).is_none() && files.contains(project.path_of(*ty)));
    let members: BTreeSet<MemberId> = types.flat_map(|ty| project.members(ty)).collect();
    let is_meant = |branch: &Branch| {
        let path = project.path_of(branch.member.ty);
        targets.iter().any(|target| target.file == path && target.line == branch.line)
    };
    members.into_iter().flat_map(|member| bench.codes.branches(member)).filter(is_meant).collect()
}

/// The mutations of the survivors: with the same file, line and kind.
fn mutations(bench: &Bench<'_>, targets: &[Survivor]) -> Vec<Mutation> {
    let project = bench.subject.project;
    let files: BTreeSet<&str> = targets.iter().map(|target| target.file.as_str()).collect();
    let types = project.types().filter(|ty| project.origin(*ty).is_none() && files.contains(project.path_of(*ty)));
    let members: BTreeSet<MemberId> = types.flat_map(|ty| project.members(ty)).collect();
    let mut found = Vec::new();
    for member in members {
        let (span, path) = (project.member(member).span, project.path_of(member.ty));
        let here = |target: &&Survivor| target.file == path && (span.line..=span.end_line).contains(&target.line);
        let own: Vec<&Survivor> = targets.iter().filter(here).collect();
        if own.is_empty() {
            continue;
        }
        found.extend(bench.codes.mutations(member).into_iter().filter(|mutation| {
            own.iter().any(|target| target.line == mutation.line && target.mutator == mutation.mutator.as_str())
        }));
    }
    found
}

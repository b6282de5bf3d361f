//! Searches in `generate` and `ci`: of the head if no oracle of success held, and of base and head if the comparison is
//! undecided.

use std::time::Duration;

use serde_json::Value;

use super::constants::{self, Taken};
use super::found::{self, Found};
use super::proposed;
use super::search::{SearchAttempt, SearchTarget, Until, search, together};
use super::side::{Ran, Sessions};
use super::told::{differing, is_success};
use crate::pipeline::ci::causes::changed_inputs;
use crate::pipeline::generate::candidates::may_regress;
use crate::pipeline::repository::comparison::Comparison;
use crate::pipeline::repository::workspace::Workspace;
use mastor_extract::Analysis;
use mastor_suite::load::OperationSuite;
use mastor_types::OpId;
use mastor_types::error::Failure;
use mastor_types::manifest::Manifest;
use mastor_types::results::outcome::RunVerdict;
use mastor_types::results::slices::Sliced;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::Oracle;

/// How long to wait until clocks with a resolution of one second have advanced.
const LATER: Duration = Duration::from_millis(1_100);
/// Runs of one operation's search, at most.
const RUNS: usize = 60;
/// Runs of all searches together, at most; with many operations each search gets fewer.
const ALL_RUNS: usize = 12_000;
/// Runs of one operation's search, at least, whatever the total is.
const FEWEST_RUNS: usize = 8;
/// Derived requests of one operation that a search uses, at most.
const SEEDS: usize = 6;

/// An operation with the derived requests for its search.
#[derive(Debug, Clone)]
pub struct Seeded {
    /// The operation.
    pub op_id: OpId,
    /// Requests, the most promising first.
    pub seeds: Vec<Input>,
}

impl Seeded {
    /// The requests of an operation's suite, then further ones, as seeds of a search.
    pub fn of(suite: &OperationSuite, trials: &[Input]) -> Self {
        let mut oracles: Vec<&Oracle> = suite.oracles.iter().collect();
        oracles.sort_by_key(|oracle| oracle.statuses().iter().any(|status| *status >= 400));
        let inputs = oracles.into_iter().map(|oracle| oracle.input.clone()).chain(trials.iter().cloned());
        Self { op_id: suite.context.op_id.clone(), seeds: inputs.take(SEEDS).collect() }
    }
}

/// The results of searching the head.
#[derive(Debug, Default)]
pub(super) struct OfHead {
    /// Oracles made from what was seen.
    pub(super) found: Vec<Found>,
    /// How many operations were searched.
    pub(super) searched: usize,
    /// For how many of them a successful answer was found.
    pub(super) good: usize,
}

/// Searches the operations for which no oracle of success held. Operations with a failing oracle that was made from
/// other code are left out: the head may have regressed.
pub(super) async fn search_head(
    workspace: &Workspace,
    sessions: &mut Sessions<'_>,
    analysis: &Analysis,
    (verdicts, oracles): (&[Sliced], &[&Oracle]),
    seeded: &[Seeded],
) -> Result<OfHead, Failure> {
    let mut of_head = OfHead::default();
    let [held, refuted] = [RunVerdict::Held, RunVerdict::Refuted].map(|verdict| {
        let own = verdicts.iter().zip(oracles).filter(|(one, _)| one.verdict == verdict);
        own.map(|(_, oracle)| *oracle).collect::<Vec<&Oracle>>()
    });
    let answers = |one: &Seeded| held.iter().any(|oracle| oracle.op_id == one.op_id && is_success(oracle));
    let regresses = |one: &Seeded| {
        let mut own = refuted.iter().filter(|oracle| oracle.op_id == one.op_id);
        own.any(|oracle| may_regress(analysis, &oracle.op_id, oracle.confirmation.made_from))
    };
    let is_open = |one: &&Seeded| !answers(one) && !regresses(one);
    let open: Vec<&Seeded> = seeded.iter().filter(is_open).collect();
    let runs = (ALL_RUNS / open.len().max(1)).clamp(FEWEST_RUNS, RUNS);
    for seeded in open {
        let op_id = &seeded.op_id;
        let Some(sought) = sought(analysis, seeded.clone(), forms(analysis, op_id)) else { continue };
        let Some(session) = sessions.serving(op_id) else { continue };
        let proposed = proposed::parse(session.proposed().await?);
        let searched = search(session, &proposed, &sought, (runs, Until::Good)).await?;
        let known = held.iter().filter(|oracle| oracle.op_id == *op_id).flat_map(|oracle| oracle.statuses()).collect();
        let found = found::oracles(session, &sought, &searched.tried, &known).await;
        of_head.searched += 1;
        let is_good = found.iter().any(|(oracle, _)| is_success(oracle));
        of_head.good += usize::from(is_good);
        if !is_good {
            workspace.events.detail(format!("{op_id}: no good answer was found in a slice: {}", searched.reason()));
        }
        of_head.found.extend(found);
    }
    Ok(of_head)
}

/// An operation prepared for a search; `None` if it has no handler.
fn sought(analysis: &Analysis, seeded: Seeded, named: Vec<Value>) -> Option<SearchTarget> {
    let Seeded { op_id, seeds } = seeded;
    let endpoint = analysis.endpoint(&op_id)?;
    let (symbol, tokens_sha256) = analysis.surface.project.cited(endpoint.entry);
    let handler = symbol.split('(').next().unwrap_or_default().to_owned();
    let made_from = analysis.manifest(&op_id).map(Manifest::fingerprint);
    Some(SearchTarget { op_id, handler, evidence: Evidence { symbol, tokens_sha256 }, seeds, named, made_from })
}

/// The requests that searches of both revisions tried, and both answers to each.
pub(super) struct Searches {
    /// Requests with their stub values, as oracles without assertions.
    pub(super) oracles: Vec<Oracle>,
    /// The base's answers.
    pub(super) before: Ran,
    /// The head's answers.
    pub(super) after: Ran,
}

/// Searches operations at both revisions, and sends what was tried at either to both.
pub(super) async fn search_both(
    comparison: &Comparison,
    (before, after): (&mut Sessions<'_>, &mut Sessions<'_>),
    (undecided, seeded): (&[OpId], &[Seeded]),
) -> Result<Searches, Failure> {
    let runs = (ALL_RUNS / undecided.len().max(1)).clamp(FEWEST_RUNS, RUNS);
    let mut oracles = Vec::new();
    for op_id in undecided {
        let named = named(comparison, op_id);
        // Without derived requests, a search begins with those that the harness proposes.
        let none = || Seeded { op_id: op_id.clone(), seeds: Vec::new() };
        let seeds = seeded.iter().find(|one| one.op_id == *op_id).cloned().unwrap_or_else(none);
        let of = |analysis: &Analysis| sought(analysis, seeds.clone(), named.clone());
        let (Some(old), Some(new)) = (of(&comparison.base), of(&comparison.head)) else { continue };
        let (was, is) = tokio::join!(all_ways(before, &old, runs), all_ways(after, &new, runs));
        oracles.extend(together(was?, is?));
    }
    let asked: Vec<&Oracle> = oracles.iter().collect();
    let (before, after) = ask_both(before, after, &asked).await;
    Ok(Searches { oracles, before, after })
}

/// Asks both revisions. Oracles that they answer differently are asked again a second later: a value that depends on
/// the clock (a token, a time stamp) then varies within each revision, and is no difference between them.
pub(super) async fn ask_both(before: &mut Sessions<'_>, after: &mut Sessions<'_>, oracles: &[&Oracle]) -> (Ran, Ran) {
    let (mut was, mut is) = tokio::join!(before.ask(oracles), after.ask(oracles));
    let suspects: Vec<&Oracle> = differing(oracles, &was, &is).iter().map(|one| one.oracle).collect();
    if suspects.is_empty() {
        return (was, is);
    }
    tokio::time::sleep(LATER).await;
    let (later_was, later_is) = tokio::join!(before.ask(&suspects), after.ask(&suspects));
    for (ran, later) in [(&mut was, later_was), (&mut is, later_is)] {
        for (suspect, more) in suspects.iter().zip(later.outcomes) {
            let at = oracles.iter().position(|oracle| std::ptr::eq(*oracle, *suspect));
            if let (Some(Ok(known)), Ok(more)) = (at.map(|at| &mut ran.outcomes[at]), more) {
                known.extend(more);
            }
        }
    }
    (was, is)
}

/// Everything that a search of one revision tried.
async fn all_ways(
    sessions: &mut Sessions<'_>,
    sought: &SearchTarget,
    runs: usize,
) -> Result<Vec<SearchAttempt>, Failure> {
    let Some(session) = sessions.serving(&sought.op_id) else { return Ok(Vec::new()) };
    let proposed = proposed::parse(session.proposed().await?);
    Ok(search(session, &proposed, sought, (runs, Until::RunsUsed)).await?.tried)
}

/// Values in the changed code of an operation, of both revisions.
fn named(comparison: &Comparison, op_id: &OpId) -> Vec<Value> {
    let changed = changed_inputs(comparison, op_id, op_id);
    let of = |analysis: &Analysis| {
        constants::of_members(&analysis.surface.project, changed.iter().map(|one| one.input.as_str()), Taken::All)
    };
    let (mut all, more) = (of(&comparison.base), of(&comparison.head));
    all.extend(more.into_iter().filter(|value| !all.contains(value)).collect::<Vec<Value>>());
    all
}

/// Texts that match the regular expressions in an operation's code.
fn forms(analysis: &Analysis, op_id: &OpId) -> Vec<Value> {
    let manifest = analysis.manifest(op_id);
    let names: Vec<&str> = manifest.iter().flat_map(|manifest| manifest.iter().map(|(name, ..)| name)).collect();
    constants::of_members(&analysis.surface.project, names.into_iter(), Taken::Forms)
}

//! Slices in `generate` and `ci`: run new oracles in them, and compare what base and head answer under the same
//! conditions (ARCHITECTURE.md, *Slices*).

use std::collections::{BTreeMap, BTreeSet};

use super::ahead::{Ahead, Revisions, SliceAnswers, SliceQuestions, answers};
use super::application::Asking;
use super::found::Found;
use super::jobs::{THROWN, header};
use super::observed::{Observed, observed};
use super::searches::{OfHead, Searches, Seeded, search_head};
use super::side::{Ran, Side, are_made_of};
use super::told::{Differing, differing, not_made, verdicts};
use crate::pipeline::accept::proposals::expectation;
use crate::pipeline::repository::workspace::{Head, Workspace};
use crate::pipeline::seen::changes::{brief, in_words};
use crate::pipeline::service::revisions::{at_head, to_the_end};
use mastor_config::{Settings, SlicesSetting};
use mastor_extract::Analysis;
use mastor_probe::answers::judge::{Captures, judge};
use mastor_suite::candidates::note_refuted;
use mastor_suite::load::{OperationSuite, Suite};
use mastor_suite::proposal::Proposal;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind, Witness};
use mastor_types::results::outcome::RunVerdict;
use mastor_types::results::slices::{SliceSummary, Sliced};
use mastor_types::suite::assertion::Assertion;
use mastor_types::suite::given::Given;
use mastor_types::suite::oracle::{Confirmation, Confirmed, Engine, Oracle};

/// The results of slices in `generate` and `ci`.
#[derive(Debug, Default)]
pub struct InSlices {
    /// What the head answers differently from the base.
    pub changes: Vec<Change>,
    /// Proposals that accept these changes: the base's oracles with new expectations.
    pub proposals: Vec<Proposal>,
    /// The verdicts of the oracles, by id.
    pub verdicts: BTreeMap<String, Sliced>,
    /// What the head's oracles that hold have shown beyond what they expect, by id.
    pub observed: BTreeMap<String, Observed>,
    /// Oracles that a search of the head found.
    pub found: Vec<Found>,
    /// Counts for the report.
    pub summary: SliceSummary,
}

impl InSlices {
    /// Adds the results of a search of the head.
    fn take(&mut self, searched: OfHead) {
        self.found = searched.found;
        (self.summary.searched, self.summary.found) = (searched.searched, searched.good);
    }
}

/// Runs oracles in slices of the head alone, and searches the operations for which no oracle of success held. `None` if
/// no slice can be made.
///
/// # Errors
/// Exit 2 where there is no JDK, no Maven or no main class; exit 4 where the project or the harness does not compile or
/// start.
pub fn run_on_head(
    workspace: &Workspace,
    settings: &Settings,
    (head, analysis): (&Head, &Analysis),
    (oracles, seeded): (&[&Oracle], &[Seeded]),
) -> Result<Option<InSlices>, Failure> {
    let op_ids = oracles.iter().map(|oracle| &oracle.op_id).chain(seeded.iter().map(|one| &one.op_id)).collect();
    if !are_made_of(analysis, settings, &op_ids) {
        return Ok(None);
    }
    workspace.events.started("slices", Some(oracles.len() as u64));
    let side = Side::of(settings, &analysis.surface, None)?;
    let asking = Asking::beside(2);
    let found = to_the_end(workspace, async {
        let place = at_head(workspace, settings, side.spec(), head).await?;
        let mut sessions = side.started(workspace, place, &op_ids, &asking).await?;
        let ran = sessions.ask(oracles).await;
        let verdicts = verdicts(&ran, oracles);
        let searched = search_head(workspace, &mut sessions, analysis, (&verdicts, oracles), seeded).await;
        let mut shown = shown(verdicts, &ran, oracles);
        sessions.stop().await;
        shown.take(searched?);
        Ok(shown)
    })?;
    workspace.events.finished(found.summary.line());
    Ok(Some(found))
}

/// The suites of a comparison.
#[derive(Clone, Copy)]
pub struct Suites<'s> {
    /// The base's.
    pub old: &'s Suite,
    /// The head's.
    pub new: &'s Suite,
}

/// Runs the base's oracles of these operations, and those that were made for the head, in slices of both revisions,
/// which may have been started ahead; then searches the undecided operations, with the same requests and stubs for
/// both. `None` if no slice can be made.
///
/// # Errors
/// As for [`run_on_head`].
pub fn run_on_both(
    workspace: &Workspace,
    settings: &Settings,
    (revisions, ahead): (Revisions<'_>, Option<Ahead<'_>>),
    suites: Suites<'_>,
    (made, seeded, undecided): (&[(OpId, OperationSuite)], &[Seeded], &[OpId]),
) -> Result<Option<InSlices>, Failure> {
    let (comparison, ..) = revisions;
    let of_head = || made.iter().flat_map(|(_, suite)| &suite.oracles);
    let mut oracles: BTreeMap<&str, &Oracle> = BTreeMap::new();
    let committed = made.iter().filter_map(|(op_id, _)| suites.old.operations.get(op_id));
    for oracle in committed.flat_map(|suite| &suite.oracles).chain(of_head()) {
        oracles.entry(&oracle.o_id).or_insert(oracle);
    }
    let oracles: Vec<&Oracle> = oracles.into_values().collect();
    let op_ids: BTreeSet<&OpId> = oracles.iter().map(|oracle| &oracle.op_id).chain(undecided).collect();
    if !are_made_of(&comparison.head, settings, &op_ids) {
        return Ok(None);
    }
    workspace.events.started("slices", Some(oracles.len() as u64));
    let asked = SliceQuestions {
        oracles: oracles.into_iter().cloned().collect(),
        seeded: seeded.to_vec(),
        undecided: undecided.to_vec(),
    };
    let Some(answered) = (match ahead {
        Some(ahead) => ahead.ask(asked)?,
        None => answers(workspace, settings, revisions, &op_ids, asked)?,
    }) else {
        return Ok(None);
    };
    let SliceAnswers { asked: SliceQuestions { oracles, .. }, before, after, head: of_head, both: searched } = answered;
    let oracles: Vec<&Oracle> = oracles.iter().collect();
    let held_before = verdicts(&before, &oracles);
    let mut found = shown(verdicts(&after, &oracles), &after, &oracles);
    found.take(of_head);
    let held = |o_id: &str| held_before.iter().any(|one| one.o_id == o_id && one.verdict == RunVerdict::Held);
    // A change can contradict only oracles of the base's suite.
    let of_base: BTreeMap<&str, &Oracle> = suites
        .old
        .operations
        .values()
        .flat_map(|suite| &suite.oracles)
        .map(|oracle| (oracle.o_id.as_str(), oracle))
        .collect();
    for one in differing(&oracles, &before, &after) {
        let broken = found.verdicts.get(&one.oracle.o_id).is_some_and(|now| now.verdict == RunVerdict::Refuted);
        let against = of_base.get(one.oracle.o_id.as_str()).filter(|oracle| broken && held(&oracle.o_id));
        let accepted = against.is_some_and(|oracle| is_accepted(suites.new, oracle, &one));
        if !accepted {
            found.proposals.extend(against.and_then(|oracle| proposal(suites.old, oracle, &one)));
        }
        found.changes.push(Change { o_id: against.map(|oracle| oracle.o_id.clone()), accepted, ..change(&one) });
    }
    let Searches { oracles, before, after } = &searched;
    let oracles: Vec<&Oracle> = oracles.iter().collect();
    let mut told: BTreeSet<(&OpId, String)> = BTreeSet::new();
    for one in differing(&oracles, before, after) {
        // The first request that shows a difference is the simplest.
        let change = Change { witness: Some(witness(&one)), ..change(&one) };
        if told.insert((&one.oracle.op_id, change.what.clone())) {
            found.changes.push(change);
        }
    }
    found.summary.undecided = undecided.len();
    found.summary.parted = told.iter().map(|(op_id, _)| *op_id).collect::<BTreeSet<&OpId>>().len();
    let told = match found.changes.len() {
        0 => "both answer alike".to_owned(),
        n => format!("{n} answered otherwise"),
    };
    workspace.events.finished(format!("{}; {told}", found.summary.line()));
    Ok(Some(found))
}

/// Whether the head's own suite expects what its handler answers now.
fn is_accepted(new: &Suite, old: &Oracle, found: &Differing<'_>) -> bool {
    let now = new.operations.get(&old.op_id).and_then(|suite| suite.oracles.iter().find(|now| now.o_id == old.o_id));
    now.is_some_and(|now| {
        now.assertions != old.assertions && judge(&now.assertions, &found.after, &Captures::new()).is_empty()
    })
}

/// A proposal for a broken oracle: its assertions that still hold, and the status that is answered now.
fn proposal(old: &Suite, broken: &Oracle, found: &Differing<'_>) -> Option<Proposal> {
    let holds = |one: &&Assertion| judge(std::slice::from_ref(*one), &found.after, &Captures::new()).is_empty();
    let kept = broken.assertions.iter().filter(holds).cloned().collect();
    let confirmation = Confirmation { by_slice: true, ..Confirmation::none() };
    let reason = "the handler now answers this request differently, given the same";
    expectation(old, broken, (kept, found.after.status), (confirmation, reason))
}

fn change(found: &Differing<'_>) -> Change {
    let what = in_words(&found.differences, found.after.status);
    let what = match header(&found.after, THROWN) {
        Some(thrown) => format!("{what}: nothing caught {thrown}"),
        None => what,
    };
    let effect = found.differences.iter().map(|one| one.effect).min().unwrap_or(ChangeEffect::Unclear);
    let id = (found.oracle.o_id.as_str(), what);
    Change {
        given: found.oracle.given.iter().map(Given::what).collect(),
        before: Some(brief(&found.before)),
        after: Some(brief(&found.after)),
        ..Change::of_request(&found.oracle.op_id, ChangeKind::Slice, effect, id)
    }
}

/// The request that a search found, with both answers: no oracle states it.
fn witness(found: &Differing<'_>) -> Witness {
    Witness {
        as_user: found.oracle.as_user.clone(),
        input: found.oracle.input.clone(),
        before: brief(&found.before),
        after: brief(&found.after),
    }
}

fn shown(slices: Vec<Sliced>, ran: &Ran, oracles: &[&Oracle]) -> InSlices {
    let mut more = BTreeMap::new();
    for ((sliced, oracle), outcomes) in slices.iter().zip(oracles).zip(&ran.outcomes) {
        if let (RunVerdict::Held, Ok(outcomes)) = (sliced.verdict, outcomes) {
            more.insert(oracle.o_id.clone(), observed(oracle, outcomes, &ran.base_url));
        }
    }
    let count = |verdict: RunVerdict| slices.iter().filter(|one| one.verdict == verdict).count();
    let summary = SliceSummary {
        oracles: slices.len(),
        held: count(RunVerdict::Held),
        refuted: count(RunVerdict::Refuted),
        not_made: not_made(&slices),
        ..SliceSummary::default()
    };
    let verdicts = slices.into_iter().map(|one| (one.o_id.clone(), one)).collect();
    InSlices { verdicts, observed: more, summary, ..InSlices::default() }
}

/// Takes the results of slices into the suite of an operation. An oracle that held is marked, and the first time it is completed with observed assertions. An
/// oracle that needs stubs and did not hold is removed, with a sentence. Neither completion nor removal happens if it `may_regress`: the code that it was
/// made from may have fulfilled it. An oracle that a service can check stays a candidate.
pub fn take_into(
    suite: &mut OperationSuite,
    InSlices { verdicts, observed, .. }: &InSlices,
    may_regress: &dyn Fn(&Oracle) -> bool,
) -> Vec<String> {
    let mut left = Vec::new();
    let mut wrong = Vec::new();
    for oracle in &mut suite.oracles {
        let Some(sliced) = verdicts.get(&oracle.o_id) else { continue };
        let is_first = sliced.verdict == RunVerdict::Held && !oracle.confirmation.by_slice;
        if let Some(seen) = observed.get(&oracle.o_id).filter(|_| is_first && !may_regress(oracle)) {
            oracle.assertions.extend(seen.assertions.iter().cloned());
            oracle.events.clone_from(&seen.events);
        }
        oracle.confirmation.by_slice = match sliced.verdict {
            RunVerdict::Held => true,
            RunVerdict::Refuted => false,
            _ => oracle.confirmation.by_slice,
        };
        let is_open = oracle.confirmation.state == Confirmed::Unconfirmed && oracle.origin.engine != Engine::Human;
        if sliced.verdict == RunVerdict::Refuted && is_open && oracle.needs_stubs() && !may_regress(oracle) {
            let seen = sliced.missed.as_ref().or(sliced.reason.as_ref()).map_or("it did not hold", String::as_str);
            left.push(format!("{} was refuted in a slice: {seen}{}", oracle.test_id, blame(oracle)));
            wrong.push(oracle.clone());
        }
    }
    for as_made in wrong {
        note_refuted(suite, &as_made, &as_made);
        suite.oracles.retain(|oracle| oracle.o_id != as_made.o_id);
    }
    left
}

/// The assumption that may be wrong if an oracle did not hold.
fn blame(oracle: &Oracle) -> String {
    oracle.assumes.first().map_or_else(String::new, |assumed| format!("; it assumes that {}", assumed.what))
}

/// Joins changes seen in slices with derived ones: a derived change that contradicts the same oracle, or has the same
/// operation and statuses, supplies the condition and the reason, and the slice confirms it.
pub fn join(seen: Vec<Change>, derived: &mut Vec<Change>) {
    for mut change in seen {
        let is_of_it =
            |one: &Change| one.op_id == change.op_id && one.kind == ChangeKind::Derived && one.s_id.is_none();
        let contradicts = |one: &Change| is_of_it(one) && one.o_id.is_some() && one.o_id == change.o_id;
        let says = |one: &Change| is_of_it(one) && one.o_id.is_none() && one.witness.is_none() && is_told(one, &change);
        let place = derived.iter().position(contradicts).or_else(|| derived.iter().position(says));
        if let Some(known) = place.map(|place| derived.remove(place)) {
            (change.what, change.condition) = (known.what, known.condition);
            change.o_id = change.o_id.or(known.o_id);
            change.evidence_before = known.evidence_before;
            change.evidence_after = known.evidence_after;
            change.also.extend(known.also);
        } else if let Some(known) =
            derived.iter().find(|one| one.op_id == change.op_id && one.kind == ChangeKind::Slice)
        {
            change.evidence_before.clone_from(&known.evidence_before);
            change.evidence_after.clone_from(&known.evidence_after);
        }
        derived.push(change);
    }
}

/// Whether a derived change has the same statuses as what was seen, or states none.
fn is_told(derived: &Change, seen: &Change) -> bool {
    let status = |text: &Option<String>| {
        text.as_deref().and_then(|text| text.split(' ').next()).and_then(|word| word.parse::<u16>().ok())
    };
    let (was, is) = (status(&derived.before), status(&derived.after));
    (was.is_none() && is.is_none()) || (was, is) == (status(&seen.before), status(&seen.after))
}

/// The results of slices, or a note on their failure: if the settings require slices, the failure decides the exit;
/// else it is a sentence for the report, or for the details if slices cannot be made of the project.
///
/// # Errors
/// Where the run was interrupted.
pub fn or_noted(
    showed: Result<Option<InSlices>, Failure>,
    (workspace, setting): (&Workspace, SlicesSetting),
    (notes, exit): (&mut Vec<String>, &mut Option<Exit>),
) -> Result<Option<InSlices>, Failure> {
    let failure = match showed {
        Err(failure) if failure.exit != Exit::Interrupted => failure,
        showed => return showed,
    };
    let said = format!("no slice was run: {}", failure.message);
    if failure.exit == Exit::BudgetSpent {
        notes.push(said);
    } else if setting == SlicesSetting::On {
        *exit = Some(Exit::worst(exit.iter().copied().chain([Exit::NotReady])));
        notes.push(said);
    } else if failure.exit == Exit::Usage {
        workspace.events.detail(said);
    } else {
        notes.push(said);
    }
    Ok(None)
}

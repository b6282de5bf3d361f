//! Seen: the base's suite on the head, and what base and head answer to the same requests, side by side (DESIGN §6.2).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::claims::{Claimed, Claims, is_claim, is_claimed};
use super::confirm::{confirm, trouble};
use super::fresh_state::note_fresh_state;
use super::ignored::left_aside;
use super::leads::{Patterns, discover, leads};
use super::left_over::{self, refused_by_one};
use super::live::{Live, Side};
use super::question::Question;
use super::seen_changes::{changes, proposals};
use super::sides::Sides;
use super::workspace::Workspace;
use crate::error::{Exit, Failure};
use crate::event::Events;
use crate::probe::check::{Checked, check};
use crate::probe::confirm::{settle, settle_sequence};
use crate::probe::job::{Job, Standing};
use crate::probe::passes::{Passes, passes};
use crate::probe::rounds::{Again, again};
use crate::probe::service::{Running, ServiceError};
use crate::probe::unstable::Moment;
use crate::suite::Suite;
use crate::suite::proposal::Proposal;
use crate::types::OpId;
use crate::types::change::Change;
use crate::types::oracle::{Candidate, Confirmed, Effect, Oracle};
use crate::types::outcome::{Outcome, RunVerdict};
use crate::types::plan::State;
use crate::types::sequence::Sequence;

/// What was seen.
pub struct Seen {
    /// The base's suite on the head.
    pub checked: Checked,
    /// What became of candidates.
    pub claimed: Claimed,
    /// Changes, those that were derived and were seen joined.
    pub changes: Vec<Change>,
    /// Why nothing could be told of an operation, though it was asked.
    pub open: Vec<(OpId, String)>,
    /// Proposals.
    pub proposals: Vec<Proposal>,
    /// Sentences for the report.
    pub notes: Vec<String>,
    /// What makes the run end otherwise than by its verdict.
    pub exit: Option<Exit>,
}

/// Runs base and head; `None` where there is nothing to run, and nothing was started then.
///
/// # Errors
/// Where the head's service cannot be built, started or reached.
pub fn see(workspace: &Workspace, live: &Live<'_>, question: Question<'_>) -> Result<Option<Seen>, Failure> {
    let mut jobs = jobs(&question);
    let mut claims = claims(live, &question);
    if jobs.is_empty() && claims.is_empty() {
        return Ok(None);
    }
    let events = &workspace.events;
    let mut notes = Vec::new();
    let patterns = patterns(&question);
    let mut before = ask_base(live, (&question, &jobs), &mut claims, &patterns, events, &mut notes);
    asked_of_base(&mut jobs, question.old, before.as_ref());
    let (checked, followed, mut claimed, refused, alone) =
        live.session(Side::Head(question.head), async |running| {
            if before.is_none() {
                further(live, running, &question, &patterns, &mut claims).await?;
            }
            let checked = check(running, live.users(), &jobs, live.options(), events).await?;
            let broken = match &checked.trouble {
                None => broken_follow_ups(question.old, &checked.outcomes),
                Some(_) => Vec::new(),
            };
            let followed = match broken.is_empty() {
                false => again(running, live.users(), Again::apart(&broken, 2), live.options()).await?,
                true => Passes::default(),
            };
            let followed = (followed, live.moment(running.base_url()));
            let mut claimed = match &checked.trouble {
                None => confirm(live, running, &claims, !jobs.iter().any(|job| job.writes), events).await?,
                Some(_) => Claimed::default(),
            };
            note_fresh_state(live, running, &mut claimed, &Suite::default()).await?;
            let refused = before.as_ref().map(|(passes, _)| refused_by_one(live, &claims, passes, &claimed.passes));
            let refused = refused.unwrap_or_default();
            let alone = left_over::ask(live, running, &refused).await?;
            Ok((checked, followed, claimed, refused, alone))
        })?;
    let mut open = match before.as_mut().filter(|_| !refused.is_empty()) {
        Some((passes, _)) => {
            let of_base = left_over::ask_base(live, &question, &refused);
            left_over::settle(&refused, (passes, &mut claimed), (of_base, alone))
        }
        None => Vec::new(),
    };
    let exit = exit(&checked, &claimed);
    notes.extend(checked.trouble.as_ref().map(ToString::to_string));
    notes.extend(trouble(&claimed.passes).map(|failure| failure.message));
    let outcomes: BTreeMap<&str, &Outcome> = checked.outcomes.iter().map(|o| (o.id.as_str(), o)).collect();
    let sides = Sides {
        question: &question,
        claims: &claims,
        outcomes: &outcomes,
        before: before.as_ref(),
        after: &claimed,
        followed: &followed,
    };
    let (changes, denied) = changes(&sides);
    open.extend(denied);
    let proposals = proposals(&sides);
    notes.sort();
    notes.dedup();
    Ok(Some(Seen { changes, open, proposals, notes, exit, checked, claimed }))
}

/// Says of each job that was never confirmed what the base showed of it in this run: it counts where it held there, was wrong where it did not, and
/// proves nothing where the base gave no answer.
fn asked_of_base(jobs: &mut [Arc<Job>], old: &Suite, before: Option<&(Passes, Moment)>) {
    let Some((passes, moment)) = before else { return };
    let oracles = || old.operations.values().flat_map(|suite| &suite.oracles);
    for job in jobs.iter_mut().filter(|job| job.standing == Standing::Unasked) {
        let (answers, runs) = (passes.of(&job.id), passes.steps_of(&job.id));
        let state = if let Some(oracle) = oracles().find(|oracle| oracle.o_id == job.id) {
            (!answers.is_empty()).then(|| settle(oracle, answers, moment).oracle.confirmation.state)
        } else if let Some(sequence) = old.sequences.values().flatten().find(|sequence| sequence.s_id == job.id) {
            (!runs.is_empty()).then(|| settle_sequence(sequence, runs, moment).sequence.confirmation.state)
        } else {
            None
        };
        let Some(state) = state else { continue };
        Arc::make_mut(job).standing = match state {
            Confirmed::Confirmed | Confirmed::Unconfirmed => Standing::Counts,
            Confirmed::Refuted => Standing::Candidate,
            Confirmed::Flaky => Standing::Flaky,
        };
    }
}

/// The writes with follow-up reads that broke, to be asked once more for what they answer now.
fn broken_follow_ups(old: &Suite, outcomes: &[Outcome]) -> Vec<Arc<Job>> {
    let broken = |sequence: &&Sequence| {
        outcomes.iter().any(|outcome| outcome.id == sequence.s_id && outcome.verdict == RunVerdict::Broken)
    };
    let follow_ups = old.sequences.values().flatten().filter(|sequence| sequence.is_follow_up());
    follow_ups.filter(broken).map(|sequence| Arc::new(Job::asking(sequence))).collect()
}

/// The committed oracles of affected and recheck operations as the base has them, and the sequences with a step in one of them.
fn jobs(question: &Question<'_>) -> Vec<Arc<Job>> {
    let run: BTreeSet<&OpId> = question
        .comparison
        .plan
        .operations
        .iter()
        .filter(|planned| matches!(planned.state, State::Affected | State::Recheck))
        .map(|planned| planned.was.as_ref().unwrap_or(&planned.op_id))
        .collect();
    let old = question.old;
    let oracles = old.operations.iter().filter(|(op_id, _)| run.contains(op_id)).flat_map(|(_, suite)| &suite.oracles);
    let retired: BTreeSet<&OpId> = question.comparison.plan.in_state(State::Retired).collect();
    // That an operation is gone is told once, and not by what was read after writes.
    let touched = |steps: &[crate::types::sequence::Step]| {
        let of_any = |among: &BTreeSet<&OpId>| steps.iter().any(|step| among.contains(&step.op_id));
        of_any(&run) && !of_any(&retired)
    };
    let sequences = old.sequences.values().flatten().filter(|sequence| touched(&sequence.steps));
    oracles
        .map(Job::of_oracle)
        .chain(sequences.map(Job::of_sequence))
        .filter_map(|job| left_aside(question.ignore, job))
        .collect()
}

fn claims(live: &Live<'_>, question: &Question<'_>) -> Claims {
    let mut claims = Claims::default();
    for (_, suite) in question.made {
        claims.oracles.extend(suite.oracles.iter().filter(|oracle| is_claim(oracle)).cloned());
    }
    claims.sequences.extend(question.sequences.iter().filter(|sequence| is_claimed(sequence)).cloned());
    let user = live.user_names().into_iter().next();
    let of_operation = |op_id: &OpId| -> Vec<Candidate> {
        question.probes.iter().filter(|probe| probe.oracle.op_id == *op_id).cloned().collect()
    };
    for (op_id, _) in question.made {
        claims.probe(&of_operation(op_id), user.as_ref());
    }
    let there: BTreeSet<&OpId> = question.comparison.plan.in_state(State::Affected).collect();
    for (op_id, suite) in &question.old.operations {
        if there.contains(op_id) {
            claims.asked.extend(suite.oracles.iter().filter(|oracle| !oracle.needs_stubs()).cloned());
        }
    }
    let witnesses = question.derived.iter().filter(|change| there.contains(&change.op_id));
    claims.asked.extend(witnesses.filter_map(witness));
    claims
}

/// The requests that are known of all operations: those of the suites, and those made of the operations at hand.
fn patterns(question: &Question<'_>) -> Patterns {
    let mut patterns = Patterns::default();
    question.made.iter().for_each(|(_, suite)| patterns.of_suite(suite));
    question.probes.iter().for_each(|probe| patterns.add(probe.clone()));
    question.old.operations.values().for_each(|suite| patterns.of_suite(suite));
    for (op_id, trials) in question.trials {
        patterns.further(op_id, question.comparison.head.endpoint(op_id), trials);
    }
    patterns
}

/// Adds requests of the affected and new operations for what the service says is there.
async fn further(
    live: &Live<'_>,
    running: &Running,
    question: &Question<'_>,
    patterns: &Patterns,
    claims: &mut Claims,
) -> Result<(), ServiceError> {
    let op_ids: Vec<OpId> = question.made.iter().map(|(op_id, _)| op_id.clone()).collect();
    let known = discover(live, running, patterns).await?;
    claims.leads(leads(live, running.can_reset(), &known, patterns, &op_ids));
    Ok(())
}

/// The request of a derived change, to be asked.
fn witness(change: &Change) -> Option<Oracle> {
    let witness = change.witness.as_ref()?;
    let reads = matches!(change.op_id.method(), crate::types::Method::Get | crate::types::Method::Head);
    let effect = if reads { Effect::Reads } else { Effect::Writes };
    Some(Oracle::question(&change.op_id, &witness.as_user, witness.input.clone(), effect))
}

/// What the base answers to the same requests; none where it cannot be run, which is said.
fn ask_base(
    live: &Live<'_>,
    (question, committed): (&Question<'_>, &[Arc<Job>]),
    claims: &mut Claims,
    patterns: &Patterns,
    events: &Events,
    notes: &mut Vec<String>,
) -> Option<(Passes, Moment)> {
    if !live.can_start() {
        notes.push(
            "only the head was run: the service is reached, not started, so the base's answers are those of its suite"
                .to_owned(),
        );
        return None;
    }
    let affected: BTreeSet<&OpId> = question.comparison.plan.in_state(State::Affected).collect();
    let is_affected = |oracle: &&Oracle| affected.contains(&oracle.op_id);
    let probes = claims.probes.iter().map(|probe| &probe.oracle);
    let unasked: Vec<Arc<Job>> =
        committed.iter().filter(|job| job.standing == Standing::Unasked).map(|job| asking(question.old, job)).collect();
    let is_any = claims.oracles.iter().chain(&claims.asked).chain(probes).any(|oracle| is_affected(&oracle));
    if !is_any && unasked.is_empty() {
        return None;
    }
    let asked = live.session(Side::Base(question.base), async |running| {
        further(live, running, question, patterns, claims).await?;
        let probes = claims.probes.iter().map(|probe| &probe.oracle);
        let mut jobs: BTreeMap<&str, Arc<Job>> = BTreeMap::new();
        for oracle in claims.oracles.iter().chain(&claims.asked).chain(probes).filter(is_affected) {
            jobs.entry(&oracle.o_id).or_insert_with(|| Arc::new(Job::of_oracle(oracle)));
        }
        let known: BTreeSet<String> = jobs.keys().map(|id| (*id).to_owned()).collect();
        let further = unasked.iter().filter(|job| !known.contains(&job.id)).cloned();
        let jobs: Vec<Arc<Job>> = jobs.into_values().chain(further).collect();
        let found = passes(running, live.users(), &jobs, (2, true), live.options(), events).await?;
        Ok((found, live.moment(running.base_url())))
    });
    match asked {
        Ok((found, moment)) => {
            events.finished(format!("{} requests were sent to the base", found.requests));
            notes.extend(found.trouble.as_ref().map(|why| format!("the base was not asked to the end: {why}")));
            Some((found, moment))
        }
        Err(failure) => {
            notes.push(format!("the base could not be run: {}", failure.message));
            None
        }
    }
}

/// The job that asks the base what a committed one asks: of a sequence every step, whatever is answered.
fn asking(old: &Suite, job: &Arc<Job>) -> Arc<Job> {
    let sequence = old.sequences.values().flatten().find(|sequence| sequence.s_id == job.id);
    sequence.map_or_else(|| job.clone(), |sequence| Arc::new(Job::asking(sequence)))
}

fn exit(checked: &Checked, claimed: &Claimed) -> Option<Exit> {
    use crate::probe::check::Trouble;
    let of_check = checked.trouble.as_ref().map(|trouble| match trouble {
        Trouble::Gone(_) | Trouble::Reset(_) => Exit::NotReady,
        Trouble::Environment(_) | Trouble::Interrupted => Exit::Nothing,
    });
    let ran = checked
        .outcomes
        .iter()
        .any(|o| matches!(o.verdict, RunVerdict::Held | RunVerdict::Broken | RunVerdict::Refuted))
        || !claimed.passes.answers.is_empty();
    of_check
        .or_else(|| trouble(&claimed.passes).map(|failure| failure.exit))
        .or_else(|| (!ran).then_some(Exit::Nothing))
}

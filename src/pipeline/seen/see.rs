//! Runs the base's suite on the head, and compares what base and head answer to the same requests. The suite of the
//! base is judged before anything new is made (ARCHITECTURE.md, *Invariants*, a regression is never learnt).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::ci::ignored::left_aside;
use crate::pipeline::confirm::claims::{Claimed, Claims, is_claim, is_claimed};
use crate::pipeline::confirm::discovery::{Patterns, discover, leads};
use crate::pipeline::confirm::fresh_state::note_fresh_state;
use crate::pipeline::confirm::settle::{confirm, trouble};
use crate::pipeline::repository::workspace::Workspace;
use crate::pipeline::seen::base_side::BaseSide;
use crate::pipeline::seen::changes::{changes, proposals};
use crate::pipeline::seen::left_over::{self, refused_by_one};
use crate::pipeline::seen::question::Question;
use crate::pipeline::seen::sides::Sides;
use crate::pipeline::service::head_build::HeadBuild;
use crate::pipeline::service::live::{Live, Side};
use mastor_probe::answers::unstable::Moment;
use mastor_probe::job::{Job, Standing};
use mastor_probe::runs::check::{Checked, check};
use mastor_probe::runs::confirm::{settle, settle_sequence};
use mastor_probe::runs::passes::Passes;
use mastor_probe::runs::rounds::{Again, again};
use mastor_probe::runs::run::Stopped;
use mastor_suite::Suite;
use mastor_suite::proposal::Proposal;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::change::Change;
use mastor_types::results::outcome::{Outcome, RunVerdict};
use mastor_types::results::plan::State;
use mastor_types::suite::oracle::{Candidate, Confirmed, Effect, Oracle};
use mastor_types::suite::sequence::Sequence;

/// The results of running base and head.
pub struct Seen {
    /// Results of the base's suite on the head.
    pub checked: Checked,
    /// Results of the candidates.
    pub claimed: Claimed,
    /// Derived and seen changes, joined.
    pub changes: Vec<Change>,
    /// Operations that stay undecided though they were asked, with the reason.
    pub open: Vec<(OpId, String)>,
    /// Proposals.
    pub proposals: Vec<Proposal>,
    /// Sentences for the report.
    pub notes: Vec<String>,
    /// The exit that running them calls for, whatever the verdict is.
    pub exit: Option<Exit>,
}

/// The outcome of running base and head.
pub enum ServiceComparison {
    /// There was nothing to run, and nothing was started.
    Nothing,
    /// Neither revision can be built and started, and the settings do not require it; this is the head's failure.
    NeitherStarts(Failure),
    /// The results of running both.
    Seen(Box<Seen>),
}

/// Runs base and head.
///
/// # Errors
/// Where the head's service cannot be built, started or reached.
pub fn run_both(
    workspace: &Workspace,
    live: &Live<'_>,
    question: Question<'_>,
    head_build: Option<HeadBuild<'_>>,
) -> Result<ServiceComparison, Failure> {
    let mut jobs = jobs(&question);
    let mut claims = claims(live, &question);
    if jobs.is_empty() && claims.is_empty() {
        return Ok(ServiceComparison::Nothing);
    }
    let events = &workspace.events;
    let mut notes = Vec::new();
    let patterns = patterns(&question);
    let mut base = BaseSide::new(workspace, live, &question);
    let mut before = base.ask(&jobs, &mut claims, &patterns, &mut notes);
    asked_of_base(&mut jobs, question.old, before.as_ref());
    let built = head_build.map_or(Ok(None), HeadBuild::ended);
    let of_head = built.and_then(|place| {
        place.into_iter().for_each(|place| live.head_was_built(place));
        live.session(Side::Head(question.head), async |running| {
            if before.is_none() {
                let known = discover(live, running, &patterns, |_, _| {}).await?;
                claims.leads(leads(live, running.can_reset(), &known, &patterns, &question.operations()));
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
        })
    });
    // Kept even if the head fails: after the next push, the base is asked the same.
    base.keep();
    let (checked, followed, mut claimed, refused, alone) = match of_head {
        Err(failure) if failure.exit == Exit::NotReady && !live.is_required() && !base.starts() => {
            return Ok(ServiceComparison::NeitherStarts(failure));
        }
        of_head => of_head?,
    };
    let mut open = match before.as_mut().filter(|_| !refused.is_empty()) {
        Some((passes, _)) => {
            let of_base = base.ask_alone(&refused);
            left_over::settle(&refused, (passes, &mut claimed), (of_base, alone))
        }
        None => Vec::new(),
    };
    // The head's service has ended: it can no longer write to the cache.
    base.keep();
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
    Ok(ServiceComparison::Seen(Box::new(Seen { changes, open, proposals, notes, exit, checked, claimed })))
}

/// Judges each job that was never confirmed by the base's answers of this run. It counts if it held there, is a candidate if it did not, is flaky if it held
/// only sometimes, and stays unasked if the base gave no answer.
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

/// The broken writes with follow-up reads, to be run once more for their current answers.
fn broken_follow_ups(old: &Suite, outcomes: &[Outcome]) -> Vec<Arc<Job>> {
    let broken = |sequence: &&Sequence| {
        outcomes.iter().any(|outcome| outcome.id == sequence.s_id && outcome.verdict == RunVerdict::Broken)
    };
    let follow_ups = old.sequences.values().flatten().filter(|sequence| sequence.is_follow_up());
    follow_ups.filter(broken).map(|sequence| Arc::new(Job::asking(sequence))).collect()
}

/// The base's committed oracles of affected and recheck operations, and its sequences with a step in one of them.
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
    // A removed operation is reported once, and not by every sequence that uses it.
    let touched = |steps: &[mastor_types::suite::sequence::Step]| {
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

/// The known requests of all operations: those of the suites, and those made in this run.
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

/// The request of a derived change, to be sent.
fn witness(change: &Change) -> Option<Oracle> {
    let witness = change.witness.as_ref()?;
    let reads = matches!(change.op_id.method(), mastor_types::Method::Get | mastor_types::Method::Head);
    let effect = if reads { Effect::Reads } else { Effect::Writes };
    Some(Oracle::question(&change.op_id, &witness.as_user, witness.input.clone(), effect))
}

fn exit(checked: &Checked, claimed: &Claimed) -> Option<Exit> {
    use mastor_probe::runs::check::Trouble;
    let troubles = || checked.trouble.iter().chain(&claimed.passes.trouble);
    // Work that the time budget left undone is reported elsewhere; the caller decides whether it counts.
    if troubles().any(|trouble| matches!(trouble, Trouble::Stopped(Stopped::OutOfTime(_)))) {
        return None;
    }
    let of_check = checked.trouble.as_ref().map(|trouble| match trouble {
        Trouble::Gone(_) | Trouble::Reset(_) => Exit::NotReady,
        Trouble::Environment(_) | Trouble::Stopped(_) => Exit::Nothing,
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

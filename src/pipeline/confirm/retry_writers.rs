//! Retries failing write requests on fresh state before they are refuted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::confirm::claims::Claims;
use crate::pipeline::service::live::Live;
use mastor_probe::answers::unstable::{Moment, Variation};
use mastor_probe::job::Job;
use mastor_probe::resources::tidy::Removers;
use mastor_probe::runs::confirm::{settle, settle_sequence};
use mastor_probe::runs::passes::Passes;
use mastor_probe::runs::rounds::{Again, again};
use mastor_probe::service::{Running, ServiceError};
use mastor_types::results::outcome::Answer;
use mastor_types::suite::oracle::{Confirmed, Effect, Oracle};
use mastor_types::suite::sequence::Sequence;

/// Why a writer is neither confirmed nor refuted.
const NOT_ALONE: &str =
    "it met what others left behind, and there were too few restarts to ask it on a state of its own";

/// The writers that are retried.
struct FailedWriters<'c> {
    /// Oracles that did not hold in every run.
    oracles: BTreeMap<&'c str, &'c Oracle>,
    /// Sequences that did not hold in every run, or did not finish.
    sequences: BTreeMap<&'c str, &'c Sequence>,
    moment: &'c Moment,
}

impl<'c> FailedWriters<'c> {
    fn of(claims: &'c Claims, passes: &Passes, moment: &'c Moment, quick: bool) -> Self {
        let mut missed = Self { oracles: BTreeMap::new(), sequences: BTreeMap::new(), moment };
        let oracles = claims.oracles.iter().filter(|one| one.effect == Effect::Writes);
        let is_open = |one: &&Oracle| {
            let answers = passes.of(&one.o_id);
            !answers.is_empty() && settle(one, answers, moment).oracle.confirmation.state != Confirmed::Confirmed
        };
        missed.oracles = oracles.filter(is_open).map(|one| (one.o_id.as_str(), one)).collect();
        let sequences = claims.sequences.iter().filter(|one| !quick && one.effect == Effect::Writes);
        let is_open = |one: &&Sequence| {
            let runs = passes.steps_of(&one.s_id);
            let settled = settle_sequence(one, runs, moment).sequence;
            // A list that varies may only hold what others left behind: alone, it may be as stated.
            let loses = stated(&settled) < stated(one);
            runs.is_empty() || settled.confirmation.state != Confirmed::Confirmed || loses
        };
        missed.sequences = sequences.filter(is_open).map(|one| (one.s_id.as_str(), one)).collect();
        missed
    }

    /// Whether all these answers fulfil an oracle.
    fn is_so(&self, oracle: &Oracle, answers: &[Answer]) -> bool {
        !answers.is_empty() && is_so(settle(oracle, answers, self.moment).oracle.confirmation.state)
    }

    /// Whether all these runs fulfil a sequence.
    fn came_true(&self, sequence: &Sequence, runs: &[Vec<Answer>]) -> bool {
        !runs.is_empty() && is_so(settle_sequence(sequence, runs, self.moment).sequence.confirmation.state)
    }

    /// Without a run: whether the job with this id may run after others. With one: whether the run fulfils its oracle
    /// or sequence.
    fn holds(&self, id: &str, run: Option<&Passes>) -> bool {
        match (self.oracles.get(id), self.sequences.get(id), run) {
            (None, None, _) => false,
            (_, _, None) => true,
            (Some(oracle), _, Some(run)) => self.is_so(oracle, run.of(id)),
            (None, Some(sequence), Some(run)) => self.came_true(sequence, run.steps_of(id)),
        }
    }

    /// The earlier runs among other requests that fulfilled their oracle or sequence.
    fn runs_that_held(&self, passes: &Passes) -> Passes {
        let mut begun = Passes::default();
        for (id, oracle) in &self.oracles {
            let so = |answer: &&Answer| self.is_so(oracle, std::slice::from_ref(*answer));
            let answers: Vec<Answer> = passes.of(id).iter().filter(so).cloned().collect();
            begun.answers.insert((*id).to_owned(), answers);
        }
        for (id, sequence) in &self.sequences {
            let so = |run: &&Vec<Answer>| self.came_true(sequence, std::slice::from_ref(*run));
            let runs: Vec<Vec<Answer>> = passes.steps_of(id).iter().filter(so).cloned().collect();
            begun.steps.insert((*id).to_owned(), runs);
        }
        begun
    }
}

/// Number of assertions of all steps.
pub(super) fn stated(sequence: &Sequence) -> usize {
    sequence.steps.iter().map(|step| step.assertions.len()).sum()
}

fn is_so(state: Confirmed) -> bool {
    matches!(state, Confirmed::Confirmed | Confirmed::Unconfirmed)
}

/// Retries writers that did not hold, or whose answer may depend on what others left behind: alone on fresh state, or
/// after others, which counts only if they hold there. A writer that cannot be retried is left without an answer:
/// nothing is refuted on a shared state.
pub(in crate::pipeline) async fn look_again(
    live: &Live<'_>,
    running: &mut Running,
    claims: &Claims,
    (passes, moment): (&mut Passes, &Moment),
    runs: usize,
) -> Result<(), ServiceError> {
    let quick = live.options().quick_reset;
    let missed = FailedWriters::of(claims, passes, moment, quick);
    let writers = claims.oracles.iter().filter(|oracle| oracle.effect == Effect::Writes);
    // Fields of a single answer that vary among other writers are quarantined; that matters only to observed assertions.
    let varied = writers
        .filter(|_| live.how.observe)
        .filter(|one| !missed.oracles.contains_key(one.o_id.as_str()) && varies(one, passes.of(&one.o_id), moment));
    let refused = claims.probes.iter().map(|probe| &probe.oracle).filter(|one| one.effect == Effect::Writes);
    let refused = refused.filter(|one| !quick && is_refused_for_state(passes.of(&one.o_id)));
    let job = |oracle: &Oracle| Arc::new(Job::of_oracle(oracle));
    let mut jobs: Vec<Arc<Job>> = missed.oracles.values().map(|one| job(one)).collect();
    jobs.extend(missed.sequences.values().map(|one| Arc::new(Job::asking(one))));
    jobs.extend(varied.chain(refused).map(job));
    if jobs.is_empty() || !running.can_reset() {
        return Ok(());
    }
    let known = claims.oracles.iter().map(Job::of_oracle).chain(claims.sequences.iter().map(Job::of_sequence));
    let known: Vec<Job> = known.collect();
    let holds = |id: &str, run: Option<&Passes>| missed.holds(id, run);
    let asked = Again {
        jobs: &jobs,
        begun: missed.runs_that_held(passes),
        times: runs,
        holds: &holds,
        removers: Removers::of(&known),
    };
    // If the service was lost, nothing more runs, and the writers that failed before are not judged.
    let found = match passes.trouble {
        Some(_) => Passes::default(),
        None => again(running, live.users(), asked, live.options()).await?,
    };
    take_up(passes, found, &missed, runs);
    Ok(())
}

/// Takes over the results of the retry; a writer that failed and did not finish all its runs is left without an answer.
fn take_up(passes: &mut Passes, mut found: Passes, missed: &FailedWriters<'_>, runs: usize) {
    let mut open: BTreeSet<&str> = missed.oracles.keys().chain(missed.sequences.keys()).copied().collect();
    passes.requests += found.requests;
    passes.trouble = passes.trouble.take().or(found.trouble.take());
    for (id, answers) in found.answers.into_iter().filter(|(_, answers)| answers.len() == runs) {
        open.remove(id.as_str());
        passes.answers.insert(id, answers);
    }
    for (id, own) in found.steps.into_iter().filter(|(_, own)| own.len() == runs) {
        open.remove(id.as_str());
        passes.unanswered.remove(&id);
        passes.steps.insert(id, own);
    }
    for id in open {
        let why = found.unanswered.remove(id).unwrap_or_else(|| NOT_ALONE.to_owned());
        passes.answers.remove(id);
        passes.steps.remove(id);
        passes.unanswered.insert(id.to_owned(), why);
    }
}

/// Whether every answer refuses the request because of the state, which other writers may have left behind.
fn is_refused_for_state(answers: &[Answer]) -> bool {
    !answers.is_empty() && answers.iter().all(|answer| matches!(answer.status, 404 | 409 | 410 | 412 | 423))
}

/// Whether a writer's answers differ in more than times, perhaps because of what others left behind.
fn varies(oracle: &Oracle, answers: &[Answer], moment: &Moment) -> bool {
    let Some(first) = answers.first() else { return false };
    let same = |answer: &Answer| answer.status == first.status && answer.body == first.body;
    let unstable = || settle(oracle, answers, moment).unstable;
    !answers.iter().all(same) && unstable().iter().any(|one| one.why != Variation::Time)
}

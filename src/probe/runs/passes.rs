//! Passes: sends every request several times on fresh state and keeps all answers, for confirming, observing and
//! comparing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::check::{CheckOptions, Trouble, target};
use super::run::{Keep, Options, Target, run};
use crate::auth::Users;
use crate::job::Job;
use crate::resources::tidy::Removers;
use crate::service::{Running, ServiceError};
use mastor_types::event::Events;
use mastor_types::results::outcome::{Answer, Expected, Outcome};

/// Prefix of the reason for which a multi-step job ended early: an answer lacks a value that a later step needs.
pub const UNTAKEN: &str = "nothing to take";

/// Answers of each job by id, in the order of the passes. A pass without an answer adds none.
#[derive(Debug, Default)]
pub struct Passes {
    /// Answers to single-step jobs.
    pub answers: BTreeMap<String, Vec<Answer>>,
    /// Answers to all steps of multi-step jobs, one list for each complete run.
    pub steps: BTreeMap<String, Vec<Vec<Answer>>>,
    /// Why a job has no answer, by id.
    pub unanswered: BTreeMap<String, String>,
    /// Number of requests sent.
    pub requests: usize,
    /// Why the passes ended early, if so.
    pub trouble: Option<Trouble>,
}

impl Passes {
    /// The answers of a job; may be empty.
    pub fn of(&self, id: &str) -> &[Answer] {
        self.answers.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds further runs of multi-step jobs, for the ids that are wanted.
    pub fn add(&mut self, further: Self, wanted: impl Fn(&str) -> bool) {
        self.requests += further.requests;
        self.trouble = self.trouble.take().or(further.trouble);
        for (id, runs) in further.steps.into_iter().filter(|(id, _)| wanted(id)) {
            self.steps.entry(id).or_default().extend(runs);
        }
    }

    /// Adds a run of one job; its answers only if `counts`.
    pub(super) fn take_up(&mut self, run: Self, counts: bool) {
        self.requests += run.requests;
        self.trouble = self.trouble.take().or(run.trouble);
        if counts {
            run.answers.into_iter().for_each(|(id, of)| self.answers.entry(id).or_default().extend(of));
            run.steps.into_iter().for_each(|(id, of)| self.steps.entry(id).or_default().extend(of));
            self.unanswered.extend(run.unanswered);
        }
    }

    /// The runs of a job including one more.
    pub(super) fn with(&self, id: &str, run: &Self) -> Self {
        let (mut answers, mut steps) = (self.of(id).to_vec(), self.steps_of(id).to_vec());
        answers.extend_from_slice(run.of(id));
        steps.extend_from_slice(run.steps_of(id));
        let is_answered = !run.of(id).is_empty() || !run.steps_of(id).is_empty();
        let mut with = Self::default();
        if is_answered {
            with.answers.insert(id.to_owned(), answers);
            with.steps.insert(id.to_owned(), steps);
        }
        with
    }

    /// Removes all runs of a job.
    pub(crate) fn forget(&mut self, id: &str) {
        self.answers.remove(id);
        self.steps.remove(id);
        self.unanswered.remove(id);
    }

    /// The complete runs of a multi-step job, with the answers to all steps.
    pub fn steps_of(&self, id: &str) -> &[Vec<Answer>] {
        self.steps.get(id).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Runs all jobs `times` times: those that only read concurrently, those that may write one by one, on fresh state
/// where a reset is fast. `fresh` tells whether the service is in its initial state.
///
/// # Errors
/// Where the service's URL is invalid.
pub async fn passes(
    running: &mut Running,
    users: &Users,
    jobs: &[Arc<Job>],
    (times, fresh): (usize, bool),
    options: &CheckOptions,
    events: &Events,
) -> Result<Passes, ServiceError> {
    let mut walk = Walk::new(running, users, options, fresh)?;
    if walk.restarts() {
        walk.removers = Removers::of(jobs.iter().map(|job| &**job));
    }
    events.started("confirming", Some((jobs.len() * times) as u64));
    for pass in 0..times {
        if (pass > 0 || !fresh) && !walk.reset().await? {
            break;
        }
        // Where writing jobs share a state, the reverse order reveals jobs that depend on each other.
        let backwards = pass % 2 == 1 && !options.quick_reset;
        if !walk.pass(jobs, backwards, events).await? {
            break;
        }
    }
    if walk.found.trouble.is_none() {
        walk.found.trouble = options.run.stop.asked().map(Trouble::Stopped);
    }
    Ok(walk.found)
}

/// The state of running passes.
pub(crate) struct Walk<'a> {
    running: &'a mut Running,
    users: &'a Users,
    options: &'a CheckOptions,
    target: Arc<Target>,
    /// Results so far.
    pub(crate) found: Passes,
    /// Whether a job may have changed the state since the last reset.
    pub(crate) touched: bool,
    /// Requests that remove what jobs create, where jobs share a state.
    pub(crate) removers: Removers,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        running: &'a mut Running,
        users: &'a Users,
        options: &'a CheckOptions,
        fresh: bool,
    ) -> Result<Self, ServiceError> {
        let target = target(running, users, options)?;
        let (found, removers) = Default::default();
        Ok(Self { running, users, options, target, found, touched: !fresh, removers })
    }

    pub(crate) fn can_reset(&self) -> bool {
        self.running.can_reset()
    }

    /// Whether resetting means a restart, so that writing jobs share a state.
    fn restarts(&self) -> bool {
        self.can_reset() && !self.options.quick_reset
    }

    /// Resets the service if its state may have changed; returns whether to go on.
    pub(super) async fn refresh(&mut self) -> Result<bool, ServiceError> {
        Ok(!self.touched || self.reset().await?)
    }

    /// Runs each job `times` times, each time on fresh state. A refused request leaves the state fresh.
    pub(super) async fn each_alone(&mut self, jobs: &[Arc<Job>], times: usize) -> Result<(), ServiceError> {
        for job in jobs {
            for _ in 0..times {
                if !self.refresh().await? || !self.run(std::slice::from_ref(job), &Events::silent()).await {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Runs one job and removes what it created; returns whether to go on, and the results.
    pub(super) async fn single(&mut self, job: &Arc<Job>, events: &Events) -> (bool, Passes) {
        let before = std::mem::take(&mut self.found);
        let mut goes_on = self.run(std::slice::from_ref(job), events).await;
        let mut run = std::mem::take(&mut self.found);
        if goes_on && self.touched && job.writes {
            let steps = run.steps_of(&job.id).last().map_or_else(|| run.of(&job.id), Vec::as_slice);
            let removals = self.removers.removals(job, steps);
            goes_on = self.run(&removals, &Events::silent()).await;
            run.requests += self.found.requests;
            run.trouble = self.found.trouble.take();
        }
        self.found = before;
        (goes_on, run)
    }

    async fn pass(&mut self, jobs: &[Arc<Job>], backwards: bool, events: &Events) -> Result<bool, ServiceError> {
        let (mut writers, readers): (Vec<Arc<Job>>, Vec<Arc<Job>>) = jobs.iter().cloned().partition(|job| job.writes);
        if backwards {
            writers.reverse();
        }
        // Jobs that leave little behind come first.
        writers.sort_by_key(|job| job.turn());
        if !self.run(&readers, events).await {
            return Ok(false);
        }
        for job in &writers {
            if self.touched && self.options.quick_reset && !self.reset().await? {
                return Ok(false);
            }
            let (goes_on, run) = self.single(job, events).await;
            self.found.take_up(run, true);
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs these jobs and keeps their answers; returns whether to go on.
    async fn run(&mut self, jobs: &[Arc<Job>], events: &Events) -> bool {
        for outcome in self.outcomes(jobs, events).await {
            self.keep(outcome);
        }
        self.goes_on()
    }

    /// Runs these jobs; returns their outcomes in order.
    pub(super) async fn outcomes(&mut self, jobs: &[Arc<Job>], events: &Events) -> Vec<Outcome> {
        let options = Options { keep: Keep::All, ..self.options.run.clone() };
        let outcomes = run(&self.target, jobs, &options, events).await;
        for (job, outcome) in jobs.iter().zip(&outcomes) {
            self.touched |= job.writes && !outcome.was_refused();
        }
        outcomes
    }

    /// Whether the service is still running and the run was not interrupted.
    pub(super) fn goes_on(&mut self) -> bool {
        if let Some(gone) = self.target.gone() {
            let why = self.running.trouble().map_or_else(|| gone.to_owned(), |why| format!("{gone}: {why}"));
            self.found.trouble = Some(Trouble::Gone(why));
        }
        self.found.trouble.is_none() && self.options.run.stop.asked().is_none()
    }

    fn keep(&mut self, outcome: Outcome) {
        self.found.requests += outcome.exchanges.len();
        if outcome.op_ids.len() > 1 {
            let answers = outcome.exchanges.into_iter().map(|exchange| exchange.answer);
            match answers.collect::<Result<Vec<Answer>, _>>() {
                Ok(answers) if answers.len() == outcome.op_ids.len() => {
                    self.found.steps.entry(outcome.id).or_default().push(answers);
                }
                _ => {
                    let untaken = outcome.misses.iter().find_map(|miss| match &miss.expected {
                        Expected::Capture { name, .. } => Some(format!("{UNTAKEN} as {name}: {}", miss.seen)),
                        _ => None,
                    });
                    let why = outcome.reason.or(untaken).unwrap_or_default();
                    self.found.unanswered.insert(outcome.id, why);
                }
            }
            return;
        }
        match outcome.exchanges.into_iter().next_back().map(|exchange| exchange.answer) {
            Some(Ok(answer)) => self.found.answers.entry(outcome.id).or_default().push(answer),
            Some(Err(why)) => {
                self.found.unanswered.insert(outcome.id, why.to_string());
            }
            None => {
                self.found.unanswered.insert(outcome.id, outcome.reason.unwrap_or_default());
            }
        }
    }

    async fn reset(&mut self) -> Result<bool, ServiceError> {
        if !self.running.can_reset() {
            return Ok(true);
        }
        if let Err(error) = self.running.reset().await {
            self.found.trouble = Some(Trouble::Reset(error));
            return Ok(false);
        }
        self.users.forget().await;
        self.target = target(self.running, self.users, self.options)?;
        self.touched = false;
        Ok(true)
    }
}

//! Passes: every request several times, each time on fresh state, with every answer kept: what confirming, observing and comparing rest on.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::auth::Users;
use super::check::{CheckOptions, Trouble, target};
use super::job::Job;
use super::run::{Keep, Options, Target, run};
use super::service::{Running, ServiceError};
use crate::event::Events;
use crate::types::outcome::{Answer, Expected, Outcome};

/// Restarts for jobs that are looked at alone, at most: each takes seconds.
const RESTARTS: usize = 64;

/// How the reason begins for which a job of several steps came to no end: a value that a later step needs is not in the answer.
pub const UNTAKEN: &str = "nothing to take";

/// Whether a job may run behind others, by its id; and with a run, whether what that shows counts.
pub type Holds<'h> = &'h (dyn Fn(&str, Option<&Passes>) -> bool + Sync);

/// No job runs behind others.
pub const APART: Holds<'static> = &|_, _| false;

/// The answers of each job, by its id, in the order of the passes; a pass without an answer leaves one out.
#[derive(Debug, Default)]
pub struct Passes {
    /// The answers to the last step of each job.
    pub answers: BTreeMap<String, Vec<Answer>>,
    /// The answers to all steps of each job of several, one list for each run that came to its end.
    pub steps: BTreeMap<String, Vec<Vec<Answer>>>,
    /// Why a job got no answer, by its id.
    pub unanswered: BTreeMap<String, String>,
    /// Requests that were sent.
    pub requests: usize,
    /// Why the passes ended early.
    pub trouble: Option<Trouble>,
}

impl Passes {
    /// The answers of a job; none where it got none.
    pub fn of(&self, id: &str) -> &[Answer] {
        self.answers.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Takes up further runs of jobs of several steps: of those whose id is wanted.
    pub fn add(&mut self, further: Self, wanted: impl Fn(&str) -> bool) {
        self.requests += further.requests;
        self.trouble = self.trouble.take().or(further.trouble);
        for (id, runs) in further.steps.into_iter().filter(|(id, _)| wanted(id)) {
            self.steps.entry(id).or_default().extend(runs);
        }
    }

    /// The answers to all steps of a job of several, run by run; none where no run came to its end.
    pub fn steps_of(&self, id: &str) -> &[Vec<Answer>] {
        self.steps.get(id).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Runs all jobs `times` times: those that only read together, those that may write one by one, on fresh state where a reset is quick.
/// `fresh` says whether the service has its first state now.
///
/// # Errors
/// Where the service's URL is none.
pub async fn passes(
    running: &mut Running,
    users: &Users,
    jobs: &[Arc<Job>],
    (times, fresh): (usize, bool),
    options: &CheckOptions,
    events: &Events,
) -> Result<Passes, ServiceError> {
    let target = target(running, users, options)?;
    let mut walk = Walk { running, users, options, target, found: Passes::default(), touched: !fresh };
    events.started("confirming", Some((jobs.len() * times) as u64));
    for pass in 0..times {
        if (pass > 0 || !fresh) && !walk.reset().await? {
            break;
        }
        // Where writers share a state, another order shows which of them depend on each other.
        let backwards = pass % 2 == 1 && !options.quick_reset;
        if !walk.pass(jobs, backwards, events).await? {
            break;
        }
    }
    if walk.found.trouble.is_none() && options.run.stop.asked() {
        walk.found.trouble = Some(Trouble::Interrupted);
    }
    Ok(walk.found)
}

/// Runs these jobs `times` times again, each alone on fresh state: what missed may have met what another one left behind. What is refused leaves
/// the state as it was, for the next one too.
///
/// Where a reset is a restart, there are only so many: then jobs run behind one another where `holds` takes them at all (it is asked without a
/// run first), and what a run behind others shows counts where `holds` says so; the others come nearer to the front after the next restart, and what
/// is in front counts whatever it shows. Jobs that did not come to `times` runs so have fewer.
///
/// # Errors
/// Where the service's URL is none.
pub async fn alone(
    running: &mut Running,
    users: &Users,
    jobs: &[Arc<Job>],
    times: usize,
    options: &CheckOptions,
    holds: Holds<'_>,
) -> Result<Passes, ServiceError> {
    let target = target(running, users, options)?;
    let mut walk = Walk { running, users, options, target, found: Passes::default(), touched: true };
    if !walk.running.can_reset() {
        return Ok(walk.found);
    }
    if !options.quick_reset {
        walk.behind_one_another(jobs, times, holds).await?;
        return Ok(walk.found);
    }
    'all: for job in jobs {
        for _ in 0..times {
            if walk.touched && !walk.reset().await? {
                break 'all;
            }
            if !walk.run(std::slice::from_ref(job), &Events::silent()).await {
                break 'all;
            }
        }
    }
    Ok(walk.found)
}

struct Walk<'a> {
    running: &'a mut Running,
    users: &'a Users,
    options: &'a CheckOptions,
    target: Arc<Target>,
    found: Passes,
    /// Whether something may have changed the state since it was fresh.
    touched: bool,
}

impl Walk<'_> {
    async fn pass(&mut self, jobs: &[Arc<Job>], backwards: bool, events: &Events) -> Result<bool, ServiceError> {
        let (mut writers, readers): (Vec<Arc<Job>>, Vec<Arc<Job>>) = jobs.iter().cloned().partition(|job| job.writes);
        if backwards {
            writers.reverse();
        }
        // What leaves little behind comes before what leaves much.
        writers.sort_by_key(|job| job.turn());
        if !self.run(&readers, events).await {
            return Ok(false);
        }
        for job in &writers {
            if self.touched && self.options.quick_reset && !self.reset().await? {
                return Ok(false);
            }
            if !self.run(std::slice::from_ref(job), events).await {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs jobs behind one another, from the first state again and again, until each ran `times` times as `holds` takes it, or restarts run out.
    async fn behind_one_another(
        &mut self,
        jobs: &[Arc<Job>],
        times: usize,
        holds: Holds<'_>,
    ) -> Result<(), ServiceError> {
        let mut open: Vec<(&Arc<Job>, usize)> = jobs.iter().map(|job| (job, 0)).collect();
        for _ in 0..RESTARTS {
            if open.is_empty() || self.touched && !self.reset().await? {
                break;
            }
            let (mut missed, mut begun) = (Vec::new(), Vec::new());
            for (job, runs) in open {
                let is_fresh = !self.touched;
                if !is_fresh && !holds(&job.id, None) {
                    missed.push((job, runs));
                    continue;
                }
                let before = std::mem::take(&mut self.found);
                let goes_on = self.run(std::slice::from_ref(job), &Events::silent()).await;
                let one = std::mem::replace(&mut self.found, before);
                let counts = is_fresh || holds(&job.id, Some(&one));
                self.found.requests += one.requests;
                self.found.trouble = one.trouble;
                if !goes_on {
                    return Ok(());
                }
                if !counts {
                    missed.push((job, runs));
                    continue;
                }
                for (id, answers) in one.answers {
                    self.found.answers.entry(id).or_default().extend(answers);
                }
                for (id, runs) in one.steps {
                    self.found.steps.entry(id).or_default().extend(runs);
                }
                self.found.unanswered.extend(one.unanswered);
                if runs + 1 < times {
                    begun.push((job, runs + 1));
                }
            }
            // What was begun is asked as often as is wanted.
            begun.extend(missed);
            open = begun;
        }
        Ok(())
    }

    /// Runs these and keeps their answers; says whether to go on.
    async fn run(&mut self, jobs: &[Arc<Job>], events: &Events) -> bool {
        let options = Options { keep: Keep::All, ..self.options.run.clone() };
        for (job, outcome) in jobs.iter().zip(run(&self.target, jobs, &options, events).await) {
            self.touched |= job.writes && !outcome.was_refused();
            self.keep(outcome);
        }
        if let Some(gone) = self.target.gone() {
            let why = self.running.trouble().map_or_else(|| gone.to_owned(), |why| format!("{gone}: {why}"));
            self.found.trouble = Some(Trouble::Gone(why));
        }
        self.found.trouble.is_none() && !self.options.run.stop.asked()
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

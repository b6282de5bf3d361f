//! Check: the committed suite on a service that is ready, each failure looked at again on fresh state before it counts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::auth::Users;
use super::environment::{denied, reads, suspicion, untrue};
use super::http::Limits;
use super::job::{Job, UNASKED};
use super::run::{Options, Stopped, Target, run};
use super::service::{Running, ServiceError};
use super::tidy::Removers;
use crate::event::Events;
use crate::types::outcome::{Outcome, RunVerdict};

/// Why what broke among others is not judged.
const TOO_FEW: &str = "there were too few restarts to ask it on a state of its own";

/// How a suite is checked.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// How jobs are run.
    pub run: Options,
    /// Bounds of each request.
    pub limits: Limits,
    /// Path that stands between the service's URL and those of the operations; empty for none.
    pub base_path: String,
    /// Whether a reset is quick enough to stand between the operations that write: a restart is not.
    pub quick_reset: bool,
}

/// What a check has shown.
#[derive(Debug)]
pub struct Checked {
    /// An outcome for each job, in their order.
    pub outcomes: Vec<Outcome>,
    /// Where the service was asked.
    pub base_url: String,
    /// How many broke at first and held on fresh state.
    pub unsteady: usize,
    /// Why the run ended early or cannot be concluded from; none where it went to its end.
    pub trouble: Option<Trouble>,
    /// How long it took.
    pub time: Duration,
}

/// What keeps a run from saying anything.
#[derive(Debug)]
pub enum Trouble {
    /// The service went away, with what is known of the reason.
    Gone(String),
    /// The service could not be reset.
    Reset(ServiceError),
    /// It does not look like the service that the suite is for.
    Environment(String),
    /// The run was ended before its time.
    Stopped(Stopped),
}

/// Runs all jobs on a service: those that only read first, together; those that may write one by one, on fresh state for each operation
/// where a reset is quick. What breaks is run once more on fresh state, and counts only where it breaks again.
///
/// # Errors
/// Where the service's URL is none.
pub async fn check(
    running: &mut Running,
    users: &Users,
    jobs: &[Arc<Job>],
    options: &CheckOptions,
    events: &Events,
) -> Result<Checked, ServiceError> {
    let started = Instant::now();
    let mut check = Check {
        users,
        options,
        events,
        target: target(running, users, options)?,
        running,
        outcomes: BTreeMap::new(),
        unsteady: 0,
        twice: BTreeSet::new(),
        trouble: None,
        denied: None,
        touched: true,
        removers: Removers::default(),
    };
    if check.running.can_reset() && !options.quick_reset {
        check.removers = Removers::of(jobs.iter().map(|job| &**job));
    }
    events.started("checking", Some(jobs.len() as u64));
    check.denied = check.assumptions(jobs).await;
    let rest = (0..jobs.len()).filter(|n| !check.outcomes.contains_key(n));
    let (mut writers, readers): (Vec<usize>, Vec<usize>) = rest.partition(|n| jobs[*n].writes);
    // What leaves little behind comes before what leaves much.
    writers.sort_by_key(|n| jobs[*n].turn());
    if check.goes_on() {
        check.read(jobs, &readers).await?;
        check.write(jobs, &writers).await?;
    }
    check.trouble = check.trouble.take().or(check.denied.take().map(Trouble::Environment));
    let base_url = check.target.base_url().to_owned();
    let (unsteady, twice) = (check.unsteady, check.twice);
    let (mut trouble, mut found) = (check.trouble.take(), check.outcomes);
    if trouble.is_none() {
        trouble = options.run.stop.asked().map(Trouble::Stopped);
    }
    let reason = trouble.as_ref().map_or_else(|| TOO_FEW.to_owned(), ToString::to_string);
    for (n, outcome) in &mut found {
        if missed(outcome) && !twice.contains(n) {
            inconclusive(outcome, &format!("it broke, and could not be looked at again: {reason}"));
        }
    }
    let outcomes = (0..jobs.len())
        .map(|n| found.remove(&n).unwrap_or_else(|| not_run(&jobs[n], trouble.as_ref(), &reason)))
        .collect();
    Ok(Checked { outcomes, base_url, unsteady, trouble, time: started.elapsed() })
}

fn not_run(job: &Job, trouble: Option<&Trouble>, reason: &str) -> Outcome {
    match trouble {
        Some(Trouble::Stopped(_)) => job.without_run(RunVerdict::Skipped, reason),
        _ => job.without_run(RunVerdict::Inconclusive, reason),
    }
}

/// Where requests go: the service with the path that stands before the operations.
///
/// # Errors
/// Where its URL is none.
pub fn target(running: &Running, users: &Users, options: &CheckOptions) -> Result<Arc<Target>, ServiceError> {
    let url = format!("{}{}", running.base_url().trim_end_matches('/'), options.base_path);
    Ok(Arc::new(Target::new(&url, users.clone(), options.limits, options.run.concurrency)?))
}

/// A check on its way.
pub(super) struct Check<'a> {
    pub(super) running: &'a mut Running,
    users: &'a Users,
    pub(super) options: &'a CheckOptions,
    pub(super) events: &'a Events,
    pub(super) target: Arc<Target>,
    pub(super) outcomes: BTreeMap<usize, Outcome>,
    pub(super) unsteady: usize,
    /// Those that broke twice.
    pub(super) twice: BTreeSet<usize>,
    trouble: Option<Trouble>,
    /// Why the state is not the one that the suite is for, where that is known.
    denied: Option<String>,
    /// Whether something may have changed the state since it was fresh.
    pub(super) touched: bool,
    /// What removes what jobs make, where they share a state.
    pub(super) removers: Removers,
}

impl Check<'_> {
    /// Runs these jobs and keeps what came of them; says whether the check goes on.
    pub(super) async fn run(&mut self, jobs: &[Arc<Job>], which: &[usize], events: &Events) -> bool {
        let chosen: Vec<Arc<Job>> = which.iter().map(|n| Arc::clone(&jobs[*n])).collect();
        let mut outcomes = self.outcomes_of(&chosen, events).await;
        for (job, outcome) in chosen.iter().zip(&mut outcomes) {
            self.touched |= job.writes && !outcome.was_refused();
            // What was only seen was seen on the state that the suite is for.
            if let Some(denied) = &self.denied
                && outcome.verdict == RunVerdict::Broken
                && outcome.misses.iter().all(|miss| job.only_saw(miss))
            {
                inconclusive(outcome, denied);
            }
        }
        self.outcomes.extend(which.iter().copied().zip(outcomes));
        self.look_for_trouble();
        self.goes_on()
    }

    fn look_for_trouble(&mut self) {
        if let Some(gone) = self.target.gone() {
            let why = self.running.trouble().map_or_else(|| gone.to_owned(), |why| format!("{gone}: {why}"));
            self.trouble = Some(Trouble::Gone(why));
        }
    }

    pub(super) fn goes_on(&self) -> bool {
        self.trouble.is_none() && self.options.run.stop.asked().is_none()
    }

    /// Brings the service to its first state; says whether the check goes on.
    pub(super) async fn reset(&mut self) -> Result<bool, ServiceError> {
        if !self.running.can_reset() {
            return Ok(true);
        }
        let before = self.running.base_url().to_owned();
        if let Err(error) = self.running.reset().await {
            self.trouble = Some(Trouble::Reset(error));
            return Ok(false);
        }
        if !self.options.quick_reset || self.running.base_url() != before {
            self.users.forget().await;
            self.target = target(self.running, self.users, self.options)?;
        } else {
            self.users.unmake().await;
        }
        self.touched = false;
        Ok(true)
    }

    /// Looks whether the data that jobs need is there. What rests on seeds that the service does not stand on cannot be told, and is not run; gives why.
    async fn assumptions(&mut self, jobs: &[Arc<Job>]) -> Option<String> {
        let reads = reads(jobs.iter().map(|job| &**job));
        if reads.is_empty() {
            return None;
        }
        let asked: Vec<Arc<Job>> = reads.values().map(|(_, read)| Arc::new(Job::of_read(read))).collect();
        let outcomes = run(&self.target, &asked, &self.options.run, &Events::silent()).await;
        self.look_for_trouble();
        let outcomes: BTreeMap<String, Outcome> = outcomes.into_iter().map(|one| (one.id.clone(), one)).collect();
        let denied = denied(&reads, &outcomes);
        for (n, job) in jobs.iter().enumerate() {
            let because = job.given.iter().find_map(|given| denied.get(&given.evidence));
            if let Some(because) = because {
                self.outcomes.insert(n, job.without_run(RunVerdict::Inconclusive, because));
            }
        }
        denied.into_values().next()
    }

    async fn read(&mut self, jobs: &[Arc<Job>], readers: &[usize]) -> Result<(), ServiceError> {
        if readers.is_empty() || !self.run(jobs, readers, self.events).await {
            return Ok(());
        }
        let chosen: Vec<&Job> = readers.iter().map(|n| &*jobs[*n]).collect();
        let outcomes: Vec<&Outcome> = readers.iter().filter_map(|n| self.outcomes.get(n)).collect();
        let untrue = untrue(&chosen, &outcomes);
        if let Some(what) = suspicion(&chosen, &outcomes) {
            for n in readers {
                if let Some(outcome) = self.outcomes.get_mut(n) {
                    inconclusive(outcome, &what);
                }
            }
            self.trouble = Some(Trouble::Environment(what));
            return Ok(());
        }
        for n in readers {
            let because = jobs[*n].given.iter().find_map(|given| untrue.get(&given.evidence));
            if let (Some(because), Some(outcome)) = (because, self.outcomes.get_mut(n)) {
                inconclusive(outcome, because);
            }
        }
        // Nothing has written yet: the state is as fresh as it was, but for what a reset would undo cheaply.
        let broken = self.broken(readers);
        if broken.is_empty() || (self.options.quick_reset && !self.reset().await?) {
            return Ok(());
        }
        self.again(jobs, &broken).await;
        Ok(())
    }

    pub(super) fn broken(&self, among: &[usize]) -> Vec<usize> {
        among.iter().filter(|n| self.outcomes.get(n).is_some_and(missed)).copied().collect()
    }
}

/// Whether something was not seen that had to be: of what was confirmed once, of a candidate, or of what nobody has confirmed yet.
pub(super) fn missed(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, RunVerdict::Broken | RunVerdict::Refuted) || outcome.reason.as_deref() == Some(UNASKED)
}

fn inconclusive(outcome: &mut Outcome, reason: &str) {
    outcome.verdict = RunVerdict::Inconclusive;
    outcome.reason = Some(reason.to_owned());
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gone(why) | Self::Environment(why) => f.write_str(why),
            Self::Reset(error) => error.fmt(f),
            Self::Stopped(why) => why.fmt(f),
        }
    }
}

//! Check: runs the committed suite on a service; a failure counts only if it repeats on fresh state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::environment::{missing_seeds, reads, suspicion, untrue};
use super::run::{Options, Stopped, Target, run};
use crate::auth::Users;
use crate::http::Limits;
use crate::job::{Job, UNASKED};
use crate::resources::tidy::Removers;
use crate::service::{Running, ServiceError};
use mastor_types::event::Events;
use mastor_types::results::outcome::{Outcome, RunVerdict};

/// Reason for an oracle that broke after others and was not run again.
const TOO_FEW: &str = "there were too few restarts to ask it on a state of its own";

/// Options of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// How jobs are run.
    pub run: Options,
    /// Limits of each request.
    pub limits: Limits,
    /// Path between the service's URL and the operations' paths; may be empty.
    pub base_path: String,
    /// Whether a reset is fast enough to run between writing operations, which a restart is not.
    pub quick_reset: bool,
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// One outcome for each job, in the same order.
    pub outcomes: Vec<Outcome>,
    /// Base URL that was used.
    pub base_url: String,
    /// Number of oracles that broke at first and held on fresh state.
    pub unsteady: usize,
    /// Why the run ended early or is inconclusive, if so.
    pub trouble: Option<Trouble>,
    /// Duration of the check.
    pub time: Duration,
}

/// Why a run is inconclusive.
#[derive(Debug)]
pub enum Trouble {
    /// The service stopped, with the reason where known.
    Gone(String),
    /// The service could not be reset.
    Reset(ServiceError),
    /// The service does not seem to be the one that the suite was made for.
    Environment(String),
    /// The run was ended before its time.
    Stopped(Stopped),
}

/// Runs all jobs on a service. Jobs that only read come first and run concurrently; those that may write run one by
/// one, with a reset before each operation where a reset is fast. What breaks is run again on fresh state, and counts
/// only if it breaks again.
///
/// # Errors
/// Where the service's URL is invalid.
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
    // Jobs that leave little behind come first.
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

/// The target of requests: the service's URL with the operations' base path.
///
/// # Errors
/// Where its URL is invalid.
pub fn target(running: &Running, users: &Users, options: &CheckOptions) -> Result<Arc<Target>, ServiceError> {
    let url = format!("{}{}", running.base_url().trim_end_matches('/'), options.base_path);
    Ok(Arc::new(Target::new(&url, users.clone(), options.limits, options.run.concurrency)?))
}

/// The state of a running check.
pub(crate) struct Check<'a> {
    pub(crate) running: &'a mut Running,
    users: &'a Users,
    pub(crate) options: &'a CheckOptions,
    pub(crate) events: &'a Events,
    pub(crate) target: Arc<Target>,
    pub(crate) outcomes: BTreeMap<usize, Outcome>,
    pub(crate) unsteady: usize,
    /// Jobs that broke twice.
    pub(crate) twice: BTreeSet<usize>,
    trouble: Option<Trouble>,
    /// Why the service's data is not what the suite expects, where known.
    denied: Option<String>,
    /// Whether a job may have changed the state since the last reset.
    pub(crate) touched: bool,
    /// Requests that remove what jobs create, where jobs share a state.
    pub(crate) removers: Removers,
}

impl Check<'_> {
    /// Runs these jobs and stores their outcomes; returns whether the check goes on.
    pub(crate) async fn run(&mut self, jobs: &[Arc<Job>], which: &[usize], events: &Events) -> bool {
        let chosen: Vec<Arc<Job>> = which.iter().map(|n| Arc::clone(&jobs[*n])).collect();
        let mut outcomes = self.outcomes_of(&chosen, events).await;
        for (job, outcome) in chosen.iter().zip(&mut outcomes) {
            self.touched |= job.writes && !outcome.was_refused();
            // Observed expectations depend on the service's data, so they cannot be judged on other data.
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

    /// Resets the service; returns whether the check goes on.
    pub(crate) async fn reset(&mut self) -> Result<bool, ServiceError> {
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
            self.users.forget_created_users().await;
        }
        self.touched = false;
        Ok(true)
    }

    /// Checks that the data which jobs need exists. Jobs whose seed data is missing become inconclusive and are not
    /// run; returns the reason.
    async fn assumptions(&mut self, jobs: &[Arc<Job>]) -> Option<String> {
        let reads = reads(jobs.iter().map(|job| &**job));
        if reads.is_empty() {
            return None;
        }
        let asked: Vec<Arc<Job>> = reads.values().map(|(_, read)| Arc::new(Job::of_read(read))).collect();
        let outcomes = run(&self.target, &asked, &self.options.run, &Events::silent()).await;
        self.look_for_trouble();
        let outcomes: BTreeMap<String, Outcome> = outcomes.into_iter().map(|one| (one.id.clone(), one)).collect();
        let denied = missing_seeds(&reads, &outcomes);
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
        // Nothing has written yet, so a slow reset would not help.
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

/// Whether an expectation was not met, whether or not the oracle was confirmed before.
pub(crate) fn missed(outcome: &Outcome) -> bool {
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

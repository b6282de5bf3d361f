//! Runs jobs on a service: read-only jobs concurrently, writing jobs one by one; outcomes are in the order of the jobs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt as _;

use super::attempt::steps;
use super::target::TIMEOUTS;
pub use super::target::Target;
use crate::job::Job;
use mastor_types::deadline::Deadline;
use mastor_types::event::Events;
use mastor_types::results::outcome::{Outcome, RunVerdict};

/// Whether the run should stop early; cheap to clone.
#[derive(Debug, Clone)]
pub struct Stop(tokio::sync::watch::Receiver<Option<Stopped>>);

/// What ended a run before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Ctrl-C, or a CI system that cancelled the job.
    Interrupted,
    /// The time budget of the run is spent.
    OutOfTime(Deadline),
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Interrupted => f.write_str("the run was interrupted"),
            Self::OutOfTime(deadline) => deadline.fmt(f),
        }
    }
}

/// The sender that stops a run by sending the reason. If it is dropped, the run continues to its end.
pub type Stopper = tokio::sync::watch::Sender<Option<Stopped>>;

impl Stop {
    /// A new pair: the sender that stops a run, and the receiver that the run watches.
    pub fn new() -> (Stopper, Self) {
        let (sender, receiver) = tokio::sync::watch::channel(None);
        (sender, Self(receiver))
    }

    /// A run that is never stopped.
    pub fn never() -> Self {
        Self::new().1
    }

    /// Why the run should stop; `None` while it may continue.
    pub fn asked(&self) -> Option<Stopped> {
        *self.0.borrow()
    }

    async fn wait(&mut self) -> Stopped {
        if let Ok(stopped) = self.0.wait_for(Option::is_some).await
            && let Some(stopped) = *stopped
        {
            return stopped;
        }
        std::future::pending().await
    }
}

/// Which exchanges are kept in outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Those of jobs that did not hold, with limits on each body and on the total size.
    #[default]
    Failures,
    /// All, not truncated; for callers that run few jobs at once.
    All,
}

/// Options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Maximum number of concurrent jobs.
    pub concurrency: usize,
    /// Which exchanges are kept.
    pub keep: Keep,
    /// Whether to stop early.
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Self {
        Self { concurrency: 4, keep: Keep::default(), stop: Stop::never() }
    }
}

/// An async runtime for this concurrency; single-threaded where jobs run one by one.
///
/// # Errors
/// Where the operating system provides no more threads or files.
pub fn runtime(concurrency: usize) -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = match concurrency {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    builder.enable_all().build()
}

/// Runs all jobs: first those that only read, concurrently, then those that may write, one by one. Returns the outcomes
/// in the order of the jobs, and sends an event for each.
pub async fn run(target: &Arc<Target>, jobs: &[Arc<Job>], options: &Options, events: &Events) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = jobs.iter().map(|_| None).collect();
    let (mut writers, readers): (Vec<usize>, Vec<usize>) = (0..jobs.len()).partition(|n| jobs[*n].writes);
    writers.sort_by_key(|n| jobs[*n].turn());
    let spawned = |n: usize| {
        let (target, job, options) = (Arc::clone(target), Arc::clone(&jobs[n]), options.clone());
        let running = tokio::spawn(async move { one(&target, &job, &options).await });
        async move { (n, running.await) }
    };
    let mut counts: BTreeMap<RunVerdict, usize> = BTreeMap::new();
    let mut done = |(n, outcome): (usize, Result<Outcome, tokio::task::JoinError>)| {
        let failed = |_| jobs[n].without_run(RunVerdict::Inconclusive, "a defect of mastor ended the run of this one");
        let outcome = outcome.unwrap_or_else(failed);
        *counts.entry(outcome.verdict).or_default() += 1;
        let told: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {}", verdict.as_str())).collect();
        events.advanced(told.join(" · "));
        outcomes[n] = Some(outcome);
    };
    // The stream is lazy, so that no more than the limit are spawned at a time.
    let mut reading = futures_util::stream::iter(readers).map(spawned).buffer_unordered(options.concurrency.max(1));
    while let Some(finished) = reading.next().await {
        done(finished);
    }
    for n in writers {
        done(spawned(n).await);
    }
    outcomes.into_iter().flatten().collect()
}

/// Runs one job.
pub async fn one(target: &Target, job: &Job, options: &Options) -> Outcome {
    let mut stop = options.stop.clone();
    if let Some(stopped) = stop.asked() {
        return job.without_run(RunVerdict::Skipped, stopped.to_string());
    }
    if let Some(gone) = target.gone() {
        return job.without_run(RunVerdict::Inconclusive, gone);
    }
    if let Some(step) = job.steps.iter().find(|step| target.hangs(&step.op_id)) {
        let reason = format!("{} ran into the time limit {TIMEOUTS} times and was not asked again", step.op_id);
        return job.without_run(RunVerdict::Inconclusive, reason);
    }
    target.users.create_users(&target.client, target.base_url()).await;
    let started = Instant::now();
    let mut outcome = tokio::select! {
        biased;
        outcome = steps(target, job) => outcome,
        stopped = stop.wait() => return job.without_run(RunVerdict::Skipped, stopped.to_string()),
    };
    outcome.seconds = started.elapsed().as_secs_f64();
    keep(&mut outcome, options.keep, target);
    outcome
}

/// Reduces the exchanges of an outcome to those to be kept.
pub fn keep(outcome: &mut Outcome, of: Keep, target: &Target) {
    match of {
        Keep::All => {}
        Keep::Failures if outcome.verdict == RunVerdict::Held => outcome.exchanges = Vec::new(),
        Keep::Failures => outcome.exchanges.iter_mut().for_each(|exchange| target.shown.bound(exchange)),
    }
}

//! Runs jobs on a service: those that only read concurrently, those that may write one after another, results in the order of the jobs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use futures_util::StreamExt as _;

use super::auth::Users;
use super::exchange;
use super::http::{Client, HttpError, Limits};
use super::job::Job;
use super::judge::{Captures, judge, shorten, take, undecided};
use super::shown::{self, Shown};
use crate::event::Events;
use crate::types::op_id::OpId;
use crate::types::oracle::Check;
use crate::types::outcome::{Answer, Expected, Miss, NoAnswer, Outcome, RunVerdict};
use crate::types::sequence::Step;

/// Requests of one operation that may run into the time limit before the rest of it is not asked any more.
const TIMEOUTS: u32 = 3;

/// The service that jobs run on.
#[derive(Debug)]
pub struct Target {
    base_url: String,
    client: Client,
    users: Users,
    gone: OnceLock<String>,
    timeouts: Mutex<BTreeMap<OpId, u32>>,
    shown: Shown,
}

impl Target {
    /// A service at this URL.
    ///
    /// # Errors
    /// Where the URL is none of a service.
    pub fn new(base_url: &str, users: Users, limits: Limits, connections: usize) -> Result<Self, HttpError> {
        let urls: Vec<&str> = [base_url].into_iter().chain(users.urls()).collect();
        let client = Client::new(&urls, limits, connections)?;
        Ok(Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            client,
            users,
            gone: OnceLock::new(),
            timeouts: Mutex::default(),
            shown: Shown::default(),
        })
    }

    /// The URL that paths are appended to.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The users that are known.
    pub fn users(&self) -> &Users {
        &self.users
    }

    /// Why the service counts as gone; none while it does not.
    pub fn gone(&self) -> Option<&str> {
        self.gone.get().map(String::as_str)
    }

    /// Whether a connection can be made; where not, the service counts as gone from now on.
    pub async fn is_there(&self) -> bool {
        if self.gone.get().is_some() {
            return false;
        }
        let there = self.client.reaches(&self.base_url).await;
        if !there {
            self.gone.get_or_init(|| format!("the service is gone: no connection to {}", self.base_url));
        }
        there
    }

    fn timed_out(&self, op_id: &OpId) {
        *self.lock().entry(op_id.clone()).or_default() += 1;
    }

    fn hangs(&self, op_id: &OpId) -> bool {
        self.lock().get(op_id).is_some_and(|times| *times >= TIMEOUTS)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<OpId, u32>> {
        self.timeouts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a run is to end before its time; cheap to clone.
#[derive(Debug, Clone)]
pub struct Stop(tokio::sync::watch::Receiver<bool>);

/// What ends a run; where it is dropped, the run goes on to its end.
pub type Stopper = tokio::sync::watch::Sender<bool>;

impl Stop {
    /// A run that can be ended by sending `true`.
    pub fn new() -> (Stopper, Self) {
        let (sender, receiver) = tokio::sync::watch::channel(false);
        (sender, Self(receiver))
    }

    /// A run that goes to its end.
    pub fn never() -> Self {
        Self::new().1
    }

    /// Whether it is to end.
    pub fn asked(&self) -> bool {
        *self.0.borrow()
    }

    async fn wait(&mut self) {
        if self.0.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Whose requests and answers are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Of jobs that did not hold, each body and all together bounded.
    #[default]
    Failures,
    /// Of all, whole: for callers that look at few jobs at once.
    All,
}

/// How jobs are run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Most jobs at a time.
    pub concurrency: usize,
    /// Whose requests and answers are kept.
    pub keep: Keep,
    /// Whether to end before the end.
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Self {
        Self { concurrency: 4, keep: Keep::default(), stop: Stop::never() }
    }
}

/// A runtime for a run of this concurrency: one thread where nothing runs at the same time.
///
/// # Errors
/// Where the system gives no threads or files.
pub fn runtime(concurrency: usize) -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = match concurrency {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    builder.enable_all().build()
}

/// Runs all jobs: first those that only read, concurrently, then those that may write, each alone. Gives an outcome for each job, in their
/// order; each that is done is told as an event.
pub async fn run(target: &Arc<Target>, jobs: &[Arc<Job>], options: &Options, events: &Events) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = jobs.iter().map(|_| None).collect();
    let (writers, readers): (Vec<usize>, Vec<usize>) = (0..jobs.len()).partition(|n| jobs[*n].writes);
    let spawned = |n: usize| {
        let (target, job, options) = (Arc::clone(target), Arc::clone(&jobs[n]), options.clone());
        let running = tokio::spawn(async move { one(&target, &job, &options).await });
        async move { (n, running.await) }
    };
    let mut done = |(n, outcome): (usize, Result<Outcome, tokio::task::JoinError>)| {
        let failed = |_| jobs[n].without_run(RunVerdict::Inconclusive, "a defect of mastor ended the run of this one");
        events.advanced(&jobs[n].test_id);
        outcomes[n] = Some(outcome.unwrap_or_else(failed));
    };
    // Futures are made lazily, so that no more than the limit is spawned at a time.
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
    if stop.asked() {
        return job.without_run(RunVerdict::Skipped, "the run was interrupted");
    }
    if let Some(gone) = target.gone() {
        return job.without_run(RunVerdict::Inconclusive, gone);
    }
    if let Some(step) = job.steps.iter().find(|step| target.hangs(&step.op_id)) {
        let reason = format!("{} ran into the time limit {TIMEOUTS} times and was not asked again", step.op_id);
        return job.without_run(RunVerdict::Inconclusive, reason);
    }
    let started = Instant::now();
    let mut outcome = tokio::select! {
        biased;
        outcome = steps(target, job) => outcome,
        () = stop.wait() => return job.without_run(RunVerdict::Skipped, "the run was interrupted"),
    };
    outcome.seconds = started.elapsed().as_secs_f64();
    match options.keep {
        Keep::All => {}
        Keep::Failures if outcome.verdict == RunVerdict::Held => outcome.exchanges = Vec::new(),
        Keep::Failures => outcome.exchanges.iter_mut().for_each(|exchange| target.shown.bound(exchange)),
    }
    outcome
}

async fn steps(target: &Target, job: &Job) -> Outcome {
    let outcome = Outcome { reason: None, ..job.without_run(RunVerdict::Held, "") };
    let mut attempt = Attempt { target, job, outcome, captures: Captures::new() };
    for (n, step) in job.steps.iter().enumerate() {
        let built = exchange::request(&target.base_url, &step.op_id, &step.input, &step.binds, &attempt.captures);
        let request = match built {
            Ok(request) => request,
            Err(why) => {
                attempt.ends(RunVerdict::Skipped, why);
                break;
            }
        };
        let renew = !expects_401(step);
        let sending = target.users.send(&target.client, &target.base_url, &step.as_user, &request, renew);
        let answer = sending.await;
        match &answer {
            Ok(answer) => attempt.answered(n, step, answer),
            Err(no_answer) => attempt.unanswered(n, step, no_answer).await,
        }
        attempt.outcome.exchanges.push(shown::exchange(&target.users, n, step, request, answer));
        if attempt.outcome.verdict != RunVerdict::Held {
            break;
        }
    }
    attempt.outcome
}

fn expects_401(step: &Step) -> bool {
    step.assertions.iter().any(|assertion| match &assertion.check {
        Check::Status { expected } => expected.codes().contains(&401),
        _ => false,
    })
}

/// A job on its way through its steps: it ends where its outcome is no longer that it held.
struct Attempt<'a> {
    target: &'a Target,
    job: &'a Job,
    outcome: Outcome,
    captures: Captures,
}

impl Attempt<'_> {
    fn ends(&mut self, verdict: RunVerdict, reason: impl Into<String>) {
        self.outcome.verdict = verdict;
        self.outcome.reason = Some(reason.into());
    }

    fn misses(&mut self, mut misses: Vec<Miss>, step: usize) {
        let secrets = self.target.users.secrets();
        for miss in &mut misses {
            miss.step = step;
            miss.seen = shorten(&secrets.hide(&miss.seen));
        }
        self.outcome.misses = misses;
        self.outcome.verdict = self.job.missed();
        if self.outcome.verdict == RunVerdict::Inconclusive {
            self.outcome.reason = Some("it is known to hold only sometimes".to_owned());
        }
    }

    /// Judges an answer and takes what later steps need.
    fn answered(&mut self, n: usize, step: &Step, answer: &Answer) {
        self.outcome.service_seconds += answer.millis / 1000.0;
        let mut misses = judge(&step.assertions, answer, &self.captures);
        misses.retain(|miss| match &miss.expected {
            Expected::Assertion { check: Check::Field { path, .. }, .. } => !self.job.is_quarantined(path, &miss.at),
            _ => true,
        });
        if misses.is_empty() {
            for (name, from) in &step.captures {
                match take(from, answer) {
                    Ok(value) => {
                        self.captures.insert(name.clone(), value);
                    }
                    Err(seen) => {
                        let expected = Expected::Capture { name: name.clone(), from: from.clone() };
                        misses.push(Miss { step: n, expected, at: String::new(), seen });
                    }
                }
            }
        }
        if !misses.is_empty() {
            self.misses(misses, n);
        } else if let Some(why) = undecided(&step.assertions, answer) {
            self.ends(RunVerdict::Inconclusive, why);
        }
    }

    /// What it means that there is no answer.
    async fn unanswered(&mut self, n: usize, step: &Step, no_answer: &NoAnswer) {
        let target = self.target;
        if matches!(no_answer, NoAnswer::TimedOut { .. }) {
            target.timed_out(&step.op_id);
        }
        if no_answer.may_be_gone() && !target.is_there().await {
            return self.ends(RunVerdict::Inconclusive, target.gone().unwrap_or_default());
        }
        let told = target.users.secrets().hide(&no_answer.to_string());
        match no_answer {
            NoAnswer::Unsendable { .. } | NoAnswer::NoUser { .. } => self.ends(RunVerdict::Skipped, told),
            NoAnswer::NoLogin { .. } | NoAnswer::Refused { .. } => self.ends(RunVerdict::Inconclusive, told),
            NoAnswer::TimedOut { .. } | NoAnswer::Closed | NoAnswer::Truncated { .. } | NoAnswer::Garbled { .. } => {
                self.misses(vec![Miss { step: n, expected: Expected::Answer, at: String::new(), seen: told }], n);
            }
        }
    }
}

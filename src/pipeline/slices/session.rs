//! A running harness: sends it the requests of oracles, and reads its reports.

use std::time::Instant;

use super::jobs::{job, left_out};
use crate::pipeline::service::java_bench::Bench;
use mastor_probe::http::{Client, Limits, Request};
use mastor_probe::runs::run::{self, Keep, Options, Stop};
use mastor_probe::runs::target::Target;
use mastor_probe::service::Running;
use mastor_types::error::{Exit, Failure};
use mastor_types::http::Method;
use mastor_types::results::outcome::Outcome;
use mastor_types::results::slices::SliceSeconds;
use mastor_types::suite::oracle::Oracle;

/// A running harness: one application, wired with stubs, that answers requests.
pub(super) struct Session<'a> {
    /// Where it is built and run.
    pub(super) bench: Bench<'a>,
    /// The class path of the project's tests.
    pub(super) class_path: Vec<String>,
    /// How long it took to build, start and ask it.
    pub(super) seconds: SliceSeconds,
    running: Running,
    target: Target,
    times: usize,
    told: Client,
    proposed: Option<String>,
}

impl<'a> Session<'a> {
    /// A session with a harness that is ready; each oracle is asked `times` times.
    ///
    /// # Errors
    /// Exit 70 where no client can be made.
    pub(super) fn of(
        (bench, class_path): (Bench<'a>, Vec<String>),
        running: Running,
        (target, times): (Target, usize),
        seconds: SliceSeconds,
    ) -> Result<Self, Failure> {
        let own = running.base_url().trim_end_matches('/');
        let told = Client::new(&[own], Limits::default(), 1);
        let told = told.map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
        Ok(Self { bench, class_path, seconds, running, target, times: times.max(1), told, proposed: None })
    }

    /// The harness's address.
    pub(super) fn base_url(&self) -> &str {
        self.running.base_url()
    }

    /// The path between the harness's address and the paths of operations.
    pub(super) fn base_path(&self) -> &str {
        self.target.base_url().strip_prefix(self.base_url().trim_end_matches('/')).unwrap_or_default()
    }

    /// Sends the requests of an oracle as often as the session is set to; gives each outcome, or why the oracle makes
    /// no slice.
    pub(super) async fn ask(&mut self, oracle: &Oracle) -> Result<Vec<Outcome>, &'static str> {
        if let Some(why) = left_out(oracle) {
            return Err(why);
        }
        let mut outcomes = Vec::new();
        for _ in 0..self.times {
            outcomes.push(self.ask_once(oracle, None).await);
        }
        Ok(outcomes)
    }

    /// Sends the requests of an oracle once, with a further header if one is given.
    pub(super) async fn ask_once(&mut self, oracle: &Oracle, more: Option<(&str, &str)>) -> Outcome {
        let began = Instant::now();
        let how = Options { concurrency: 1, keep: Keep::All, stop: Stop::never() };
        let mut job = job(oracle);
        if let Some((name, value)) = more {
            job.steps.iter_mut().for_each(|step| step.input.headers.push((name.to_owned(), value.to_owned())));
        }
        let outcome = run::one(&self.target, &job, &how).await;
        self.seconds.run += began.elapsed().as_secs_f64();
        outcome
    }

    /// The requests that the harness proposes for all handlers.
    ///
    /// # Errors
    /// Exit 4 where it does not answer.
    pub(super) async fn proposed(&mut self) -> Result<&str, Failure> {
        let told = match self.proposed.take() {
            Some(told) => told,
            None => self.tells("requests").await?,
        };
        Ok(self.proposed.insert(told))
    }

    /// A report of the harness: `kit` or `requests`; `asked` or `recorded` for the last request.
    ///
    /// # Errors
    /// Exit 4 where it does not answer.
    pub(super) async fn tells(&self, what: &str) -> Result<String, Failure> {
        let url = format!("{}/mastor/{what}", self.base_url().trim_end_matches('/'));
        let request = Request { method: Method::Get, url, headers: Vec::new(), body: None };
        let answer = self.told.send(&request).await;
        let answer = answer.map_err(|_| Failure::new(Exit::NotReady, "the harness of slices does not answer"))?;
        Ok(String::from_utf8_lossy(&answer.body).into_owned())
    }

    /// Stops the harness; gives where it was built, and its class path.
    pub(super) async fn stop(self) -> (Bench<'a>, Vec<String>) {
        self.running.stop().await;
        (self.bench, self.class_path)
    }
}

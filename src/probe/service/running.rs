//! A running service: its URL, reset and stop.

use std::time::{Duration, Instant};

use super::command::Command;
use super::environment::{filled, secrets};
use super::error::{ServiceError, seconds};
use super::log::{Log, TAIL, Tail};
use super::place::Place;
use super::ready::{Unready, Watch};
use super::{build, port, record, signs};
use crate::http::{Client, Limits, Request};
use mastor_config::{ResetSetting, ServiceSettings, below};
use mastor_types::Method;
use mastor_types::event::Events;

/// A service that is ready. Dropping it ends all processes started for it; [`Running::stop`] gives them time to shut
/// down.
#[derive(Debug)]
pub struct Running {
    spec: ServiceSettings,
    place: Place,
    base_url: String,
    ready_after: Duration,
    events: Events,
    started: Option<Started>,
}

/// Maximum number of ports tried, where other programs take the chosen port before the service does.
const PORTS: usize = 3;

/// A service started by mastor.
#[derive(Debug)]
struct Started {
    /// `None` only during a restart.
    command: Option<Command>,
    port: u16,
    log: Log,
}

/// Builds and starts a service, or connects to one that is running, and waits until it is ready. First ends what an
/// earlier run left behind.
///
/// # Errors
/// Where it cannot be built, started or reached; then nothing that was started keeps running.
pub async fn start(spec: &ServiceSettings, place: &Place, events: &Events) -> Result<Running, ServiceError> {
    for left in record::sweep(&place.cache) {
        events.said(format!("ended what an earlier run left behind: {left}"));
    }
    let mut running = Running {
        spec: spec.clone(),
        place: place.clone(),
        base_url: filled(&spec.base_url, place, spec.port),
        ready_after: Duration::ZERO,
        events: events.clone(),
        started: None,
    };
    if spec.start.is_none() {
        running.reach().await?;
        return Ok(running);
    }
    mastor_store::create_ignored(&place.out)?;
    build::build(spec, place, events).await?;
    events.started(format!("starting {}", place.label), None);
    let mut ports = 0;
    loop {
        let port = port::choose(spec, place.instance)?;
        let log = Log::create(&place.log("service"), secrets(spec))?;
        running.base_url = filled(&spec.base_url, place, Some(port));
        running.started = Some(Started { command: None, port, log });
        ports += 1;
        match running.launch().await {
            Ok(()) => break,
            // Another program took the free port in the meantime; try the next one.
            Err(ServiceError::DiedEarly { .. }) if spec.port.is_none() && ports < PORTS && port::answers(port) => {}
            Err(error) => return Err(error),
        }
    }
    events.finished(format!("{} is ready after {} at {}", place.label, seconds(running.ready_after), running.base_url));
    Ok(running)
}

impl Running {
    /// The base URL, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Name in messages.
    pub fn label(&self) -> &str {
        &self.place.label
    }

    /// Time of the last start until the service was ready.
    pub fn ready_after(&self) -> Duration {
        self.ready_after
    }

    /// Whether [`Running::reset`] does anything.
    pub fn can_reset(&self) -> bool {
        self.spec.reset != ResetSetting::None
    }

    /// The last lines of its log; `None` for a service that mastor did not start.
    pub fn tail(&self, count: usize) -> Option<Tail> {
        self.started.as_ref().map(|started| started.log.tail(count))
    }

    /// Checks that the service is running. One that mastor did not start is not checked.
    ///
    /// # Errors
    /// How it ended, with the last lines of its log.
    pub fn alive(&mut self) -> Result<(), ServiceError> {
        let Some(Started { command: Some(command), log, .. }) = &mut self.started else { return Ok(()) };
        match command.ended() {
            None => Ok(()),
            Some(ended) => {
                log.settle(Duration::from_millis(300));
                Err(ServiceError::Died { label: self.place.label.clone(), ended, tail: log.tail(TAIL).into() })
            }
        }
    }

    /// The suspected reason why it no longer answers: it ended, or listens on another port.
    pub fn trouble(&mut self) -> Option<String> {
        if let Err(error) = self.alive() {
            return Some(error.to_string());
        }
        let started = self.started.as_ref()?;
        signs::of(started.port, started.command.as_ref(), &started.log)
    }

    /// Resets the service to its initial state, by the configured method.
    ///
    /// # Errors
    /// Where the reset fails; the state is unknown then.
    pub async fn reset(&mut self) -> Result<(), ServiceError> {
        match self.spec.reset.clone() {
            ResetSetting::None => return Ok(()),
            ResetSetting::Restart => return self.restart().await,
            ResetSetting::Post(url) => self.post(&below(&self.base_url, &url)).await?,
            ResetSetting::Command(line) => self.command(&line).await?,
        }
        self.alive()
    }

    /// Asks the service to end, and kills it after the configured time.
    pub async fn stop(mut self) {
        if let Some(command) = self.started.as_mut().and_then(|started| started.command.take()) {
            command.stop().await;
        }
    }

    /// Stops the service and starts it again on the same port.
    async fn restart(&mut self) -> Result<(), ServiceError> {
        let Some(started) = &mut self.started else { return Ok(()) };
        if let Some(command) = started.command.take() {
            command.stop().await;
        }
        port::released(started.port).await;
        port::ensure_free(started.port)?;
        self.launch().await
    }

    /// Starts the command and waits until it is ready.
    async fn launch(&mut self) -> Result<(), ServiceError> {
        let (Some(line), Some(started)) = (&self.spec.start, &mut self.started) else { return Ok(()) };
        let watched = match &self.spec.ready {
            mastor_config::Ready::Log(text) => Some(text.as_str()),
            _ => None,
        };
        started.log.watch(watched);
        let mut command = Command::start(line, &self.spec, &self.place, Some(started.port), &started.log)?;
        let (since, within) = (command.since, self.spec.ready_within);
        let watch = Watch::new(&self.spec, &self.base_url, Some(&started.log))?;
        let waited = watch.wait(Some(&mut command), since, within).await;
        let label = self.place.label.clone();
        match waited {
            Ok(()) => {
                self.ready_after = since.elapsed();
                started.command = Some(command);
                Ok(())
            }
            Err(Unready::Ended(ended)) => {
                let after = since.elapsed();
                command.stop().await;
                started.log.settle(Duration::from_millis(500));
                Err(ServiceError::DiedEarly { label, ended, after, tail: started.log.tail(TAIL).into() })
            }
            Err(Unready::Late(seen)) => {
                let sign = signs::of(started.port, Some(&command), &started.log);
                command.stop().await;
                Err(ServiceError::NotReady { label, within, seen, sign, tail: started.log.tail(TAIL).into() })
            }
        }
    }

    /// Waits for a service that should be running already.
    async fn reach(&mut self) -> Result<(), ServiceError> {
        let (since, within) = (Instant::now(), self.spec.ready_within);
        let waited = Watch::new(&self.spec, &self.base_url, None)?.wait(None, since, within).await;
        self.ready_after = since.elapsed();
        match waited {
            Err(Unready::Late(seen)) => Err(ServiceError::Unreachable { url: self.base_url.clone(), within, seen }),
            Ok(()) | Err(Unready::Ended(_)) => {
                self.events.finished(format!("the service answers at {}", self.base_url));
                Ok(())
            }
        }
    }

    async fn post(&self, url: &str) -> Result<(), ServiceError> {
        let limits = Limits { time: self.spec.reset_within, connect: Duration::from_secs(5), body: 64 << 10 };
        let client = Client::new(&[url.split(['?', '#']).next().unwrap_or(url)], limits, 1)?;
        let request = Request { method: Method::Post, url: url.to_owned(), headers: Vec::new(), body: None };
        match client.send(&request).await {
            Ok(answer) if answer.status < 300 => Ok(()),
            Ok(answer) => Err(self.reset_failed(format!("POST {url} answers {}", answer.status))),
            Err(why) => Err(self.reset_failed(format!("POST {url}: {why}"))),
        }
    }

    async fn command(&self, line: &str) -> Result<(), ServiceError> {
        let port = self.started.as_ref().map(|started| started.port).or(self.spec.port);
        let log = match &self.started {
            Some(started) => started.log.clone(),
            None => {
                mastor_store::create_ignored(&self.place.out)?;
                Log::create(&self.place.log("reset"), secrets(&self.spec))?
            }
        };
        let mut command = Command::start(line, &self.spec, &self.place, port, &log)?;
        let ended = command.wait(self.spec.reset_within).await;
        command.stop().await;
        let why = match ended {
            Some(ended) if ended.well() => return Ok(()),
            Some(ended) => format!("`{line}` ended with {ended}"),
            None => format!("`{line}` was not done within {}", seconds(self.spec.reset_within)),
        };
        Err(self.reset_failed(why))
    }

    fn reset_failed(&self, why: String) -> ServiceError {
        let tail = match self.tail(TAIL) {
            Some(tail) => tail,
            None => Tail { path: self.place.log("reset"), lines: Vec::new() },
        };
        ServiceError::Reset { why, tail: tail.into() }
    }
}

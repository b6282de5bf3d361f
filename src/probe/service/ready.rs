//! Readiness: waits until the service answers and keeps answering.

use std::time::{Duration, Instant};

use super::command::Command;
use super::log::Log;
use crate::http::{Client, HttpError, Limits, Request};
use mastor_config::{Ready, ServiceSettings, below, is_absolute};
use mastor_spawn::Ended;
use mastor_types::Method;
use mastor_types::results::outcome::NoAnswer;

/// Timeout of one request during start-up.
const PATIENCE: Duration = Duration::from_secs(5);
/// Pauses before the checks that must confirm the first success: some services open their port, close it and open it
/// again.
const SETTLE: [Duration; 2] = [Duration::from_millis(60), Duration::from_millis(140)];

/// The readiness check of a service.
pub struct Watch<'a> {
    spec: &'a ServiceSettings,
    base_url: &'a str,
    log: Option<&'a Log>,
    client: Client,
}

/// Why a service is not ready.
#[derive(Debug)]
pub enum Unready {
    /// It ended.
    Ended(Ended),
    /// Timeout; holds the result of the last check.
    Late(String),
}

enum Look {
    Good,
    /// What is missing.
    Missing(String),
}

impl<'a> Watch<'a> {
    /// A readiness check for the service at a base URL.
    ///
    /// # Errors
    /// Where a URL is invalid.
    pub fn new(spec: &'a ServiceSettings, base_url: &'a str, log: Option<&'a Log>) -> Result<Self, HttpError> {
        let limits = Limits { time: PATIENCE, connect: Duration::from_secs(2), body: 64 << 10 };
        let mut urls = vec![base_url];
        if let Ready::Url(url, _) = &spec.ready
            && is_absolute(url)
        {
            urls.push(url.split(['?', '#']).next().unwrap_or(url));
        }
        Ok(Self { spec, base_url, log, client: Client::new(&urls, limits, 1)? })
    }

    /// Waits until the service is ready, at most `within` from `since` on.
    ///
    /// # Errors
    /// When the service has ended, or at the timeout.
    pub async fn wait(&self, command: Option<&mut Command>, since: Instant, within: Duration) -> Result<(), Unready> {
        let mut command = command;
        let mut last = "nothing was seen of it".to_owned();
        let mut early: Option<(Duration, String)> = None;
        loop {
            if let Some(ended) = command.as_mut().and_then(|command| command.ended()) {
                return Err(Unready::Ended(ended));
            }
            let left = within.saturating_sub(since.elapsed());
            if left.is_zero() {
                return Err(Unready::Late(match early {
                    Some((at, what)) => {
                        format!("it said so after {:.1} s, too early: {what}; at last: {last}", at.as_secs_f64())
                    }
                    None => last,
                }));
            }
            // The limit also ends a check that hangs.
            match tokio::time::timeout(left, self.look(false)).await {
                Err(_) => continue,
                Ok(Look::Missing(what)) => last = what,
                Ok(Look::Good) => {
                    let at = since.elapsed();
                    match tokio::time::timeout(left.max(PATIENCE), self.settle()).await {
                        Ok(Look::Good) => match command.as_mut().and_then(|command| command.ended()) {
                            None => return Ok(()),
                            Some(ended) => return Err(Unready::Ended(ended)),
                        },
                        Ok(Look::Missing(what)) => {
                            early.get_or_insert((at, what.clone()));
                            last = what;
                        }
                        Err(_) => "it answered once, and then no more".clone_into(&mut last),
                    }
                }
            }
            let turn = if since.elapsed() < Duration::from_secs(3) { 50 } else { 200 };
            tokio::time::sleep(Duration::from_millis(turn)).await;
        }
    }

    async fn settle(&self) -> Look {
        for pause in SETTLE {
            tokio::time::sleep(pause).await;
            if let Look::Missing(what) = self.look(true).await {
                return Look::Missing(what);
            }
        }
        Look::Good
    }

    async fn look(&self, again: bool) -> Look {
        if let (Ready::Log(text), Some(log)) = (&self.spec.ready, self.log)
            && !log.saw()
        {
            return Look::Missing(format!("no line of its log holds `{text}`"));
        }
        if !self.client.reaches(self.base_url).await {
            return Look::Missing(format!("nothing listens at {}", self.base_url));
        }
        match &self.spec.ready {
            Ready::Url(url, status) => self.ask(&below(self.base_url, url), *status).await,
            Ready::Log(_) | Ready::Port if again => match self.get(&format!("{}/", self.base_url)).await {
                // Any answer will do. A timeout is accepted too, since only a health check can be expected to be fast.
                Ok(_) | Err(NoAnswer::TimedOut { .. }) => Look::Good,
                Err(why) => Look::Missing(format!("GET {}/: {why}", self.base_url)),
            },
            Ready::Log(_) | Ready::Port => Look::Good,
        }
    }

    async fn ask(&self, url: &str, wanted: Option<u16>) -> Look {
        match self.get(url).await {
            Ok(status) if wanted.map_or(status < 500, |wanted| wanted == status) => Look::Good,
            Ok(status) => {
                let wanted = wanted.map_or_else(|| "a status below 500".to_owned(), |wanted| wanted.to_string());
                Look::Missing(format!("GET {url} answers {status}, not {wanted}"))
            }
            Err(why) => Look::Missing(format!("GET {url}: {why}")),
        }
    }

    async fn get(&self, url: &str) -> Result<u16, NoAnswer> {
        let request = Request { method: Method::Get, url: url.to_owned(), headers: Vec::new(), body: None };
        self.client.send(&request).await.map(|answer| answer.status)
    }
}

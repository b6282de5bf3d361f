//! A command of the service that runs: its group of processes with its record, ended together whatever happens.

use std::time::{Duration, Instant};

use super::environment::{filled, variables};
use super::error::ServiceError;
use super::log::Log;
use super::place::Place;
use super::record::Record;
use crate::config::ServiceSettings;
use crate::spawn::{Ended, Group};

/// How often a command is looked after.
const TURN: Duration = Duration::from_millis(15);
/// How long a command may take to end when there is no time left to wait.
const HASTE: Duration = Duration::from_secs(2);

/// A command that runs.
#[derive(Debug)]
pub struct Command {
    group: Group,
    /// When it was started.
    pub since: Instant,
    grace: Duration,
    // Behind the group: the record goes when the processes are gone.
    _record: Record,
}

impl Command {
    /// Starts a command line in the service's folder.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn start(
        line: &str,
        spec: &ServiceSettings,
        place: &Place,
        port: Option<u16>,
        log: &Log,
    ) -> Result<Self, ServiceError> {
        let dir = place.root.join(&spec.dir);
        if !dir.is_dir() {
            return Err(ServiceError::NoFolder(dir));
        }
        let line = filled(line, place, port);
        let failed = |source| ServiceError::Spawn { command: line.clone(), source };
        let mut record = Record::announce(&place.cache, &format!("the {} service", place.instance.as_str()))?;
        log.note(&line);
        let out = log.writer().map_err(failed)?;
        let env = variables(spec, place, port);
        let group = Group::shell(&line, &dir, &env, record.mark(), out).map_err(failed)?;
        record.started(group.id())?;
        Ok(Self { group, since: Instant::now(), grace: spec.stop_within, _record: record })
    }

    /// How it ended, once nothing of it runs; a start script that ends well and leaves the service running goes on.
    pub fn ended(&mut self) -> Option<Ended> {
        match self.group.ended() {
            Some(ended) if ended.well() && self.group.is_running() => None,
            other => other,
        }
    }

    /// Waits for its end, at most so long.
    pub async fn wait(&mut self, within: Duration) -> Option<Ended> {
        loop {
            if let Some(ended) = self.group.ended() {
                return Some(ended);
            }
            if self.since.elapsed() >= within {
                return None;
            }
            tokio::time::sleep(TURN).await;
        }
    }

    /// The ports that it listens on, where the system tells.
    pub fn ports(&self) -> Vec<u16> {
        crate::spawn::processes::ports_of(&self.group.members()).into_iter().collect()
    }

    /// Ends it: asked first, then by force.
    pub async fn stop(mut self) {
        if self.group.is_running() {
            self.group.ask_to_end();
            let asked = Instant::now();
            while self.group.is_running() && asked.elapsed() < self.grace {
                tokio::time::sleep(TURN).await;
            }
        }
        self.grace = Duration::ZERO;
    }
}

impl Drop for Command {
    fn drop(&mut self) {
        self.group.end(self.grace.min(HASTE));
    }
}

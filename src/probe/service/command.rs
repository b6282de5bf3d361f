//! A running command of the service, with its process group and its record. When the value is dropped, the processes
//! are ended and the record is removed.

use std::time::{Duration, Instant};

use super::environment::{filled, variables};
use super::error::ServiceError;
use super::log::Log;
use super::place::Place;
use super::record::Record;
use mastor_config::ServiceSettings;
use mastor_spawn::{Ended, Group};

/// Polling interval.
const TURN: Duration = Duration::from_millis(15);
/// Maximum time for a command to end when it is dropped.
const HASTE: Duration = Duration::from_secs(2);

/// A running command.
#[derive(Debug)]
pub struct Command {
    group: Group,
    /// Start time.
    pub since: Instant,
    grace: Duration,
    // Declared after the group: the record is removed after the processes have ended.
    _record: Record,
}

impl Command {
    /// Starts a shell command in the service's folder.
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

    /// How the command ended. `None` while it runs, also where a start script succeeded and left the service running.
    pub fn ended(&mut self) -> Option<Ended> {
        match self.group.ended() {
            Some(ended) if ended.well() && self.group.is_running() => None,
            other => other,
        }
    }

    /// Waits for its first process to end; `None` if it still runs when `within` has passed since the start.
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

    /// The ports that its processes listen on, where the operating system tells.
    pub fn ports(&self) -> Vec<u16> {
        mastor_spawn::processes::ports_of(&self.group.members()).into_iter().collect()
    }

    /// Asks the processes to end, and kills them after the configured time.
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

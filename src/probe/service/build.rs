//! Builds the service by the configured command.

use super::command::Command;
use super::environment;
use super::error::{ServiceError, seconds};
use super::log::{Log, TAIL};
use super::place::Place;
use mastor_config::ServiceSettings;
use mastor_types::event::Events;

/// Builds the service, unless no build is configured or the files are already built.
///
/// # Errors
/// Where the build fails or takes too long; all its processes have ended then.
pub async fn build(spec: &ServiceSettings, place: &Place, events: &Events) -> Result<(), ServiceError> {
    let Some(line) = &spec.build else { return Ok(place.keep()?) };
    if place.is_built() {
        events.detail(format!("{}: built before, nothing to build", place.label));
        return Ok(());
    }
    events.started(format!("building {}: {line}", place.label), None);
    let log = Log::create(&place.log("build"), environment::secrets(spec))?;
    let mut command = Command::start(line, spec, place, None, &log)?;
    let since = command.since;
    let ended = command.wait(spec.build_within).await;
    // A daemon started by the build tool carries mastor's mark and ends here; otherwise it would keep the pipe open and
    // outlive the run.
    command.stop().await;
    log.settle(std::time::Duration::from_millis(500));
    let (label, command) = (place.label.clone(), line.clone());
    match ended {
        Some(ended) if ended.well() => {
            events.finished(format!("built {label} in {}", seconds(since.elapsed())));
            Ok(place.keep()?)
        }
        Some(ended) => Err(ServiceError::BuildFailed {
            label,
            command,
            ended,
            after: since.elapsed(),
            tail: log.tail(TAIL).into(),
        }),
        None => Err(ServiceError::BuildSlow { label, command, within: spec.build_within, tail: log.tail(TAIL).into() }),
    }
}

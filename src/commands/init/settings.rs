//! Writes the `mastor.toml` of each service, including the result of trying to start it.

use std::path::PathBuf;

use super::look::RepositoryScan;
use super::service;
use super::services::Proposed;
use super::trial::{self, Started, Trial};
use crate::commands::context::Context;
use crate::pipeline::{self, Workspace};
use mastor_config::FILE_NAME;
use mastor_probe::auth::Users;
use mastor_types::error::{Exit, Failure};

/// How files are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// Replace existing files.
    pub(super) force: bool,
    /// Do not start services.
    pub(super) no_service: bool,
}

/// Writes a `mastor.toml` for each service and returns the paths. An existing file is kept unless `force`.
///
/// # Errors
/// Exit 70 where a file cannot be written, exit 130 where a trial is interrupted.
pub(super) fn write(
    context: &Context,
    workspace: &Workspace,
    look: &RepositoryScan,
    how: How,
) -> Result<Vec<PathBuf>, Failure> {
    look.lines().iter().for_each(|line| context.console.say(line));
    let mut written = Vec::new();
    let is_one = look.found.services.len() == 1;
    for proposed in &look.found.services {
        let place = mastor_config::join(&proposed.dir, FILE_NAME);
        let path = workspace.root.join(&place);
        if !is_one {
            context.console.say(&format!("{}:", proposed.dir));
        }
        if path.exists() && !how.force {
            context.console.say(&format!("settings: {place} is there already, and stays as it is"));
            continue;
        }
        let (chosen, name) = (look.document(workspace, proposed)?, look.name(proposed));
        chosen.said.iter().for_each(|line| context.console.say(line));
        let file = service::File {
            service: proposed,
            name: &name,
            document: chosen.path.as_deref(),
            no_document: chosen.is_refused,
        };
        let write = |trial: &Trial| {
            let bytes = file.text(trial);
            mastor_store::write_flushed(&path, bytes.as_bytes())
                .map_err(|error| Failure::new(Exit::Internal, error.to_string()))
        };
        // Written with the service switched off first, in case the trial does not end.
        write(&Trial::NotTried)?;
        let mut trial = tried(context, workspace, proposed, (&place, &file.text(&Trial::NotTried)), how);
        if let Trial::Failed(failure) = &trial
            && failure.exit == Exit::Interrupted
        {
            return Err(pipeline::service::revisions::interrupted());
        }
        let auth = workspace.root.join(mastor_config::join(&proposed.dir, service::AUTH));
        if let Trial::Started(Started { users, .. }) = &mut trial {
            // An existing file stays unless `force` is set. The settings do not refer to it if it is not an auth file.
            let there = fs_err::read_to_string(&auth).ok().filter(|_| !how.force);
            let is_read = |text: &String| Users::read(service::AUTH, text, |_| Some(String::new())).is_ok();
            users.take_if(|_| there.as_ref().is_some_and(|text| !is_read(text)));
            if let Some(users) = users.as_ref().filter(|_| there.is_none()) {
                mastor_store::write_flushed(&auth, users.file.as_bytes())
                    .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
                written.push(auth);
            }
        }
        write(&trial)?;
        service::say(proposed, &trial).iter().for_each(|line| context.console.say(line));
        written.push(path);
    }
    Ok(written)
}

/// Tries to start the service described by this `mastor.toml` text.
fn tried(
    context: &Context,
    workspace: &Workspace,
    proposed: &Proposed,
    (place, text): (&str, &str),
    how: How,
) -> Trial {
    let Some(launch) = proposed.launches.first() else { return Trial::NotTried };
    let missing = trial::missing(launch, &workspace.root);
    if !missing.is_empty() {
        return Trial::Missing(missing);
    }
    if how.no_service {
        return Trial::NotTried;
    }
    context.console.say("service: it is built and started, to see whether it does (`--no-service` leaves that out)");
    trial::run(workspace, place, text)
}

//! `mastor init`: looks for services, frameworks and documents, tries to start what it finds, and writes a `mastor.toml` for each service and the
//! workflow. It says what was found and what was not.

mod document;
mod hook;
mod look;
mod service;
mod services;
mod stores;
pub(super) mod templates;
mod trial;
mod workflow;

use std::path::{Path, PathBuf};

use super::context::Context;
use crate::config::FILE_NAME;
use crate::error::{Exit, Failure};
use crate::pipeline::{self, Workspace};
use look::Look;
use trial::Trial;

/// What was asked of `init`.
#[derive(Debug, Clone, Copy)]
pub struct InitOptions {
    /// Replace what is there.
    pub force: bool,
    /// Add the hook.
    pub hook: bool,
    /// Start nothing.
    pub no_service: bool,
}

/// Writes a `mastor.toml` into the folder of each service, the workflow to the repository's, and the hook where it is asked for. What is there
/// already stays.
///
/// # Errors
/// Exit 2 where all is there and `force` is not, or where there is another's hook; exit 70 where something cannot be written.
pub fn run(context: &Context, options: InitOptions) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let directory = context.directory()?;
    let own = directory.join(FILE_NAME);
    // First, so that nothing is half done.
    let hook = options.hook.then(|| hook::place(&workspace)).transpose()?;
    let beside = hook.is_some() || workflow::is_lacking(&workspace);
    if own.exists() && !options.force && !beside {
        return Err(already(&own));
    }
    let look = Look::around(&workspace, &directory)?;
    let mut written = Vec::new();
    if own.exists() && !options.force {
        context.console.say(&format!("settings: {} is there already, and stays as it is", own.display()));
    } else {
        written = settings(context, &workspace, &look, options)?;
        if written.is_empty() && !beside {
            return Err(already(&own));
        }
    }
    for path in &written {
        context.console.result(&format!("{}\n", path.display()));
    }
    if let Some(path) = workflow::write(context, &workspace, &workflow::Job::of(&look.found.services))? {
        context.console.result(&format!("{}\n", path.display()));
    }
    if let Some(path) = hook {
        hook::write(context, &path)?;
        context.console.result(&format!("{}\n", path.display()));
    }
    context.console.say("next: `mastor operations` lists what was found, `mastor backtest --last 50` says what the last commits changed,");
    context.console.say(
        "  `mastor generate --all` makes the suite; commit what was written, and the next pull request gets a comment",
    );
    Ok(Exit::Clean)
}

fn already(path: &Path) -> Failure {
    Failure::new(Exit::Usage, format!("{} is there already", path.display())).hint("`--force` replaces it")
}

/// Writes a `mastor.toml` for each service, and gives their paths. One that is there stays, unless it is to be replaced.
fn settings(
    context: &Context,
    workspace: &Workspace,
    look: &Look,
    options: InitOptions,
) -> Result<Vec<PathBuf>, Failure> {
    look.say(&context.console);
    let mut written = Vec::new();
    let is_one = look.found.services.len() == 1;
    for proposed in &look.found.services {
        let place = crate::config::join(&proposed.dir, FILE_NAME);
        let path = workspace.root.join(&place);
        if !is_one {
            context.console.say(&format!("{}:", proposed.dir));
        }
        if path.exists() && !options.force {
            context.console.say(&format!("settings: {place} is there already, and stays as it is"));
            continue;
        }
        let (chosen, name) = (look.document(workspace, proposed, &context.console)?, look.name(proposed));
        let file = service::File {
            service: proposed,
            name: &name,
            document: chosen.path.as_deref(),
            no_document: chosen.is_refused,
        };
        let write = |trial: &Trial| {
            let bytes = file.text(trial);
            crate::store::write_flushed(&path, bytes.as_bytes())
                .map_err(|error| Failure::new(Exit::Internal, error.to_string()))
        };
        // What is not seen to its end stays off.
        write(&Trial::Left)?;
        let trial = match proposed.launches.first() {
            None => Trial::Left,
            Some(launch) => match trial::missing(launch, &workspace.root) {
                missing if !missing.is_empty() => Trial::Missing(missing),
                _ if options.no_service => Trial::Left,
                _ => {
                    context.console.say(
                        "service: it is built and started, to see whether it does (`--no-service` leaves that out)",
                    );
                    trial::run(workspace, &place, &file.text(&Trial::Left))
                }
            },
        };
        if let Trial::Failed(failure) = &trial
            && failure.exit == Exit::Interrupted
        {
            return Err(pipeline::service::interrupted());
        }
        write(&trial)?;
        service::say(proposed, &trial).iter().for_each(|line| context.console.say(line));
        written.push(path);
    }
    Ok(written)
}

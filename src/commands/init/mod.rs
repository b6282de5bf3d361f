//! `mastor init`: finds services, frameworks and documents, tries to start each service, writes a `mastor.toml` for
//! each and the workflow, and reports what it found and what it did not.
//!
//! Comes in: a repository. Goes out: settings of each service, a workflow, a hook or templates, and a report. Never
//! here: replacing a file without `--force`.

mod document;
mod hook;
mod look;
mod service;
mod services;
mod settings;
mod stores;
pub(super) mod templates;
mod trial;
mod workflow;

use std::path::Path;

use super::context::Context;
use look::RepositoryScan;
use mastor_config::FILE_NAME;
use mastor_types::error::{Exit, Failure};

/// Options of `init`.
#[derive(Debug, Clone, Copy)]
pub struct InitOptions {
    /// Replace existing files.
    pub force: bool,
    /// Install the pre-push hook.
    pub hook: bool,
    /// Do not start services.
    pub no_service: bool,
}

/// Writes a `mastor.toml` for each service, the repository's workflow, and the hook if asked for. Existing files stay.
///
/// # Errors
/// Exit 2 where everything exists and `force` is not set, or where another hook exists; exit 70 where a file cannot be
/// written.
pub fn run(context: &Context, options: InitOptions) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let directory = context.directory()?;
    let own = directory.join(FILE_NAME);
    // Checked first, so that a failure leaves nothing half done.
    let hook = options.hook.then(|| hook::place(&workspace)).transpose()?;
    let beside = hook.is_some() || workflow::is_lacking(&workspace);
    if own.exists() && !options.force && !beside {
        return Err(already(&own));
    }
    let look = RepositoryScan::around(&workspace, &directory)?;
    let mut written = Vec::new();
    if own.exists() && !options.force {
        context.console.say(&format!("settings: {} is there already, and stays as it is", own.display()));
    } else {
        let how = settings::How { force: options.force, no_service: options.no_service };
        written = settings::write(context, &workspace, &look, how)?;
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

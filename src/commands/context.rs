//! The context of a command: console, events and global options.

use std::path::PathBuf;
use std::time::Instant;

use crate::cli::Global;
use crate::pipeline::Workspace;
use mastor_config::{Origin, Overrides};
use mastor_publish::terminal::console::Console;
use mastor_types::error::{Exit, Failure};
use mastor_types::event::Events;

/// The state that every command receives.
pub struct Context {
    /// The console.
    pub console: Console,
    /// Receiver of progress events.
    pub events: Events,
    /// Options of every command.
    pub global: Global,
    /// When the run began.
    pub started: Instant,
}

impl Context {
    /// The working directory, after `-C`.
    ///
    /// # Errors
    /// Exit 2 where it cannot be determined.
    pub fn directory(&self) -> Result<PathBuf, Failure> {
        match &self.global.directory {
            Some(dir) => Ok(dir.clone()),
            None => mastor_env::current_dir().map_err(|e| Failure::new(Exit::Usage, e.to_string())),
        }
    }

    /// The repository that contains the working directory.
    ///
    /// # Errors
    /// Exit 2 outside a repository.
    pub fn workspace(&self, mut overrides: Overrides) -> Result<Workspace, Failure> {
        if let Some(path) = &self.global.openapi {
            overrides.openapi = Some((path.clone(), Origin::Flag("--openapi")));
        }
        overrides.config.clone_from(&self.global.config);
        let workspace = Workspace::open(&self.directory()?, self.events.clone(), overrides)?;
        self.console.link_below(&workspace.root);
        Ok(workspace)
    }

    /// Seconds since the run began.
    pub fn seconds(&self) -> f64 {
        (self.started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
    }
}

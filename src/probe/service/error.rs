//! What can go wrong with the service under test.

use std::path::PathBuf;
use std::time::Duration;

use super::log::Tail;
use crate::config::Within;
use crate::spawn::Ended;
use crate::spawn::processes::Listener;

/// A service that cannot be built, started, reached or reset.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The settings': the folder that the commands run in is not there.
    #[error("`{}`, where the service's commands run, is no folder", .0.display())]
    NoFolder(PathBuf),
    /// The machine's: the shell cannot be started.
    #[error("cannot run `{command}`: {source}")]
    Spawn {
        /// The command.
        command: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The machine's: a folder or file of ours cannot be written.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    /// The machine's or the settings': no client for this URL.
    #[error(transparent)]
    Http(#[from] crate::probe::http::HttpError),
    /// The revision's: it does not build.
    #[error("the build of {label} ended with {ended} after {}: `{command}`", seconds(*after))]
    BuildFailed {
        /// Of which revision.
        label: String,
        /// The command.
        command: String,
        /// How it ended.
        ended: Ended,
        /// When.
        after: Duration,
        /// Its last lines.
        tail: Box<Tail>,
    },
    /// The settings' or the revision's: its build takes too long.
    #[error("the build of {label} was not done within {}: `{command}`", Within(*within))]
    BuildSlow {
        /// Of which revision.
        label: String,
        /// The command.
        command: String,
        /// The limit.
        within: Duration,
        /// Its last lines.
        tail: Box<Tail>,
    },
    /// The machine's: something else listens where the service would.
    #[error("port {port} is taken already{}", who(.by.as_ref()))]
    PortTaken {
        /// The port.
        port: u16,
        /// Who listens, where the system tells.
        by: Option<Listener>,
    },
    /// The service's: it ended before it was ready.
    #[error("the service ({label}) ended with {ended} {} after its start, before it was ready", seconds(*after))]
    DiedEarly {
        /// Of which revision.
        label: String,
        /// How it ended.
        ended: Ended,
        /// When.
        after: Duration,
        /// Its last lines.
        tail: Box<Tail>,
    },
    /// The service's: it ended while it was used.
    #[error("the service ({label}) ended with {ended} while it was used")]
    Died {
        /// Of which revision.
        label: String,
        /// How it ended.
        ended: Ended,
        /// Its last lines.
        tail: Box<Tail>,
    },
    /// The service's or the settings': it did not get ready in time.
    #[error("the service ({label}) was not ready within {}: {seen}", Within(*within))]
    NotReady {
        /// Of which revision.
        label: String,
        /// The limit.
        within: Duration,
        /// What was seen last.
        seen: String,
        /// What may be the reason, where there is a sign of it.
        sign: Option<String>,
        /// Its last lines.
        tail: Box<Tail>,
    },
    /// The service's: the one that should run already does not answer.
    #[error("nothing usable answers at {url} within {}: {seen}", Within(*within))]
    Unreachable {
        /// Where it should answer.
        url: String,
        /// The limit.
        within: Duration,
        /// What was seen last.
        seen: String,
    },
    /// The service's or the settings': it could not be brought back to its first state.
    #[error("the reset failed: {why}")]
    Reset {
        /// What was tried and what came of it.
        why: String,
        /// Its last lines.
        tail: Box<Tail>,
    },
    /// The repository's: a revision cannot be put into a folder.
    #[error("{label} cannot be checked out: {why}")]
    Checkout {
        /// Which revision.
        label: String,
        /// What git says.
        why: String,
    },
}

impl ServiceError {
    /// The last lines of the log, where there is one.
    pub fn tail(&self) -> Option<&Tail> {
        match self {
            Self::BuildFailed { tail, .. }
            | Self::BuildSlow { tail, .. }
            | Self::DiedEarly { tail, .. }
            | Self::Died { tail, .. }
            | Self::NotReady { tail, .. }
            | Self::Reset { tail, .. } => Some(tail),
            _ => None,
        }
    }

    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            Self::NoFolder(_) => "`[service] dir` is taken from the folder of mastor.toml".to_owned(),
            Self::Spawn { .. } => "is a shell installed?".to_owned(),
            Self::Store(_) => "make the folder writable".to_owned(),
            Self::Http(_) => "`mastor config show` prints base-url and where it came from".to_owned(),
            Self::BuildFailed { tail, .. } => format!("the whole log: {}", tail.path.display()),
            Self::BuildSlow { .. } => "`[service] build-within` sets the limit".to_owned(),
            Self::PortTaken { .. } => {
                "end it, or leave out `[service] port`: a free one is taken and handed on as {port}".to_owned()
            }
            Self::DiedEarly { tail, .. } | Self::Died { tail, .. } | Self::Reset { tail, .. } => {
                format!("the whole log: {}; `mastor doctor --service` tries it alone", tail.path.display())
            }
            Self::NotReady { sign: Some(sign), .. } => sign.clone(),
            Self::NotReady { tail, .. } => {
                format!(
                    "`[service] ready` says what is waited for and how long; the whole log: {}",
                    tail.path.display()
                )
            }
            Self::Unreachable { .. } => "start it, or let mastor start it: `[service] start` in mastor.toml".to_owned(),
            Self::Checkout { .. } => "`git worktree list` shows what is checked out".to_owned(),
        }
    }
}

/// A time as people say it.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn who(listener: Option<&Listener>) -> String {
    listener.map(|by| format!(" by `{}` (process {})", by.name, by.pid)).unwrap_or_default()
}

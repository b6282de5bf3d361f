//! Errors of the service under test.

use std::path::PathBuf;
use std::time::Duration;

use super::log::Tail;
use mastor_config::Within;
use mastor_spawn::Ended;
use mastor_spawn::processes::Listener;

/// The service could not be built, started, reached or reset.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The settings' fault: the working directory of the commands does not exist.
    #[error("`{}`, where the service's commands run, is no folder", .0.display())]
    NoFolder(PathBuf),
    /// The machine's fault: the shell cannot be started.
    #[error("cannot run `{command}`: {source}")]
    Spawn {
        /// The command.
        command: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The machine's fault: a folder or file of mastor cannot be written.
    #[error(transparent)]
    Store(#[from] mastor_store::StoreError),
    /// The machine's or the settings' fault: no HTTP client for this URL.
    #[error(transparent)]
    Http(#[from] crate::http::HttpError),
    /// The revision's fault: the build failed.
    #[error("the build of {label} ended with {ended} after {}: `{command}`", seconds(*after))]
    BuildFailed {
        /// The revision.
        label: String,
        /// The command.
        command: String,
        /// Exit code or signal.
        ended: Ended,
        /// Time until it ended.
        after: Duration,
        /// Last lines of the log.
        tail: Box<Tail>,
    },
    /// The settings' or the revision's fault: the build took too long.
    #[error("the build of {label} was not done within {}: `{command}`", Within(*within))]
    BuildSlow {
        /// The revision.
        label: String,
        /// The command.
        command: String,
        /// The time limit.
        within: Duration,
        /// Last lines of the log.
        tail: Box<Tail>,
    },
    /// The machine's fault: another program listens on the port.
    #[error("port {port} is taken already{}", who(.by.as_ref()))]
    PortTaken {
        /// The port.
        port: u16,
        /// The program, where the operating system tells.
        by: Option<Listener>,
    },
    /// The service's fault: it ended before it was ready.
    #[error("the service ({label}) ended with {ended} {} after its start, before it was ready", seconds(*after))]
    DiedEarly {
        /// The revision.
        label: String,
        /// Exit code or signal.
        ended: Ended,
        /// Time until it ended.
        after: Duration,
        /// Last lines of the log.
        tail: Box<Tail>,
    },
    /// The service's fault: it ended while in use.
    #[error("the service ({label}) ended with {ended} while it was used")]
    Died {
        /// The revision.
        label: String,
        /// Exit code or signal.
        ended: Ended,
        /// Last lines of the log.
        tail: Box<Tail>,
    },
    /// The service's or the settings' fault: it did not become ready in time.
    #[error("the service ({label}) was not ready within {}: {seen}", Within(*within))]
    NotReady {
        /// The revision.
        label: String,
        /// The time limit.
        within: Duration,
        /// The result of the last readiness check.
        seen: String,
        /// The suspected reason, if any.
        sign: Option<String>,
        /// Last lines of the log.
        tail: Box<Tail>,
    },
    /// The service's fault: one that should be running already does not answer.
    #[error("nothing usable answers at {url} within {}: {seen}", Within(*within))]
    Unreachable {
        /// Its URL.
        url: String,
        /// The time limit.
        within: Duration,
        /// The result of the last check.
        seen: String,
    },
    /// The service's or the settings' fault: the reset failed.
    #[error("the reset failed: {why}")]
    Reset {
        /// The reset and its result.
        why: String,
        /// Last lines of the log.
        tail: Box<Tail>,
    },
    /// The repository's fault: a revision cannot be checked out.
    #[error("{label} cannot be checked out: {why}")]
    Checkout {
        /// The revision.
        label: String,
        /// Error message of git.
        why: String,
    },
}

impl ServiceError {
    /// The last lines of the log, if the error has them.
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

    /// A hint about what to do next.
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

/// A duration for display.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn who(listener: Option<&Listener>) -> String {
    listener.map(|by| format!(" by `{}` (process {})", by.name, by.pid)).unwrap_or_default()
}

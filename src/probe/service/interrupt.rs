//! Interruption by Ctrl-C or by the signals of CI systems when a job is cancelled.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

/// Exit code of a run that a signal ends while there is nothing to clean up; shells report 130 for Ctrl-C.
const EXIT: i32 = 130;

/// Receives the signals of the whole process. Installed on first use, and only once: signal handlers cannot be removed.
static LISTENER: OnceLock<Option<watch::Receiver<u32>>> = OnceLock::new();
/// Number of [`Interrupt`] values, each of which cleans up by itself on a signal.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// Receives interruptions while it lives; its holder cleans up. Without any, a signal ends the process.
#[derive(Debug)]
pub struct Interrupt {
    signals: Option<watch::Receiver<u32>>,
}

impl Interrupt {
    /// Starts receiving.
    pub fn listen() -> Self {
        LISTENING.fetch_add(1, Ordering::SeqCst);
        let mut signals = LISTENER.get_or_init(listener).clone();
        if let Some(signals) = &mut signals {
            signals.mark_unchanged();
        }
        Self { signals }
    }

    /// Waits for a signal.
    pub async fn wait(&mut self) {
        let came = match &mut self.signals {
            Some(signals) => signals.changed().await.is_ok(),
            None => false,
        };
        if !came {
            std::future::pending().await
        }
    }

    /// Runs `work` unless a signal comes first; then `work` is dropped, which ends everything it started.
    pub async fn or<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = work => Some(done),
            () = self.wait() => None,
        }
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        LISTENING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends the process with the exit code of an interrupted run.
pub fn end() -> ! {
    std::process::exit(EXIT)
}

/// A thread that receives signals for the process; `None` where the operating system does not allow it.
fn listener() -> Option<watch::Receiver<u32>> {
    let (sender, receiver) = watch::channel(0);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let (ready, wait) = std::sync::mpsc::channel();
    let take = move || {
        runtime.block_on(async {
            let Ok(mut signals) = Signals::install() else { return };
            let _ = ready.send(());
            loop {
                signals.next().await;
                if LISTENING.load(Ordering::SeqCst) == 0 {
                    std::process::exit(EXIT);
                }
                sender.send_modify(|count| *count += 1);
            }
        });
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(take).ok()?;
    // The channel is closed if the handlers could not be installed.
    wait.recv().ok()?;
    Some(receiver)
}

/// The signals that the process does not already ignore (`nohup` makes it ignore SIGHUP).
#[cfg(unix)]
struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    fn install() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let heeded = kinds.into_iter().filter(|kind| {
            let number = u32::try_from(kind.as_raw_value()).unwrap_or(0);
            !mastor_spawn::processes::ignores(number)
        });
        Ok(Self(heeded.map(signal).collect::<std::io::Result<_>>()?))
    }

    async fn next(&mut self) {
        if self.0.is_empty() {
            return std::future::pending().await;
        }
        futures_util::future::select_all(self.0.iter_mut().map(|signal| Box::pin(signal.recv()))).await;
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn install() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

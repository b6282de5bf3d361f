//! Interruption: Ctrl-C, and what CI systems send when a job is cancelled.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

/// Exit code of a run that was interrupted while nothing had to be cleaned up, as shells have it.
const EXIT: i32 = 130;

/// Signals are the process's, and so is what listens for them: made once, and then for good, since what was installed cannot be taken back.
static LISTENER: OnceLock<Option<watch::Receiver<u32>>> = OnceLock::new();
/// How many parts of the program clean up by themselves when a signal comes.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// Listens for interruption as long as it lives; what holds it cleans up when one comes. While none lives, the process ends as usual.
#[derive(Debug)]
pub struct Interrupt {
    signals: Option<watch::Receiver<u32>>,
}

impl Interrupt {
    /// Listens from now on.
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

    /// Does this, unless a signal comes first: then it is dropped, and with it all that it started.
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

/// Ends the process as a signal does while nothing listens.
pub fn end() -> ! {
    std::process::exit(EXIT)
}

/// A thread that takes signals for the whole process; none where the system lets us have none.
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
    // Gone without a word: the signals could not be had.
    wait.recv().ok()?;
    Some(receiver)
}

/// Those that the process does not ignore, as one that `nohup` started does.
#[cfg(unix)]
struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    fn install() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let heeded = kinds.into_iter().filter(|kind| {
            let number = u32::try_from(kind.as_raw_value()).unwrap_or(0);
            !crate::spawn::processes::ignores(number)
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

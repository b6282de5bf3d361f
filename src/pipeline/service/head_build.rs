//! Builds the head's service in the background, while changes are derived and the base is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};

use super::revisions::{build_head, to_the_end};
use crate::pipeline::repository::workspace::{Head, Workspace};
use mastor_config::Settings;
use mastor_probe::service::{Place, interrupt};
use mastor_types::error::{Exit, Failure};

/// A build of the head that has begun.
pub struct HeadBuild<'s> {
    waited_for: Arc<AtomicBool>,
    done: ScopedJoinHandle<'s, Result<Option<Place>, Failure>>,
}

impl<'s> HeadBuild<'s> {
    /// Begins the build.
    pub fn start<'e>(
        scope: &'s Scope<'s, 'e>,
        workspace: &'e Workspace,
        settings: &'e Settings,
        head: &'e Head,
    ) -> Self {
        let waited_for = Arc::new(AtomicBool::new(false));
        let is_waited_for = Arc::clone(&waited_for);
        let done = scope.spawn(move || {
            let built = to_the_end(workspace, build_head(workspace, settings, head));
            let interrupted = built.as_ref().is_err_and(|failure| failure.exit == Exit::Interrupted);
            if interrupted && !is_waited_for.load(Ordering::SeqCst) {
                // Nothing else listens for the interrupt yet, and nothing has been written.
                interrupt::end();
            }
            built
        });
        Self { waited_for, done }
    }

    /// Records that the caller listens for interrupts from now on.
    pub fn is_waited_for(&self) {
        self.waited_for.store(true, Ordering::SeqCst);
    }

    /// Waits for the end of the build; gives where the head was built. What the build writes may make the work tree differ
    /// from the head, so the service is started in this place and no other.
    ///
    /// # Errors
    /// Those of the build.
    pub fn ended(self) -> Result<Option<Place>, Failure> {
        self.done.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

//! Builds and starts slices of base and head on a thread of their own while changes are derived, and asks them once the
//! requests are known.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};

use tokio::sync::oneshot;

use super::application::Asking;
use super::searches::{OfHead, Searches, Seeded, ask_both, search_both, search_head};
use super::side::{Ran, Side, are_made_of};
use super::told::verdicts;
use crate::pipeline::repository::comparison::Comparison;
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace};
use crate::pipeline::service::revisions::{at_base, at_head, to_the_end};
use mastor_config::Settings;
use mastor_probe::service::interrupt;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::suite::oracle::Oracle;

/// A comparison with its revisions.
pub type Revisions<'r> = (&'r Comparison, &'r BaseRevision, &'r Head);

/// What both revisions are asked.
pub(super) struct SliceQuestions {
    /// Oracles of the base and of the head.
    pub(super) oracles: Vec<Oracle>,
    /// Operations to search at the head, if no oracle of success held.
    pub(super) seeded: Vec<Seeded>,
    /// Operations to search at both revisions.
    pub(super) undecided: Vec<OpId>,
}

/// What both revisions answered.
pub(super) struct SliceAnswers {
    /// What was asked.
    pub(super) asked: SliceQuestions,
    /// Answers of the base to the oracles, in their order.
    pub(super) before: Ran,
    /// Answers of the head.
    pub(super) after: Ran,
    /// What a search of the head found.
    pub(super) head: OfHead,
    /// What searches of both found.
    pub(super) both: Searches,
}

/// Slices of base and head that are being started. Dropping this stops them.
pub struct Ahead<'s> {
    ask: oneshot::Sender<SliceQuestions>,
    waited_for: Arc<AtomicBool>,
    done: ScopedJoinHandle<'s, Result<Option<SliceAnswers>, Failure>>,
}

impl<'s> Ahead<'s> {
    /// Builds and starts base and head for these operations; `None` if no slice can be made.
    pub fn start<'e>(
        scope: &'s Scope<'s, 'e>,
        (workspace, settings): (&'e Workspace, &'e Settings),
        revisions: Revisions<'e>,
        op_ids: Vec<OpId>,
    ) -> Option<Self> {
        let own: BTreeSet<&OpId> = op_ids.iter().collect();
        if !are_made_of(&revisions.0.head, settings, &own) {
            return None;
        }
        let (ask, receive) = oneshot::channel();
        let waited_for = Arc::new(AtomicBool::new(false));
        let is_waited_for = Arc::clone(&waited_for);
        let done = scope.spawn(move || {
            let own: BTreeSet<&OpId> = op_ids.iter().collect();
            let answered = to_the_end(workspace, started_and_asked(workspace, settings, revisions, &own, receive));
            let interrupted = answered.as_ref().is_err_and(|failure| failure.exit == Exit::Interrupted);
            if interrupted && !is_waited_for.load(Ordering::SeqCst) {
                // Nobody waits for it yet, and nothing has been written.
                interrupt::end();
            }
            answered
        });
        Some(Self { ask, waited_for, done })
    }

    /// Asks both revisions as soon as they are ready.
    ///
    /// # Errors
    /// As for [`super::beside::run_on_both`].
    pub(super) fn ask(self, asked: SliceQuestions) -> Result<Option<SliceAnswers>, Failure> {
        self.waited_for.store(true, Ordering::SeqCst);
        // If sending fails, the thread has ended, and its result says why.
        let _ = self.ask.send(asked);
        self.done.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Builds, starts and asks both revisions.
///
/// # Errors
/// As for [`super::beside::run_on_both`].
pub(super) fn answers(
    workspace: &Workspace,
    settings: &Settings,
    revisions: Revisions<'_>,
    op_ids: &BTreeSet<&OpId>,
    asked: SliceQuestions,
) -> Result<Option<SliceAnswers>, Failure> {
    let (ask, receive) = oneshot::channel();
    let _ = ask.send(asked);
    to_the_end(workspace, started_and_asked(workspace, settings, revisions, op_ids, receive))
}

/// Builds and starts base and head, waits for the questions, and asks them; `None` if no questions will come.
async fn started_and_asked(
    workspace: &Workspace,
    settings: &Settings,
    (comparison, base, head): Revisions<'_>,
    op_ids: &BTreeSet<&OpId>,
    mut receive: oneshot::Receiver<SliceQuestions>,
) -> Result<Option<SliceAnswers>, Failure> {
    let now = Side::of(settings, &comparison.head.surface, None)?;
    let was = Side::of(settings, &comparison.base.surface, None)?;
    let asking = Asking::beside(2);
    let started = async {
        let before = async {
            let place = at_base(workspace, settings, was.spec(), base).await?;
            was.started(workspace, place, op_ids, &asking).await
        };
        let after = async {
            let place = at_head(workspace, settings, now.spec(), head).await?;
            now.started(workspace, place, op_ids, &asking).await
        };
        tokio::try_join!(before, after)
    };
    tokio::pin!(started);
    let mut early = None;
    let (mut before, mut after) = loop {
        tokio::select! {
            both = &mut started => break both?,
            told = &mut receive, if early.is_none() => match told {
                Ok(asked) => early = Some(asked),
                Err(_) => return Ok(None),
            },
        }
    };
    let asked = match early {
        Some(asked) => Some(asked),
        None => receive.await.ok(),
    };
    let answered = match asked {
        None => Ok(None),
        Some(asked) => {
            let oracles: Vec<&Oracle> = asked.oracles.iter().collect();
            let (was, is) = ask_both(&mut before, &mut after, &oracles).await;
            let searched = async {
                let of_head = (&verdicts(&is, &oracles)[..], &oracles[..]);
                let of_head = search_head(workspace, &mut after, &comparison.head, of_head, &asked.seeded).await?;
                let both = (&mut before, &mut after);
                Ok((of_head, search_both(comparison, both, (&asked.undecided, &asked.seeded)).await?))
            };
            let searched = searched.await;
            searched.map(|(of_head, both)| Some(SliceAnswers { asked, before: was, after: is, head: of_head, both }))
        }
    };
    tokio::join!(before.stop(), after.stop());
    answered
}

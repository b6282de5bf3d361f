//! `MastorAgent`: runs the phases over the bus. The state machine decides what is next, and the agents do the work.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::brief::Brief;
use super::bus::MessageBus;
use super::desk::{AgentError, Desk, subject};
use super::machine::{Ended, Machine, Phases, Task};
use super::reading::replies::Hint;
use super::roles::semantic_extract::Found;
use super::roles::{
    multi_op, multi_op_challenger, semantic_extract, single_op, single_op_challenger, source_extraction,
};
use mastor_llm::AskError;
use mastor_types::OpId;
use mastor_types::model::Role;

/// Results of a run beside the blackboard.
#[derive(Debug, Default)]
pub struct Finished {
    /// Number of associations.
    pub groups: usize,
    /// Sizes of the contexts as JSON and compressed, in bytes.
    pub compressed: (usize, usize),
    /// Operations without oracles from the agents, with the reason.
    pub failed: BTreeMap<OpId, String>,
    /// Failures of tasks that do not cost an operation its oracles.
    pub troubles: Vec<String>,
    /// The error after which no further call was made: budget used up, model unavailable, or run cancelled.
    pub ended: Option<AskError>,
}

/// Runs the agents for all briefs.
pub async fn run(desk: &Desk<'_>, told: &dyn Fn(&str)) -> Finished {
    let open: Vec<bool> = desk.briefs.iter().map(|brief| !brief.is_known()).collect();
    for brief in desk.briefs.iter().filter(|brief| brief.is_known()) {
        desk.store.write(brief.op_id.as_str(), |record| {
            record.context = brief.derived.as_ref().map(|derived| derived.context.clone());
        });
    }
    let phases = Phases { multi_op: desk.switches.multi_op, review_rounds: desk.switches.review_rounds };
    let (mut machine, first) = Machine::start(&open, phases);
    let work = Work { desk, found: OnceLock::new(), hints: Mutex::default(), finished: Mutex::default() };
    let most = desk.models.concurrency(Role::Primary) + desk.models.concurrency(Role::Challenger);
    let mut bus = MessageBus::new(most);
    bus.submit(first);
    while let Some((task, how)) = bus.next(|task| Box::pin(work.run(task))).await {
        told(&work.words(task));
        bus.submit(machine.ended(task, how));
    }
    drop(bus);
    let mut finished = work.finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    let found = work.found.into_inner().unwrap_or_default();
    finished.groups = found.groups.len();
    finished.compressed = found.compressed;
    finished.troubles.sort();
    finished
}

/// The blackboard's keys of the groups found.
pub fn subjects(found: &Found) -> Vec<String> {
    found.groups.iter().map(subject).collect()
}

struct Work<'a> {
    desk: &'a Desk<'a>,
    found: OnceLock<Found>,
    hints: Mutex<BTreeMap<Task, Vec<Hint>>>,
    finished: Mutex<Finished>,
}

impl Work<'_> {
    async fn run(&self, task: Task) -> (Task, Ended) {
        // After an error that ends all calls, waiting tasks are not tried.
        let gone = self.finished.lock().unwrap_or_else(PoisonError::into_inner).ended.is_some();
        let ended = if gone { Err(None) } else { self.agent(task).await.map_err(Some) };
        match ended {
            Ok(how) => (task, how),
            Err(error) => {
                self.failed(task, error);
                (task, Ended::Failed)
            }
        }
    }

    async fn agent(&self, task: Task) -> Result<Ended, AgentError> {
        let desk = self.desk;
        match task {
            Task::Extract(n) => source_extraction::run(desk, self.brief(n)).await.map(|()| Ended::Done),
            Task::Generate(n) => single_op::run(desk, self.brief(n)).await.map(|()| Ended::Done),
            Task::Review(n) => {
                let hints = single_op_challenger::run(desk, self.brief(n)).await?;
                Ok(self.keep(Task::Regenerate(n), hints))
            }
            Task::Regenerate(n) => single_op::again(desk, self.brief(n), &self.take(task)).await.map(|()| Ended::Done),
            Task::Associate => {
                let found = semantic_extract::run(desk).await?;
                let groups = found.groups.len();
                let _ = self.found.set(found);
                Ok(Ended::Groups(groups))
            }
            Task::Compose(n) => multi_op::run(desk, self.group(n)).await.map(|()| Ended::Done),
            Task::ReviewGroup(n) => {
                let hints = multi_op_challenger::run(desk, self.group(n)).await?;
                Ok(self.keep(Task::Recompose(n), hints))
            }
            Task::Recompose(n) => multi_op::again(desk, self.group(n), &self.take(task)).await.map(|()| Ended::Done),
        }
    }

    #[expect(clippy::indexing_slicing, reason = "the machine numbers the briefs that it was started with")]
    fn brief(&self, n: usize) -> &Brief {
        &self.desk.briefs[n]
    }

    #[expect(clippy::indexing_slicing, reason = "the machine numbers the groups that were found")]
    fn group(&self, n: usize) -> &super::reading::read_sequences::Association {
        &self.found.get_or_init(Found::default).groups[n]
    }

    fn keep(&self, task: Task, hints: Vec<Hint>) -> Ended {
        if hints.is_empty() {
            return Ended::Done;
        }
        self.hints.lock().unwrap_or_else(PoisonError::into_inner).insert(task, hints);
        Ended::Hints
    }

    fn take(&self, task: Task) -> Vec<Hint> {
        self.hints.lock().unwrap_or_else(PoisonError::into_inner).remove(&task).unwrap_or_default()
    }

    /// Records a failed task; `error` is `None` for a task that was not tried.
    fn failed(&self, task: Task, error: Option<AgentError>) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let why = error.as_ref().map_or_else(|| "no further call was made".to_owned(), ToString::to_string);
        match task {
            Task::Extract(n) | Task::Generate(n) => {
                let op_id = &self.brief(n).op_id;
                self.desk.store.write(op_id.as_str(), |record| record.failed = Some(why.clone()));
                finished.failed.insert(op_id.clone(), why);
            }
            // A failed review or sequence does not remove oracles.
            Task::Review(_)
            | Task::Regenerate(_)
            | Task::ReviewGroup(_)
            | Task::Recompose(_)
            | Task::Compose(_)
            | Task::Associate => {
                let words = self.words(task);
                finished.troubles.push(format!("{words}: {why}"));
            }
        }
        if let Some(AgentError::Ask(error)) = error
            && error.is_for_good()
            && finished.ended.is_none()
        {
            finished.ended = Some(error);
        }
    }

    /// The task for messages: agent and subject.
    fn words(&self, task: Task) -> String {
        match task {
            Task::Extract(n) => format!("{} {}", source_extraction::NAME, self.brief(n).op_id),
            Task::Generate(n) | Task::Regenerate(n) => format!("{} {}", single_op::NAME, self.brief(n).op_id),
            Task::Review(n) => format!("{} {}", single_op_challenger::NAME, self.brief(n).op_id),
            Task::Associate => semantic_extract::NAME.to_owned(),
            Task::Compose(n) | Task::Recompose(n) => format!("{} {}", multi_op::NAME, subject(self.group(n))),
            Task::ReviewGroup(n) => format!("{} {}", multi_op_challenger::NAME, subject(self.group(n))),
        }
    }
}

impl Brief {
    /// Whether the context is known without asking a model.
    pub fn is_known(&self) -> bool {
        self.derived.as_ref().is_some_and(super::brief::Derived::is_whole)
    }
}

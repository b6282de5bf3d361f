//! The `MessageBus`: a queue of tasks with a limit on concurrent ones. Agents do not send messages to each other, only
//! tasks to the bus.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::machine::{Ended, Task};

/// A running task.
type Running<'a> = Pin<Box<dyn Future<Output = (Task, Ended)> + 'a>>;

/// The bus of one run.
pub struct MessageBus<'a> {
    most: usize,
    waiting: VecDeque<Task>,
    running: FuturesUnordered<Running<'a>>,
}

impl<'a> MessageBus<'a> {
    /// A bus with a limit on concurrent tasks.
    pub fn new(most: usize) -> Self {
        Self { most: most.max(1), waiting: VecDeque::new(), running: FuturesUnordered::new() }
    }

    /// Submits tasks; tasks that continue started work run before earlier submissions.
    pub fn submit(&mut self, tasks: impl IntoIterator<Item = Task>) {
        for task in tasks {
            match task {
                Task::Associate | Task::Extract(_) | Task::Generate(_) => self.waiting.push_back(task),
                // Finish started chains of tasks before beginning new ones.
                _ => self.waiting.push_front(task),
            }
        }
    }

    /// Starts waiting tasks with `work`, up to the limit, and waits for the next one to end; `None` when no task is
    /// left.
    pub async fn next(&mut self, mut work: impl FnMut(Task) -> Running<'a>) -> Option<(Task, Ended)> {
        while self.running.len() < self.most {
            let Some(task) = self.waiting.pop_front() else { break };
            self.running.push(work(task));
        }
        self.running.next().await
    }
}

//! The `MessageBus`: tasks that wait, and at most so many that run. Agents submit nothing to each other, only to it.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::machine::{Ended, Task};

/// A task that runs.
type Running<'a> = Pin<Box<dyn Future<Output = (Task, Ended)> + 'a>>;

/// The bus of one run.
pub struct MessageBus<'a> {
    most: usize,
    waiting: VecDeque<Task>,
    running: FuturesUnordered<Running<'a>>,
}

impl<'a> MessageBus<'a> {
    /// A bus that runs at most so many tasks at a time.
    pub fn new(most: usize) -> Self {
        Self { most: most.max(1), waiting: VecDeque::new(), running: FuturesUnordered::new() }
    }

    /// Submits tasks; what others wait for runs before what was submitted earlier.
    pub fn submit(&mut self, tasks: impl IntoIterator<Item = Task>) {
        for task in tasks {
            match task {
                Task::Associate | Task::Extract(_) | Task::Generate(_) => self.waiting.push_back(task),
                // What ends a chain that was begun comes before what begins one.
                _ => self.waiting.push_front(task),
            }
        }
    }

    /// Starts what may run, with `work`, and waits for the next task to end; `None` when all have.
    pub async fn next(&mut self, mut work: impl FnMut(Task) -> Running<'a>) -> Option<(Task, Ended)> {
        while self.running.len() < self.most {
            let Some(task) = self.waiting.pop_front() else { break };
            self.running.push(work(task));
        }
        self.running.next().await
    }
}

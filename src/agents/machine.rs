//! The phases as a deterministic state machine: given a task that has ended, it returns the tasks that may run next. It
//! does not know models.

/// A task of the bus; the number is the index of an operation or group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// `SourceExtractionAgent` on an operation.
    Extract(usize),
    /// `SemanticExtractAgent` on all operations.
    Associate,
    /// `SingleOpOracleAgent` on an operation.
    Generate(usize),
    /// `SingleOpChallengerAgent` on an operation.
    Review(usize),
    /// `SingleOpOracleAgent` on the flagged oracles of an operation.
    Regenerate(usize),
    /// `MultiOpOracleAgent` on a group.
    Compose(usize),
    /// `MultiOpChallengerAgent` on a group.
    ReviewGroup(usize),
    /// `MultiOpOracleAgent` on the flagged sequences of a group.
    Recompose(usize),
}

/// The result of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Success; for a review, without hints.
    Done,
    /// The review gave hints.
    Hints,
    /// Number of associations found.
    Groups(usize),
    /// The task failed. What depends on it is skipped; other work continues.
    Failed,
}

/// The enabled phases.
#[derive(Debug, Clone, Copy)]
pub struct Phases {
    /// Whether multi-operation sequences are generated.
    pub multi_op: bool,
    /// Maximum review rounds; 0 for none.
    pub review_rounds: usize,
}

/// The state of a run.
#[derive(Debug)]
pub struct Machine {
    phases: Phases,
    /// Number of operations whose context is being extracted.
    extracting: usize,
    /// Number of operations with a context.
    extracted: usize,
    /// Review rounds so far, by operation and by group.
    rounds: [Vec<usize>; 2],
    associated: bool,
}

impl Machine {
    /// Starts a machine with one entry of `open` for each operation, which tells whether its context must be extracted.
    /// Returns the first tasks.
    pub fn start(open: &[bool], phases: Phases) -> (Self, Vec<Task>) {
        let mut machine = Self {
            phases,
            extracting: open.iter().filter(|open| **open).count(),
            extracted: open.iter().filter(|open| !**open).count(),
            rounds: [vec![0; open.len()], Vec::new()],
            associated: false,
        };
        // Extractions come first, since the association waits for all of them.
        let mut tasks: Vec<Task> = (0..open.len()).filter(|n| open[*n]).map(Task::Extract).collect();
        tasks.extend(machine.associate());
        tasks.extend((0..open.len()).filter(|n| !open[*n]).map(Task::Generate));
        (machine, tasks)
    }

    /// The tasks that become ready when a task ends with this result.
    pub fn ended(&mut self, task: Task, how: Ended) -> Vec<Task> {
        match (task, how) {
            (Task::Extract(n), how) => {
                self.extracting -= 1;
                let mut next = Vec::new();
                if how != Ended::Failed {
                    self.extracted += 1;
                    next.push(Task::Generate(n));
                }
                next.extend(self.associate());
                next
            }
            (Task::Associate, Ended::Groups(count)) => {
                self.rounds[1] = vec![0; count];
                (0..count).map(Task::Compose).collect()
            }
            (Task::Generate(n) | Task::Regenerate(n), Ended::Done) => self.review(0, n, Task::Review(n)),
            (Task::Compose(n) | Task::Recompose(n), Ended::Done) => self.review(1, n, Task::ReviewGroup(n)),
            (Task::Review(n), Ended::Hints) => vec![Task::Regenerate(n)],
            (Task::ReviewGroup(n), Ended::Hints) => vec![Task::Recompose(n)],
            _ => Vec::new(),
        }
    }

    /// The association task, once, when no extraction is pending and at least one context exists.
    fn associate(&mut self) -> Option<Task> {
        let due = self.phases.multi_op && !self.associated && self.extracting == 0 && self.extracted > 0;
        self.associated |= due;
        due.then_some(Task::Associate)
    }

    fn review(&mut self, path: usize, n: usize, task: Task) -> Vec<Task> {
        let Some(rounds) = self.rounds[path].get_mut(n).filter(|rounds| **rounds < self.phases.review_rounds) else {
            return Vec::new();
        };
        *rounds += 1;
        vec![task]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Phases = Phases { multi_op: true, review_rounds: 1 };

    /// Runs a machine to its end; `how` gives the result of each task.
    fn run(open: &[bool], phases: Phases, how: impl Fn(Task) -> Ended) -> Vec<Task> {
        let (mut machine, mut queue) = Machine::start(open, phases);
        let mut ran = Vec::new();
        while !queue.is_empty() {
            let task = queue.remove(0);
            ran.push(task);
            queue.extend(machine.ended(task, how(task)));
        }
        ran
    }

    #[test]
    fn both_paths_run_and_associations_wait_for_every_context() {
        let ran = run(&[true, false], ALL, |task| match task {
            Task::Associate => Ended::Groups(1),
            Task::Review(0) | Task::ReviewGroup(0) => Ended::Hints,
            _ => Ended::Done,
        });
        let place = |task: Task| ran.iter().position(|other| *other == task);
        assert_eq!(ran.len(), 10, "{ran:?}");
        assert!(place(Task::Extract(0)) < place(Task::Associate));
        assert!(place(Task::Review(0)) < place(Task::Regenerate(0)));
        assert!(place(Task::ReviewGroup(0)) < place(Task::Recompose(0)));
        assert_eq!(ran.iter().filter(|task| matches!(task, Task::Review(_))).count(), 2, "one pass each");
    }

    #[test]
    fn what_fails_halts_nothing_else() {
        let ran = run(&[true, true, true], ALL, |task| match task {
            Task::Extract(1) | Task::Generate(2) => Ended::Failed,
            Task::Associate => Ended::Groups(0),
            _ => Ended::Done,
        });
        assert!(!ran.contains(&Task::Generate(1)) && !ran.contains(&Task::Review(2)));
        assert!(ran.contains(&Task::Review(0)) && ran.contains(&Task::Associate));
        let none = run(&[true], ALL, |_| Ended::Failed);
        assert_eq!(none, [Task::Extract(0)], "nothing to associate");
    }

    #[test]
    fn review_goes_on_until_there_is_no_hint_or_the_rounds_are_over() {
        let phases = Phases { multi_op: false, review_rounds: 3 };
        let ran =
            run(&[false], phases, |task| if matches!(task, Task::Review(_)) { Ended::Hints } else { Ended::Done });
        assert_eq!(ran.iter().filter(|task| **task == Task::Review(0)).count(), 3);
        let none = Phases { multi_op: false, review_rounds: 0 };
        assert_eq!(run(&[false], none, |_| Ended::Done), [Task::Generate(0)]);
    }
}

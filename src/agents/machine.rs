//! The phases as a deterministic state machine: which task may run next, given what has ended. It knows nothing of models.

/// A task of the bus; numbers are places of operations, or of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// `SourceExtractionAgent` on an operation.
    Extract(usize),
    /// `SemanticExtractAgent` on all of them.
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

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It did what it should; of a review: without a hint.
    Done,
    /// A review had hints.
    Hints,
    /// So many groups were found.
    Groups(usize),
    /// It failed: what it was for is marked, the others go on.
    Failed,
}

/// Which phases there are.
#[derive(Debug, Clone, Copy)]
pub struct Phases {
    /// Whether sequences are made.
    pub multi_op: bool,
    /// Reviews of one suite, at most; 0 for none.
    pub review_rounds: usize,
}

/// The state of a run.
#[derive(Debug)]
pub struct Machine {
    phases: Phases,
    /// Operations whose context is still open.
    extracting: usize,
    /// Operations with a context.
    extracted: usize,
    /// Reviews by operation, and by group.
    rounds: [Vec<usize>; 2],
    associated: bool,
}

impl Machine {
    /// A machine for so many operations; `open` says of which of them the context must be extracted. Gives the first tasks.
    pub fn start(open: &[bool], phases: Phases) -> (Self, Vec<Task>) {
        let mut machine = Self {
            phases,
            extracting: open.iter().filter(|open| **open).count(),
            extracted: open.iter().filter(|open| !**open).count(),
            rounds: [vec![0; open.len()], Vec::new()],
            associated: false,
        };
        // What all others wait for comes first.
        let mut tasks: Vec<Task> = (0..open.len()).filter(|n| open[*n]).map(Task::Extract).collect();
        tasks.extend(machine.associate());
        tasks.extend((0..open.len()).filter(|n| !open[*n]).map(Task::Generate));
        (machine, tasks)
    }

    /// What may run now that a task has ended so.
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

    /// The association, once, when no context is open any more and there is something to associate.
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

    /// Runs a machine to its end; `how` says how each task ends.
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

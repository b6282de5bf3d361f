//! Narrows the conditions of a difference by further runs: without the conditions that it does not need, and with those
//! that it needs too (each is a run of both sides under other conditions, as in delta debugging: Zeller and Hildebrandt,
//! TSE 2002).

use std::collections::BTreeSet;

use super::round::Excluded;
use crate::derive::compare::paths::conditions::{PathConditions, when as chosen};
use crate::java::interpret::paths::condition::Cond;
use crate::java::interpret::paths::known::PathConstraints;

/// Number of times that conditions are chosen again, if both sides may agree under those before.
const WIDENED: usize = 2;

/// What both sides do under some conditions.
#[derive(Default)]
pub(super) struct Trial {
    /// Whether a pair of paths could not be compared.
    pub(super) is_open: bool,
    /// The differences, as they are told.
    pub(super) told: BTreeSet<String>,
    /// Those of them that callers usually meet.
    pub(super) usual: BTreeSet<String>,
    /// What holds on paths on which both sides agree and do not fail.
    pub(super) alike: Vec<PathConstraints>,
    /// Each difference with what holds on its path. Paths on which both sides fail are left out.
    pub(super) paths: Vec<(String, PathConstraints)>,
    /// Steps taken.
    pub(super) steps: u64,
}

/// Narrows conditions, within a number of steps.
pub(super) struct Narrowing<T> {
    run: T,
    /// Number of steps that may still be taken.
    left: u64,
}

impl<T: Fn(&[Cond]) -> Trial> Narrowing<T> {
    /// Narrows by these runs, which together take no more than about this number of steps.
    pub(super) fn of(run: T, steps: u64) -> Self {
        Self { run, left: steps }
    }

    /// `None` if the steps are used up.
    fn trial(&mut self, known: &[Cond]) -> Option<Trial> {
        if self.left == 0 {
            return None;
        }
        let trial = (self.run)(known);
        self.left = self.left.saturating_sub(trial.steps);
        Some(trial)
    }

    /// The conditions of the difference `what`, without those that it does not need, and with those that it needs too.
    pub(super) fn narrowed(
        &mut self,
        what: &str,
        asked: &PathConditions<'_>,
        mut when: Vec<Cond>,
        (alike, others): Excluded<'_>,
    ) -> Vec<Cond> {
        let (mut alike, mut otherwise) = (alike.to_vec(), Vec::new());
        for _ in 0..WIDENED {
            let Some(trial) = self.trial(&when) else { return when };
            let known = otherwise.len();
            otherwise.extend(trial.paths.into_iter().filter(|(told, _)| what != told));
            if trial.alike.is_empty() && otherwise.len() == known {
                break;
            }
            alike.extend(trial.alike);
            let others: Vec<&PathConstraints> =
                others.iter().copied().chain(otherwise.iter().map(|(_, holds)| holds)).collect();
            let (more, _) = chosen(asked, &alike, &others);
            if more == when || more.is_empty() {
                break;
            }
            when = more;
        }
        let mut at = 0;
        while at < when.len() {
            let mut known = when.clone();
            known[at] = known[at].negate();
            let Some(trial) = self.trial(&known) else { break };
            // Without the condition both sides differ in the same way, and in no other that callers usually meet.
            let is_needed = trial.is_open
                || !trial.alike.is_empty()
                || !trial.told.contains(what)
                || trial.usual.iter().any(|told| told != what);
            match is_needed {
                true => at += 1,
                false => _ = when.remove(at),
            }
        }
        when
    }
}

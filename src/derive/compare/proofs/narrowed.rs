//! Narrows the conditions of a difference by further runs: without the conditions that it does not need, and with those
//! that it needs too (each is a run of both sides under other conditions, as in delta debugging: Zeller and Hildebrandt,
//! TSE 2002).

use std::collections::BTreeSet;

use super::round::Excluded;
use crate::compare::paths::asked::{is_telling, subjects};
use crate::compare::paths::conditions::{PathConditions, when as chosen};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::known::PathConstraints;

/// Number of times that conditions are chosen again, if both sides may agree under those before.
const WIDENED: usize = 2;

/// What both sides do under some conditions.
#[derive(Default)]
pub(super) struct Trial {
    /// Whether a pair of paths could not be compared.
    pub(super) is_open: bool,
    /// Whether all paths were followed.
    pub(super) is_complete: bool,
    /// The differences, as they are told.
    pub(super) told: BTreeSet<String>,
    /// Those of them that callers usually meet.
    pub(super) usual: BTreeSet<String>,
    /// What holds on paths on which both sides agree and do not fail.
    pub(super) alike: Vec<PathConstraints>,
    /// Whether both sides fail alike on a path.
    pub(super) is_refused_alike: bool,
    /// Each difference with what holds on its path. Paths on which both sides fail are left out.
    pub(super) paths: Vec<(String, PathConstraints)>,
    /// Steps taken.
    pub(super) steps: u64,
}

impl Trial {
    /// Whether every followed pair of paths shows this difference or an unusual one. An unusual difference counts only where
    /// no other one is shown.
    fn is_sure_of(&self, what: &str) -> bool {
        let shown = if self.usual.is_empty() { &self.told } else { &self.usual };
        !self.is_open && self.alike.is_empty() && self.told.contains(what) && shown.iter().all(|told| told == what)
    }
}

/// The role of a condition in a sentence.
enum Verdict {
    /// Without the condition, the sentence would be wrong.
    Needed,
    /// The sentence holds without the condition.
    Idle,
    /// The sentence holds under this weaker condition, which the condition implies.
    Wider(Cond),
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
        excluded: Excluded<'_>,
    ) -> Vec<Cond> {
        let (mut alike, mut answered) = (excluded.alike.to_vec(), excluded.answered.to_vec());
        let mut otherwise = Vec::new();
        for _ in 0..WIDENED {
            let Some(trial) = self.trial(&when) else { return when };
            let known = otherwise.len();
            otherwise.extend(trial.paths.into_iter().filter(|(told, _)| what != told));
            if trial.alike.is_empty() && otherwise.len() == known {
                break;
            }
            alike.extend(trial.alike.iter().cloned());
            answered.extend(trial.alike);
            let others: Vec<&PathConstraints> =
                excluded.others.iter().copied().chain(otherwise.iter().map(|(_, holds)| holds)).collect();
            let (more, _) = chosen(asked, (&alike, &answered), &others);
            if more == when || more.is_empty() {
                break;
            }
            when = more;
        }
        let mut at = 0;
        while at < when.len() {
            match self.verdict(what, asked, (&when, at), &answered) {
                Some(Verdict::Needed) => at += 1,
                Some(Verdict::Idle) => _ = when.remove(at),
                Some(Verdict::Wider(wider)) => {
                    when[at] = wider;
                    at += 1;
                }
                None => break,
            }
        }
        when
    }

    /// Tries the condition at this index. `None` if the steps are used up.
    fn verdict(
        &mut self,
        what: &str,
        asked: &PathConditions<'_>,
        (when, at): (&[Cond], usize),
        answered: &[PathConstraints],
    ) -> Option<Verdict> {
        let own = when.get(at)?;
        // First with this condition negated and all unrelated conditions of the path kept.
        let about = subjects(own);
        let others = || asked.on_one.iter().map(|(_, cond)| cond);
        let mut near: Vec<Cond> = others().filter(|cond| subjects(cond).is_disjoint(&about)).cloned().collect();
        near.push(own.negate());
        let trial = self.trial(&near)?;
        if !trial.is_sure_of(what) {
            // A weaker condition of the path may be enough.
            let mut known = PathConstraints::default();
            known.add(own.clone());
            let wider = others().filter(|cond| is_telling(cond)).find(|cond| {
                *cond != own && known.decides(cond) == Some(true) && !when.iter().any(|known| known == *cond)
            });
            let Some(wider) = wider else { return Some(Verdict::Needed) };
            near.push(wider.clone());
            // Where base refuses, requests that both refuse are as near as those that both answer.
            let trial = self.trial(&near)?;
            let suffices = trial.is_sure_of(what) && !(asked.is_refused && trial.is_refused_alike);
            return Some(if suffices { Verdict::Wider(wider.clone()) } else { Verdict::Needed });
        }
        let mut known = when.to_vec();
        known[at] = own.negate();
        let trial = self.trial(&known)?;
        // Then with the other shown conditions alone. If not all paths were followed, a path on which both sides are known to
        // agree shows that the condition is needed.
        let may_agree = |path: &PathConstraints| known.iter().all(|cond| path.decides(cond) != Some(false));
        let is_idle = trial.is_sure_of(what) && (trial.is_complete || !answered.iter().any(may_agree));
        Some(if is_idle { Verdict::Idle } else { Verdict::Needed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unusual_difference_is_sure_only_where_no_other_is_shown() {
        let of = |told: &[&str], usual: &[&str]| Trial {
            told: told.iter().map(ToString::to_string).collect(),
            usual: usual.iter().map(ToString::to_string).collect(),
            ..Trial::default()
        };
        assert!(of(&["a"], &[]).is_sure_of("a"));
        assert!(!of(&["a", "b"], &[]).is_sure_of("a"));
        assert!(of(&["a", "b"], &["a"]).is_sure_of("a"));
        assert!(!of(&["a", "b"], &["a", "b"]).is_sure_of("a"));
    }
}

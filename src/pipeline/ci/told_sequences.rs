//! Derived changes that only later reads show: the base's committed sequences, judged on the code of both revisions.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::pipeline::accept::let_go::was_removed_by_decision;
use crate::pipeline::repository::comparison::{Comparison, subject};
use mastor_derive::{self as derive, StepsJudgement};
use mastor_runtime::{Shared, Subject};
use mastor_suite::load::Suite;
use mastor_types::OpId;
use mastor_types::results::change::{Change, ChangeKind};
use mastor_types::results::plan::State;
use mastor_types::suite::sequence::Sequence;

/// The changes that the base's sequences with an affected step show, without those that are reported already.
pub fn changes(
    comparison: &Comparison,
    shared: (&Shared<'_>, &Shared<'_>),
    (old, new): (&Suite, &Suite),
    told: &[Change],
) -> Vec<Change> {
    let now: BTreeMap<&OpId, &OpId> = comparison
        .plan
        .operations
        .iter()
        .filter(|operation| !matches!(operation.state, State::New | State::Retired))
        .map(|operation| (operation.was.as_ref().unwrap_or(&operation.op_id), &operation.op_id))
        .collect();
    let affected: BTreeSet<&OpId> = comparison.plan.in_state(State::Affected).collect();
    let judged = Judged { comparison, shared, now, affected, told };
    let sequences: Vec<&Sequence> = old.sequences.values().flatten().collect();
    sequences.into_par_iter().filter_map(|sequence| judged.change(sequence, (old, new))).collect()
}

struct Judged<'a> {
    comparison: &'a Comparison,
    shared: (&'a Shared<'a>, &'a Shared<'a>),
    /// Operations of the head, by their names in the base.
    now: BTreeMap<&'a OpId, &'a OpId>,
    affected: BTreeSet<&'a OpId>,
    told: &'a [Change],
}

impl Judged<'_> {
    fn change(&self, sequence: &Sequence, (old, new): (&Suite, &Suite)) -> Option<Change> {
        let names: Option<Vec<&OpId>> = sequence.steps.iter().map(|step| self.now.get(&step.op_id).copied()).collect();
        let names = names?;
        let is_affected = |op_id: &&&OpId| self.affected.contains(**op_id);
        names.iter().find(is_affected)?;
        let head: Option<Vec<Subject<'_>>> =
            names.iter().map(|op_id| subject(&self.comparison.head, self.shared.1, op_id)).collect();
        let head = head?;
        let StepsJudgement::Broken { step, before, after, effect, place } = derive::judge_steps(&head, sequence) else {
            return None;
        };
        // It is a change only if the base's code fulfils the sequence up to this step.
        let base: Option<Vec<Subject<'_>>> =
            sequence.steps.iter().map(|step| subject(&self.comparison.base, self.shared.0, &step.op_id)).collect();
        let until = Sequence { steps: sequence.steps.iter().take(step + 1).cloned().collect(), ..sequence.clone() };
        if derive::judge_steps(&base?, &until) != StepsJudgement::Hold {
            return None;
        }
        let missed = names.get(step)?;
        let is_told = |change: &Change| change.op_id == **missed;
        if self.affected.contains(missed) && self.told.iter().any(is_told) {
            return None;
        }
        // A sequence of the same operations has reported it already.
        let words = format!("{missed} after {}: ", names.first()?);
        if self.told.iter().any(|change| change.what.starts_with(&words)) {
            return None;
        }
        let touched = names.iter().take(step + 1).rev().find(is_affected)?;
        let first = &sequence.steps.first()?.op_id;
        let what = match step {
            0 => format!("{}: expected {before}, now {after}", sequence.test_id),
            _ => format!("{missed} after {first}: expected {before}, now {after}"),
        };
        let now = new.sequences.values().flatten().find(|known| known.s_id == sequence.s_id);
        let accepted = match now {
            Some(now) => {
                let broken = matches!(derive::judge_steps(&head, now), StepsJudgement::Broken { .. });
                now.steps != sequence.steps && !broken
            }
            None => {
                let was = &sequence.steps.first()?.op_id;
                let stands_in =
                    names.first().filter(|op_id| new.operations.contains_key(**op_id)).copied().unwrap_or(was);
                was_removed_by_decision((old, new), (was, stands_in), &sequence.s_id)
            }
        };
        Some(Change {
            s_id: Some(sequence.s_id.clone()),
            before: Some(before),
            after: Some(after),
            evidence_after: place,
            accepted,
            ..Change::of_request(touched, ChangeKind::Derived, effect, (&sequence.s_id, what))
        })
    }
}

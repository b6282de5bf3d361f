//! Follow-ups: a write of the suite with the reads that show it goes with the oracle of that write, whatever becomes of it.

use super::load::OperationSuite;
use crate::types::OpId;
use crate::types::oracle::Quarantined;
use crate::types::sequence::{Sequence, Step, of_write};

/// The sequences of an operation with those that `more` adds, in order: each asks something else.
pub fn with(known: &[Sequence], more: impl IntoIterator<Item = Sequence>) -> Vec<Sequence> {
    let mut all = known.to_vec();
    for sequence in more {
        // What was seen after a write before is renewed by `accept` alone.
        let same = |other: &Sequence| {
            other.s_id == sequence.s_id || (other.is_follow_up() && other.follows_the_writes_of(&sequence))
        };
        if !all.iter().any(same) {
            all.push(sequence);
        }
    }
    all.sort_by(|a, b| (&a.test_id, &a.s_id).cmp(&(&b.test_id, &b.s_id)));
    all
}

/// The sequences as they go with the oracles of their operation: a follow-up says of its write what the write's oracle says, rests on the same
/// code, and leaves with it or when the write is refused. What a person wrote stays as it is.
pub fn together(sequences: Vec<Sequence>, suite: &OperationSuite) -> Vec<Sequence> {
    let one = |mut sequence: Sequence| {
        if !sequence.is_follow_up() {
            return Some(sequence);
        }
        let first = sequence.first()?;
        let oracle = suite.oracles.iter().find(|oracle| oracle.o_id == first)?;
        let statuses = oracle.statuses();
        if !statuses.is_empty() && statuses.iter().all(|status| *status >= 400) {
            return None;
        }
        sequence.evidence.clone_from(&oracle.evidence);
        sequence.assumes.clone_from(&oracle.assumes);
        sequence.steps.first_mut()?.assertions = of_write(&oracle.assertions);
        Some(sequence)
    };
    sequences.into_iter().filter_map(one).collect()
}

/// The sequences without follow-up reads of operations that are gone; one that has no read left leaves. `None` where there are none of these.
pub fn without(sequences: &[Sequence], is_gone: &dyn Fn(&OpId) -> bool) -> Option<Vec<Sequence>> {
    let reads_gone = |s: &Sequence| s.is_follow_up() && s.steps.iter().skip(1).any(|step| is_gone(&step.op_id));
    if !sequences.iter().any(reads_gone) {
        return None;
    }
    let one = |sequence: &Sequence| {
        if !reads_gone(sequence) {
            return Some(sequence.clone());
        }
        let stays = |n: &usize| *n == 0 || sequence.steps.get(*n).is_some_and(|step| !is_gone(&step.op_id));
        let kept: Vec<usize> = (0..sequence.steps.len()).filter(stays).collect();
        let steps: Vec<Step> = kept.iter().filter_map(|n| sequence.steps.get(*n).cloned()).collect();
        let numbered = |field: &Quarantined| {
            let (number, path) = field.path.split_once(':')?;
            let known: usize = number.parse().ok()?;
            let now = kept.iter().position(|n| n + 1 == known)? + 1;
            Some(Quarantined { path: format!("{now}:{path}"), why: field.why.clone() })
        };
        let mut left = Sequence { s_id: Sequence::identity(&steps), steps, ..sequence.clone() };
        left.confirmation.quarantined = sequence.confirmation.quarantined.iter().filter_map(numbered).collect();
        (left.steps.len() > 1).then_some(left)
    };
    Some(sequences.iter().filter_map(one).collect())
}

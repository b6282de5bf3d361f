//! Keeps follow-ups (a write and the reads that show its effect) consistent with the oracle of their write.

use super::load::OperationSuite;
use mastor_types::OpId;
use mastor_types::suite::oracle::Quarantined;
use mastor_types::suite::sequence::{Sequence, Step, shared_with_follow_up};

/// Adds the sequences of `more` to the known ones, sorted by `test_id`. A sequence that is known, or a follow-up of the
/// same write, is not replaced.
pub fn merged(known: &[Sequence], more: impl IntoIterator<Item = Sequence>) -> Vec<Sequence> {
    let mut all = known.to_vec();
    for sequence in more {
        // Only `accept` may replace the observed follow-up of a write.
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

/// Updates follow-ups from the oracles of their writes: the first step's assertions, the evidence and the assumptions.
/// A follow-up without such an oracle, or whose write expects 4xx or 5xx, is removed. Sequences written by a person
/// stay unchanged.
pub fn synchronised(sequences: Vec<Sequence>, suite: &OperationSuite) -> Vec<Sequence> {
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
        sequence.steps.first_mut()?.assertions = shared_with_follow_up(&oracle.assertions);
        Some(sequence)
    };
    sequences.into_iter().filter_map(one).collect()
}

/// Removes follow-up reads of operations that are gone, and follow-ups without any read left. `None` where no follow-up
/// reads such an operation.
pub fn without_gone_reads(sequences: &[Sequence], is_gone: &dyn Fn(&OpId) -> bool) -> Option<Vec<Sequence>> {
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

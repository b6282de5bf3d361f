//! The proposed suite: the committed suite with every proposal of a run taken, and with only the changes that need no
//! decision.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::ci::part::{RunContext, ShardFindings};
use mastor_config::join;
use mastor_revision::Files;
use mastor_suite::follow::{merged, synchronised, without_gone_reads};
use mastor_suite::load::Suite;
use mastor_suite::proposal::{take, take_renewal};
use mastor_suite::save::{Entry, files, paths};
use mastor_types::OpId;
use mastor_types::suite::sequence::Sequence;

/// The suite files that would change, by path from the repository's root.
#[derive(Debug, Default)]
pub struct Proposed {
    /// With every proposal taken: committing this makes the run clean.
    pub taken: Files,
    /// With what regeneration adds and renews, but with no proposal taken.
    pub renewed: Files,
}

impl Proposed {
    /// What a run proposes for the committed suite of a service. Without a committed suite there is nothing to renew:
    /// `generate` makes the first one.
    pub fn of(frame: &RunContext, found: &ShardFindings, committed: &Suite) -> Self {
        if committed.is_empty() {
            return Self::default();
        }
        Self { taken: changed(frame, found, committed, true), renewed: changed(frame, found, committed, false) }
    }

    /// Adds the files of another service.
    pub fn extend(&mut self, other: Self) {
        self.taken.extend(other.taken);
        self.renewed.extend(other.renewed);
    }
}

fn changed(frame: &RunContext, found: &ShardFindings, committed: &Suite, take_all: bool) -> Files {
    let manifests: BTreeMap<&OpId, &str> =
        found.manifests.iter().map(|(op_id, lines)| (op_id, lines.as_str())).collect();
    let mut out = Files::new();
    let made: BTreeSet<&OpId> = found.suites.iter().map(|(op_id, _)| op_id).collect();
    // An operation with proposals for oracles that was not regenerated is to be retired.
    let of_oracles = found.proposals.iter().filter(|proposal| proposal.sequence.is_none());
    let gone: BTreeSet<&OpId> =
        of_oracles.map(|proposal| &proposal.op_id).filter(|op_id| !made.contains(op_id)).collect();
    for (op_id, suite) in &found.suites {
        let mut suite = suite.clone();
        let known = committed.sequences.get(op_id).map(Vec::as_slice).unwrap_or_default();
        let first = |sequence: &&Sequence| sequence.steps.first().is_some_and(|step| step.op_id == *op_id);
        let mut sequences = merged(known, found.sequences.iter().filter(first).cloned());
        let mut open = false;
        for proposal in found.proposals.iter().filter(|proposal| proposal.op_id == *op_id) {
            open |= !take_all
                || !match &proposal.sequence {
                    Some(renewal) => take_renewal(&mut suite, &mut sequences, renewal),
                    None => take(&mut suite, proposal),
                };
        }
        let sequences = synchronised(read_still(&sequences, &gone, take_all), &suite);
        if suite.oracles.is_empty() && !committed.operations.contains_key(op_id) {
            continue;
        }
        let manifest = manifests.get(op_id).copied().filter(|_| !open);
        for (path, bytes) in files(&Entry { op_id, suite: &suite, sequences: &sequences, manifest }) {
            out.insert(join(&frame.dir, &path), Some(bytes));
        }
        unsaid(frame, op_id, &sequences, committed, &mut out);
    }
    for op_id in gone.iter().filter(|_| take_all) {
        out.extend(paths(op_id).into_iter().map(|path| (join(&frame.dir, &path), None)));
    }
    // The sequences of an operation that was not regenerated may have proposals too.
    for (op_id, known) in committed.sequences.iter().filter(|(op_id, _)| take_all && !made.contains(op_id)) {
        let Some(suite) = committed.operations.get(op_id).filter(|_| !gone.contains(op_id)) else { continue };
        let (mut sequences, mut suite) = (known.clone(), suite.clone());
        let renewals = found.proposals.iter().filter(|proposal| proposal.op_id == *op_id);
        for renewal in renewals.filter_map(|proposal| proposal.sequence.as_ref()) {
            take_renewal(&mut suite, &mut sequences, renewal);
        }
        let sequences = read_still(&sequences, &gone, true);
        if sequences == *known {
            continue;
        }
        let manifest = committed.locks.get(op_id).map(|lock| lock.lines.as_str());
        for (path, bytes) in files(&Entry { op_id, suite: &suite, sequences: &sequences, manifest }) {
            out.insert(join(&frame.dir, &path), Some(bytes));
        }
        unsaid(frame, op_id, &sequences, committed, &mut out);
    }
    out
}

/// The sequences without their reads of removed operations; unchanged if the removal is not taken.
fn read_still(sequences: &[Sequence], gone: &BTreeSet<&OpId>, taken: bool) -> Vec<Sequence> {
    let left = without_gone_reads(sequences, &|op_id| taken && gone.contains(op_id));
    left.unwrap_or_else(|| sequences.to_vec())
}

/// Removes the file of an operation's sequences if none of them is left.
fn unsaid(frame: &RunContext, op_id: &OpId, sequences: &[Sequence], committed: &Suite, out: &mut Files) {
    if sequences.is_empty() && committed.sequences.contains_key(op_id) {
        let [_, beside, _] = paths(op_id);
        out.insert(join(&frame.dir, &beside), None);
    }
}

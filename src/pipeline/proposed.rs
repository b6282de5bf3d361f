//! The proposed suite: what the committed one would be with all that a run proposes, and with only what it may add by itself.

use std::collections::{BTreeMap, BTreeSet};

use super::part::{Found, Frame};
use crate::config::join;
use crate::revision::Files;
use crate::suite::load::Suite;
use crate::suite::proposal::take;
use crate::suite::save::{Entry, files, paths};
use crate::types::OpId;

/// The files of the suite that would differ, by path from the repository's root.
#[derive(Debug, Default)]
pub struct Proposed {
    /// With every proposal taken: committing this makes the run clean.
    pub taken: Files,
    /// With what regeneration adds and renews, and no decision taken (DESIGN §6.2).
    pub renewed: Files,
}

impl Proposed {
    /// What a run proposes to a service's committed suite. Without one there is nothing to bring up to date: a baseline is made by name.
    pub fn of(frame: &Frame, found: &Found, committed: &Suite) -> Self {
        if committed.is_empty() {
            return Self::default();
        }
        Self { taken: changed(frame, found, committed, true), renewed: changed(frame, found, committed, false) }
    }

    /// Adds those of another service.
    pub fn extend(&mut self, other: Self) {
        self.taken.extend(other.taken);
        self.renewed.extend(other.renewed);
    }
}

fn changed(frame: &Frame, found: &Found, committed: &Suite, take_all: bool) -> Files {
    let manifests: BTreeMap<&OpId, &str> =
        found.manifests.iter().map(|(op_id, lines)| (op_id, lines.as_str())).collect();
    let mut out = Files::new();
    let mut made = BTreeSet::new();
    for (op_id, suite) in &found.suites {
        made.insert(op_id);
        let mut suite = suite.clone();
        let mut open = false;
        for proposal in found.proposals.iter().filter(|proposal| proposal.op_id == *op_id) {
            open |= !(take_all && take(&mut suite, proposal));
        }
        if suite.oracles.is_empty() && !committed.operations.contains_key(op_id) {
            continue;
        }
        let sequences = committed.sequences.get(op_id).map(Vec::as_slice).unwrap_or_default();
        let manifest = manifests.get(op_id).copied().filter(|_| !open);
        for (path, bytes) in files(&Entry { op_id, suite: &suite, sequences, manifest }) {
            out.insert(join(&frame.dir, &path), Some(bytes));
        }
    }
    // What is proposed of an operation that was not made is that it goes.
    let gone = found.proposals.iter().map(|proposal| &proposal.op_id).filter(|op_id| !made.contains(op_id));
    for op_id in gone.filter(|_| take_all) {
        out.extend(paths(op_id).into_iter().map(|path| (join(&frame.dir, &path), None)));
    }
    out
}

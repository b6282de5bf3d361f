//! The question to a service: which revisions, suites and requests it is about.

use crate::config::IgnoreEntry;
use crate::pipeline::repository::comparison::Comparison;
use crate::pipeline::repository::workspace::{BaseRevision, Head};
use crate::suite::load::{OperationSuite, Suite};
use crate::suite::proposal::Proposal;
use crate::types::OpId;
use crate::types::change::Change;
use crate::types::oracle::{Candidate, Input};
use crate::types::sequence::Sequence;

/// What is asked of a service, and of what.
pub struct Question<'a> {
    /// The revisions.
    pub comparison: &'a Comparison,
    /// The base.
    pub base: &'a BaseRevision,
    /// The head.
    pub head: &'a Head,
    /// The suite of the base.
    pub old: &'a Suite,
    /// The suite of the head.
    pub new: &'a Suite,
    /// What was derived for the head, by operation.
    pub made: &'a [(OpId, OperationSuite)],
    /// Open requests of these operations.
    pub probes: &'a [Candidate],
    /// Further requests of these operations.
    pub trials: &'a [(OpId, Vec<Input>)],
    /// New sequences of the agents.
    pub sequences: &'a [Sequence],
    /// Changes that were derived.
    pub derived: Vec<Change>,
    /// Proposals that were derived.
    pub proposed: Vec<Proposal>,
    /// What is left aside.
    pub ignore: &'a [IgnoreEntry],
}

impl Question<'_> {
    /// The operations that requests are made for.
    pub(in crate::pipeline) fn operations(&self) -> Vec<OpId> {
        self.made.iter().map(|(op_id, _)| op_id.clone()).collect()
    }
}

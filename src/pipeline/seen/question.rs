//! The question to a service: the revisions, suites and requests that it covers.

use crate::config::IgnoreEntry;
use crate::pipeline::repository::comparison::Comparison;
use crate::pipeline::repository::workspace::{BaseRevision, Head};
use crate::suite::load::{OperationSuite, Suite};
use crate::suite::proposal::Proposal;
use crate::types::OpId;
use crate::types::results::change::Change;
use crate::types::suite::input::Input;
use crate::types::suite::oracle::Candidate;
use crate::types::suite::sequence::Sequence;

/// What is asked of a service, and about which revisions.
pub struct Question<'a> {
    /// The compared revisions.
    pub comparison: &'a Comparison,
    /// The base.
    pub base: &'a BaseRevision,
    /// The head.
    pub head: &'a Head,
    /// The suite of the base.
    pub old: &'a Suite,
    /// The suite of the head.
    pub new: &'a Suite,
    /// The suites that were derived for the head, by operation.
    pub made: &'a [(OpId, OperationSuite)],
    /// Open requests of the operations in `made`.
    pub probes: &'a [Candidate],
    /// Further requests of these operations.
    pub trials: &'a [(OpId, Vec<Input>)],
    /// New sequences.
    pub sequences: &'a [Sequence],
    /// Changes that were derived.
    pub derived: Vec<Change>,
    /// Proposals that were derived.
    pub proposed: Vec<Proposal>,
    /// The entries of `[[ignore]]`.
    pub ignore: &'a [IgnoreEntry],
}

impl Question<'_> {
    /// The operations for which requests are made.
    pub(in crate::pipeline) fn operations(&self) -> Vec<OpId> {
        self.made.iter().map(|(op_id, _)| op_id.clone()).collect()
    }
}

//! The question to a service: the revisions, suites and requests that it covers.

use crate::pipeline::repository::comparison::Comparison;
use crate::pipeline::repository::workspace::{BaseRevision, Head};
use mastor_config::IgnoreEntry;
use mastor_suite::load::{OperationSuite, Suite};
use mastor_suite::proposal::Proposal;
use mastor_types::OpId;
use mastor_types::results::change::Change;
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::Candidate;
use mastor_types::suite::sequence::Sequence;

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

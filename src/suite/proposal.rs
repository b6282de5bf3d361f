//! Proposals: changed expectations and retirements that wait in `.mastor/out/proposed` until `accept` or a hand takes them.

use serde::{Deserialize, Serialize};

use super::load::OperationSuite;
use super::tidy::tidy;
use crate::types::evidence::EvidenceTable;
use crate::types::op_id::OpId;
use crate::types::oracle::Oracle;

/// What is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// Another expectation for the same input.
    Expectation,
    /// The oracle leaves: its operation vanished, or its input can no longer be sent.
    Retirement,
}

/// One proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// What is proposed.
    pub kind: ProposalKind,
    /// The oracle.
    pub o_id: String,
    /// Its operation.
    pub op_id: OpId,
    /// The committed oracle.
    pub before: Option<Oracle>,
    /// The oracle as it would be; absent for a retirement.
    pub after: Option<Oracle>,
    /// Citations of `after`.
    pub evidence: EvidenceTable,
    /// Why.
    pub reason: String,
}

/// `.mastor/out/proposed.json`: the proposals of one run on one head.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalFile {
    /// Version of the file.
    pub schema_version: u32,
    /// Fingerprint over the manifests of the head they were made on: proposals of another head are refused.
    pub head: crate::types::Hash,
    /// The proposals, by operation and oracle.
    pub proposals: Vec<Proposal>,
}

/// Takes a proposal into the suite of its operation. Gives whether the suite held the oracle as the proposal knew it.
pub fn take(suite: &mut OperationSuite, proposal: &Proposal) -> bool {
    let Some(place) = suite.oracles.iter().position(|o| o.o_id == proposal.o_id) else { return false };
    if proposal.before.as_ref().is_some_and(|before| before.assertions != suite.oracles[place].assertions) {
        return false;
    }
    match &proposal.after {
        Some(after) => {
            suite.oracles[place] = after.clone();
            suite.context.evidence.extend(proposal.evidence.clone());
        }
        None => {
            suite.oracles.remove(place);
        }
    }
    *suite = tidy(suite.clone());
    true
}

//! Proposals: changed expectations and removals, stored in `.mastor/out/proposed` until `accept` or a manual edit
//! applies them.

use serde::{Deserialize, Serialize};

use super::format::Decision;
use super::load::OperationSuite;
use super::tidy::tidy;
use mastor_types::op_id::OpId;
use mastor_types::suite::assertion::Assertion;
use mastor_types::suite::evidence::EvidenceTable;
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;

/// What is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// Another expectation for the same input.
    Expectation,
    /// The oracle leaves: its operation vanished, or its input can no longer be sent.
    Retirement,
    /// A change that no oracle speaks against is taken: the suite remembers it, with an oracle where one tells it.
    Decision,
}

/// One proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// What is proposed.
    pub kind: ProposalKind,
    /// The oracle, or the sequence.
    pub o_id: String,
    /// Its operation; of a sequence, that of its first step.
    pub op_id: OpId,
    /// The committed oracle; absent for a sequence.
    pub before: Option<Oracle>,
    /// The oracle as it would be; absent for a retirement.
    pub after: Option<Oracle>,
    /// The same of a sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Renewal>,
    /// The change that is taken, where no oracle speaks against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Citations of `after`.
    pub evidence: EvidenceTable,
    /// Why.
    pub reason: String,
}

/// What is proposed of a sequence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Renewal {
    /// The committed sequence.
    pub before: Sequence,
    /// The sequence as it would be; absent where it leaves.
    pub after: Option<Sequence>,
}

impl Proposal {
    /// The readable name of the oracle or sequence.
    pub fn name(&self) -> &str {
        let of_sequence = || self.sequence.as_ref().map(|renewal| renewal.before.test_id.as_str());
        let of_decision = || self.decision.as_ref().map(|decision| decision.what.as_str());
        let of_oracle = self.before.as_ref().map(|oracle| oracle.test_id.as_str());
        of_oracle.or_else(of_sequence).or_else(of_decision).unwrap_or_default()
    }

    /// The committed assertions; for a sequence, those of all its steps.
    pub fn committed(&self) -> Vec<&Assertion> {
        let of_sequence = self.sequence.iter().flat_map(|renewal| all(&renewal.before));
        self.before.iter().flat_map(|oracle| &oracle.assertions).chain(of_sequence).collect()
    }

    /// The proposed assertions; `None` where the oracle or sequence would be removed.
    pub fn proposed(&self) -> Option<Vec<&Assertion>> {
        let of_sequence = self.sequence.as_ref().and_then(|renewal| renewal.after.as_ref());
        let of_oracle = self.after.as_ref().map(|oracle| oracle.assertions.iter().collect());
        of_oracle.or_else(|| of_sequence.map(|sequence| all(sequence).collect()))
    }
}

fn all(sequence: &Sequence) -> impl Iterator<Item = &Assertion> {
    sequence.steps.iter().flat_map(|step| &step.assertions)
}

/// `.mastor/out/proposed.json`: the proposals of one run on one head.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalFile {
    /// Version of the file.
    pub schema_version: u32,
    /// Fingerprint over the manifests of the head they were made on: proposals of another head are refused.
    pub head: mastor_types::Hash,
    /// The proposals, by operation and oracle.
    pub proposals: Vec<Proposal>,
}

/// Applies a proposal to the suite of its operation. Returns `false` if the committed oracle has changed since the
/// proposal was made.
pub fn take(suite: &mut OperationSuite, proposal: &Proposal) -> bool {
    if let Some(decision) = &proposal.decision {
        decide(suite, decision, proposal);
        return true;
    }
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
            remember(suite, &proposal.o_id, proposal.name());
        }
    }
    *suite = tidy(suite.clone());
    true
}

/// Records that an oracle or sequence was removed by a decision, so that its absence is not reported as a change.
fn remember(suite: &mut OperationSuite, id: &str, name: &str) {
    let times = suite.times_accepted(id) + 1;
    suite.accepted.retain(|one| one.id != id);
    suite.accepted.push(Decision { id: id.to_owned(), times, what: format!("{name} left the suite") });
}

/// Records an accepted change, and adds the oracle that expects it.
fn decide(suite: &mut OperationSuite, decision: &Decision, proposal: &Proposal) {
    match suite.accepted.iter_mut().find(|one| one.id == decision.id) {
        Some(known) => known.times = decision.times,
        None => suite.accepted.push(decision.clone()),
    }
    if let Some(after) = proposal.after.as_ref().filter(|after| suite.oracles.iter().all(|o| o.o_id != after.o_id)) {
        suite.oracles.push(after.clone());
        suite.context.evidence.extend(proposal.evidence.clone());
    }
    *suite = tidy(suite.clone());
}

/// Applies a proposal to the sequences of an operation and records a removal in its suite. Returns `false` if the
/// committed sequence has changed since.
pub fn take_renewal(suite: &mut OperationSuite, sequences: &mut Vec<Sequence>, renewal: &Renewal) -> bool {
    let Some(place) = sequences.iter().position(|known| known.s_id == renewal.before.s_id) else { return false };
    // The first step is not compared: it follows the oracle of the write.
    if sequences[place].steps.iter().skip(1).ne(renewal.before.steps.iter().skip(1)) {
        return false;
    }
    match &renewal.after {
        Some(after) => sequences[place] = after.clone(),
        None => {
            let left = sequences.remove(place);
            remember(suite, &left.s_id, &left.test_id);
            *suite = tidy(suite.clone());
        }
    }
    true
}

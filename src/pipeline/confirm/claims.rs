//! Claims: what is to be confirmed on a service, and what became of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::probe::passes::Passes;
use crate::probe::unstable::Moment;
use crate::publish::words;
use crate::suite::format::RefutedAssumption;
use crate::types::OpId;
use crate::types::evidence::Evidence;
use crate::types::oracle::{Candidate, Confirmed, Engine, Oracle};
use crate::types::report::Confirming;
use crate::types::sequence::Sequence;

/// Open requests of one operation that are tried, at most.
const PROBES: usize = 24;

/// What is to be confirmed.
#[derive(Debug, Default)]
pub struct Claims {
    /// Oracles that were never confirmed.
    pub oracles: Vec<Oracle>,
    /// Sequences that were never confirmed.
    pub sequences: Vec<Sequence>,
    /// Open requests with their citations.
    pub probes: Vec<Candidate>,
    /// Requests that only have to be asked, for what they answer.
    pub asked: Vec<Oracle>,
    /// Operations that may show what a write has done; empty where none is to be followed.
    pub readers: Vec<OpId>,
    /// Pairs of operations that stand behind each other in a sequence already.
    pub chained: BTreeSet<(OpId, OpId)>,
}

impl Claims {
    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.oracles.is_empty() && self.sequences.is_empty() && self.probes.is_empty() && self.asked.is_empty()
    }

    /// Adds requests that were made of what the service answers, without those that are there.
    pub fn leads(&mut self, leads: Vec<Candidate>) {
        let known = self.oracles.iter().chain(&self.asked).chain(self.probes.iter().map(|probe| &probe.oracle));
        let known: BTreeSet<String> = known.map(|oracle| oracle.o_id.clone()).collect();
        self.probes.extend(leads.into_iter().filter(|lead| !known.contains(&lead.oracle.o_id)));
    }

    /// Adds open requests of one operation: the first ones as they are, and as the first user where there is one.
    pub fn probe(&mut self, probes: &[Candidate], user: Option<&String>) {
        for candidate in probes.iter().take(PROBES) {
            self.probes.push(candidate.clone());
            let Some(user) = user else { continue };
            let mut oracle = candidate.oracle.clone();
            oracle.as_user.clone_from(user);
            oracle.o_id = Oracle::identity(&oracle.op_id, user, &oracle.input);
            oracle.test_id = format!("{}_as_{}", oracle.test_id, words::identifier(user));
            self.probes.push(Candidate { oracle, citations: candidate.citations.clone() });
        }
    }
}

/// A candidate that did not hold.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refuted {
    /// The candidate.
    pub oracle: Oracle,
    /// What was expected and what was seen, in words.
    pub seen: Vec<String>,
    /// What of it held, as a confirmed oracle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Box<Oracle>>,
}

/// A sequence that did not hold.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefutedSequence {
    /// The sequence.
    pub sequence: Sequence,
    /// What was expected and what was seen, in words.
    pub seen: Vec<String>,
}

/// What became of the claims.
#[derive(Debug, Default)]
pub struct Claimed {
    /// Confirmed oracles by id, completed where that was asked for.
    pub confirmed: BTreeMap<String, Oracle>,
    /// Oracles of what was seen, with their citations.
    pub seen: Vec<(Oracle, Vec<Evidence>)>,
    /// Writes with the reads that were seen to show them.
    pub sequences: Vec<Sequence>,
    /// Candidates that did not hold, or held sometimes.
    pub refuted: Vec<Refuted>,
    /// Assumptions that the answers refuted.
    pub assumptions: Vec<RefutedAssumption>,
    /// Confirmed sequences by id.
    pub held: BTreeMap<String, Sequence>,
    /// Sequences that did not hold, or held sometimes.
    pub refuted_sequences: Vec<RefutedSequence>,
    /// All answers, by the id of the request.
    pub passes: Passes,
    /// The numbers.
    pub report: Confirming,
    /// Where and when it was asked.
    pub moment: Option<Moment>,
}

/// Whether a sequence waits for a service.
pub fn is_claimed(sequence: &Sequence) -> bool {
    sequence.origin.engine != Engine::Human
        && sequence.confirmation.state == Confirmed::Unconfirmed
        && !sequence.is_follow_up()
}

/// Whether an oracle waits for a service: an engine made it, it was never confirmed, and it needs no more than the service starts with.
pub fn is_claim(oracle: &Oracle) -> bool {
    let is_open = oracle.origin.engine != Engine::Human && oracle.confirmation.state == Confirmed::Unconfirmed;
    is_open && !oracle.needs_stubs()
}

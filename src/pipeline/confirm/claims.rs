//! Claims: what is to be confirmed on a service, and the results.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use mastor_probe::answers::unstable::Moment;
use mastor_probe::runs::passes::Passes;
use mastor_publish::wording::words;
use mastor_suite::format::RefutedAssumption;
use mastor_types::OpId;
use mastor_types::results::report::Confirming;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Candidate, Confirmed, Engine, Oracle};
use mastor_types::suite::sequence::Sequence;

/// Open requests of one operation that are sent, at most.
const PROBES: usize = 24;

/// What is to be confirmed.
#[derive(Debug, Default)]
pub struct Claims {
    /// Oracles that were never confirmed.
    pub oracles: Vec<Oracle>,
    /// Sequences that were never confirmed.
    pub sequences: Vec<Sequence>,
    /// Open requests (their answers are not derived), with their citations.
    pub probes: Vec<Candidate>,
    /// Requests that are sent only to learn their answers.
    pub asked: Vec<Oracle>,
    /// Operations whose answers may show the effect of a write; empty if no write is followed.
    pub readers: Vec<OpId>,
    /// Pairs of operations that follow each other in a sequence already.
    pub chained: BTreeSet<(OpId, OpId)>,
}

impl Claims {
    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.oracles.is_empty() && self.sequences.is_empty() && self.probes.is_empty() && self.asked.is_empty()
    }

    /// Adds requests that were built from the service's answers, except those that are known.
    pub fn leads(&mut self, leads: Vec<Candidate>) {
        let known = self.oracles.iter().chain(&self.asked).chain(self.probes.iter().map(|probe| &probe.oracle));
        let known: BTreeSet<String> = known.map(|oracle| oracle.o_id.clone()).collect();
        self.probes.extend(leads.into_iter().filter(|lead| !known.contains(&lead.oracle.o_id)));
    }

    /// Adds the first open requests of one operation: as they are, and also as the first user if there is one.
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
    /// The part of it that held, as a confirmed oracle.
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

/// The results for the claims.
#[derive(Debug, Default)]
pub struct Claimed {
    /// Confirmed oracles by id, completed with observed assertions if that was asked for.
    pub confirmed: BTreeMap<String, Oracle>,
    /// Oracles made from observed answers, with their citations.
    pub seen: Vec<(Oracle, Vec<Evidence>)>,
    /// Writes with the reads that showed their effects.
    pub sequences: Vec<Sequence>,
    /// Candidates that did not hold, or not in every run.
    pub refuted: Vec<Refuted>,
    /// Assumptions that the answers refuted.
    pub assumptions: Vec<RefutedAssumption>,
    /// Confirmed sequences by id.
    pub held: BTreeMap<String, Sequence>,
    /// Sequences that did not hold, or not in every run.
    pub refuted_sequences: Vec<RefutedSequence>,
    /// All answers, by the id of the request.
    pub passes: Passes,
    /// Counts for the report.
    pub report: Confirming,
    /// Address and time at which the service was asked.
    pub moment: Option<Moment>,
}

/// Whether a sequence still has to be confirmed on a service: an engine made it, it was never confirmed, and it is no
/// follow-up.
pub fn is_claimed(sequence: &Sequence) -> bool {
    sequence.origin.engine != Engine::Human
        && sequence.confirmation.state == Confirmed::Unconfirmed
        && !sequence.is_follow_up()
}

/// Whether an oracle still has to be confirmed on a service: an engine made it, it was never confirmed, and it needs no
/// stubs.
pub fn is_claim(oracle: &Oracle) -> bool {
    let is_open = oracle.origin.engine != Engine::Human && oracle.confirmation.state == Confirmed::Unconfirmed;
    is_open && !oracle.needs_stubs()
}

//! Normalise: turns candidates into oracles that may be shipped, by the rules ground, filter and merge, in this order
//! (MASTOR paper, section 4.4, with the correction that `filter` describes).
//!
//! Comes in: candidates of one operation. Goes out: oracles with their citations, and why others were dropped. Never
//! here: a new expectation.

pub mod dropped;
mod filter;
mod ground;
mod merge;

pub use dropped::Drop;

use mastor_types::hash::Hash;
use mastor_types::results::report::Dropped;
use mastor_types::suite::oracle::{Candidate, Oracle};

/// The result of normalising the candidates of one operation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Normalised {
    /// Oracles in stable order, with unique names.
    pub oracles: Vec<Oracle>,
    /// The citations that the oracles refer to.
    pub evidence: mastor_types::suite::evidence::EvidenceTable,
    /// Candidates that were dropped, each with its reason.
    pub dropped: Vec<Drop>,
}

impl Normalised {
    /// Dropped candidates by reason, most frequent first.
    pub fn reasons(&self) -> Vec<Dropped> {
        let mut reasons: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
        for drop in &self.dropped {
            *reasons.entry(&drop.reason).or_default() += 1;
        }
        let mut out: Vec<Dropped> =
            reasons.into_iter().map(|(reason, count)| Dropped { reason: reason.to_owned(), count }).collect();
        out.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
        out
    }
}

/// Normalises the candidates of one operation.
///
/// `resolve` returns the hash of the tokens of a cited symbol, in the revision for which the candidates were made.
pub fn normalise(candidates: Vec<Candidate>, resolve: &dyn Fn(&str) -> Option<Hash>) -> Normalised {
    let mut dropped = Vec::new();
    let mut kept = Vec::new();
    for candidate in candidates {
        let test_id = candidate.oracle.test_id.clone();
        match ground::ground(candidate, resolve).and_then(filter::filter) {
            Ok(candidate) => kept.push(candidate),
            Err(reason) => dropped.push(Drop { test_id, reason: reason.to_owned() }),
        }
    }
    let mut evidence = mastor_types::suite::evidence::EvidenceTable::new();
    for candidate in &kept {
        evidence.extend(candidate.citations.iter().map(|e| (e.id(), e.clone())));
    }
    let (oracles, merged) = merge::merge(kept.into_iter().map(|c| c.oracle).collect());
    dropped.extend(merged);
    dropped.sort_by(|a, b| (&a.reason, &a.test_id).cmp(&(&b.reason, &b.test_id)));
    let assumed = oracles.iter().flat_map(|o| &o.assumes).map(|assumption| &assumption.evidence);
    let assumed = assumed.chain(oracles.iter().flat_map(|o| &o.given).map(|given| &given.evidence));
    let used: std::collections::BTreeSet<_> = oracles.iter().flat_map(|o| &o.evidence).chain(assumed).collect();
    evidence.retain(|id, _| used.contains(id));
    Normalised { oracles, evidence, dropped }
}

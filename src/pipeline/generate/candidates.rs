//! Candidates and their origin: each records the code that it was made from, so that a wrong candidate can be told from
//! a regression.

use std::collections::BTreeSet;

use crate::pipeline::confirm::claims::Claimed;
use mastor_extract::Analysis;
use mastor_suite::candidates::note_origin_of;
use mastor_suite::load::OperationSuite;
use mastor_suite::proposal::{Proposal, ProposalKind};
use mastor_types::manifest::Manifest;
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;
use mastor_types::{Hash, OpId};

/// Records in each new sequence the fingerprint of the operation of its first step.
pub fn note_origins(analysis: &Analysis, sequences: &mut [Sequence]) {
    for sequence in sequences {
        let first = sequence.steps.first().map(|step| step.op_id.clone());
        let manifest = first.and_then(|op_id| analysis.manifest(&op_id));
        if let Some(manifest) = manifest {
            note_origin_of(std::slice::from_mut(sequence), manifest.fingerprint());
        }
    }
}

/// Whether a candidate that does not hold may show a regression: it was made from other code than the one that was run.
pub fn may_regress(analysis: &Analysis, op_id: &OpId, made_from: Option<Hash>) -> bool {
    made_from.is_none() || made_from != analysis.manifest(op_id).map(Manifest::fingerprint)
}

/// Proposals for committed oracles that were never confirmed, do not hold, and were made from other code: a person
/// decides whether each is a regression or was wrong. Oracles with a proposal already are left out.
pub fn doubtful(suite: &OperationSuite, claimed: &Claimed, proposed: &[Proposal]) -> Vec<Proposal> {
    let known: BTreeSet<&str> = proposed.iter().map(|proposal| proposal.o_id.as_str()).collect();
    let refuted = |oracle: &&Oracle| claimed.refuted.iter().any(|refuted| refuted.oracle.o_id == oracle.o_id);
    let doubtful = suite.oracles.iter().filter(refuted).filter(|oracle| !known.contains(oracle.o_id.as_str()));
    let proposal = |oracle: &Oracle| {
        Proposal {
        kind: ProposalKind::Retirement,
        o_id: oracle.o_id.clone(),
        op_id: oracle.op_id.clone(),
        before: Some(oracle.clone()),
        after: None,
        sequence: None,
        decision: None,
        evidence: Default::default(),
        reason: "it was never confirmed, does not hold on the service, and was made from other code: a regression, or a candidate that was wrong; \
                 `mastor ci` asks the base"
            .to_owned(),
    }
    };
    doubtful.map(proposal).collect()
}

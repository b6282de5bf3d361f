//! Candidates of a suite: what was never confirmed knows the code that it was made from.

use super::load::OperationSuite;
use crate::types::hash::Hash;
use crate::types::oracle::{Confirmation, Confirmed, Engine};
use crate::types::sequence::Sequence;

/// Notes of every new candidate the fingerprint of the operation that it was made from; `committed` is what the suite held before.
pub fn note_origin(suite: &mut OperationSuite, committed: Option<&OperationSuite>, fingerprint: Hash) {
    let is_known = |id: &str| committed.is_some_and(|suite| suite.oracles.iter().any(|oracle| oracle.o_id == id));
    for oracle in suite.oracles.iter_mut().filter(|oracle| !is_known(&oracle.o_id)) {
        note(&mut oracle.confirmation, oracle.origin.engine, fingerprint);
    }
}

/// The same for sequences that are new.
pub fn note_origin_of(sequences: &mut [Sequence], fingerprint: Hash) {
    for sequence in sequences {
        note(&mut sequence.confirmation, sequence.origin.engine, fingerprint);
    }
}

fn note(confirmation: &mut Confirmation, engine: Engine, fingerprint: Hash) {
    if engine != Engine::Human && confirmation.state == Confirmed::Unconfirmed && confirmation.made_from.is_none() {
        confirmation.made_from = Some(fingerprint);
    }
}

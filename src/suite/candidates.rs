//! Candidates of a suite: remembers the code that an unconfirmed oracle was made from, so that a refuted one is not
//! offered again for the same code.

use super::format::RefutedCandidate;
use super::load::OperationSuite;
use mastor_types::hash::Hash;
use mastor_types::suite::assertion::{Assertion, Source};
use mastor_types::suite::oracle::{Certainty, Confirmation, Confirmed, Engine, Oracle};
use mastor_types::suite::sequence::Sequence;

/// Removes candidates that a service has refuted for this `fingerprint`, and those that rest on a refuted assumption.
/// If a service `is_asked`, they are tried again, since it may now do what the code says; but not where another oracle of
/// the same request is confirmed.
pub fn without_refuted(
    fresh: Vec<Oracle>,
    committed: Option<&OperationSuite>,
    fingerprint: Option<Hash>,
    is_asked: bool,
) -> Vec<Oracle> {
    let known = committed.map(|suite| suite.refuted.as_slice()).unwrap_or_default();
    let untrue = committed.map(|suite| suite.assumptions.as_slice()).unwrap_or_default();
    let rests_on_untrue =
        |oracle: &Oracle| oracle.assumes.iter().any(|one| untrue.iter().any(|known| known.id == one.id));
    let is_refuted = |oracle: &Oracle| {
        let same = |one: &&RefutedCandidate| one.id == oracle.o_id && one.expected == expected(oracle);
        known.iter().find(same).is_some_and(|one| Some(one.made_from) == fingerprint)
    };
    let is_answered = |oracle: &Oracle| {
        let mut known = committed.into_iter().flat_map(|suite| &suite.oracles);
        known.any(|known| known.o_id == oracle.o_id && known.certainty() == Certainty::Confirmed)
    };
    let is_kept = |oracle: &Oracle| match is_asked {
        true => !(is_refuted(oracle) && is_answered(oracle)),
        false => !is_refuted(oracle) && !rests_on_untrue(oracle),
    };
    fresh.into_iter().filter(is_kept).collect()
}

/// Records that a service refuted a candidate, together with the code it was made from (nothing is recorded where that
/// is unknown). Records about other code are removed.
pub fn note_refuted(suite: &mut OperationSuite, oracle: &Oracle, as_made: &Oracle) {
    let Some(made_from) = as_made.confirmation.made_from else { return };
    suite.refuted.retain(|one| one.made_from == made_from);
    suite.refuted.push(RefutedCandidate { id: oracle.o_id.clone(), expected: expected(as_made), made_from });
}

/// Hash of the derived assertions of an oracle.
fn expected(oracle: &Oracle) -> Hash {
    let derived: Vec<&Assertion> = oracle.assertions.iter().filter(|one| one.source != Source::Observed).collect();
    Hash::of(&super::format::to_bytes(&derived))
}

/// Records in every new unconfirmed oracle the fingerprint that it was made from. New are those that `committed`, the
/// earlier suite, does not hold.
pub fn note_origin(suite: &mut OperationSuite, committed: Option<&OperationSuite>, fingerprint: Hash) {
    let is_known = |id: &str| committed.is_some_and(|suite| suite.oracles.iter().any(|oracle| oracle.o_id == id));
    for oracle in suite.oracles.iter_mut().filter(|oracle| !is_known(&oracle.o_id)) {
        note(&mut oracle.confirmation, oracle.origin.engine, fingerprint);
    }
}

/// Records the fingerprint in unconfirmed sequences that have none yet.
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

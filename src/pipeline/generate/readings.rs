//! Second readings: what agents say of a request that the rules derive an oracle for. A reading fills the values that the
//! derived oracle leaves open, or contradicts it; a request to the service, or a slice, decides.

use std::collections::BTreeSet;

use serde_json::Value;

use mastor_suite::load::OperationSuite;
use mastor_suite::regenerate::contradicts;
use mastor_suite::tidy::tidy;
use mastor_types::results::agents::AgentsRan;
use mastor_types::suite::assertion::{Assertion, Check, FieldOp, Source, statuses};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::input::canonical;
use mastor_types::suite::oracle::{Candidate, Confirmed, Engine, Oracle};

/// A candidate that sends the request of a derived oracle, as a second reading of it, and whether the two contradict
/// each other; `None` if it says nothing that the derived one does not say.
pub fn second_reading(known: &Oracle, mut candidate: Candidate) -> Option<(Candidate, bool)> {
    let is_contested = contradicts(&known.assertions, &candidate.oracle.assertions);
    let is_status = |one: &Assertion| matches!(one.check, Check::Status { .. });
    let is_known = |one: &Assertion| known.assertions.iter().any(|other| is_alike(&other.check, &one.check));
    let oracle = &mut candidate.oracle;
    oracle.assertions.retain(|one| is_contested || is_status(one) || !is_known(one));
    if !is_contested && oracle.assertions.iter().all(is_status) && oracle.statuses() == statuses(&known.assertions) {
        return None;
    }
    oracle.o_id = Oracle::second_reading(&known.o_id);
    oracle.given.clone_from(&known.given);
    oracle.assumes.extend(known.assumes.iter().cloned());
    assume_reading(&mut candidate, is_contested);
    Some((candidate, is_contested))
}

/// Adds the assumption that a model reads the code rightly.
pub fn assume_reading(candidate: &mut Candidate, is_contested: bool) {
    let oracle = &mut candidate.oracle;
    let Some(evidence) = oracle.evidence.first().cloned() else { return };
    oracle.assumes.push(Assumption::of(words(oracle, is_contested), evidence));
}

fn words(oracle: &Oracle, is_contested: bool) -> String {
    let model = oracle.origin.model.as_deref().unwrap_or("a model");
    match is_contested {
        true => format!("the answer is as {model} reads the code, and not as the rules derive it"),
        false => format!("the values that rules leave open are as {model} reads the code"),
    }
}

/// Removes the assumption that a model reads the code rightly: the oracle held.
fn forget_reading(oracle: &mut Oracle) {
    let said = [words(oracle, false), words(oracle, true)];
    oracle.assumes.retain(|one| !said.contains(&one.what));
}

/// Settles the readings of an operation after its oracles were run: what held is added to the derived oracle; a
/// contested reading takes its place where the derived oracle was refuted, and goes where nothing was asked. Counts in
/// `ran` what was filled, and what the service showed against the rules.
pub fn settle(suite: &mut OperationSuite, contested: &BTreeSet<String>, ran: &mut AgentsRan) {
    let held = |oracle: &Oracle| oracle.confirmation.state == Confirmed::Confirmed || oracle.confirmation.by_slice;
    let ids: Vec<String> = suite.oracles.iter().map(|oracle| oracle.o_id.clone()).collect();
    let before = suite.oracles.len();
    for o_id in &ids {
        let reading = Oracle::second_reading(o_id);
        let is_held = |oracle: &&mut Oracle| oracle.o_id == reading && held(oracle);
        let Some(reading) = suite.oracles.extract_if(.., |oracle| is_held(&oracle)).next() else { continue };
        let known = suite.oracles.iter_mut().find(|oracle| oracle.o_id == *o_id);
        // What a person wrote stays as it is.
        let known = known.filter(|known| known.origin.engine != Engine::Human);
        ran.filled += usize::from(known.is_some_and(|known| fill(known, &reading)));
    }
    for oracle in &mut suite.oracles {
        let plain = Oracle::identity_given(&oracle.op_id, &oracle.as_user, &oracle.input, &oracle.given);
        let is_reading = oracle.o_id == Oracle::second_reading(&plain);
        if !held(oracle) || !(is_reading || contested.contains(&oracle.o_id)) {
            continue;
        }
        // The derived oracle is gone: the service answered as the model said.
        if contested.contains(&oracle.o_id) {
            ran.overruled += 1;
            ran.contradicted = ran.contradicted.saturating_sub(1);
        }
        if is_reading && !ids.contains(&plain) {
            oracle.o_id = plain;
        }
        forget_reading(oracle);
    }
    let open = |oracle: &Oracle| contested.contains(&oracle.o_id) && !held(oracle);
    suite.oracles.retain(|oracle| !open(oracle));
    if suite.oracles.len() != before {
        *suite = tidy(suite.clone());
    }
}

/// Adds the assertions of a reading that held to the derived oracle; gives whether there were any. What was observed and
/// is now also read in the code counts as derived.
fn fill(known: &mut Oracle, reading: &Oracle) -> bool {
    if contradicts(&known.assertions, &reading.assertions) {
        return false;
    }
    let mut added = false;
    for one in reading.assertions.iter().filter(|one| one.source == Source::Derived) {
        match known.assertions.iter_mut().find(|other| is_alike(&other.check, &one.check)) {
            Some(other) => {
                added |= other.source == Source::Observed;
                other.source = Source::Derived;
            }
            None => {
                known.assertions.push(one.clone());
                added = true;
            }
        }
    }
    let cited: Vec<_> = reading.evidence.iter().filter(|id| !known.evidence.contains(id)).cloned().collect();
    known.evidence.extend(cited);
    added
}

/// Whether two checks say the same; keys and items in any order.
fn is_alike(one: &Check, other: &Check) -> bool {
    let sorted = |check: &Check| match check {
        Check::Field { path, op: op @ (FieldOp::Keys | FieldOp::SameItems), expected: Some(Value::Array(items)) } => {
            let mut items: Vec<String> = items.iter().map(canonical).collect();
            items.sort();
            Some((path.clone(), *op, items))
        }
        _ => None,
    };
    one == other || sorted(one).is_some_and(|one| Some(one) == sorted(other))
}

/// Agents' oracles among these that contradict nothing derived.
pub fn of_agents(suite: &OperationSuite, contested: &BTreeSet<String>) -> usize {
    let own = suite.oracles.iter().filter(|oracle| oracle.origin.engine == Engine::Agents);
    own.filter(|oracle| !contested.contains(&oracle.o_id)).count()
}

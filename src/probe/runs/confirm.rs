//! Confirm: settles an oracle by several runs on fresh state. A varying field is quarantined rather than the oracle
//! rejected.

use serde_json::Value;

use crate::answers::field_path::{Lies, lies};
use crate::answers::judge::{Captures, Parsed, judge, take};
use crate::answers::unstable::{Moment, Unstable, Variation, unstable};
use crate::auth::secret::MASK;
use mastor_types::results::outcome::{Answer, Miss};
use mastor_types::suite::assertion::{Assertion, Check, FieldOp};
use mastor_types::suite::oracle::{Confirmation, Confirmed, Engine, Oracle, Quarantined};
use mastor_types::suite::sequence::Sequence;

/// The result of confirming an oracle.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// The oracle with its new confirmation, without assertions on varying values.
    pub oracle: Oracle,
    /// What did not hold in the last run with a failure; empty where the oracle is confirmed.
    pub misses: Vec<Miss>,
    /// Varying places in the answers.
    pub unstable: Vec<Unstable>,
}

/// Settles an oracle by the answers to its request, each on fresh state; confirming needs at least two.
pub fn settle(oracle: &Oracle, answers: &[Answer], moment: &Moment) -> Settled {
    let bodies: Vec<Option<Value>> = answers.iter().map(|answer| Parsed::of(answer).into_value()).collect();
    let varies = unstable(&bodies, &moment.of(&oracle.op_id));
    let mut settled = Settled { oracle: oracle.clone(), misses: Vec::new(), unstable: varies };
    let mut kept = Vec::new();
    let (mut always, mut sometimes) = (false, false);
    for assertion in &oracle.assertions {
        let misses: Vec<Vec<Miss>> = answers.iter().map(|answer| misses(assertion, answer)).collect();
        if misses.iter().all(Vec::is_empty) {
            kept.push(assertion.clone());
            continue;
        }
        if let Some(touching) = touching(assertion, &settled.unstable) {
            kept.extend(as_set(assertion, touching).filter(|set| answers.iter().all(|a| misses_none(set, a))));
            continue;
        }
        // Secrets are masked in the recorded answers, so an assertion on such a value cannot be judged.
        if misses.iter().flatten().all(|miss| miss.seen.contains(MASK)) {
            continue;
        }
        kept.push(assertion.clone());
        let all = misses.iter().all(|of_run| !of_run.is_empty());
        always |= all;
        sometimes |= !all;
        settled.misses.extend(misses.into_iter().rev().find(|of_run| !of_run.is_empty()).unwrap_or_default());
    }
    let state = match () {
        () if always => Confirmed::Refuted,
        () if sometimes || (kept.is_empty() && !oracle.assertions.is_empty()) => Confirmed::Flaky,
        () if answers.len() < 2 => Confirmed::Unconfirmed,
        () => Confirmed::Confirmed,
    };
    settled.oracle.assertions = kept;
    settled.oracle.confirmation = Confirmation {
        state,
        runs: u32::try_from(answers.len()).unwrap_or(u32::MAX),
        quarantined: settled.unstable.iter().map(Unstable::quarantined).collect(),
        made_from: oracle.confirmation.made_from.filter(|_| state != Confirmed::Confirmed),
        fresh_state: false,
        by_slice: oracle.confirmation.by_slice,
    };
    settled
}

/// The part of a refuted agent oracle that held in every run, as an oracle of its own: one wrong value does not discredit the other expectations. `None` if
/// the status did not hold, or if an oracle of success would keep nothing but its status.
pub fn what_held(oracle: &Oracle, answers: &[Answer], moment: &Moment) -> Option<Settled> {
    let holds = |assertion: &&Assertion| answers.iter().all(|answer| misses_none(assertion, answer));
    let is_status = |assertion: &&Assertion| matches!(assertion.check, Check::Status { .. });
    if oracle.origin.engine != Engine::Agents || !oracle.assertions.iter().filter(is_status).all(|one| holds(&one)) {
        return None;
    }
    let assertions: Vec<Assertion> = oracle.assertions.iter().filter(holds).cloned().collect();
    let succeeds = answers.iter().all(|answer| answer.status < 400);
    if assertions.len() == oracle.assertions.len() || (succeeds && assertions.len() < 2) {
        return None;
    }
    let settled = settle(&Oracle { assertions, ..oracle.clone() }, answers, moment);
    (settled.oracle.confirmation.state == Confirmed::Confirmed).then_some(settled)
}

/// The result of confirming a sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct SettledSequence {
    /// The sequence with its new confirmation, without assertions on varying values.
    pub sequence: Sequence,
    /// What did not hold in the last run with a failure; empty where the sequence is confirmed.
    pub misses: Vec<Miss>,
}

/// Settles a sequence by the answers to its steps in each run, each on fresh state; confirming needs at least two runs.
/// `runs` holds complete runs only.
pub fn settle_sequence(sequence: &Sequence, runs: &[Vec<Answer>], moment: &Moment) -> SettledSequence {
    let mut settled = SettledSequence { sequence: sequence.clone(), misses: Vec::new() };
    let mut captures: Vec<Captures> = vec![Captures::new(); runs.len()];
    let (mut always, mut sometimes) = (false, false);
    let mut quarantined = Vec::new();
    for (n, step) in sequence.steps.iter().enumerate() {
        let answers: Vec<&Answer> = runs.iter().filter_map(|run| run.get(n)).collect();
        let bodies: Vec<Option<Value>> = answers.iter().map(|answer| Parsed::of(answer).into_value()).collect();
        let varies = unstable(&bodies, &moment.of(&step.op_id));
        let mut kept = Vec::new();
        for assertion in &step.assertions {
            let of_run =
                |(answer, captures): (&&Answer, &Captures)| judge(std::slice::from_ref(assertion), answer, captures);
            let misses: Vec<Vec<Miss>> = answers.iter().zip(&captures).map(of_run).collect();
            if misses.iter().all(Vec::is_empty) {
                kept.push(assertion.clone());
            } else if touching(assertion, &varies).is_none() {
                let all = misses.iter().all(|of_run| !of_run.is_empty());
                always |= all;
                sometimes |= !all;
                let last = misses.into_iter().rev().find(|of_run| !of_run.is_empty()).unwrap_or_default();
                settled.misses.extend(last.into_iter().map(|miss| Miss { step: n, ..miss }));
                kept.push(assertion.clone());
            }
        }
        for (answer, captures) in answers.iter().zip(&mut captures) {
            for (name, from) in &step.captures {
                if let Ok(value) = take(from, answer) {
                    captures.insert(name.clone(), value);
                }
            }
        }
        // Captured values may vary without harm.
        quarantined.extend(varies.iter().map(|one| {
            let field = one.quarantined();
            Quarantined { path: format!("{}:{}", n + 1, field.path), why: field.why }
        }));
        if let Some(step) = settled.sequence.steps.get_mut(n) {
            step.assertions = kept;
        }
    }
    let state = match () {
        () if always => Confirmed::Refuted,
        () if sometimes => Confirmed::Flaky,
        () if runs.len() < 2 => Confirmed::Unconfirmed,
        () => Confirmed::Confirmed,
    };
    let runs = u32::try_from(runs.len()).unwrap_or(u32::MAX);
    let made_from = sequence.confirmation.made_from.filter(|_| state != Confirmed::Confirmed);
    settled.sequence.confirmation =
        Confirmation { state, runs, quarantined, made_from, fresh_state: false, by_slice: false };
    settled
}

fn misses(assertion: &Assertion, answer: &Answer) -> Vec<Miss> {
    judge(std::slice::from_ref(assertion), answer, &Captures::new())
}

fn misses_none(assertion: &Assertion, answer: &Answer) -> bool {
    misses(assertion, answer).is_empty()
}

/// The varying place that affects an assertion: at or around its path, and for assertions that compare whole values,
/// also inside it.
fn touching<'u>(assertion: &Assertion, varies: &'u [Unstable]) -> Option<&'u Unstable> {
    let Check::Field { path, op, .. } = &assertion.check else { return None };
    let compares = matches!(op, FieldOp::Equals | FieldOp::SameItems | FieldOp::OneOf | FieldOp::Contains);
    let is_ordered = matches!(op, FieldOp::Equals | FieldOp::OneOf);
    varies.iter().find(|one| match lies(path, &one.path) {
        Lies::At if one.why == Variation::Order => is_ordered,
        Lies::At | Lies::Below => true,
        Lies::Above => compares || (one.comes_and_goes && *op == FieldOp::Keys),
        Lies::Apart => false,
    })
}

/// Turns an equality of arrays into a comparison of multisets, where only the order varies.
fn as_set<'a>(assertion: &'a Assertion, varies: &Unstable) -> impl Iterator<Item = Assertion> + use<'a> {
    let set = match &assertion.check {
        Check::Field { path, op: FieldOp::Equals, expected: Some(Value::Array(items)) }
            if varies.why == Variation::Order && lies(path, &varies.path) == Lies::At =>
        {
            let check = Check::Field {
                path: path.clone(),
                op: FieldOp::SameItems,
                expected: Some(Value::Array(items.clone())),
            };
            Some(Assertion { check, source: assertion.source })
        }
        _ => None,
    };
    set.into_iter()
}

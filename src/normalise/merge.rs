//! Merge: joins oracles with the same request, and drops both of two contradicting expectations; two different statuses drop the oracle.

use std::collections::{BTreeMap, BTreeSet};

use super::dropped::Drop;
use mastor_suite::regenerate::contradicts;
use mastor_types::suite::assertion::{Assertion, Check};
use mastor_types::suite::oracle::Oracle;

/// Joins oracles with the same id, drops contradictions, sorts the rest by name and makes the names unique.
pub(super) fn merge(oracles: Vec<Oracle>) -> (Vec<Oracle>, Vec<Drop>) {
    let mut groups: BTreeMap<String, Vec<Oracle>> = BTreeMap::new();
    for oracle in oracles {
        groups.entry(oracle.o_id.clone()).or_default().push(oracle);
    }
    let mut merged = Vec::new();
    let mut dropped = Vec::new();
    for mut group in groups.into_values() {
        group.sort_by(|a, b| (a.strategy, &a.test_id).cmp(&(b.strategy, &b.test_id)));
        let mut group = group.into_iter();
        let Some(mut first) = group.next() else { continue };
        let mut consistent = !contradicts_itself(&first.assertions);
        for other in group {
            consistent &= join(&mut first, &other);
            dropped.push(Drop { test_id: other.test_id, reason: "asks the same as another".to_owned() });
        }
        if consistent && says_enough(&first) {
            merged.push(first);
        } else {
            dropped.push(Drop { test_id: first.test_id, reason: "its expectations contradict each other".to_owned() });
        }
    }
    merged.sort_by(|a, b| (&a.test_id, &a.o_id).cmp(&(&b.test_id, &b.o_id)));
    let mut taken = BTreeSet::new();
    for oracle in &mut merged {
        if !taken.insert(oracle.test_id.clone()) {
            oracle.test_id = format!("{}_{}", oracle.test_id, oracle.o_id.get(..4).unwrap_or_default());
            taken.insert(oracle.test_id.clone());
        }
    }
    (merged, dropped)
}

/// Adds the assertions and evidence of `other` to `first`, without assertions that contradict each other. Returns whether what is left is consistent, with a
/// single status.
fn join(first: &mut Oracle, other: &Oracle) -> bool {
    let is_status = |assertion: &&Assertion| matches!(assertion.check, Check::Status { .. });
    let against = |assertion: &Assertion, others: &[Assertion]| contradicts(std::slice::from_ref(assertion), others);
    let before = first.assertions.clone();
    first.assertions.retain(|one| is_status(&one) || !against(one, &other.assertions));
    for assertion in &other.assertions {
        let is_disputed = !is_status(&assertion) && against(assertion, &before);
        if !first.assertions.contains(assertion) && !is_disputed {
            first.assertions.push(assertion.clone());
        }
    }
    for id in &other.evidence {
        if !first.evidence.contains(id) {
            first.evidence.push(id.clone());
        }
    }
    !contradicts_itself(&first.assertions)
}

/// Whether enough is left to confirm: an oracle of success must assert more than its status.
fn says_enough(oracle: &Oracle) -> bool {
    let succeeds = oracle.statuses().iter().all(|status| *status < 400);
    !succeeds || oracle.assertions.len() > 1
}

fn contradicts_itself(assertions: &[Assertion]) -> bool {
    contradicts(assertions, assertions) || two_statuses(assertions)
}

fn two_statuses(assertions: &[Assertion]) -> bool {
    assertions.iter().filter(|a| matches!(a.check, Check::Status { .. })).count() > 1
}

#[cfg(test)]
mod tests {
    use crate::normalise;
    use mastor_types::hash::Hash;
    use mastor_types::suite::assertion::*;
    use mastor_types::suite::evidence::Evidence;
    use mastor_types::suite::input::Input;
    use mastor_types::suite::oracle::*;
    use mastor_types::{Method, OpId};

    fn candidate(name: &str, strategy: Strategy, code: &str, checks: Vec<Check>) -> Candidate {
        let op_id = OpId::new(Method::Get, "/v/{code}");
        let input = Input {
            path: [("code".to_owned(), code.to_owned()), ("bogus".to_owned(), "x".to_owned())].into(),
            ..Input::default()
        };
        let evidence = Evidence { symbol: "A#x()".to_owned(), tokens_sha256: Hash::of(b"1") };
        Candidate {
            oracle: Oracle {
                o_id: Oracle::identity(&op_id, "anonymous", &input),
                op_id,
                test_id: name.to_owned(),
                description: String::new(),
                strategy,
                as_user: "anonymous".to_owned(),
                input,
                assertions: checks.into_iter().map(Assertion::derived).collect(),
                events: Vec::new(),
                effect: Effect::Reads,
                given: Vec::new(),
                assumes: Vec::new(),
                evidence: vec![evidence.id()],
                rationale: String::new(),
                origin: Origin::rules(),
                confirmation: Confirmation::none(),
            },
            citations: vec![evidence],
        }
    }

    fn status(code: u16) -> Check {
        Check::Status { expected: StatusSet::One(code) }
    }

    fn empty() -> Check {
        Check::Body { op: BodyOp::Empty, expected: None }
    }

    fn run(candidates: Vec<Candidate>) -> (Vec<String>, Vec<String>) {
        let out = normalise(candidates, &|symbol| (symbol == "A#x()").then(|| Hash::of(b"1")));
        (out.oracles.into_iter().map(|o| o.test_id).collect(), out.dropped.into_iter().map(|d| d.reason).collect())
    }

    #[test]
    fn an_oracle_without_status_or_with_status_alone_on_success_is_dropped() {
        let (kept, dropped) = run(vec![
            candidate("fv_a", Strategy::Fv, "a", vec![empty()]),
            candidate("fv_b", Strategy::Fv, "b", vec![status(200)]),
            candidate("fi_c", Strategy::Fi, "c", vec![status(400)]),
            candidate("fv_d", Strategy::Fv, "d", vec![status(204), empty()]),
        ]);
        assert_eq!(kept, ["fi_c", "fv_d"]);
        assert_eq!(dropped, ["a success oracle that asserts nothing but the status", "asserts no status"]);
    }

    #[test]
    fn two_strategies_that_ask_the_same_are_one_oracle_and_a_contradiction_is_none() {
        let (kept, dropped) = run(vec![
            candidate("fi_a", Strategy::Fi, "a", vec![status(400)]),
            candidate("bi_a", Strategy::Bi, "a", vec![status(400)]),
            candidate("fi_b", Strategy::Fi, "b", vec![status(400)]),
            candidate("bi_b", Strategy::Bi, "b", vec![status(404)]),
        ]);
        assert_eq!(kept, ["fi_a"]);
        assert_eq!(dropped.len(), 3);
    }

    #[test]
    fn of_two_expectations_that_exclude_each_other_neither_is_kept_and_the_rest_is_joined() {
        let field = |path: &str, value: i32| Check::Field {
            path: path.to_owned(),
            op: FieldOp::Equals,
            expected: Some(value.into()),
        };
        let out = normalise(
            vec![
                candidate("bv_a", Strategy::Bv, "a", vec![status(200), field("x", 1), field("y", 1)]),
                candidate("fv_a", Strategy::Fv, "a", vec![status(200), field("x", 2), field("z", 1)]),
            ],
            &|symbol| (symbol == "A#x()").then(|| Hash::of(b"1")),
        );
        let [oracle] = &out.oracles[..] else { panic!("{:?}", out.oracles) };
        let checks: Vec<&Check> = oracle.assertions.iter().map(|assertion| &assertion.check).collect();
        assert_eq!(checks, [&status(200), &field("z", 1), &field("y", 1)]);
    }

    #[test]
    fn a_strategy_is_named_by_what_is_answered() {
        let (kept, dropped) = run(vec![
            candidate("fv_refused", Strategy::Fv, "a", vec![status(400)]),
            candidate("bi_taken", Strategy::Bi, "b", vec![status(204), empty()]),
        ]);
        assert_eq!((kept, dropped), (vec!["bv_taken".to_owned(), "fi_refused".to_owned()], vec![]));
    }

    #[test]
    fn a_citation_that_does_not_resolve_drops_the_candidate() {
        let mut gone = candidate("fi_a", Strategy::Fi, "a", vec![status(400)]);
        let evidence = Evidence { symbol: "A#gone()".to_owned(), tokens_sha256: Hash::of(b"1") };
        gone.oracle.evidence = vec![evidence.id()];
        gone.citations = vec![evidence];
        let mut none = candidate("fi_b", Strategy::Fi, "b", vec![status(400)]);
        none.oracle.evidence.clear();
        assert_eq!(run(vec![gone, none]).1, ["cites code that does not exist", "cites no code"]);
    }

    #[test]
    fn path_values_that_the_template_does_not_name_are_stripped() {
        let out = normalise(vec![candidate("fi_a", Strategy::Fi, "a", vec![status(400)])], &|_| Some(Hash::of(b"1")));
        assert_eq!(out.oracles[0].input.path.keys().collect::<Vec<_>>(), ["code"]);
    }
}

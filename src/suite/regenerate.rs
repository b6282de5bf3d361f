//! Merges a committed suite with an engine's output: new oracles are added; changed expectations become proposals.

use std::collections::{BTreeMap, BTreeSet};

use super::load::OperationSuite;
use super::proposal::{Proposal, ProposalKind};
use super::tidy::tidy;
use mastor_types::hash::Hash;
use mastor_types::suite::assertion::{Assertion, Check, FieldOp};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::{Evidence, EvidenceId, EvidenceTable};
use mastor_types::suite::given::Given;
use mastor_types::suite::input::canonical;
use mastor_types::suite::oracle::{Certainty, Engine, Oracle, counted};
use mastor_types::suite::source_context::SourceContext;

/// The result of regenerating one operation.
#[derive(Debug, Clone)]
pub struct Regenerated {
    /// The merged suite, which may be written.
    pub suite: OperationSuite,
    /// Changed expectations that need `accept`.
    pub proposals: Vec<Proposal>,
    /// Number of new oracles that count.
    pub added: usize,
    /// Committed oracles that cite code which no longer exists. They are kept and reported.
    pub unsupported: Vec<String>,
}

/// Merges the `committed` suite of an operation with the `fresh` context and oracles of the head.
///
/// `resolve` returns the hash of a symbol's cited tokens in the head; `None` where the symbol no longer exists.
pub fn regenerate(
    committed: Option<&OperationSuite>,
    fresh_context: SourceContext,
    fresh: Vec<Oracle>,
    resolve: &dyn Fn(&str) -> Option<Hash>,
) -> Regenerated {
    let Some(committed) = committed else {
        let added = counted(&fresh).0;
        let suite = tidy(OperationSuite::new(fresh_context, fresh));
        return Regenerated { suite, proposals: Vec::new(), added, unsupported: Vec::new() };
    };
    let mut context = fresh_context;
    let mut by_id: BTreeMap<String, Oracle> = fresh.into_iter().map(|o| (o.o_id.clone(), o)).collect();
    let mut oracles = Vec::new();
    let (mut proposals, mut unsupported) = (Vec::new(), Vec::new());
    for old in &committed.oracles {
        let mut kept = old.clone();
        // An assumed candidate does not contradict an oracle that is certain or confirmed.
        let is_as_sure =
            |candidate: &Oracle| candidate.certainty() != Certainty::Assumed || old.certainty() == Certainty::Assumed;
        let candidate = by_id.remove(&old.o_id).filter(is_as_sure);
        if let Some(candidate) = &candidate
            && contradicts(&old.assertions, &candidate.assertions)
        {
            proposals.push(Proposal {
                kind: ProposalKind::Expectation,
                o_id: old.o_id.clone(),
                op_id: old.op_id.clone(),
                before: Some(old.clone()),
                after: Some(with_names_of(candidate, old)),
                sequence: None,
                decision: None,
                evidence: cited(&context.evidence, &candidate.evidence),
                reason: "the code now answers this input differently".to_owned(),
            });
        } else if let Some(candidate) = &candidate {
            kept.evidence.clone_from(&candidate.evidence);
            kept.given = given(&old.given, &candidate.given);
            kept.assumes = assumed(&old.assumes, &candidate.assumes);
        }
        let rests_on = kept.assumes.iter().map(|one| &one.evidence).chain(kept.given.iter().map(|one| &one.evidence));
        let of_assumptions = rests_on.filter_map(|id| committed.context.evidence.get_key_value(id));
        context.evidence.extend(of_assumptions.map(|(id, evidence)| (id.clone(), evidence.clone())));
        if candidate.as_ref().is_none_or(|c| kept.evidence != c.evidence) {
            let (evidence, lost) =
                cite_anew(&kept.evidence, &committed.context.evidence, &mut context.evidence, resolve);
            kept.evidence = evidence;
            if !lost.is_empty() && kept.origin.engine != Engine::Human {
                unsupported.push(format!("{} ({}): {} is gone", kept.test_id, kept.o_id, lost.join(", ")));
            }
        }
        oracles.push(kept);
    }
    let added = by_id.values().filter(|oracle| oracle.certainty().counts()).count();
    let taken: BTreeSet<String> = oracles.iter().map(|o| o.test_id.clone()).collect();
    for mut oracle in by_id.into_values() {
        if taken.contains(&oracle.test_id) {
            oracle.test_id = format!("{}_{}", oracle.test_id, oracle.o_id.get(..4).unwrap_or_default());
        }
        oracles.push(oracle);
    }
    let suite = tidy(OperationSuite {
        context,
        oracles,
        accepted: committed.accepted.clone(),
        refuted: committed.refuted.clone(),
        assumptions: committed.assumptions.clone(),
    });
    Regenerated { suite, proposals, added, unsupported }
}

/// The assumptions that are made now; what a model said of one stays with it.
fn assumed(old: &[Assumption], fresh: &[Assumption]) -> Vec<Assumption> {
    let opinion =
        |one: &Assumption| old.iter().find(|known| known.id == one.id).and_then(|known| known.opinion.clone());
    fresh
        .iter()
        .map(|one| Assumption { opinion: one.opinion.clone().or_else(|| opinion(one)), ..one.clone() })
        .collect()
}

/// The data needed now; an entry that was known before keeps its recorded state.
fn given(old: &[Given], fresh: &[Given]) -> Vec<Given> {
    let known = |one: &Given| old.iter().find(|o| o.what() == one.what() && o.evidence == one.evidence);
    fresh.iter().map(|one| known(one).unwrap_or(one).clone()).collect()
}

/// Whether two lists of assertions cannot both hold: for the same target, the statuses, exact values, types, lengths or
/// key sets differ.
pub fn contradicts(old: &[Assertion], new: &[Assertion]) -> bool {
    old.iter().any(|a| new.iter().any(|b| excludes(&a.check, &b.check)))
}

fn excludes(a: &Check, b: &Check) -> bool {
    match (a, b) {
        (Check::Status { expected: a }, Check::Status { expected: b }) => {
            let b = b.codes();
            !a.codes().iter().any(|code| b.contains(code))
        }
        (Check::Field { path: p, op: x, expected: a }, Check::Field { path: q, op: y, expected: b }) if p == q => {
            // Different elements may satisfy the two.
            !p.contains("[?]") && values_exclude(*x, a, *y, b)
        }
        (Check::Header { name: p, op: x, expected: a }, Check::Header { name: q, op: y, expected: b })
            if p.eq_ignore_ascii_case(q) =>
        {
            values_exclude(*x, a, *y, b)
        }
        (Check::Body { op: x, expected: a }, Check::Body { op: y, expected: b }) => {
            use mastor_types::suite::assertion::BodyOp::{Empty, MediaType, NotEmpty};
            match (x, y) {
                (Empty, NotEmpty) | (NotEmpty, Empty) => true,
                (MediaType, MediaType) => a != b,
                _ => false,
            }
        }
        _ => false,
    }
}

fn values_exclude(x: FieldOp, a: &Option<serde_json::Value>, y: FieldOp, b: &Option<serde_json::Value>) -> bool {
    use FieldOp::{
        Absent, Contains, ContainsNot, Equals, Gt, Gte, IsNull, Keys, Length, Lt, Lte, NotNull, SameItems, Type,
    };
    let number = |value: &Option<serde_json::Value>| value.as_ref().and_then(serde_json::Value::as_f64);
    let bounds = number(a).zip(number(b));
    let refers = |value: &Option<serde_json::Value>| {
        let text = value.as_ref().map(ToString::to_string).unwrap_or_default();
        ["$captures.", "$body."].iter().any(|reference| text.contains(reference))
    };
    if refers(a) || refers(b) {
        return false;
    }
    match (x, y) {
        // The order in which keys and items are written says nothing.
        (Keys, Keys) | (SameItems, SameItems) => as_items(a) != as_items(b),
        (Contains, ContainsNot) | (ContainsNot, Contains) => a == b,
        (Gte, Lte) | (Equals, Lte) | (Gte, Equals) => bounds.is_some_and(|(a, b)| a > b),
        (Lte, Gte) | (Equals, Gte) | (Lte, Equals) => bounds.is_some_and(|(a, b)| a < b),
        (Gt | Gte | Equals, Lt) | (Gt, Lte | Equals) => bounds.is_some_and(|(a, b)| a >= b),
        (Lt | Lte | Equals, Gt) | (Lt, Gte | Equals) => bounds.is_some_and(|(a, b)| a <= b),
        (Equals, Equals) | (Type, Type) | (Length, Length) => a != b,
        (NotNull, IsNull | Absent) | (IsNull | Absent, NotNull) | (Absent, IsNull) | (IsNull, Absent) => true,
        (Equals | Type | Length | Keys | SameItems, Absent) | (Absent, Equals | Type | Length | Keys | SameItems) => {
            true
        }
        (Equals, IsNull) => a.as_ref().is_some_and(|v| !v.is_null()),
        (IsNull, Equals) => b.as_ref().is_some_and(|v| !v.is_null()),
        _ => false,
    }
}

/// The elements of an array in an order that does not depend on how they are written.
fn as_items(value: &Option<serde_json::Value>) -> Vec<String> {
    let items = value.as_ref().and_then(serde_json::Value::as_array).into_iter().flatten();
    let mut items: Vec<String> = items.map(canonical).collect();
    items.sort();
    items
}

/// Two of these assertions that can never hold together, by their places; `None` where all can.
pub fn impossible(assertions: &[Assertion]) -> Option<(usize, usize)> {
    let pair = |n: usize| {
        let (first, rest) = (assertions.get(n)?, assertions.iter().enumerate().skip(n + 1));
        let mut against = rest.filter(|(_, other)| excludes(&first.check, &other.check));
        against.next().map(|(other, _)| (n, other))
    };
    (0..assertions.len()).find_map(pair)
}

/// The candidate with the `test_id` of the committed oracle and no confirmation.
fn with_names_of(candidate: &Oracle, old: &Oracle) -> Oracle {
    let mut oracle = candidate.clone();
    oracle.test_id.clone_from(&old.test_id);
    oracle.confirmation = mastor_types::suite::oracle::Confirmation::none();
    oracle
}

fn cited(table: &EvidenceTable, ids: &[EvidenceId]) -> EvidenceTable {
    ids.iter().filter_map(|id| Some((id.clone(), table.get(id)?.clone()))).collect()
}

/// Updates the citations in `ids` to the head. A symbol that no longer exists keeps its old citation and is returned.
fn cite_anew(
    ids: &[EvidenceId],
    old: &EvidenceTable,
    table: &mut EvidenceTable,
    resolve: &dyn Fn(&str) -> Option<Hash>,
) -> (Vec<EvidenceId>, Vec<String>) {
    let mut lost = Vec::new();
    let mut out: Vec<EvidenceId> = Vec::new();
    for id in ids {
        let Some(evidence) = old.get(id).or_else(|| table.get(id)).cloned() else {
            lost.push(id.as_str().to_owned());
            continue;
        };
        let anew = match resolve(&evidence.symbol) {
            Some(tokens_sha256) => Evidence { tokens_sha256, ..evidence },
            None => {
                lost.push(evidence.symbol.clone());
                evidence
            }
        };
        let id = anew.id();
        table.insert(id.clone(), anew);
        if !out.contains(&id) {
            out.push(id);
        }
    }
    (out, lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::suite::assertion::StatusSet;
    use mastor_types::suite::input::Input;
    use mastor_types::suite::oracle::{Confirmation, Effect, Origin, Strategy};
    use mastor_types::{Method, OpId};

    fn op_id() -> OpId {
        OpId::new(Method::Get, "/v/{code}")
    }

    fn oracle(code: &str, status: u16) -> Oracle {
        let input = Input { path: [("code".to_owned(), code.to_owned())].into(), ..Input::default() };
        Oracle {
            o_id: Oracle::identity(&op_id(), "anonymous", &input),
            op_id: op_id(),
            test_id: format!("fi_{code}"),
            description: String::new(),
            strategy: Strategy::Fi,
            as_user: "anonymous".to_owned(),
            input,
            assertions: vec![Assertion::derived(Check::Status { expected: StatusSet::One(status) })],
            events: Vec::new(),
            effect: Effect::Reads,
            given: Vec::new(),
            assumes: Vec::new(),
            evidence: Vec::new(),
            rationale: String::new(),
            origin: Origin::rules(),
            confirmation: Confirmation::none(),
        }
    }

    fn context() -> SourceContext {
        SourceContext {
            op_id: op_id(),
            entry: None,
            matched_by: None,
            request_params: Vec::new(),
            response_schema: Default::default(),
            request_params_pending: Vec::new(),
            response_schema_pending: Vec::new(),
            evidence: EvidenceTable::new(),
        }
    }

    #[test]
    fn a_changed_expectation_is_proposed_and_never_written() {
        let committed = OperationSuite::new(context(), vec![oracle("a", 400)]);
        let made = regenerate(Some(&committed), context(), vec![oracle("a", 200), oracle("b", 400)], &|_| None);
        assert_eq!(made.added, 1);
        assert_eq!(made.suite.oracles.iter().map(Oracle::statuses).collect::<Vec<_>>(), [vec![400], vec![400]]);
        assert_eq!(made.proposals.len(), 1);
        assert_eq!(made.proposals[0].after.as_ref().map(Oracle::statuses), Some(vec![200]));
    }

    #[test]
    fn what_the_engine_no_longer_makes_is_kept() {
        let committed = OperationSuite::new(context(), vec![oracle("a", 400)]);
        let made = regenerate(Some(&committed), context(), Vec::new(), &|_| None);
        assert_eq!(made.suite.oracles.len(), 1);
        assert!(made.proposals.is_empty());
    }

    #[test]
    fn a_citation_follows_its_symbol_and_a_lost_one_is_named() {
        let here = Evidence { symbol: "A#x()".to_owned(), tokens_sha256: Hash::of(b"old") };
        let gone = Evidence { symbol: "A#y()".to_owned(), tokens_sha256: Hash::of(b"old") };
        let mut old = oracle("a", 400);
        old.evidence = vec![here.id(), gone.id()];
        let mut committed = OperationSuite::new(context(), vec![old]);
        committed.context.evidence = [(here.id(), here.clone()), (gone.id(), gone.clone())].into();
        let made = regenerate(Some(&committed), context(), Vec::new(), &|s| (s == "A#x()").then(|| Hash::of(b"new")));
        let anew = Evidence { tokens_sha256: Hash::of(b"new"), ..here };
        assert_eq!(made.suite.oracles[0].evidence, [anew.id(), gone.id()]);
        assert_eq!(made.unsupported.len(), 1);
        assert!(made.suite.context.evidence.contains_key(&anew.id()));
    }
}

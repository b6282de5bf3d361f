//! Derived changes: what the code of base and head answers differently, and which committed oracles this contradicts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rayon::prelude::*;

use crate::pipeline::accept::let_go::{retires, was_removed_by_decision};
use crate::pipeline::ci::causes::{changed_inputs, grouped, with_causes};
use crate::pipeline::ci::costs::millis;
use crate::pipeline::ci::told_sequences;
use crate::pipeline::repository::comparison::{Comparison, subject};
use crate::pipeline::repository::workspace::{BaseRevision, Head};
use mastor_config::Settings;
use mastor_derive::{self as derive, Compared, Judgement};
use mastor_extract::Analysis;
use mastor_runtime::Shared;
use mastor_suite::load::Suite;
use mastor_types::OpId;
use mastor_types::deadline::Deadline;
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind, LOST_CONSTRAINT, Witness, status};
use mastor_types::results::compared::{ComparedOperation, Comparison as Outcome, Stop, settle_changed};
use mastor_types::results::plan::State;
use mastor_types::suite::given::Given;

/// The derived changes between base and head of a service, grouped by cause and checked against the suites; and the
/// result of comparing each affected operation.
pub fn changes(
    comparison: &Comparison,
    base: &BaseRevision,
    head: &Head,
    settings: &Settings,
) -> (Vec<Change>, Vec<ComparedOperation>) {
    let (old, new) = (Suite::load(&base.tree, &settings.dir), Suite::load(&head.tree, &settings.dir));
    let DerivedChanges { changes, compared, .. } = derived(comparison, &old, &new, &|| None);
    let mut changes = grouped(with_causes(comparison, changes));
    order(&mut changes);
    (changes, compared)
}

/// The result of comparing the code of two revisions.
#[derive(Default)]
pub struct DerivedChanges {
    /// The changes; those that need a decision come first.
    pub changes: Vec<Change>,
    /// The result for each affected operation, sorted by operation.
    pub compared: Vec<ComparedOperation>,
    /// Why the base gives no certain answer to some requests, by operation.
    pub open: BTreeMap<OpId, BTreeSet<String>>,
    /// Milliseconds that comparing each operation took.
    pub costs: BTreeMap<OpId, u64>,
}

/// The derived changes of the affected and retired operations of the plan. An operation that is not begun before
/// `out_of_time` reports the deadline is undecided.
pub fn derived(
    comparison: &Comparison,
    old: &Suite,
    new: &Suite,
    out_of_time: &(dyn Fn() -> Option<Deadline> + Sync),
) -> DerivedChanges {
    let affected: Vec<_> = comparison.plan.operations.iter().filter(|o| o.state == State::Affected).collect();
    let alone = derive::SharedUnits::of(affected.len());
    // Read once, and only if there is something to compare.
    let shared = (!affected.is_empty() || !old.sequences.is_empty()).then(|| comparison.shared());
    let of_each = affected.into_par_iter().filter_map(|operation| {
        let shared = shared.as_ref()?;
        let begin = Instant::now();
        let was = operation.was.as_ref().unwrap_or(&operation.op_id);
        let compared = match out_of_time() {
            Some(deadline) => not_compared(&deadline.to_string()),
            None => changes_of(comparison, (&shared.0, &shared.1), was, &operation.op_id, (old, new), &alone),
        };
        Some((compared, (operation.op_id.clone(), millis(begin.elapsed()))))
    });
    let (mut changes, mut open, mut costs) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let mut all = Vec::new();
    for (compared, (op_id, took)) in of_each.collect::<Vec<_>>() {
        open.insert(op_id.clone(), compared.open);
        costs.insert(op_id.clone(), took);
        all.push(ComparedOperation {
            op_id,
            state: if compared.stopped.is_empty() { Outcome::Same } else { Outcome::Undecided },
            requests: compared.requests,
            assumes: compared.assumes.into_iter().collect(),
            stopped: compared.stopped.into_iter().collect(),
            open_inputs: compared.open_inputs,
        });
        changes.extend(compared.changes);
    }
    if let Some(shared) = &shared {
        changes.extend(told_sequences::changes(comparison, (&shared.0, &shared.1), (old, new), &changes));
    }
    // An operation that only the document had was never served.
    let served = |op_id: &&OpId| comparison.base.endpoint(op_id).is_some();
    let retired = comparison.plan.in_state(State::Retired).filter(served);
    changes.extend(retired.map(|op_id| removal(comparison, op_id, old, new)));
    order(&mut changes);
    settle_changed(&mut all, changes.iter());
    all.sort_by(|a, b| a.op_id.cmp(&b.op_id));
    DerivedChanges { changes, compared: all, open, costs }
}

/// The derived changes of one operation, with the committed oracles of the base that they contradict.
fn changes_of(
    comparison: &Comparison,
    shared: (&Shared<'_>, &Shared<'_>),
    was: &OpId,
    op_id: &OpId,
    (old, new): (&Suite, &Suite),
    alone: &derive::SharedUnits,
) -> Compared {
    let Some(base) = subject(&comparison.base, shared.0, was) else {
        return not_compared("what served it before is not known");
    };
    let Some(head) = subject(&comparison.head, shared.1, op_id) else {
        return not_compared("what serves it now is not known");
    };
    let inputs = changed_inputs(comparison, was, op_id);
    let are_read = comparison.base.manifest(was).is_some() && comparison.head.manifest(op_id).is_some();
    // All that changed is where classes are, and what they are called.
    let only_moved = comparison.has_moved_classes && are_read && inputs.is_empty();
    let mut compared = match only_moved {
        true => Compared::default(),
        false => derive::compared(&base, &head, &inputs, alone),
    };
    let changes = &mut compared.changes;
    let route = |analysis: &Analysis, op_id: &OpId| analysis.find(op_id).and_then(|found| found.route.clone());
    if was != op_id && was.erased() != op_id.erased() && route(&comparison.base, was) != route(&comparison.head, op_id)
    {
        changes.push(moved(comparison, was, op_id));
    }
    let Some(committed) = old.operations.get(was) else { return compared };
    for (oracle, judged) in committed.oracles.iter().zip(derive::judge_all(&head, &committed.oracles)) {
        let Judgement::Broken { before, after, effect, place } = judged else { continue };
        let stands_in = if new.operations.contains_key(op_id) { op_id } else { was };
        let now = new.operations.get(stands_in).and_then(|o| o.oracles.iter().find(|o| o.o_id == oracle.o_id));
        let accepted = match now {
            Some(now) => {
                now.assertions != oracle.assertions && !matches!(derive::judge(&head, now), Judgement::Broken { .. })
            }
            None => was_removed_by_decision((old, new), (was, stands_in), &oracle.o_id),
        };
        let tells = |c: &Change| match &c.witness {
            Some(witness) => witness.asks_as(oracle),
            // No request shows behaviour that needs stubs: such a change is recognised by its statuses.
            None => {
                let told = (c.before.as_ref(), c.after.as_ref());
                oracle.needs_stubs() && c.s_id.is_none() && told == (Some(&before), Some(&after))
            }
        };
        let same = |c: &&mut Change| c.o_id.is_none() && tells(c);
        if let Some(change) = changes.iter_mut().find(same) {
            change.o_id = Some(oracle.o_id.clone());
            change.accepted = accepted;
            change.given = oracle.given.iter().map(Given::what).collect();
            continue;
        }
        let what = format!("{}: expected {before}, now {after}", oracle.description.trim_end_matches('.'));
        let witness = Witness {
            as_user: oracle.as_user.clone(),
            input: oracle.input.clone(),
            before: before.clone(),
            after: after.clone(),
        };
        changes.push(Change {
            o_id: Some(oracle.o_id.clone()),
            witness: (!oracle.needs_stubs()).then_some(witness),
            given: oracle.given.iter().map(Given::what).collect(),
            before: Some(before),
            after: Some(after),
            evidence_after: place,
            accepted,
            ..Change::of_request(op_id, ChangeKind::Derived, effect, (&oracle.o_id, what))
        });
    }
    compared
}

fn not_compared(why: &str) -> Compared {
    Compared { stopped: [Stop::of(why)].into(), open: [why.to_owned()].into(), ..Compared::default() }
}

fn moved(comparison: &Comparison, was: &OpId, op_id: &OpId) -> Change {
    Change {
        before: Some(was.to_string()),
        after: Some(op_id.to_string()),
        evidence_before: comparison.base.entry_place(was),
        evidence_after: comparison.head.entry_place(op_id),
        ..Change::new(op_id, ChangeKind::Derived, ChangeEffect::Breaking, format!("moved from {was}"))
    }
}

fn removal(comparison: &Comparison, op_id: &OpId, old: &Suite, new: &Suite) -> Change {
    Change {
        before: Some("served".to_owned()),
        evidence_before: comparison.base.entry_place(op_id),
        accepted: retires(comparison, old, new, op_id),
        ..Change::new(op_id, ChangeKind::Derived, ChangeEffect::Breaking, "removed".to_owned())
    }
}

/// Sorts changes: first those that need a decision; within both groups, changes that show only if something else is wrong too come last (`Change::seldom`);
/// then those of requests that failed with 5xx before; then by effect (breaking first), then by operation, those first whose first change needs the fewest conditions.
/// Within one operation the order is kept.
///
/// If an operation lost a constraint, a request that base refused and that now fails with 5xx is a consequence: it
/// comes after the lost constraint.
pub fn order(changes: &mut [Change]) {
    let loses = |c: &Change| c.what.contains(LOST_CONSTRAINT);
    let lost: std::collections::BTreeSet<OpId> = changes.iter().filter(|c| loses(c)).map(|c| c.op_id.clone()).collect();
    let begins = |answer: &str, digits: &[char]| status(answer).is_some_and(|status| status.starts_with(digits));
    let fails_instead = |c: &Change| {
        let parted = c.witness.as_ref().filter(|_| lost.contains(&c.op_id));
        parted.is_some_and(|one| begins(&one.before, &['4', '5']) && begins(&one.after, &['5']))
    };
    let mut conditions: std::collections::BTreeMap<OpId, usize> = std::collections::BTreeMap::new();
    for c in changes.iter() {
        let needed = c.condition.as_ref().map_or(0, |said| said.split(" and ").count());
        conditions.entry(c.op_id.clone()).or_insert(needed);
    }
    changes.sort_by(|a, b| {
        let key = |c: &Change| {
            let decided = c.accepted || !c.is_against();
            let needed = conditions.get(&c.op_id).copied();
            // That an operation no longer succeeds says more than how it refuses now.
            let is_end = c.what.starts_with("never answers 2");
            (decided, c.seldom, fails_instead(c), c.repairs(), c.effect, needed, c.op_id.clone(), !is_end)
        };
        key(a).cmp(&key(b))
    });
}

//! Tells oracles that the head removed from its suite by a decision from oracles whose file, or a part of it, was merely deleted.
//!
//! `accept` records each removal in the suite of the operation. Deleting a suite or a lock decides nothing: the expectations of the base's suite still apply.

use std::collections::BTreeSet;

use crate::pipeline::repository::comparison::Comparison;
use mastor_suite::load::Suite;
use mastor_types::OpId;

/// Whether an oracle or a sequence of operation `was` that is missing from the head's suite was taken out by a
/// decision. The suite of `stands_in`, the operation's name in the head, records such decisions.
pub fn was_removed_by_decision((old, new): (&Suite, &Suite), (was, stands_in): (&OpId, &OpId), id: &str) -> bool {
    new.operations.get(stands_in).is_some_and(|suite| suite.has_taken_since(id, old.operations.get(was)))
}

/// Whether the head retired an operation that its code no longer serves: the head has no file of its suite, and deleted
/// no suite of an operation that it still serves.
pub fn retires(comparison: &Comparison, old: &Suite, new: &Suite, op_id: &OpId) -> bool {
    let left = new.operations.contains_key(op_id) || new.locks.contains_key(op_id);
    old.operations.contains_key(op_id) && !left && deleted(comparison, old, new).is_empty()
}

/// A note on the suites that the head deleted though it still serves their operations; `mine` limits the operations.
/// What these suites expect applies until the merge.
pub fn deleted_suites_note(
    comparison: &Comparison,
    old: &Suite,
    new: &Suite,
    mine: Option<&BTreeSet<OpId>>,
) -> Option<String> {
    let mut gone = deleted(comparison, old, new);
    gone.retain(|op_id| mine.is_none_or(|mine| mine.contains(op_id)));
    let first = gone.first()?;
    let more = if gone.len() > 1 { format!(" and of {} more", gone.len() - 1) } else { String::new() };
    Some(format!(
        "the suite of {first}{more} is deleted on this branch, though the operation is still served: the suite of the base counts here, and is gone \
         once this is merged"
    ))
}

/// Operations that the head still serves and whose committed suite it has deleted.
pub fn deleted(comparison: &Comparison, old: &Suite, new: &Suite) -> Vec<OpId> {
    let moved = |op_id: &OpId| {
        let now = comparison.plan.operations.iter().find(|operation| operation.was.as_ref() == Some(op_id));
        now.is_some_and(|now| new.operations.contains_key(&now.op_id))
    };
    let gone = |op_id: &&OpId| !new.operations.contains_key(op_id) && !new.is_damaged(op_id);
    let served = |op_id: &&OpId| comparison.head.find(op_id).is_some();
    old.operations.keys().filter(gone).filter(served).filter(|op_id| !moved(op_id)).cloned().collect()
}

//! What the head's suite has let go of by a decision. What is only missing decides nothing: a file, or a part of it, may have been deleted.
//!
//! `accept` notes in the suite of the operation what it takes out. A deleted suite or lock states no expectation: the base's still stands.

use std::collections::BTreeSet;

use crate::pipeline::repository::comparison::Comparison;
use crate::suite::load::Suite;
use crate::types::OpId;

/// Whether an oracle or a sequence of operation `was` that is missing from the head's suite was taken out by a decision, which the suite of the
/// operation that stands in for it notes.
pub fn lets_go((old, new): (&Suite, &Suite), (was, stands_in): (&OpId, &OpId), id: &str) -> bool {
    new.operations.get(stands_in).is_some_and(|suite| suite.has_taken_since(id, old.operations.get(was)))
}

/// Whether the head's suite has retired an operation that its code no longer serves: none of its files is left, and the suite was not deleted with it.
pub fn retires(comparison: &Comparison, old: &Suite, new: &Suite, op_id: &OpId) -> bool {
    let left = new.operations.contains_key(op_id) || new.locks.contains_key(op_id);
    old.operations.contains_key(op_id) && !left && deleted(comparison, old, new).is_empty()
}

/// A note of the suites that the head has deleted though it still serves their operations, of those that are `mine`: what they expect still stands,
/// but only up to the merge.
pub fn gone(comparison: &Comparison, old: &Suite, new: &Suite, mine: Option<&BTreeSet<OpId>>) -> Option<String> {
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

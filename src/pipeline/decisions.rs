//! Which expectations of the base's suite the head's suite has let go by a decision. A file that is only gone decides nothing.
//!
//! `accept` and `generate` write an operation's suite file and then the lock that binds it, so a whole lock beside a file says that what the file
//! lacks was taken out on purpose. A deleted suite or lock states no expectation: the base's still stands.

use crate::suite::load::Suite;
use crate::types::OpId;

use super::comparison::Comparison;

/// Whether an oracle or a sequence that is missing from the head's files of an operation was taken out by a decision: the files are there, and the
/// lock binds them as they stand.
pub fn lets_go(new: &Suite, op_id: &OpId) -> bool {
    let Some(suite) = new.suite_bytes.get(op_id) else { return false };
    let sequences = new.sequence_bytes.get(op_id).map(Vec::as_slice);
    new.locks.get(op_id).is_some_and(|lock| lock.is_whole(Some(suite), sequences))
}

/// Whether the head's suite has retired an operation that its code no longer serves: none of its files is left, and the suite was not deleted with it.
pub fn retires(comparison: &Comparison, old: &Suite, new: &Suite, op_id: &OpId) -> bool {
    let left = new.operations.contains_key(op_id) || new.locks.contains_key(op_id);
    old.operations.contains_key(op_id) && !left && deleted(comparison, old, new).is_empty()
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

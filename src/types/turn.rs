//! The order in which tests that may write run, so that what one leaves behind stands in the way of as few as can be.

use std::cmp::Reverse;

use super::http::Method;
use super::op_id::OpId;
use super::oracle::Effect;

/// Whether these operations only read by their verbs; their code may write nevertheless.
pub fn is_safe<'a>(op_ids: impl IntoIterator<Item = &'a OpId>) -> bool {
    op_ids.into_iter().all(|op_id| matches!(op_id.method(), Method::Get | Method::Head | Method::Options))
}

/// Whether code writes although the verbs of these operations only read.
pub fn writes_by_code(effect: Effect, op_ids: &[&OpId]) -> bool {
    effect == Effect::Writes && is_safe(op_ids.iter().copied())
}

/// Where a test of these operations stands among those that may write: what reads by its verb, what creates, what changes, what deletes; and
/// what is deleted from the inside out.
pub fn turn(op_ids: &[&OpId]) -> (u8, Reverse<usize>) {
    let first = op_ids.first();
    let depth = first.map_or(0, |op_id| op_id.path().matches('/').count());
    match first.map(|op_id| op_id.method()) {
        _ if is_safe(op_ids.iter().copied()) => (0, Reverse(0)),
        Some(Method::Delete) => (3, Reverse(depth)),
        Some(Method::Put | Method::Patch) => (2, Reverse(0)),
        _ => (1, Reverse(0)),
    }
}

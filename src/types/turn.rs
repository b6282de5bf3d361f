//! The execution order of tests that may write, chosen so that few tests are disturbed by the state that earlier ones
//! leave.

use std::cmp::Reverse;

use super::http::Method;
use super::op_id::OpId;
use super::suite::assertion::{Assertion, statuses};
use super::suite::oracle::Effect;

/// Whether all these operations have a method that only reads; their code may write nevertheless.
pub fn is_safe<'a>(op_ids: impl IntoIterator<Item = &'a OpId>) -> bool {
    op_ids.into_iter().all(|op_id| matches!(op_id.method(), Method::Get | Method::Head | Method::Options))
}

/// Whether the code writes although all HTTP methods are read-only.
pub fn writes_by_code(effect: Effect, op_ids: &[&OpId]) -> bool {
    effect == Effect::Writes && is_safe(op_ids.iter().copied())
}

/// The group of a test in the execution order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExecutionGroup {
    /// Expects 4xx, which leaves the state unchanged.
    Refused,
    /// Uses read-only methods.
    Reads,
    /// Expects 5xx and may leave a partial write.
    Fails,
    /// Creates a resource.
    Creates,
    /// Changes a resource.
    Changes,
    /// Deletes a resource; deeper paths come first.
    Deletes(Reverse<usize>),
}

/// The group of a test with these steps and their assertions.
pub fn turn<'a>(steps: impl IntoIterator<Item = (&'a OpId, &'a [Assertion])>) -> ExecutionGroup {
    let steps: Vec<(&OpId, Vec<u16>)> = steps.into_iter().map(|(op_id, of)| (op_id, statuses(of))).collect();
    let all = |is: fn(u16) -> bool| {
        !steps.is_empty() && steps.iter().all(|(_, codes)| !codes.is_empty() && codes.iter().all(|code| is(*code)))
    };
    let first = steps.first().map(|(op_id, _)| *op_id);
    match first.map(|op_id| op_id.method()) {
        _ if all(|code| (400..500).contains(&code)) => ExecutionGroup::Refused,
        _ if is_safe(steps.iter().map(|(op_id, _)| *op_id)) => ExecutionGroup::Reads,
        _ if all(|code| code >= 400) => ExecutionGroup::Fails,
        Some(Method::Delete) => {
            ExecutionGroup::Deletes(Reverse(first.map_or(0, |op_id| op_id.path().matches('/').count())))
        }
        Some(Method::Put | Method::Patch) => ExecutionGroup::Changes,
        _ => ExecutionGroup::Creates,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::assertion::{Check, StatusSet};

    #[test]
    fn what_leaves_little_behind_comes_before_what_leaves_much() {
        let step = |op_id: &str, status: u16| {
            let check = Check::Status { expected: StatusSet::One(status) };
            (OpId::parse(op_id).unwrap(), vec![Assertion::derived(check)])
        };
        let turn_of = |steps: &[(OpId, Vec<Assertion>)]| turn(steps.iter().map(|(op_id, of)| (op_id, of.as_slice())));
        let [refused, counts, fails, creates, changes, inner, outer] = [
            ("DELETE /orders/{id}", 404),
            ("GET /orders/next", 200),
            ("POST /orders", 500),
            ("POST /orders", 201),
            ("PUT /orders/{id}", 200),
            ("DELETE /orders/{id}/lines/{line}", 204),
            ("DELETE /orders/{id}", 204),
        ]
        .map(|(op_id, status)| step(op_id, status));
        let sequence = [creates.clone(), step("POST /orders", 409)];
        let order: Vec<ExecutionGroup> =
            [refused, counts, fails, creates, changes, inner, outer].map(|one| turn_of(&[one])).into_iter().collect();
        assert!(order.is_sorted() && order.windows(2).all(|pair| pair[0] != pair[1]), "{order:?}");
        assert_eq!(turn_of(&sequence), ExecutionGroup::Creates, "only what is refused all along leaves nothing");
    }
}

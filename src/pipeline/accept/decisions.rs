//! Decisions: proposals to accept breaking changes that no committed oracle covers. Accepting one is recorded in the
//! suite of its operation.

use std::collections::BTreeMap;

use mastor_suite::format::Decision;
use mastor_suite::load::{OperationSuite, Suite};
use mastor_suite::proposal::{Proposal, ProposalKind};
use mastor_types::OpId;
use mastor_types::results::change::Change;
use mastor_types::suite::oracle::Oracle;

/// Marks each such change as accepted if the head's suite records more acceptances of it than the base's suite, and
/// proposes the others, for operations that have a committed suite in both. `made` holds the head's suites as they
/// would be committed.
pub fn decide(changes: &mut [Change], (old, new): (&Suite, &Suite), made: &[(OpId, OperationSuite)]) -> Vec<Proposal> {
    let mut proposals: BTreeMap<String, Proposal> = BTreeMap::new();
    for change in changes.iter_mut().filter(|change| change.breaks_unsaid() && !is_gone(change)) {
        let Some(committed) = new.operations.get(&change.op_id) else { continue };
        if !old.operations.contains_key(&change.op_id) {
            continue;
        }
        let id = change.decision_id();
        let times = |suite: Option<&OperationSuite>| suite.map_or(0, |suite| suite.times_accepted(&id));
        let (before, now) = (times(old.operations.get(&change.op_id)), times(Some(committed)));
        if now > before {
            change.accepted = true;
            continue;
        }
        proposals.entry(id.clone()).or_insert_with(|| proposal(change, (id, before + 1), made));
    }
    proposals.into_values().collect()
}

/// Whether the operation was removed: the retirement of its oracles is proposed instead.
fn is_gone(change: &Change) -> bool {
    change.after.is_none() && change.witness.is_none() && change.before.as_deref() == Some("served")
}

fn proposal(change: &Change, (id, times): (String, u32), made: &[(OpId, OperationSuite)]) -> Proposal {
    let suite = made.iter().find(|(op_id, _)| *op_id == change.op_id).map(|(_, suite)| suite);
    let asks = |oracle: &&Oracle| change.witness.as_ref().is_some_and(|witness| witness.asks_as(oracle));
    let after = suite.and_then(|suite| suite.oracles.iter().find(asks)).cloned();
    let cited = after.iter().flat_map(|oracle| &oracle.evidence);
    let evidence = cited.filter_map(|id| Some((id.clone(), suite?.context.evidence.get(id)?.clone()))).collect();
    Proposal {
        kind: ProposalKind::Decision,
        o_id: id.clone(),
        op_id: change.op_id.clone(),
        before: None,
        after,
        sequence: None,
        decision: Some(Decision { id, times, what: change.what.clone() }),
        evidence,
        reason: "it breaks clients, and no committed oracle asked just that".to_owned(),
    }
}

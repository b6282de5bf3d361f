//! Sorts an operation's suite and removes citations that nothing refers to.

use std::collections::BTreeSet;

use super::load::OperationSuite;
use mastor_types::suite::evidence::EvidenceId;

/// Sorts all lists of a suite and drops unused citations.
pub fn tidy(mut suite: OperationSuite) -> OperationSuite {
    suite.oracles.sort_by(|a, b| (&a.test_id, &a.o_id).cmp(&(&b.test_id, &b.o_id)));
    suite.accepted.sort();
    suite.refuted.sort();
    suite.refuted.dedup();
    suite.assumptions.sort();
    suite.assumptions.dedup();
    let used = used_evidence(&suite);
    suite.context.evidence.retain(|id, _| used.contains(id));
    suite
}

fn used_evidence(suite: &OperationSuite) -> BTreeSet<EvidenceId> {
    let context = &suite.context;
    let mut used: BTreeSet<EvidenceId> = suite.oracles.iter().flat_map(|o| o.evidence.iter().cloned()).collect();
    used.extend(suite.oracles.iter().flat_map(|o| o.assumes.iter().map(|a| a.evidence.clone())));
    used.extend(suite.oracles.iter().flat_map(|o| o.given.iter().map(|g| g.evidence.clone())));
    for param in &context.request_params {
        used.insert(param.evidence.clone());
        used.extend(param.constraints.iter().map(|c| c.evidence.clone()));
    }
    used.extend(context.response_schema.fields.iter().map(|f| f.evidence.clone()));
    used.extend(context.response_schema.error_cases.iter().map(|c| c.evidence.clone()));
    used
}

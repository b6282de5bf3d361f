//! Recorded costs: how long each operation took, so that the next run can be cut into shards of equal size.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::pipeline::repository::workspace::Workspace;
use mastor_suite::load::OperationSuite;
use mastor_types::OpId;

/// Kind of the records in the cache.
const KIND: &str = "costs";
/// Milliseconds assumed for an operation if no cost is recorded at all.
const UNKNOWN: u64 = 1000;

/// A duration in whole milliseconds.
pub fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// Distributes the time that the service took over the operations, in proportion to their oracles.
pub fn share(costs: &mut BTreeMap<OpId, u64>, took: Duration, suites: &[(OpId, OperationSuite)]) {
    let all: usize = suites.iter().map(|(_, suite)| suite.oracles.len()).sum();
    for (op_id, suite) in suites.iter().filter(|_| all > 0) {
        let part = millis(took).saturating_mul(suite.oracles.len() as u64) / all as u64;
        *costs.entry(op_id.clone()).or_default() += part;
    }
}

/// The recorded costs of a service.
fn recorded(workspace: &Workspace, service: &str) -> BTreeMap<OpId, u64> {
    let bytes = workspace.cache.get(KIND, service);
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Records the current costs of these operations of a service; those of other operations stay.
pub fn record(workspace: &Workspace, service: &str, costs: &BTreeMap<OpId, u64>) {
    if costs.is_empty() {
        return;
    }
    let _guard = workspace.cache.exclusive();
    let mut known = recorded(workspace, service);
    known.extend(costs.iter().map(|(op_id, cost)| (op_id.clone(), *cost)));
    if let Ok(bytes) = serde_json::to_vec(&known) {
        workspace.cache.put(KIND, service, &bytes);
    }
}

/// The milliseconds that each of these operations is expected to take: the recorded cost, else the median of all
/// recorded costs.
pub fn expected(workspace: &Workspace, work: &[(String, OpId)]) -> Vec<u64> {
    let mut services: BTreeMap<&str, BTreeMap<OpId, u64>> = BTreeMap::new();
    for (service, _) in work {
        services.entry(service).or_insert_with(|| recorded(workspace, service));
    }
    let mut all: Vec<u64> = services.values().flat_map(|costs| costs.values().copied()).collect();
    all.sort_unstable();
    let middle = all.get(all.len() / 2).copied().unwrap_or(UNKNOWN);
    let known = |(service, op_id): &(String, OpId)| services.get(service.as_str())?.get(op_id).copied();
    work.iter().map(|one| known(one).unwrap_or(middle)).collect()
}

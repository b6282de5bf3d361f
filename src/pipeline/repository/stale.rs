//! Which operations of the committed suite no longer fit the code.

use mastor_extract::manifests::plan::{Fingerprinted, manifest_of};
use mastor_suite::load::Suite;
use mastor_suite::lock::Freshness;
use mastor_types::OpId;

/// Operations of the committed suite whose lock is missing or does not fit the revision. A lock of another analysis
/// version is not stale by itself.
pub fn stale(operations: &[Fingerprinted], committed: &Suite) -> Vec<OpId> {
    let mut out = Vec::new();
    for op_id in committed.operations.keys() {
        let Some(manifest) = manifest_of(operations, op_id) else { continue };
        let suite = committed.suite_bytes.get(op_id).map(Vec::as_slice);
        let sequences = committed.sequence_bytes.get(op_id).map(Vec::as_slice);
        let fresh = committed.locks.get(op_id).map(|lock| lock.freshness(manifest, suite, sequences));
        if matches!(fresh, None | Some(Freshness::Stale)) {
            out.push(op_id.clone());
        }
    }
    out
}

//! Operations of the document that no code serves.

use mastor_extract::Analysis;
use mastor_types::OpId;
use mastor_types::results::change::{Drift, DriftKind};

/// The drift of an operation that the document has and the code does not serve.
pub fn unserved(head: &Analysis, op_id: &OpId) -> Option<Drift> {
    let operation = head.surface.find(op_id)?;
    let described = head.surface.document.as_ref().and_then(|d| d.operation(op_id.as_str()));
    Some(Drift {
        op_id: op_id.clone(),
        kind: DriftKind::UnmatchedOperation,
        what: operation.reason.clone().unwrap_or_else(|| "nothing in the code serves it".to_owned()),
        code: None,
        document: described.map(|described| described.at.to_string()),
    })
}

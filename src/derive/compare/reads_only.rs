//! Transactions that nothing is written in: whether one is there decides nothing.

use super::reach::reached;
use super::side::Side;
use crate::java::body::ExprKind;
use crate::java::facts::{Annotation, Value};
use crate::java::ids::MemberId;

/// How the names of calls begin that may write what a store keeps, or change an object that it holds.
const WRITING: [&str; 16] = [
    "add", "clear", "create", "delete", "execute", "flush", "insert", "lock", "merge", "persist", "put", "refresh",
    "remove", "save", "set", "update",
];

/// Whether a transaction that only reads, on a method whose code writes nothing, decides nothing: rows are read outside of it too, unless no session is kept
/// open for the view (Spring Boot, `spring.jpa.open-in-view`).
pub(super) fn only_reads(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
    let subject = side.bench.subject;
    let is_plain = matches!(annotation.args.as_slice(), [(key, Value::Bool(true))] if key == "readOnly");
    let is_closed = || {
        let said = subject.properties.get(&subject.endpoint.file, "spring.jpa.open-in-view");
        said.is_some_and(|said| said.value.contains("false"))
    };
    let writes = |member: &MemberId| {
        let Some(body) = subject.project.body(*member) else { return false };
        body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => {
                WRITING.iter().any(|start| name.starts_with(start))
            }
            _ => false,
        })
    };
    is_plain
        && subject.build.uses("spring-boot").is_some()
        && !is_closed()
        && !reached(side, &[member]).iter().any(writes)
}

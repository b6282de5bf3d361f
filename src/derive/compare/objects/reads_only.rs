//! Code that only reads rows: constraints and read-only transactions do not affect it.

use super::handed::handed;
use crate::derive::compare::sides::reach::reached;
use crate::derive::compare::sides::side::Side;
use crate::java::ir::body::ExprKind;
use crate::java::ir::facts::{Annotation, Value};
use crate::java::ir::ids::MemberId;
use crate::types::Method;

/// Prefixes of calls that write rows.
const WRITING: [&str; 12] = [
    "batch", "create", "delete", "execute", "flush", "insert", "merge", "persist", "remove", "save", "store", "update",
];
/// Prefixes of calls that change an object, which may be a row in a transaction, or change how rows are loaded.
const CHANGING: [&str; 6] = ["add", "clear", "lock", "put", "refresh", "set"];

/// Whether a read-only transaction has no effect: the method's code writes nothing, and rows can be loaded without the
/// transaction because a session stays open for the view (Spring Boot, `spring.jpa.open-in-view`).
pub(in crate::derive::compare) fn needs_no_transaction(
    side: &Side<'_>,
    member: MemberId,
    annotation: &Annotation,
) -> bool {
    let subject = side.bench.subject;
    let is_plain = matches!(annotation.args.as_slice(), [(key, Value::Bool(true))] if key == "readOnly");
    let is_closed = || {
        let said = subject.properties.get(&subject.endpoint.file, "spring.jpa.open-in-view");
        said.is_some_and(|said| said.value.contains("false"))
    };
    is_plain
        && subject.build.uses("spring-boot").is_some()
        && !is_closed()
        && !reached(side, &[member]).iter().any(|one| calls(side, *one, &[&WRITING, &CHANGING]))
}

/// Whether an operation only reads rows: its HTTP method is safe, and its code calls nothing that writes, judged by
/// names.
pub(in crate::derive::compare) fn only_reads(side: &Side<'_>) -> bool {
    matches!(side.bench.subject.endpoint.method, Method::Get | Method::Head)
        && !handed(side).members.iter().any(|one| calls(side, *one, &[&WRITING]))
}

/// Whether a member's body calls or references a method whose name starts with one of these words.
fn calls(side: &Side<'_>, member: MemberId, words: &[&[&str]]) -> bool {
    let Some(body) = side.bench.subject.project.body(member) else { return false };
    body.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => {
            words.iter().copied().flatten().any(|word| name.starts_with(word))
        }
        _ => false,
    })
}

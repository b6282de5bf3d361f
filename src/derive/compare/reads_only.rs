//! Code that only reads rows: constraints and read-only transactions change nothing of what it does.

use super::handed::handed;
use super::reach::reached;
use super::side::Side;
use crate::java::body::ExprKind;
use crate::java::facts::{Annotation, Value};
use crate::java::ids::MemberId;
use crate::types::Method;

/// How the names of calls begin that write rows.
const WRITING: [&str; 12] = [
    "batch", "create", "delete", "execute", "flush", "insert", "merge", "persist", "remove", "save", "store", "update",
];
/// How the names of calls begin that change an object, which may be a row that a transaction holds, or how rows are held.
const CHANGING: [&str; 6] = ["add", "clear", "lock", "put", "refresh", "set"];

/// Whether a transaction that only reads, on a method whose code writes nothing, decides nothing: rows are read outside of it too, unless no session is kept
/// open for the view (Spring Boot, `spring.jpa.open-in-view`).
pub(super) fn needs_no_transaction(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
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

/// Whether an operation only reads rows: its method is one for reading, and its code calls nothing that writes by its name.
pub(super) fn only_reads(side: &Side<'_>) -> bool {
    matches!(side.bench.subject.endpoint.method, Method::Get | Method::Head)
        && !handed(side).members.iter().any(|one| calls(side, *one, &[&WRITING]))
}

/// Whether a member's body calls, or hands on, a method whose name begins with one of these words.
fn calls(side: &Side<'_>, member: MemberId, words: &[&[&str]]) -> bool {
    let Some(body) = side.bench.subject.project.body(member) else { return false };
    body.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => {
            words.iter().copied().flatten().any(|word| name.starts_with(word))
        }
        _ => false,
    })
}

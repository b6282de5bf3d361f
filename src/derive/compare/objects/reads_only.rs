//! Code that only reads rows: constraints and read-only transactions do not affect it.

use super::handed::{handed, makes};
use crate::compare::sides::reach::reached;
use crate::compare::sides::side::Side;
use mastor_frameworks::spring::rest_repositories::entity_of;
use mastor_java::ir::body::{Expr, ExprKind};
use mastor_java::ir::facts::{Annotation, MemberKind, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::Method;

/// Prefixes of calls that write rows.
const WRITING: [&str; 12] = [
    "batch", "create", "delete", "execute", "flush", "insert", "merge", "persist", "remove", "save", "store", "update",
];
/// Prefixes of calls that may delete rows.
const DELETING: [&str; 4] = ["execute", "clear", "delete", "remove"];
/// Prefixes of calls that change an object, which may be a row in a transaction, or change how rows are loaded.
const CHANGING: [&str; 6] = ["add", "clear", "lock", "put", "refresh", "set"];

/// Whether a read-only transaction has no effect: the method's code writes nothing, and rows can be loaded without the
/// transaction because a session stays open for the view (Spring Boot, `spring.jpa.open-in-view`).
pub(in crate::compare) fn needs_no_transaction(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
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

/// Whether the operation runs a method of a class that has no `@Transactional` of its own and, with what it calls, changes
/// objects or writes rows more than once.
pub(in crate::compare) fn needs_transaction(side: &Side<'_>, class: TypeId) -> bool {
    let project = side.bench.subject.project;
    let is_open = |member: &&MemberId| {
        let facts = project.member(**member);
        member.ty == class
            && facts.kind == MemberKind::Method
            && !facts.annotations.iter().any(|one| one.simple() == "Transactional")
    };
    let writes_often = |member: &MemberId| {
        let all = reached(side, &[*member]);
        let count = |words: &[&str]| all.iter().map(|one| called(side, *one, &[words])).sum::<usize>();
        count(&WRITING) > 1 || count(&CHANGING) > 0
    };
    handed(side).members.iter().filter(is_open).any(writes_often)
}

/// Whether an operation only reads rows: its HTTP method is safe, and its code calls nothing that writes, judged by
/// names.
pub(in crate::compare) fn only_reads(side: &Side<'_>) -> bool {
    matches!(side.bench.subject.endpoint.method, Method::Get | Method::Head)
        && !handed(side).members.iter().any(|one| calls(side, *one, &[&WRITING]))
}

/// Whether an operation may write rows of an entity: it writes rows, and creates an object of the entity or uses a repository
/// of it.
pub(in crate::compare) fn writes(side: &Side<'_>, entity: TypeId) -> bool {
    (may_write(side) || may_delete(side)) && (makes(side, entity) || uses_repository(side, entity))
}

/// Whether the operation's code uses a repository of an entity.
pub(in crate::compare) fn uses_repository(side: &Side<'_>, entity: TypeId) -> bool {
    let project = side.bench.subject.project;
    let is_of_entity = |ty: &TypeId| entity_of(project, *ty) == Some(entity);
    handed(side).members.iter().any(|member| is_of_entity(&member.ty))
        || handed(side).hands.met.iter().any(is_of_entity)
}

/// Whether an operation may insert or change rows, judged by the names of what its code calls.
pub(in crate::compare) fn may_write(side: &Side<'_>) -> bool {
    let writing: Vec<&str> =
        WRITING.iter().chain(&CHANGING).copied().filter(|word| !DELETING[1..].contains(word)).collect();
    !only_reads(side) && handed(side).members.iter().any(|one| calls(side, *one, &[&writing]))
}

/// Whether an operation may delete rows: by its HTTP method, or by the names of what its code calls.
pub(in crate::compare) fn may_delete(side: &Side<'_>) -> bool {
    side.bench.subject.endpoint.method == Method::Delete
        || handed(side).members.iter().any(|one| calls(side, *one, &[&DELETING]))
}

/// Whether a member's body calls or references a method whose name starts with one of these words.
fn calls(side: &Side<'_>, member: MemberId, words: &[&[&str]]) -> bool {
    called(side, member, words) > 0
}

/// How many such calls and references a member's body has.
fn called(side: &Side<'_>, member: MemberId, words: &[&[&str]]) -> usize {
    let Some(body) = side.bench.subject.project.body(member) else { return 0 };
    let is_one = |expr: &&Expr| match &expr.kind {
        ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => {
            words.iter().copied().flatten().any(|word| name.starts_with(word))
        }
        _ => false,
    };
    body.exprs.iter().filter(is_one).count()
}

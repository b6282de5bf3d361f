//! Whether something checks the constraints on the fields of a class when an operation runs: a parameter says `@Valid`,
//! code calls a validator, or a store does before it writes (Jakarta Validation 3.0, sections 5.1.2 and 5.6; Jakarta
//! Persistence 3.1, section 3.6).

use std::collections::BTreeSet;

use super::handed::{handed, members_around};
use super::holders::{checked_holders, names};
use crate::compare::sides::side::Side;
use mastor_frameworks::code::constraints::may_be_checked_for;
use mastor_java::interpret::linking::code::Link;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Param};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_runtime::validation::constraints::is_constraint;

/// Annotations of classes whose objects are checked wherever they come from: rows before they are written, settings at
/// the start.
const CHECKED: &[&str] =
    &["ConfigMapping", "ConfigurationProperties", "Document", "Embeddable", "Entity", "MappedSuperclass"];

/// Methods of a validator (Jakarta Validation, `Validator` and `ExecutableValidator`; Spring, `DataBinder`).
const VALIDATES: [&str; 4] = ["validate", "validateParameters", "validateProperty", "validateValue"];

/// Whether the constraints on the fields of this class may be checked when the operation runs.
pub(in crate::compare) fn may_be_checked(side: &Side<'_>, ty: TypeId) -> bool {
    let project = side.bench.subject.project;
    let all = checked_holders(project, ty);
    let entry = side.bench.subject.endpoint.entry;
    // A library type may declare the handler and check its parameters.
    let is_declared_elsewhere = || {
        let above = project.library_supers(entry.ty);
        above.into_iter().any(|name| !["java.lang.Object", "java.io.Serializable"].contains(&name))
    };
    let is_kept = |one: &TypeId| project.ty(*one).annotations.iter().any(|own| CHECKED.contains(&own.simple()));
    all.iter().any(is_kept)
        || is_declared_elsewhere()
        || handed(side).members.iter().any(|member| {
            checks(project, *member, &all)
                || calls_library(side, *member, |name| name.to_ascii_lowercase().contains("valid"))
        })
        // A resolver of arguments or an aspect may check what the handler takes.
        || members_around(side).iter().any(|member| calls_library(side, *member, |name| VALIDATES.contains(&name)))
}

/// Whether the declaration of a method says that it takes or gives objects of these classes checked.
fn checks(project: &Project, member: MemberId, all: &BTreeSet<TypeId>) -> bool {
    let is_of = |scope: TypeId, facts: &MemberFacts| {
        let mut params = facts.params.iter();
        let asks = |one: &Param| may_be_checked_for(&one.annotations) || may_be_checked_for(&one.of_elements);
        let takes = params.any(|one| asks(one) && names(project, scope, &one.ty, all));
        let gives = || {
            facts.annotations.iter().chain(&facts.of_elements).any(|one| one.simple() == "Valid")
                && facts.ty.as_ref().is_some_and(|ty| names(project, scope, ty, all))
        };
        takes || gives()
    };
    let declared = std::iter::once(member).chain(project.overridden(member));
    declared.into_iter().any(|one| is_of(one.ty, project.member(one)))
}

/// Whether a member's code calls a library method with such a name.
fn calls_library(side: &Side<'_>, member: MemberId, is_named: impl Fn(&str) -> bool) -> bool {
    side.bench.codes.code(member).is_some_and(|code| {
        code.body.exprs.iter().zip(&code.links).any(|(expr, link)| match (&expr.kind, link) {
            (ExprKind::Call { name, .. }, Link::Call(call)) => call.methods.is_empty() && is_named(name),
            _ => false,
        })
    })
}

/// Whether an annotation of a field is a constraint, or has the object that the field holds checked too.
pub(in crate::compare) fn constrains_field(project: &Project, scope: MemberId, one: &Annotation) -> bool {
    matches!(project.member(scope).kind, MemberKind::Field | MemberKind::RecordComponent)
        && (one.simple() == "Valid" || is_constraint(project, scope.ty, one) == Some(true))
}

//! Annotations that decide nothing where they stand: a status that is the default anyway, a serialiser's word on a class that no library sees, a demand
//! to validate what has no constraints.

use std::collections::BTreeSet;

use super::handed::hands_out;
use super::side::Side;
use crate::java::facts::{Annotation, MemberFacts, TypeRef, Value};
use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;
use crate::runtime::validation::constraints::{is_constraint, may_constrain};

/// The declaration of a member without the annotations that decide nothing.
pub(super) fn deciding(side: &Side<'_>, member: MemberId) -> MemberFacts {
    let project = side.bench.subject.project;
    let mut facts = project.member(member).clone();
    facts.annotations.retain(|one| !is_inert(side, member, one));
    for param in &mut facts.params {
        let is_plain = !may_be_invalid(project, member.ty, &param.ty, &mut BTreeSet::new());
        param.annotations.retain(|one| !(is_plain && ["Valid", "Validated"].contains(&one.simple())));
    }
    facts
}

fn is_inert(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
    match annotation.simple() {
        "ResponseStatus" => says_ok(annotation),
        name if name.starts_with("Json") => !hands_out(side, member.ty),
        _ => false,
    }
}

/// Whether a status is the one that is answered anyway, and no reason is said, with which an error would be sent (Spring, `ResponseStatus`).
fn says_ok(annotation: &Annotation) -> bool {
    let is_ok = |value: &Value| matches!(value, Value::Name(name) if name == "OK" || name.ends_with(".OK"));
    annotation.args.len() == 1
        && annotation.args.iter().all(|(name, value)| matches!(name.as_str(), "value" | "code") && is_ok(value))
}

/// Whether a validator may find something wrong with an object of this type.
fn may_be_invalid(project: &Project, scope: TypeId, reference: &TypeRef, seen: &mut BTreeSet<TypeId>) -> bool {
    let Some(ty) = project.resolve(scope, &reference.name).project() else { return true };
    if !seen.insert(ty) {
        return false;
    }
    let constrains = |scope: TypeId, one: &Annotation| {
        is_constraint(project, scope, one) == Some(true)
            || may_constrain(project, scope, one)
            || one.simple() == "Valid"
    };
    std::iter::once(ty).chain(project.all_supers(ty)).chain(project.all_subtypes(ty)).any(|of| {
        let is_foreign = project
            .supers(of)
            .iter()
            .any(|above| above.named.project().is_none() && above.named.library() != Some("java.io.Serializable"));
        let members = || project.members(of).map(|member| project.member(member));
        is_foreign
            || project.ty(of).annotations.iter().any(|one| constrains(of, one))
            || members().any(|facts| {
                let mut own = facts.params.iter().flat_map(|param| &param.annotations).chain(&facts.annotations);
                own.any(|one| constrains(of, one))
            })
    })
}

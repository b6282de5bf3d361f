//! Declarations of classes without their members: whether those of base and head have the same effect.

use super::handed::hands_out;
use super::side::Side;
use crate::java::facts::{Annotation, MemberKind, TypeKind, TypeRef};
use crate::java::ids::TypeId;

/// Annotations by which the container finds a class; of interfaces it makes no beans (Spring, *Classpath Scanning*).
const FOUND_BY: &[&str] = &["Service", "Component", "Repository"];
/// Annotations that change nothing outside of the code: marks for the compiler, and loggers.
const ASIDE: &[&str] =
    &["SuppressWarnings", "Deprecated", "FunctionalInterface", "Slf4j", "Log", "Log4j2", "CommonsLog"];
/// Annotations that make methods by which libraries read and write objects (Lombok).
const ACCESSORS: &[&str] = &["Getter", "Setter"];

/// Whether two declarations of a class, without its members, have the same effect.
pub(super) fn declared_alike((old, was): (&Side<'_>, TypeId), (new, is): (&Side<'_>, TypeId)) -> bool {
    let (before, after) = (old.bench.subject.project.ty(was), new.bench.subject.project.ty(is));
    let above = |all: &[TypeRef]| -> Vec<TypeRef> {
        all.iter().filter(|one| one.simple() != "Serializable").cloned().collect()
    };
    let of = |side: &Side<'_>, ty: TypeId| -> Vec<Annotation> {
        let all = side.bench.subject.project.ty(ty).annotations.iter();
        let mut kept: Vec<Annotation> =
            all.filter(|one| !is_inert(side, ty, one)).map(Annotation::without_places).collect();
        kept.sort_by(|a, b| a.name.cmp(&b.name));
        kept
    };
    before.kind == after.kind
        && before.modifiers == after.modifiers
        && before.type_params == after.type_params
        && above(&before.extends) == above(&after.extends)
        && above(&before.implements) == above(&after.implements)
        && before.permits == after.permits
        && of(old, was) == of(new, is)
}

fn is_inert(side: &Side<'_>, ty: TypeId, annotation: &Annotation) -> bool {
    let facts = side.bench.subject.project.ty(ty);
    let name = annotation.simple();
    let is_read = || facts.annotations.iter().any(|one| one.simple() == "Jacksonized");
    match name {
        // Who takes a builder or calls an accessor names it; where the class says how objects are made otherwise, it takes no constructor away (Lombok).
        "Builder" => !is_read() && is_made_otherwise(side, ty),
        _ if ACCESSORS.contains(&name) => !hands_out(side, ty),
        _ if FOUND_BY.contains(&name) => facts.kind == TypeKind::Interface,
        _ => ASIDE.contains(&name),
    }
}

/// Whether a class says by itself which constructors it has.
fn is_made_otherwise(side: &Side<'_>, ty: TypeId) -> bool {
    let project = side.bench.subject.project;
    project.members(ty).any(|member| project.member(member).kind == MemberKind::Constructor)
        || project.ty(ty).annotations.iter().any(|one| one.simple() == "NoArgsConstructor")
}

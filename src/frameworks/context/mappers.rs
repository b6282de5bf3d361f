//! Edges of mappers whose implementation the build generates from an annotated interface (MapStruct): accessors of what is mapped, and the
//! mappers they use.

use std::collections::BTreeSet;

use crate::frameworks::routing::Inputs;
use crate::java::facts::{MemberKind, Modifiers, TypeKind, TypeRef, Value};
use crate::java::ids::{MemberId, TypeId};
use crate::java::injection::{EdgeSource, ExtraEdges};
use crate::java::project::Project;

/// Adds the edges of every `@Mapper`.
pub(super) fn add(inputs: &Inputs<'_>, edges: &mut ExtraEdges) {
    let project = inputs.project;
    for ty in project.types() {
        let facts = project.ty(ty);
        let Some(mapper) = facts.annotations.iter().find(|a| a.simple() == "Mapper") else { continue };
        if !matches!(facts.kind, TypeKind::Interface | TypeKind::Class) {
            continue;
        }
        let mut helpers: Vec<MemberId> =
            project.members(ty).filter(|m| project.member(*m).kind == MemberKind::Method).collect();
        for used in classes(mapper.arg("uses")) {
            if let Some(used) = project.resolve(ty, &used).project() {
                helpers.extend(project.members(used).filter(|m| project.member(*m).kind == MemberKind::Method));
            }
        }
        for member in project.members(ty).filter(|m| is_abstract(project, *m)) {
            let facts = project.member(member);
            let mapped = facts.ty.iter().chain(facts.params.iter().map(|p| &p.ty));
            let mut types = BTreeSet::new();
            for reference in mapped {
                collect(project, ty, reference, &mut types);
            }
            let accessors: Vec<MemberId> =
                types.iter().flat_map(|ty| project.members(*ty)).filter(|m| is_accessor(project, *m)).collect();
            edges.add(EdgeSource::Member(member), accessors, "is mapped by generated code");
            edges.add(
                EdgeSource::Member(member),
                helpers.iter().copied().filter(|m| *m != member),
                "may be used by generated code",
            );
        }
    }
}

fn is_abstract(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    facts.kind == MemberKind::Method && facts.body.is_none() && !facts.modifiers.has(Modifiers::STATIC)
}

/// The project types of a reference and of its fields, as deep as they go.
fn collect(project: &Project, scope: TypeId, reference: &TypeRef, types: &mut BTreeSet<TypeId>) {
    for arg in &reference.args {
        collect(project, scope, arg, types);
    }
    let Some(ty) = project.resolve(scope, &reference.name).project() else { return };
    let mut queue = vec![ty];
    while let Some(ty) = queue.pop() {
        if !types.insert(ty) {
            continue;
        }
        queue.extend(project.all_supers(ty));
        for facts in &project.ty(ty).members {
            for reference in
                facts.ty.iter().filter(|_| matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent))
            {
                let names = std::iter::once(reference).chain(&reference.args);
                queue.extend(names.filter_map(|r| project.resolve(ty, &r.name).project()));
            }
        }
    }
}

fn is_accessor(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    match facts.kind {
        MemberKind::Field | MemberKind::RecordComponent | MemberKind::Constructor => true,
        MemberKind::Method => {
            let prefix =
                ["get", "is", "set", "add", "with", "build"].iter().any(|prefix| facts.name.starts_with(prefix));
            prefix && facts.params.len() <= 1
        }
        _ => false,
    }
}

fn classes(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Class(ty)) => vec![ty.name.clone()],
        Some(Value::Array(items)) => items.iter().flat_map(|item| classes(Some(item))).collect(),
        _ => Vec::new(),
    }
}

//! Classes that a container creates although they have no stereotype.
//!
//! A constructor or field that the container fills has the class as its type, and no bean has that type (Guice's
//! just-in-time bindings, HK2, classes that XML or code registers). The constructor runs wherever the class is
//! injected.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::inheritance::is_concrete;
use mastor_java::ir::facts::{Annotation, MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Simple names of annotations that make a member a place of injection.
const INJECTED: [&str; 3] = ["Inject", "Autowired", "Resource"];

/// For constructors and fields, the classes that they receive without a bean. Starts with the classes in `made` and
/// continues with the classes found. `is_left` says whether no bean and no factory provides a type.
pub(super) fn unmarked(
    project: &Project,
    made: Vec<TypeId>,
    is_left: impl Fn(TypeId) -> bool,
) -> BTreeMap<MemberId, Vec<TypeId>> {
    let injects = |ty: &TypeId| project.ty(*ty).members.iter().any(|member| is_injected(&member.annotations));
    let mut open = made;
    open.extend(project.types().filter(injects));
    let mut seen: BTreeSet<TypeId> = open.iter().copied().collect();
    let mut found: BTreeMap<MemberId, Vec<TypeId>> = BTreeMap::new();
    while let Some(owner) = open.pop() {
        for (member, wanted) in places(project, owner) {
            let is_made = project.ty(wanted).kind == TypeKind::Class && is_concrete(project, wanted) && is_left(wanted);
            if !is_made {
                continue;
            }
            let given = found.entry(member).or_default();
            if !given.contains(&wanted) {
                given.push(wanted);
            }
            if seen.insert(wanted) {
                open.push(wanted);
            }
        }
    }
    found
}

/// The constructors and fields of a class that the container fills, each with the project type that it receives.
fn places(project: &Project, owner: TypeId) -> Vec<(MemberId, TypeId)> {
    let mut found = Vec::new();
    let named = |member: MemberId, name: &str| project.resolve_at(member, name).project();
    for member in project.members(owner) {
        let facts = project.member(member);
        if facts.kind == MemberKind::Constructor || is_injected(&facts.annotations) {
            let given = facts.params.iter().filter(|param| param.ty.dims == 0);
            found.extend(given.filter_map(|param| Some((member, named(member, &param.ty.name)?))));
        }
    }
    let given: BTreeSet<TypeId> = found.iter().map(|(_, ty)| *ty).collect();
    for field in project.members(owner).filter(|member| project.member(*member).kind == MemberKind::Field) {
        let facts = project.member(field);
        let Some(wanted) = facts.ty.as_ref().filter(|ty| ty.dims == 0).and_then(|ty| named(field, &ty.name)) else {
            continue;
        };
        // Without a written constructor, Lombok's constructor takes the final fields.
        let is_filled = given.contains(&wanted) || facts.modifiers.has(Modifiers::FINAL);
        let is_open = facts.body.is_none() && !facts.modifiers.has(Modifiers::STATIC);
        if is_injected(&facts.annotations) || is_open && is_filled {
            found.push((field, wanted));
        }
    }
    found
}

fn is_injected(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| INJECTED.contains(&annotation.simple()))
}

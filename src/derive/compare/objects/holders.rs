//! Holders: classes whose objects contain an object of a type.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::compare::sides::side::Side;
use mastor_java::ir::facts::{MemberFacts, MemberKind, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// The classes whose objects contain one of this type, directly or indirectly, and the type itself.
pub(in crate::compare) fn holders(side: &Side<'_>, of: TypeId) -> Arc<BTreeSet<TypeId>> {
    side.revision.holders.get(of, || Arc::new(read_holders(side.bench.subject.project, of, |_| true)))
}

/// The types whose validation also validates an object of this type: the type itself, classes that hold one in a `@Valid`
/// field, and the supertypes of both, since a parameter may be declared with one of these (Jakarta Validation 3.0,
/// section 5.6.4). Annotations of type arguments are not read, so every field with type arguments counts as `@Valid`.
pub(super) fn checked_holders(project: &Project, of: TypeId) -> BTreeSet<TypeId> {
    let cascades = |facts: &MemberFacts| {
        facts.ty.as_ref().is_some_and(|ty| !ty.args.is_empty())
            || facts.annotations.iter().any(|one| one.simple() == "Valid")
    };
    let (mut found, mut open) = (BTreeSet::new(), vec![of]);
    while let Some(ty) = open.pop() {
        for holder in read_holders(project, ty, cascades) {
            if found.insert(holder) {
                open.extend(project.all_supers(holder));
            }
        }
    }
    found
}

fn read_holders(project: &Project, of: TypeId, counts: impl Fn(&MemberFacts) -> bool) -> BTreeSet<TypeId> {
    let mut found = BTreeSet::from([of]);
    loop {
        let mut more = Vec::new();
        for ty in project.types().filter(|ty| !found.contains(ty) && !project.is_model(*ty)) {
            let words = &project.file(project.file_of(ty)).facts.type_words;
            let may = found.iter().any(|one| words.binary_search(&project.ty(*one).name).is_ok());
            let holds = |member: MemberId| {
                let facts = project.member(member);
                let is_part = matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent);
                is_part
                    && counts(facts)
                    && facts.ty.as_ref().is_some_and(|reference| names(project, ty, reference, &found))
            };
            let above = || project.all_supers(ty).iter().any(|above| found.contains(above));
            if may && (project.members(ty).any(holds) || above()) {
                more.push(ty);
            }
        }
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Whether a type, or one of its type arguments, is among these.
pub(in crate::compare) fn names(
    project: &Project,
    scope: TypeId,
    reference: &TypeRef,
    among: &BTreeSet<TypeId>,
) -> bool {
    project.resolve(scope, &reference.name).project().is_some_and(|ty| among.contains(&ty))
        || reference.args.iter().any(|arg| names(project, scope, arg, among))
}

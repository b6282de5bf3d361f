//! The methods of a concrete type, its own and inherited ones, each with the declarations that it implements.

use mastor_java::ir::facts::{MemberKind, Modifiers, Param, TypeKind, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// A method of a concrete type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Implemented {
    /// The implementation that runs: the most derived declaration with a body.
    pub entry: MemberId,
    /// All of its declarations, the most derived first.
    pub declarations: Vec<MemberId>,
}

/// Whether objects of exactly this type can be created.
pub fn is_concrete(project: &Project, ty: TypeId) -> bool {
    let facts = project.ty(ty);
    matches!(facts.kind, TypeKind::Class | TypeKind::Record | TypeKind::Enum)
        && !facts.modifiers.has(Modifiers::ABSTRACT)
}

/// The type and all of its supertypes in the project.
pub fn lineage(project: &Project, ty: TypeId) -> Vec<TypeId> {
    let mut all = vec![ty];
    for above in project.all_supers(ty) {
        if !all.contains(&above) {
            all.push(above);
        }
    }
    all
}

/// All instance methods of a type that have a body, in the order of declaration, inherited ones last.
pub fn methods(project: &Project, ty: TypeId) -> Vec<Implemented> {
    let mut groups: Vec<Vec<MemberId>> = Vec::new();
    for above in lineage(project, ty) {
        for member in project.members(above) {
            let facts = project.member(member);
            if facts.kind != MemberKind::Method || facts.modifiers.has(Modifiers::STATIC) {
                continue;
            }
            let fits = groups
                .iter_mut()
                .find(|group| group.iter().all(|other| other.ty != above) && same_method(project, group[0], member));
            match fits {
                Some(group) => group.push(member),
                None => groups.push(vec![member]),
            }
        }
    }
    groups
        .into_iter()
        .filter_map(|declarations| {
            let entry = declarations.iter().copied().find(|member| project.member(*member).body.is_some())?;
            // The default method of a generated interface counts only if no project type of the lineage has a method of
            // this name. Signatures of generated code are only inferred, so such a method may override it.
            let written = || lineage(project, ty).into_iter().filter(|above| project.origin(*above).is_none());
            let named = |above: TypeId| {
                let mut members = project.members(above);
                members.any(|member| project.member(member).name == project.member(entry).name)
            };
            if project.origin(entry.ty).is_some() && project.origin(ty).is_none() && written().any(named) {
                return None;
            }
            Some(Implemented { entry, declarations })
        })
        .collect()
}

/// All static methods of a type and its supertypes in the project.
pub fn static_methods(project: &Project, ty: TypeId) -> Vec<Implemented> {
    let is_static = |member: &MemberId| {
        let facts = project.member(*member);
        facts.kind == MemberKind::Method && facts.modifiers.has(Modifiers::STATIC)
    };
    let all = lineage(project, ty).into_iter().flat_map(|above| project.members(above)).filter(is_static);
    all.map(|entry| Implemented { entry, declarations: vec![entry] }).collect()
}

/// Whether one method overrides or implements the other, judged by type names; a type variable matches any type.
pub fn same_method(project: &Project, derived: MemberId, base: MemberId) -> bool {
    let (one, two) = (project.member(derived), project.member(base));
    one.name == two.name
        && one.params.len() == two.params.len()
        && one.params.iter().zip(&two.params).all(|(a, b)| same_type(project, derived, a, base, b))
}

fn same_type(project: &Project, one: MemberId, a: &Param, two: MemberId, b: &Param) -> bool {
    is_variable(project, one, &a.ty)
        || is_variable(project, two, &b.ty)
        || (a.ty.simple() == b.ty.simple() && a.ty.dims + u8::from(a.varargs) == b.ty.dims + u8::from(b.varargs))
}

/// Whether a type is a type variable of the method or of its class.
pub fn is_variable(project: &Project, member: MemberId, ty: &TypeRef) -> bool {
    let declared = &project.ty(member.ty).type_params;
    declared.iter().chain(&project.member(member).type_params).any(|variable| variable.name == ty.name)
}

//! Dynamic dispatch: selects the method that runs for an object of a class (JLS §15.12.4.4, JVMS §5.4.6).

use crate::ir::facts::{MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::named::Named;
use crate::ir::ty::Ty;
use crate::types::typing::Types;

/// The method that a call of `method` on an object of `class` runs; `None` if undecided, or if it is abstract.
pub fn implementation(types: &Types<'_>, class: TypeId, method: MemberId) -> Option<MemberId> {
    let project = types.project;
    let facts = project.member(method);
    let fixed = Modifiers::STATIC | Modifiers::PRIVATE;
    if facts.kind != MemberKind::Method || facts.modifiers.0 & fixed != 0 {
        return Some(method);
    }
    // First the classes, from the object's own class upwards.
    let mut at = Some(class);
    let mut seen = 0;
    while let Some(ty) = at {
        seen += 1;
        if seen > 64 {
            return None;
        }
        match declared(types, class, ty, method).as_slice() {
            [] => {}
            [only] => return runs(types, *only),
            _ => return None,
        }
        at = match project.supers(ty).first().map(|base| &base.named) {
            Some(Named::Project(base)) if project.ty(*base).kind != TypeKind::Interface => Some(*base),
            _ => None,
        };
    }
    // Then the most specific default method of an interface.
    let supers: Vec<TypeId> = types.ancestors(class).iter().filter_map(Ty::as_project).collect();
    let mut found: Vec<MemberId> = Vec::new();
    for ty in supers.iter().filter(|ty| project.ty(**ty).kind == TypeKind::Interface) {
        found.extend(declared(types, class, *ty, method));
    }
    let specific: Vec<MemberId> = found
        .iter()
        .filter(|one| !found.iter().any(|other| other.ty != one.ty && types.is_subtype(other.ty, one.ty)))
        .copied()
        .collect();
    match specific.as_slice() {
        [only] => runs(types, *only),
        _ => None,
    }
}

fn runs(types: &Types<'_>, method: MemberId) -> Option<MemberId> {
    types.project.member(method).body.is_some().then_some(method)
}

/// The methods declared in `ty` that equal `method` or override it for objects of `class`.
fn declared(types: &Types<'_>, class: TypeId, ty: TypeId, method: MemberId) -> Vec<MemberId> {
    if method.ty == ty {
        return vec![method];
    }
    let project = types.project;
    let facts = project.member(method);
    let fixed = Modifiers::STATIC | Modifiers::PRIVATE;
    let mut found: Vec<(MemberId, bool)> = Vec::new();
    for candidate in project.members(ty) {
        let own = project.member(candidate);
        if own.kind == MemberKind::Method
            && own.name == facts.name
            && own.modifiers.0 & fixed == 0
            && let Some(exact) = same_parameters(types, class, candidate, method)
        {
            found.push((candidate, exact));
        }
    }
    if found.iter().any(|(_, exact)| *exact) {
        found.retain(|(_, exact)| *exact);
    }
    found.into_iter().map(|(member, _)| member).collect()
}

/// Whether two methods have the same parameters for objects of `class`: `Some(true)` if certain, `Some(false)` if
/// possible.
fn same_parameters(types: &Types<'_>, class: TypeId, one: MemberId, other: MemberId) -> Option<bool> {
    let (a, b) = (types.signature(one), types.signature(other));
    if a.params.len() != b.params.len() || a.varargs != b.varargs && !types.project.same_parameters(one, other) {
        return None;
    }
    let this = types.this_type(class);
    let seen = |member: MemberId, param: &Ty| {
        let owner = types.owner_of(&this, member.ty).unwrap_or_else(|| Ty::project(member.ty));
        param.subst(&types.bindings(&owner))
    };
    let mut certain = true;
    for (x, y) in a.params.iter().zip(&b.params) {
        let (x, y) = (seen(one, x), seen(other, y));
        if x.erased() == y.erased() {
            continue;
        }
        if !x.is_open() && !y.is_open() {
            return None;
        }
        certain = false;
    }
    if certain { Some(true) } else { types.project.same_parameters(one, other).then_some(false) }
}

impl Ty {
    /// Whether a type is a variable, an array of one, or unknown.
    fn is_open(&self) -> bool {
        match self {
            Self::Unknown | Self::Var(_) | Self::Opaque(_) => true,
            Self::Array(element) => element.is_open(),
            Self::Library { fqn, .. } => fqn.starts_with('?'),
            _ => false,
        }
    }
}

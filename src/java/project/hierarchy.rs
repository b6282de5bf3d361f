//! The type hierarchy: supertypes, subtypes, inherited members, and which methods override one another.

use rustc_hash::FxHashSet;

use super::index::Project;
use crate::ir::facts::{MemberKind, Modifiers, Param, TypeKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::named::{Named, Super};

impl Project {
    /// Direct supertypes: superclass first, then interfaces, as written.
    pub fn supers(&self, id: TypeId) -> &[Super] {
        &self.supers[id.0 as usize]
    }

    /// Project types that directly extend or implement a type.
    pub fn subtypes(&self, id: TypeId) -> &[TypeId] {
        &self.subtypes[id.0 as usize]
    }

    /// All supertypes within the project, nearest first, without the type itself.
    pub fn all_supers(&self, id: TypeId) -> Vec<TypeId> {
        self.above(id).to_vec()
    }

    /// [`Project::all_supers`], cached.
    fn above(&self, id: TypeId) -> &[TypeId] {
        self.above[id.0 as usize]
            .get_or_init(|| spread(id, |ty| self.supers(ty).iter().filter_map(|found| found.named.project()).collect()))
    }

    /// All subtypes, nearest first, without the type itself.
    pub fn all_subtypes(&self, id: TypeId) -> Vec<TypeId> {
        spread(id, |ty| self.subtypes(ty).to_vec())
    }

    /// Names of the library supertypes, direct or through project types, nearest first.
    pub fn library_supers(&self, id: TypeId) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for ty in std::iter::once(id).chain(self.all_supers(id)) {
            for name in self.supers(ty).iter().filter_map(|above| above.named.library()) {
                if !found.contains(&name) {
                    found.push(name);
                }
            }
        }
        found
    }

    /// Project types that directly extend or implement this library type.
    pub fn extenders_of_library(&self, fqn: &str) -> &[TypeId] {
        self.extenders.get(fqn).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether some supertype of a type could not be resolved, so that inherited members may be unknown.
    pub fn has_unknown_super(&self, id: TypeId) -> bool {
        std::iter::once(id)
            .chain(self.all_supers(id))
            .any(|ty| self.supers(ty).iter().any(|found| matches!(found.named, Named::Unknown(_))))
    }

    /// All methods of the project with this name that accept `arity` arguments.
    pub fn methods_named(&self, name: &str, arity: usize) -> Vec<MemberId> {
        let all = self.index.by_method.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().copied().filter(|id| !self.is_model(id.ty) && takes(&self.member(*id).params, arity)).collect()
    }

    /// Own and inherited methods of this name that accept `arity` arguments, most derived first, without overridden
    /// ones.
    pub fn find_method(&self, ty: TypeId, name: &str, arity: usize) -> Vec<MemberId> {
        let mut found: Vec<MemberId> = Vec::new();
        // The list is sorted by id, so the methods of one type are adjacent.
        let all = self.index.by_method.get(name).map(Vec::as_slice).unwrap_or_default();
        if all.is_empty() {
            return found;
        }
        for owner in std::iter::once(ty).chain(self.above(ty).iter().copied()) {
            let first = all.partition_point(|id| id.ty < owner);
            for id in all[first..].iter().copied().take_while(|id| id.ty == owner) {
                if takes(&self.member(id).params, arity)
                    && !found.iter().any(|below| below.ty != owner && self.same_parameters(*below, id))
                {
                    found.push(id);
                }
            }
        }
        found
    }

    /// The field, constant or record component with this name, own or inherited, most derived first.
    pub fn find_field(&self, ty: TypeId, name: &str) -> Option<MemberId> {
        self.own_field(ty, name)
            .or_else(|| self.all_supers(ty).into_iter().find_map(|above| self.own_field(above, name)))
    }

    /// The constructors of a type that accept `arity` arguments.
    pub fn constructors(&self, ty: TypeId, arity: usize) -> Vec<MemberId> {
        let fits = |id: &MemberId| {
            let member = self.member(*id);
            member.kind == MemberKind::Constructor && takes(&member.params, arity)
        };
        self.members(ty).filter(fits).collect()
    }

    /// Methods of subtypes that override this one, including implementations that a subtype inherits from another
    /// class.
    pub fn overriders(&self, id: MemberId) -> Vec<MemberId> {
        if !self.can_be_overridden(id) {
            return Vec::new();
        }
        let name = &self.member(id).name;
        let mut found: Vec<MemberId> = Vec::new();
        for sub in self.all_subtypes(id.ty) {
            let own: Vec<MemberId> = self.overriding_in(sub, name, id);
            let interface = matches!(self.ty(sub).kind, TypeKind::Interface | TypeKind::Annotation);
            let inherited =
                if own.is_empty() && !interface { self.inherited_implementation(sub, name, id) } else { None };
            for member in own.into_iter().chain(inherited) {
                if member != id && !found.contains(&member) {
                    found.push(member);
                }
            }
        }
        found
    }

    /// Methods of supertypes that this one overrides, nearest first.
    pub fn overridden(&self, id: MemberId) -> Vec<MemberId> {
        let member = self.member(id);
        let hidden = member.modifiers.has(Modifiers::STATIC) || member.modifiers.has(Modifiers::PRIVATE);
        if member.kind != MemberKind::Method || hidden {
            return Vec::new();
        }
        let supers = self.all_supers(id.ty);
        supers.into_iter().flat_map(|above| self.overriding_in(above, &member.name, id)).collect()
    }

    fn can_be_overridden(&self, id: MemberId) -> bool {
        let member = self.member(id);
        let closed = Modifiers::STATIC | Modifiers::PRIVATE | Modifiers::FINAL;
        member.kind == MemberKind::Method && member.modifiers.0 & closed == 0
    }

    fn overriding_in(&self, ty: TypeId, name: &str, other: MemberId) -> Vec<MemberId> {
        let closed = Modifiers::STATIC | Modifiers::PRIVATE;
        self.members(ty)
            .filter(|id| {
                let member = self.member(*id);
                member.kind == MemberKind::Method
                    && member.name == *name
                    && member.modifiers.0 & closed == 0
                    && self.same_parameters(*id, other)
            })
            .collect()
    }

    /// If `ty` does not declare the method: the implementation inherited from a superclass that is not a subtype of
    /// the declaring type of `id`.
    fn inherited_implementation(&self, ty: TypeId, name: &str, id: MemberId) -> Option<MemberId> {
        self.all_supers(ty)
            .into_iter()
            .filter(|above| *above != id.ty && !matches!(self.ty(*above).kind, TypeKind::Interface))
            .find_map(|above| self.overriding_in(above, name, id).first().copied())
    }

    /// Whether two methods may have the same parameters after erasure; true if undecided, as with type parameters.
    pub fn same_parameters(&self, one: MemberId, other: MemberId) -> bool {
        let (left, right) = (&self.member(one).params, &self.member(other).params);
        left.len() == right.len() && left.iter().zip(right).all(|(l, r)| self.same_type(one, l, other, r))
    }

    fn same_type(&self, one: MemberId, left: &Param, other: MemberId, right: &Param) -> bool {
        let dims = |param: &Param| param.ty.dims + u8::from(param.varargs);
        let (first, second) = (self.resolve_at(one, &left.ty.name), self.resolve_at(other, &right.ty.name));
        match (first, second) {
            // A type parameter may be an array too.
            (Named::TypeVar(_), _) | (_, Named::TypeVar(_)) => true,
            (Named::Project(a), Named::Project(b)) => a == b && dims(left) == dims(right),
            (Named::Library(a), Named::Library(b)) => a == b && dims(left) == dims(right),
            (Named::Primitive, Named::Primitive) => left.ty.name == right.ty.name && dims(left) == dims(right),
            (Named::Primitive, _) | (_, Named::Primitive) => false,
            _ => left.ty.simple() == right.ty.simple() && dims(left) == dims(right),
        }
    }
}

/// Whether a declaration with these parameters accepts `arity` arguments.
pub fn takes(params: &[Param], arity: usize) -> bool {
    match params.last() {
        Some(last) if last.varargs => arity + 1 >= params.len(),
        _ => params.len() == arity,
    }
}

fn spread(from: TypeId, next: impl Fn(TypeId) -> Vec<TypeId>) -> Vec<TypeId> {
    let mut seen: FxHashSet<TypeId> = [from].into_iter().collect();
    let mut found = Vec::new();
    let mut at = 0;
    let mut here = from;
    loop {
        for id in next(here) {
            if seen.insert(id) {
                found.push(id);
            }
        }
        match found.get(at) {
            Some(id) => here = *id,
            None => return found,
        }
        at += 1;
    }
}

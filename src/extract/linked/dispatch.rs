//! Dynamic dispatch: the methods that a call can run, by the type of the object.

use std::sync::Arc;

use super::links::Targets;
use super::reach::Reach;
use super::shared::Numbered;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::ty::Ty;

impl Reach<'_> {
    /// For each concrete type at or below `on`, the method that a call of `to` runs on it.
    pub fn dispatch(&self, to: MemberId, on: TypeId) -> Arc<Numbered<Targets>> {
        self.dispatch.get(&(to, on), || {
            let mut found = Vec::new();
            for ty in std::iter::once(on).chain(self.subs(on).iter().copied()) {
                if self.facets(ty).concrete {
                    found.extend(self.implementation(ty, to).map(|member| (ty, member)));
                }
            }
            if found.is_empty() && on != to.ty {
                // A library implements this type, using implementations of the types above it.
                found.clone_from(&self.dispatch(to, to.ty).value.list);
            }
            Targets::new(on, found)
        })
    }

    /// The method that a call of `to` runs on an object of exactly this type.
    pub fn implementation(&self, ty: TypeId, to: MemberId) -> Option<MemberId> {
        let project = self.resolver.project();
        let member = project.member(to);
        let all = project.find_method(ty, &member.name, member.params.len());
        all.into_iter()
            .filter(|found| project.member(*found).params.len() == member.params.len())
            .find(|found| *found == to || self.may_override(ty, *found, to))
    }

    /// Whether, on objects of type `ty`, method `below` overrides `above`, which has the same name and number of
    /// parameters. Their parameter types are the same, or become the same with the supertype's type arguments, or
    /// cannot be compared.
    fn may_override(&self, ty: TypeId, below: MemberId, above: MemberId) -> bool {
        let project = self.resolver.project();
        if project.same_parameters(below, above) {
            return true;
        }
        let types = &self.resolver.types;
        let this = Ty::project(ty);
        let erased = |member: MemberId| -> Option<Vec<Ty>> {
            let owner = types.owner_of(&this, member.ty)?;
            let (bindings, params) = (types.bindings(&owner), &types.members_of(member.ty).params);
            Some(types.signature(member).params.iter().map(|ty| ty.close(&bindings, params).erased()).collect())
        };
        match (erased(below), erased(above)) {
            (Some(below), Some(above)) => below.iter().zip(&above).all(|(below, above)| {
                below == above || matches!(above, Ty::Unknown | Ty::Var(_)) || below.is_unknown()
            }),
            _ => true,
        }
    }
}

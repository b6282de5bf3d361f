//! Lists over the hierarchy of a type, which closures need.

use std::sync::Arc;

use super::links::{Targets, TypeLinks};
use super::reach::Reach;
use super::shared::Numbered;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::injection::EdgeSource;
use mastor_java::objects::library_uses::ImplicitCalls;

impl Reach<'_> {
    fn of(&self, id: TypeId) -> &TypeLinks {
        &self.type_links[id.0 as usize]
    }

    /// All supertypes within the project, near ones first.
    pub fn supers(&self, id: TypeId) -> &[TypeId] {
        self.of(id).supers.get_or_init(|| self.resolver.project().all_supers(id))
    }

    /// All subtypes, near ones first.
    pub fn subs(&self, id: TypeId) -> &[TypeId] {
        self.of(id).subs.get_or_init(|| self.resolver.project().all_subtypes(id))
    }

    /// `toString` and the like of objects of this type and its subtypes, with the type that must be live.
    pub fn implicit(&self, id: TypeId) -> &[(TypeId, MemberId, ImplicitCalls)] {
        self.of(id).implicit.get_or_init(|| {
            let mut found = Vec::new();
            for ty in std::iter::once(id).chain(self.subs(id).iter().copied()) {
                for owner in std::iter::once(ty).chain(self.supers(ty).iter().copied()) {
                    for member in &self.facets(owner).implicit {
                        let name = &self.resolver.project().member(*member).name;
                        found.push((ty, *member, ImplicitCalls::of(name)));
                    }
                }
            }
            found
        })
    }

    /// Members that a serialiser reads of an object, with the types of their values.
    pub fn read(&self, id: TypeId) -> &[(MemberId, Vec<TypeId>)] {
        self.of(id).read.get_or_init(|| {
            let with_parts = |member: &MemberId| {
                let mut parts = Vec::new();
                self.resolver.types.signature(*member).ret.projects(&mut parts);
                (*member, parts)
            };
            self.facets(id).getters.iter().map(with_parts).collect()
        })
    }

    /// Types of the properties of an object that is read from data; objects of them are created with it.
    pub fn data_parts(&self, id: TypeId) -> &[TypeId] {
        self.of(id).data_parts.get_or_init(|| {
            let facets = self.facets(id);
            let mut found = Vec::new();
            for member in facets.setters.iter().chain(&facets.constructors) {
                let signature = self.resolver.types.signature(*member);
                signature.params.iter().chain([&signature.ret]).for_each(|ty| ty.projects(&mut found));
            }
            found.retain(|ty| *ty != id);
            found
        })
    }

    /// Instance initialisers of a type, and of its superclasses that declare no constructor.
    pub fn initialisers(&self, id: TypeId) -> &[MemberId] {
        self.of(id).construct.get_or_init(|| {
            let mut found = Vec::new();
            // Broken source can contain a type that inherits from itself.
            let mut seen = Vec::new();
            let mut at = Some(id);
            while let Some(ty) = at.filter(|ty| !seen.contains(ty)) {
                seen.push(ty);
                let facets = self.facets(ty);
                found.extend_from_slice(&facets.initialisers);
                at = facets.superclass.filter(|base| !self.facets(*base).declares_constructor);
            }
            found
        })
    }

    /// The methods that a library calls on an object of this type, with the methods that a call of each runs.
    pub fn callbacks(&self, id: TypeId) -> &[(MemberId, Arc<Numbered<Targets>>)] {
        self.of(id).callbacks.get_or_init(|| {
            let owners = std::iter::once(id).chain(self.supers(id).iter().copied());
            let members = owners.flat_map(|ty| &self.facets(ty).callbacks);
            members.map(|member| (*member, self.dispatch(*member, id))).collect()
        })
    }

    /// Edges that frameworks add from a type and its annotations.
    pub fn type_extra(&self, id: TypeId) -> &[(MemberId, Arc<str>)] {
        self.of(id).extra.get_or_init(|| {
            let annotations = self.facets(id).annotations.iter().cloned().map(EdgeSource::Annotation);
            let sources = std::iter::once(EdgeSource::Type(id)).chain(annotations);
            sources.flat_map(|source| self.extra.from(&source).to_vec()).collect()
        })
    }

    /// Edges from a type that apply when a store writes.
    pub fn when_stored(&self, id: TypeId) -> &[(MemberId, Arc<str>)] {
        self.of(id).when_stored.get_or_init(|| self.extra.from(&EdgeSource::Stored(id)).to_vec())
    }
}

//! Objects in a walk: types that are touched, created, injected, serialised or deserialised, and the members that run
//! because of it.

use super::walk::Walk;
use crate::linked::links::Source;
use crate::linked::scratch::{
    ABOVE, CALLED_BACK, FILLED, LIVE, MADE, MATERIALISED, NAMED, PARTLY_FILLED, PARTLY_MATERIALISED, SERIALISED,
    STATICS, TOUCHED,
};
use crate::members::closure::{Cause, EdgeKind};
use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ids::TypeId;
use mastor_java::objects::library_uses::ImplicitCalls;

impl Walk<'_, '_> {
    /// Marks a type that running code names. If it is stored data, objects of it may exist.
    pub(crate) fn touch(&mut self, id: TypeId, cause: Cause) {
        self.touch_above(id, cause);
        if !self.marks.types.set(id.0, NAMED) {
            return;
        }
        let facets = self.reach.facets(id);
        if facets.stored && !facets.shares_parts {
            self.materialise(id, Source::Store, cause);
        }
    }

    /// Marks a named type or its supertypes. For stored data, objects of subtypes may exist.
    fn touch_above(&mut self, id: TypeId, cause: Cause) {
        self.hand_on(id, cause);
        if !self.marks.types.set(id.0, ABOVE) {
            return;
        }
        let reach = self.reach;
        let facets = reach.facets(id);
        for ty in &facets.supers {
            self.touch_above(*ty, cause);
        }
        for ty in &facets.header {
            // Naming a data type as a type argument of a supertype does not read such data.
            match reach.facets(*ty).is_data {
                true => self.hand_on(*ty, cause),
                false => self.touch(*ty, cause),
            }
        }
        if facets.stored {
            self.run_for_type(id, cause);
            self.materialise_own(id, Source::Store, cause);
            for ty in &facets.named {
                self.by_class(*ty, true, cause);
            }
        }
        if !reach.when_stored(id).is_empty() {
            self.stored.push(id);
        }
    }

    fn run_for_type(&mut self, id: TypeId, cause: Cause) {
        for (to, how) in self.reach.type_extra(id) {
            self.by_framework(*to, how, cause);
        }
    }

    /// Marks a type whose values are only passed on, such as a bean that is passed to another bean's constructor.
    pub(super) fn hand_on(&mut self, id: TypeId, cause: Cause) {
        if !self.marks.types.set(id.0, TOUCHED) {
            return;
        }
        let reach = self.reach;
        let facets = reach.facets(id);
        for ty in &facets.supers {
            self.hand_on(*ty, cause);
        }
        // Code that only passes on a repository does not touch its rows.
        for ty in facets.header.iter().filter(|ty| !reach.facets(**ty).is_row) {
            self.hand_on(*ty, cause);
        }
        let kind = reach.resolver.project().ty(id).kind;
        if !reach.injection.managed(id) || kind != TypeKind::Interface {
            self.live(id, cause);
        }
        if !facets.stored {
            self.run_for_type(id, cause);
        }
        if kind == TypeKind::Annotation {
            for ty in &facets.named {
                self.by_class(*ty, true, cause);
            }
        }
        if !facets.callbacks.is_empty() {
            self.answering.push(id);
        }
    }

    /// Follows the hand-over of a class object to a library, which may create objects of the type.
    pub(crate) fn by_class(&mut self, ty: TypeId, fills: bool, cause: Cause) {
        self.touch(ty, cause);
        self.live(ty, cause);
        if self.reach.injection.managed(ty) {
            return;
        }
        let facets = self.reach.facets(ty);
        if facets.stored {
            self.materialise(ty, Source::Store, cause);
        } else if fills {
            self.materialise(ty, Source::Data, cause);
        } else {
            self.make(ty, cause);
            for member in &facets.constructors {
                self.member(*member, EdgeKind::Materialises, cause);
            }
        }
        self.call_back(ty, cause);
    }

    /// Runs the static initialisers of a type and its superclasses.
    pub(super) fn initialise(&mut self, id: TypeId, cause: Cause) {
        if !self.marks.types.set(id.0, STATICS) {
            return;
        }
        let facets = self.reach.facets(id);
        if self.reach.injection.managed(id) {
            self.hand_on(id, cause);
        } else {
            self.touch(id, cause);
        }
        for member in &facets.statics {
            self.member(*member, EdgeKind::Initialises, cause);
        }
        if let Some(base) = facets.superclass {
            self.initialise(base, cause);
        }
    }

    /// Marks the type as a possible receiver of calls.
    fn live(&mut self, id: TypeId, cause: Cause) {
        if !self.marks.types.set(id.0, LIVE) {
            return;
        }
        self.implied_on(id, cause);
        if self.reach.facets(id).concrete {
            self.alive.push(id);
            self.run_on(id);
        }
    }

    /// Runs the recorded virtual calls on objects of this type too.
    pub(super) fn run_on(&mut self, id: TypeId) {
        for above in std::iter::once(id).chain(self.reach.supers(id).iter().copied()) {
            let known = self.virtuals.get(&above).map_or(0, Vec::len);
            for at in 0..known {
                let (targets, cause) = self.virtuals[&above][at];
                if let Some(member) = targets.at(id) {
                    self.member(member, EdgeKind::Dispatches, cause);
                }
            }
            for at in 0..self.taken.len() {
                self.run_calls_of(self.taken[at], above, id);
            }
        }
    }

    /// Runs `toString` and the like on objects of this type, as far as operators and libraries call them on its
    /// supertypes.
    pub(super) fn implied_on(&mut self, id: TypeId, cause: Cause) {
        let reach = self.reach;
        let above = std::iter::once(id).chain(reach.supers(id).iter().copied());
        let bits = above.fold(0, |bits, ty| bits | self.marks.types.of(ty.0)) & ImplicitCalls::ALL.bits();
        if bits == 0 {
            return;
        }
        for (_, member, called) in reach.implicit(id).iter().filter(|(ty, ..)| *ty == id) {
            if called.bits() & bits != 0 {
                self.member(*member, EdgeKind::CalledBack, cause);
            }
        }
    }

    pub(super) fn is_live(&self, id: TypeId) -> bool {
        self.marks.types.has(id.0, LIVE) || self.reach.may_be_there(id)
    }

    /// Creates an object of this type in the container.
    pub(super) fn inject(&mut self, id: TypeId, cause: Cause) {
        if !self.is_here(id) {
            return;
        }
        self.make(id, cause);
        let facets = self.reach.facets(id);
        for member in facets.constructors.iter().chain(&facets.after) {
            self.member(*member, EdgeKind::Injects, cause);
        }
    }

    /// Creates an object of this type.
    pub(crate) fn make(&mut self, id: TypeId, cause: Cause) {
        self.initialise(id, cause);
        self.live(id, cause);
        if !self.marks.types.set(id.0, MADE) {
            return;
        }
        let facets = self.reach.facets(id);
        // A class that declares no constructor has an implicit one, which runs its initialisers.
        if !facets.declares_constructor {
            self.construct(id, cause);
            if let Some(base) = facets.superclass {
                for member in &self.reach.facets(base).without_arguments {
                    self.member(*member, EdgeKind::Makes, cause);
                }
            }
        }
    }

    /// Runs the instance initialisers of a type, and of its superclasses that declare no constructor.
    pub(crate) fn construct(&mut self, id: TypeId, cause: Cause) {
        for member in self.reach.initialisers(id) {
            self.member(*member, EdgeKind::Makes, cause);
        }
    }

    /// Runs the methods of an object that override a library's own: the library calls them.
    pub(super) fn call_back(&mut self, id: TypeId, cause: Cause) {
        if !self.marks.types.set(id.0, CALLED_BACK) {
            return;
        }
        for (member, targets) in self.reach.callbacks(id) {
            self.member(*member, EdgeKind::CalledBack, cause);
            self.dispatch(targets, cause);
        }
    }

    /// Runs `toString` and the like, which operators and libraries call on this type or a subtype.
    pub(crate) fn implied(&mut self, id: TypeId, what: ImplicitCalls, cause: Cause) {
        if !self.marks.types.set(id.0, what.bits()) {
            return;
        }
        for (ty, member, called) in self.reach.implicit(id) {
            if called.bits() & what.bits() != 0 && self.is_live(*ty) {
                self.member(*member, EdgeKind::CalledBack, cause);
            }
        }
    }

    pub(crate) fn hand(&mut self, id: TypeId, what: ImplicitCalls, writes: bool, cause: Cause) {
        self.implied(id, what, cause);
        self.call_back(id, cause);
        if writes {
            self.serialise(id, cause);
        }
        for member in &self.reach.facets(id).identity {
            self.member(*member, EdgeKind::CalledBack, cause);
        }
    }

    /// Serialises objects of this type and its subtypes, with everything in them.
    pub(super) fn serialise(&mut self, id: TypeId, cause: Cause) {
        if !self.marks.types.set(id.0, SERIALISED) {
            return;
        }
        self.touch(id, cause);
        let reach = self.reach;
        for ty in std::iter::once(id).chain(reach.subs(id).iter().copied()).chain(reach.supers(id).iter().copied()) {
            if reach.injection.managed(ty) {
                continue;
            }
            for (member, parts) in reach.read(ty) {
                self.member(*member, EdgeKind::Serialises, cause);
                for part in parts {
                    self.serialise(*part, Cause { from: Some(*member), line: None });
                }
            }
        }
    }

    /// Lets a library create and fill objects of this type or a subtype, with everything in them.
    pub(super) fn materialise(&mut self, id: TypeId, source: Source, cause: Cause) {
        let known = if source == Source::Data { FILLED } else { MATERIALISED };
        if self.marks.types.has(id.0, known) || self.reach.injection.managed(id) {
            return;
        }
        self.marks.types.set(id.0, known);
        self.materialise_own(id, source, cause);
        self.touch(id, cause);
        for below in self.reach.resolver.project().subtypes(id) {
            self.materialise(*below, source, cause);
        }
    }

    /// Lets a library create the part of an object that this type declares.
    fn materialise_own(&mut self, id: TypeId, source: Source, cause: Cause) {
        let reach = self.reach;
        let facets = reach.facets(id);
        let fills = source == Source::Data || facets.by_accessors;
        let known = if source == Source::Data { PARTLY_FILLED } else { PARTLY_MATERIALISED };
        if self.marks.types.has(id.0, known) || reach.injection.managed(id) {
            return;
        }
        self.marks.types.set(id.0, known);
        self.touch_above(id, cause);
        self.make(id, cause);
        for member in facets.constructors.iter().chain(&facets.after) {
            self.member(*member, EdgeKind::Materialises, cause);
        }
        if fills {
            for member in &facets.setters {
                self.member(*member, EdgeKind::Materialises, cause);
            }
        }
        for ty in &facets.named {
            self.by_class(*ty, true, cause);
        }
        for part in &facets.hashed {
            self.implied(*part, ImplicitCalls::HASH, cause);
        }
        // For data that is read these are the types of its properties; for a stored object, of everything that it
        // refers to.
        let parts = if source == Source::Store { &facets.parts } else { reach.data_parts(id) };
        for part in parts {
            self.materialise(*part, source, cause);
        }
        if let Some(base) = facets.superclass {
            self.materialise_own(base, source, cause);
        }
    }
}

//! Fields that a store, or a library that copies, sets on an object that it is handed.

use std::rc::Rc;

use super::calls::Unfollowed;
use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, Value as Argument};
use crate::ir::ids::{MemberId, TypeId};

/// Annotations of fields that a store fills, whatever their type.
const KEYS: &[&str] = &["Id", "Version"];

/// Annotations of fields that refer to other rows.
const REFERS: &[&str] = &["ManyToMany", "ManyToOne", "OneToMany", "OneToOne"];

/// Annotations of the fields that a provider of Jakarta Persistence or Spring Data sets on an entity that it stores
/// (Jakarta Persistence, "Entity Identity" and "Optimistic Locking"; Hibernate, "Generated properties"; Spring Data,
/// "Auditing").
const SET_BY_JPA: &[&str] = &[
    "Id",
    "EmbeddedId",
    "Version",
    "GeneratedValue",
    "Generated",
    "CreationTimestamp",
    "UpdateTimestamp",
    "CurrentTimestamp",
    "CreatedBy",
    "CreatedDate",
    "LastModifiedBy",
    "LastModifiedDate",
    "MapsId",
    "TenantId",
    "UuidGenerator",
];

/// Annotations by which code of the project runs when an entity is stored.
const CALLBACKS: &[&str] =
    &["EntityListeners", "PrePersist", "PostPersist", "PreUpdate", "PostUpdate", "ValueGenerationType"];

/// Methods that save one entity.
const SAVES: [&str; 3] = ["save", "saveAndFlush", "persist"];

/// Between a call and the number of its time, in the name of a value that it has set.
pub const AT_TIME: &str = " at time ";

/// Whether code does not write the column of a field, so that something else may.
fn is_left_to_others(facts: &MemberFacts) -> bool {
    let says = |one: &Annotation, name: &str| matches!(one.arg(name), Some(Argument::Bool(false)));
    facts.annotations.iter().any(|one| says(one, "updatable") || says(one, "insertable"))
}

impl Machine<'_> {
    /// Whether a class is an entity of which storing sets nothing but what annotations of its fields say.
    fn is_set_by_jpa_alone(&self, ty: TypeId) -> bool {
        let classes = || std::iter::once(ty).chain(self.project.all_supers(ty));
        let is_called_back = |ty: TypeId| {
            let facts = self.project.ty(ty);
            let methods = facts.members.iter().flat_map(|member| &member.annotations);
            facts.annotations.iter().chain(methods).any(|one| CALLBACKS.contains(&one.simple()))
        };
        // Annotations of the project may stand for others.
        let is_known = |ty: TypeId| {
            let members = self.project.ty(ty).members.iter().flat_map(|member| &member.annotations);
            members.into_iter().all(|one| self.project.resolve(ty, &one.name).project().is_none())
        };
        // Classes of a library may have callbacks of their own.
        let is_own = self.project.library_supers(ty).iter().all(|above| above.starts_with("java."));
        has(&self.project.ty(ty).annotations, &["Entity"])
            && is_own
            && classes().all(|ty| !is_called_back(ty) && is_known(ty))
    }

    /// Sets the fields that a store may set on an object passed to it: those without a value yet, such as a key. With
    /// `copies`, fields of primitive types are set too. Both revisions share the values, whatever else the object
    /// contains.
    pub(super) fn fill(&mut self, call: &Unfollowed<'_>, copies: bool) {
        let (args, callee) = (call.args, call.callee);
        // A mapper sets whatever it finds.
        let is_save = SAVES.contains(&call.name) && args.len() == 1;
        let time = self.opaque.readings.entry(Rc::from(callee)).or_default();
        *time += 1;
        let time = *time;
        for arg in args {
            let Value::Ref(id) = arg else { continue };
            let (Kind::Plain, ClassRef::Project(ty)) = (&self.object(*id).kind, self.object(*id).class.clone()) else {
                continue;
            };
            let noun = self.noun(*id);
            self.object_mut(*id).filled = Some(Rc::from(format!("{callee}{AT_TIME}{time}")));
            let is_of_jpa = is_save && self.is_set_by_jpa_alone(ty);
            let classes: Vec<TypeId> = std::iter::once(ty).chain(self.project.all_supers(ty)).collect();
            let fields: Vec<MemberId> = classes.into_iter().flat_map(|class| self.project.members(class)).collect();
            for field in fields {
                let facts = self.project.member(field);
                let (ty, is_key) = (self.field_type(field), has(&facts.annotations, KEYS));
                let is_unset = |value: &Value| match (&ty, value) {
                    (Type::Prim(prim), Value::Scalar(scalar)) => copies && *scalar == prim.zero(),
                    (_, value) => value.is_null(),
                };
                let is_open = facts.kind == MemberKind::Field
                    && (!is_of_jpa || has(&facts.annotations, SET_BY_JPA) || is_left_to_others(facts))
                    && !facts.modifiers.has(Modifiers::STATIC)
                    && !facts.modifiers.has(Modifiers::FINAL)
                    // References to other rows come from the code; a store generates keys, dates and defaults only.
                    && (copies || !has(&facts.annotations, REFERS))
                    && self.object(*id).fields.get(&field).is_none_or(is_unset);
                if is_open && (ty.is_reference() || is_key || copies) {
                    let name = format!("{callee}{AT_TIME}{time} sets {}", self.project.symbol(field));
                    let value = self.given_as(&name, &format!("{noun}.{}", facts.name), ty);
                    self.object_mut(*id).fields.insert(field, value);
                }
            }
        }
    }
}

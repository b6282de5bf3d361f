//! Reads and writes fields that the project declares.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::state::snapshots::Initialised;
use crate::interpret::stores::state::CHOSEN;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::types::known_type;
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::facts::{MemberKind, Modifiers};
use crate::ir::ids::MemberId;

impl Machine<'_> {
    /// Declared type of a field.
    pub fn field_type(&self, field: MemberId) -> Type {
        known_type(&self.codes.resolver.types.signature(field).ret)
    }

    /// Reads a field of an object.
    pub fn read_member(&mut self, object: &Value, field: MemberId) -> Eval {
        if self.is_static(field) {
            return self.read_static(field);
        }
        let id = match object {
            Value::Ref(id) => *id,
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name)) => self.enum_object(*ty, &name.clone())?,
            Value::Symbol(_) if let Some(Value::Ref(id)) = self.lazy_object(object) => id,
            Value::Symbol(_) => {
                let constant = self.pick_constant(object)?;
                if matches!(constant, Value::Scalar(Scalar::Enum(..))) {
                    return self.read_member(&constant, field);
                }
                return self.unknown_call("a field of a value of the request", &[], self.field_type(field));
            }
            Value::Unknown(unknown) => {
                let ty = self.field_type(field);
                return Ok(Value::Unknown(Rc::new(crate::interpret::values::value::Unknown {
                    reasons: unknown.reasons.clone(),
                    ty,
                    present: false,
                    ends: None,
                })));
            }
            _ => return self.unknown_call("a field of an object that is not known", &[], self.field_type(field)),
        };
        self.wake(id)?;
        let facts = self.project.member(field);
        let settled = facts.modifiers.has(Modifiers::FINAL) || facts.kind == MemberKind::RecordComponent;
        let ty = self.field_type(field);
        let held = self.object(id).fields.get(&field).cloned();
        match (&self.object(id).kind, held) {
            (Kind::Escaped(reason), held) => match held {
                Some(value) if settled => Ok(value),
                _ => {
                    let reason = reason.clone();
                    Ok(self.unknown(&reason, ty))
                }
            },
            (_, Some(value)) => {
                if let Value::Ref(rows) = &value {
                    self.store.is_unordered |= self.object(*rows).parts.contains_key(CHOSEN);
                }
                Ok(value)
            }
            (Kind::Body(input), None) => {
                let input = input.clone();
                let value = self.body_field(&input, field, &ty);
                self.object_mut(id).fields.insert(field, value.clone());
                Ok(value)
            }
            (Kind::Opaque(term), None) => {
                let value = self.opaque_field(&term.clone(), field);
                self.object_mut(id).fields.insert(field, value.clone());
                Ok(value)
            }
            (Kind::Bean, None) if self.is_opaque() => {
                let name = format!("{}.{}", self.project.fqn(field.ty), facts.name);
                Ok(self.given(&name, &name, ty))
            }
            (Kind::Bean, None) => {
                let name = facts.name.clone();
                Ok(self.unknown(&format!("{}.{name} is filled in at run time", self.simple_name(field.ty)), ty))
            }
            (_, None) => Ok(match &ty {
                Type::Prim(prim) => Value::Scalar(prim.zero()),
                _ => Value::NULL,
            }),
        }
    }

    /// Writes a field of an object.
    pub fn write_member(&mut self, object: &Value, field: MemberId, value: Value) -> Eval {
        let ty = self.field_type(field);
        let value = self.assigned(value, &ty)?;
        if self.is_static(field) {
            self.initialise_class(field.ty)?;
            let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(field).name);
            self.effects.push(Rc::from(format!("{name} is set")));
            self.statics.insert(field, value.clone());
            if self.classes.get(&field.ty) == Some(&Initialised::Done) {
                self.opaque.set_later.insert(field);
                if !self.is_starting {
                    self.opaque.set_by_code.insert(field);
                }
            }
            self.is_disturbed |= self.recalled.contains(&field.ty);
            return Ok(value);
        }
        let constant = match object {
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name)) => {
                Some(Value::Ref(self.enum_object(*ty, &name.clone())?))
            }
            _ => None,
        };
        let lazy = self.lazy_object(object);
        match constant.as_ref().or(lazy.as_ref()).unwrap_or(object) {
            Value::Ref(id) => {
                self.wake(*id)?;
                if matches!(self.object(*id).kind, Kind::Bean) {
                    let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(field).name);
                    self.effects.push(Rc::from(format!("{name} is set")));
                    if self.is_opaque() && !self.is_starting {
                        let held = self.canon(&value);
                        self.event(&format!("set {name}"), vec![held], &format!("{name} is set"));
                    }
                }
                self.object_mut(*id).fields.insert(field, value.clone());
                Ok(value)
            }
            Value::Unknown(_) => Ok(value),
            _ => self.unknown_call("a field of what is not known is assigned", &[], ty),
        }
    }
}

//! Assignments: evaluates the target, then the value, then writes (JLS §15.26); `++` and `op=` evaluate the target
//! once.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::{Code, Link};
use crate::interpret::values::arith;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Type, Value};
use crate::ir::body::{BinaryOp, ExprId, ExprKind};
use crate::ir::ids::MemberId;

/// The target of an assignment, evaluated once.
enum AssignmentTarget {
    /// A variable.
    Local(u32),
    /// A static field.
    Static(MemberId),
    /// A field of an object.
    Member(Value, MemberId),
    /// A field that the object's class does not declare.
    Undeclared(Value, Rc<str>),
    /// An element of an array.
    Element(Value, Value),
    /// A target that is not supported.
    Other,
}

impl Machine<'_> {
    fn place(&mut self, code: &Code, target: ExprId) -> Eval<AssignmentTarget> {
        Ok(match (&code.body.expr(target).kind, code.link(target)) {
            (_, Link::Local(slot)) => AssignmentTarget::Local(*slot),
            (ExprKind::Name(_), Link::Field(field)) => AssignmentTarget::Member(self.this_for(field.ty), *field),
            (ExprKind::Name(_), Link::Static(field)) => AssignmentTarget::Static(*field),
            (ExprKind::Name(name), Link::Plain) => match self.frames.last().and_then(|frame| frame.this.clone()) {
                Some(this) if self.inherits_fields(&this) => {
                    AssignmentTarget::Undeclared(this, Rc::from(name.as_str()))
                }
                _ => AssignmentTarget::Other,
            },
            (ExprKind::Field { target: object, name }, link) => {
                if matches!(code.link(*object), Link::Type(_)) {
                    return Ok(match link {
                        Link::Static(field) => AssignmentTarget::Static(*field),
                        _ => AssignmentTarget::Other,
                    });
                }
                let object = self.eval(code, *object)?;
                match link {
                    Link::Static(field) => AssignmentTarget::Static(*field),
                    Link::Field(field) => AssignmentTarget::Member(object, *field),
                    _ => match self.class_of(&object) {
                        Some(ClassRef::Project(ty)) => match self.only_field(ty, name) {
                            Some(field) => AssignmentTarget::Member(object, field),
                            None => AssignmentTarget::Undeclared(object, Rc::from(name.as_str())),
                        },
                        _ => AssignmentTarget::Undeclared(object, Rc::from(name.as_str())),
                    },
                }
            }
            (ExprKind::Index { target: array, index }, _) => {
                let (array, index) = (self.eval(code, *array)?, self.eval(code, *index)?);
                AssignmentTarget::Element(array, index)
            }
            _ => AssignmentTarget::Other,
        })
    }

    fn read_place(&mut self, place: &AssignmentTarget) -> Eval {
        match place {
            AssignmentTarget::Local(slot) => Ok(self.local(*slot)),
            AssignmentTarget::Static(field) => self.read_static(*field),
            AssignmentTarget::Member(object, field) => {
                self.not_null(object)?;
                self.read_member(object, *field)
            }
            AssignmentTarget::Element(array, index) => self.element(array, index),
            AssignmentTarget::Undeclared(object, name) if self.is_opaque() => self.read_field(object, name),
            AssignmentTarget::Undeclared(..) | AssignmentTarget::Other => {
                self.unknown_call("an assignment was not understood", &[], Type::Unknown)
            }
        }
    }

    fn write_place(&mut self, code: &Code, place: AssignmentTarget, value: Value) -> Eval {
        match place {
            AssignmentTarget::Local(slot) => {
                let value = match code.locals.get(slot as usize) {
                    Some(ty) => self.assigned(value, ty)?,
                    None => value,
                };
                self.set_local(slot, value.clone());
                Ok(value)
            }
            AssignmentTarget::Static(field) => self.write_member(&Value::NULL, field, value),
            AssignmentTarget::Member(object, field) => {
                self.not_null(&object)?;
                self.write_member(&object, field, value)
            }
            AssignmentTarget::Element(array, index) => self.set_element(&array, &index, value),
            AssignmentTarget::Undeclared(object, name) if self.is_opaque() => {
                self.write_undeclared(&object, &name, value)
            }
            AssignmentTarget::Undeclared(..) | AssignmentTarget::Other => {
                self.unknown_call("an assignment was not understood", &[value], Type::Unknown)
            }
        }
    }

    /// The assignment conversion of a value to a variable's type; unboxing `null` throws.
    pub fn assigned(&mut self, value: Value, ty: &Type) -> Eval {
        if let Type::Prim(prim) = ty {
            if let Value::Scalar(scalar) = &value
                && scalar.prim() == Some(*prim)
            {
                return Ok(value);
            }
            self.not_null(&value)?;
            self.unboxes(&value);
        }
        Ok(self.convert(value, ty))
    }

    /// `target = value`.
    pub fn assign(&mut self, code: &Code, target: ExprId, value: ExprId) -> Eval {
        let place = self.place(code, target)?;
        let value = self.eval(code, value)?;
        self.write_place(code, place, value)
    }

    /// `target op= value`: the result is cast back to the target's type (JLS §15.26.2).
    pub fn assign_by(&mut self, code: &Code, op: BinaryOp, target: ExprId, value: ExprId) -> Eval {
        let place = self.place(code, target)?;
        let old = self.read_place(&place)?;
        let value = self.eval(code, value)?;
        if let (AssignmentTarget::Local(slot), Value::Scalar(Scalar::Int(x)), Value::Scalar(Scalar::Int(y))) =
            (&place, &old, &value)
            && let Some(new @ Scalar::Int(_)) = arith::ints(op, *x, *y)
        {
            let new = Value::Scalar(new);
            self.set_local(*slot, new.clone());
            return Ok(new);
        }
        let declared = crate::interpret::values::types::known_type(code.resolved.ty(target));
        let new = if op == BinaryOp::Add && declared == Type::Str {
            self.concat(&old, &value)?
        } else {
            self.binary(op, old.clone(), value)?
        };
        let new = match (&declared, old.prim()) {
            (Type::Prim(prim) | Type::Boxed(prim), _) => self.convert(new, &Type::Prim(*prim)),
            (_, Some(prim)) => self.convert(new, &Type::Prim(prim)),
            _ => new,
        };
        self.write_place(code, place, new)
    }

    /// `x++`, `--x`.
    pub fn step_by_one(&mut self, code: &Code, increment: bool, prefix: bool, target: ExprId) -> Eval {
        if let Link::Local(slot) = code.link(target)
            && let Some(place) = self.frames.last_mut().and_then(|frame| frame.slots.get_mut(*slot as usize))
            && let Value::Scalar(Scalar::Int(x)) = place
        {
            let old = *x;
            let new = if increment { old.wrapping_add(1) } else { old.wrapping_sub(1) };
            *x = new;
            return Ok(Value::int(if prefix { new } else { old }));
        }
        let place = self.place(code, target)?;
        let old = self.read_place(&place)?;
        self.not_null(&old)?;
        let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
        let new = self.binary(op, old.clone(), Value::int(1))?;
        let prim = match crate::interpret::values::types::known_type(code.resolved.ty(target)) {
            Type::Prim(prim) | Type::Boxed(prim) => Some(prim),
            _ => old.prim(),
        };
        let new = match prim {
            Some(prim) if prim != Prim::Bool => self.convert(new, &Type::Prim(prim)),
            _ => new,
        };
        let new = self.write_place(code, place, new)?;
        Ok(if prefix { new } else { old })
    }
}

//! Evaluates names: variables of enclosing bodies, fields, and enclosing objects.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::{Code, Link};
use crate::interpret::linking::link;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::term::{Opaque, Origin, Sort, Term};
use crate::interpret::values::value::{Captured, Kind, Type, Unknown, Value};
use crate::ir::body::ExprId;
use crate::ir::calls::Target;
use crate::ir::facts::{MemberKind, Nesting};
use crate::ir::ids::{MemberId, TypeId};

impl Machine<'_> {
    /// The value of a simple name that is neither a variable of the body nor a constant.
    pub fn name(&mut self, code: &Code, id: ExprId, name: &str) -> Eval {
        match code.link(id) {
            Link::Static(field) => self.read_static(*field),
            Link::Field(field) => {
                let this = self.this_for(field.ty);
                self.read_member(&this, *field)
            }
            Link::Captured => self.captured(code.member.ty, name),
            Link::Library { ty, name } => Ok(self.library_constant(ty, name)),
            _ => {
                if let Some(Target::Type(_)) = code.resolved.targets.get(&id) {
                    return self.unknown_call(&format!("{name} stands for a class"), &[], Type::Unknown);
                }
                let this = self.frames.last().and_then(|frame| frame.this.clone());
                match this {
                    Some(this @ Value::Ref(id))
                        if self.is_opaque() && self.inherits_fields(&this) && !self.imports_names(code.member.ty) =>
                    {
                        Ok(self.inherited_field(id, name))
                    }
                    _ => self.unknown_call(&format!("{name} is not resolved"), &[], Type::Unknown),
                }
            }
        }
    }

    fn library_constant(&mut self, ty: &str, name: &str) -> Value {
        match crate::interpret::library::constant(self, ty, name) {
            Some(value) => value,
            None if self.is_opaque() => {
                let class = ty.rsplit('.').next().unwrap_or(ty);
                let (callee, words) = (format!("{ty}.{name}"), format!("{class}.{name}"));
                // By convention only constants are named in capitals.
                if name.chars().any(char::is_lowercase) {
                    return self.given_as(&callee, &words, Type::Unknown);
                }
                let constant = Opaque::new(Origin::Constant, &callee, Vec::new(), Sort::Object, &words);
                Value::symbol(Term::Opaque(Rc::new(constant)), Type::Unknown, false)
            }
            None => self.unknown(&format!("{ty}.{name} is not modelled"), Type::Unknown),
        }
    }

    /// A variable of a body that encloses the class `scope`, or encloses an outer class.
    fn captured(&mut self, scope: TypeId, name: &str) -> Eval {
        let mut this = self.frames.last().and_then(|frame| frame.this.clone());
        let mut scope = Some(scope);
        for _ in 0..64 {
            let Some(at) = scope else { break };
            let Some(around) = self.around(this.as_ref(), at) else { break };
            if let Some(code) = &around.code
                && matches!(self.project.ty(at).nesting, Nesting::Local | Nesting::Anonymous)
                && let Some(variables) = code.resolved.captures.get(&self.project.place_of(at))
                && let Some(variable) = variables.iter().rfind(|variable| variable.name == name)
                && let Some(slot) = variable.slot
                && let Some(value) = around.slots.get(slot as usize)
            {
                return Ok(value.clone());
            }
            this.clone_from(&around.this);
            scope = self.project.outer(at);
        }
        self.unknown_call(&format!("{name} is not resolved"), &[], Type::Unknown)
    }

    /// The surroundings that an object captured for its class `scope`.
    pub fn around(&self, this: Option<&Value>, scope: TypeId) -> Option<Rc<Captured>> {
        let Some(Value::Ref(id)) = this else { return None };
        let held = &self.object(*id).captured;
        held.iter().find(|(ty, _)| *ty == scope).map(|(_, captured)| captured.clone())
    }

    /// `this`, or the enclosing object whose class has the members of `owner`.
    pub fn this_for(&mut self, owner: TypeId) -> Value {
        let Some(frame) = self.frames.last() else { return Value::NULL };
        let mut scope = Some(frame.code.member.ty);
        let mut this = frame.this.clone();
        while let Some(at) = scope {
            if at == owner || self.codes.resolver.types.is_subtype(at, owner) {
                return this.unwrap_or_else(|| self.object_around(at));
            }
            this = self.around(this.as_ref(), at).and_then(|around| around.this.clone());
            scope = self.project.outer(at);
        }
        Value::unknown("the object around an inner one is not known", Type::Unknown)
    }

    /// `Outer.this`.
    pub fn this_of(&mut self, outer: TypeId) -> Value {
        let Some(frame) = self.frames.last() else { return Value::NULL };
        let mut scope = Some(frame.code.member.ty);
        let mut this = frame.this.clone();
        while let Some(at) = scope {
            if at == outer {
                return this.unwrap_or_else(|| self.object_around(at));
            }
            this = self.around(this.as_ref(), at).and_then(|around| around.this.clone());
            scope = self.project.outer(at);
        }
        Value::unknown("the object around an inner one is not known", Type::Unknown)
    }

    /// Whether a member is static, explicitly or as a member of an interface or enum.
    pub fn is_static(&self, member: MemberId) -> bool {
        link::is_static(self.project, member)
    }

    /// Display name of a project type.
    pub fn simple_name(&self, ty: TypeId) -> String {
        link::simple_name(self.project, ty)
    }

    /// The field with this name in a type or its supertypes.
    pub fn field_in(&self, ty: TypeId, name: &str) -> Option<MemberId> {
        let own = |ty: TypeId| {
            self.project.members(ty).find(|member| {
                let facts = self.project.member(*member);
                facts.name == name
                    && matches!(facts.kind, MemberKind::Field | MemberKind::EnumConstant | MemberKind::RecordComponent)
            })
        };
        own(ty).or_else(|| self.project.all_supers(ty).into_iter().find_map(own))
    }

    /// The field with this name, if a type and its supertypes declare exactly one.
    pub fn only_field(&self, ty: TypeId, name: &str) -> Option<MemberId> {
        let types = std::iter::once(ty).chain(self.project.all_supers(ty));
        let mut found = types.filter_map(|ty| self.project.own_field(ty, name));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// `target.name`.
    pub fn field_access(&mut self, code: &Code, id: ExprId, target: ExprId, name: &str) -> Eval {
        match code.link(id) {
            Link::Library { ty, name } => return Ok(self.library_constant(ty, name)),
            Link::Static(field) => {
                if !matches!(code.link(target), Link::Type(_)) {
                    self.eval(code, target)?;
                }
                return self.read_static(*field);
            }
            Link::Field(field) => {
                let value = self.eval(code, target)?;
                self.not_null(&value)?;
                return self.read_member(&value, *field);
            }
            Link::Type(_) => return self.unknown_call(&format!("{name} stands for a class"), &[], Type::Unknown),
            _ => {}
        }
        if let Link::Type(_) = code.link(target) {
            return self.unknown_call(&format!("{name} is not resolved"), &[], Type::Unknown);
        }
        let value = self.eval(code, target)?;
        self.read_field(&value, name)
    }

    /// Reads a field of a value by name.
    pub fn read_field(&mut self, value: &Value, name: &str) -> Eval {
        self.not_null(value)?;
        if self.is_opaque_value(value) {
            return self.field_of_opaque(value, name);
        }
        match value {
            Value::Ref(id) => {
                let class = self.object(*id).class.clone();
                match (&self.object(*id).kind, &class) {
                    (Kind::List { items, .. }, _) if name == "length" => {
                        let length = items.len();
                        Ok(Value::int(i32::try_from(length).unwrap_or(i32::MAX)))
                    }
                    (_, ClassRef::Project(ty)) => match self.only_field(*ty, name) {
                        Some(field) => self.read_member(value, field),
                        None if self.is_opaque() && self.inherits_fields(value) => Ok(self.inherited_field(*id, name)),
                        None => self.unknown_call(
                            &format!("the field {name} is inherited from a library"),
                            &[],
                            Type::Unknown,
                        ),
                    },
                    _ if let Some(written) = self.object(*id).inherited.get(name) => Ok(written.clone()),
                    _ => match crate::interpret::library::field(self, value, name) {
                        Some(field) => Ok(field),
                        None => self.unknown_call(&format!("the field {name} is not known"), &[], Type::Unknown),
                    },
                }
            }
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), _)) => match self.only_field(*ty, name) {
                Some(field) => self.read_member(value, field),
                None => self.unknown_call(&format!("the field {name} is not known"), &[], Type::Unknown),
            },
            Value::Symbol(symbol) if matches!(symbol.ty, Type::Class(ClassRef::Project(_), _)) => {
                let constant = self.pick_constant(value)?;
                match constant {
                    Value::Scalar(_) => self.read_field(&constant, name),
                    _ => self.unknown_call(&format!("the field {name} is not known"), &[], Type::Unknown),
                }
            }
            Value::Unknown(unknown) => {
                let ty = match unknown.ty.project().and_then(|ty| self.only_field(ty, name)) {
                    Some(field) => self.field_type(field),
                    None => Type::Unknown,
                };
                let reasons = unknown.reasons.clone();
                let why: Vec<&str> = reasons.iter().map(AsRef::as_ref).collect();
                self.may_throw(&format!("{}: may be null", why.join("; ")))?;
                Ok(Value::Unknown(Rc::new(Unknown { reasons, ty, present: false, ends: None })))
            }
            _ => self.unknown_call(&format!("the field {name} is not known"), &[], Type::Unknown),
        }
    }
}

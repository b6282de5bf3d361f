//! Names in a running body: variables, fields, types; reading and writing what they stand for.

use std::rc::Rc;

use super::condition::Cond;
use super::machine::{Eval, Machine};
use super::scalar::{ClassRef, Scalar};
use super::term::Term;
use super::value::{Kind, Type, Value};
use crate::java::body::{BinaryOp, Body, ExprId, ExprKind, Root};
use crate::java::facts::{MemberKind, Modifiers, TypeKind};
use crate::java::ids::{MemberId, TypeId};
use crate::java::named::{Named, StaticName};

impl Machine<'_> {
    /// The field, enum constant or component of this name in a type, its supertypes, or the types around it.
    pub fn find_field(&self, scope: TypeId, name: &str) -> Option<MemberId> {
        let mut at = Some(scope);
        while let Some(ty) = at {
            if let Some(found) = self.field_in(ty, name) {
                return Some(found);
            }
            at = self.outer(ty);
        }
        None
    }

    /// The field of this name in a type or its supertypes.
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

    /// The type around a type.
    pub fn outer(&self, ty: TypeId) -> Option<TypeId> {
        self.project.outer(ty)
    }

    /// The type that an expression names, where it is the name of one and of no variable.
    pub fn as_type(&self, body: &Body, id: ExprId) -> Option<Type> {
        let dotted = dotted(body, id)?;
        let first = dotted.split('.').next().unwrap_or_default();
        if self.is_variable(first) {
            return None;
        }
        match self.project.resolve(self.scope(), &dotted) {
            Named::Project(id) => Some(Type::Class(ClassRef::Project(id), Vec::new())),
            Named::Library(fqn) if fqn == "java.lang.String" => Some(Type::Str),
            Named::Library(fqn) => Some(match super::scalar::Prim::of_box(&fqn) {
                Some(prim) => Type::Boxed(prim),
                None => Type::Class(ClassRef::library(&fqn), Vec::new()),
            }),
            _ => None,
        }
    }

    fn is_variable(&self, name: &str) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        frame.locals.iter().any(|(local, ..)| **local == *name)
            || frame.captured.iter().any(|captured| captured.locals.iter().any(|(local, ..)| **local == *name))
            || self.find_field(frame.scope, name).is_some()
    }

    /// The value of a simple name.
    pub fn name(&mut self, name: &str) -> Eval {
        if let Some(frame) = self.frames.last() {
            if let Some((_, _, value)) = frame.locals.iter().rev().find(|(local, ..)| **local == *name) {
                return Ok(value.clone());
            }
            let captured = frame.captured.as_ref().and_then(|captured| {
                captured.locals.iter().rev().find(|(local, ..)| **local == *name).map(|(_, _, value)| value.clone())
            });
            let scope = frame.scope;
            if let Some(field) = self.find_field(scope, name) {
                let of_captured = captured.is_some() && self.field_in(scope, name).is_none();
                if !of_captured {
                    return self.read_own(field);
                }
            }
            if let Some(value) = captured {
                return Ok(value);
            }
            match self.project.resolve_static(scope, name).into_iter().next() {
                Some(StaticName::Member(field)) => return self.read_static(field),
                Some(StaticName::Library(path)) => {
                    let (class, name) = path.rsplit_once('.').unwrap_or(("", &path));
                    return Ok(super::library::constant(class, name)
                        .unwrap_or_else(|| Value::unknown(&format!("{path} is not modelled"), Type::Unknown)));
                }
                None => {}
            }
        }
        self.unknown_call(&format!("{name} is not resolved"), &[], Type::Unknown)
    }

    /// A field found by its simple name: static, of `this`, or of the object around.
    fn read_own(&mut self, field: MemberId) -> Eval {
        if self.is_static(field) {
            return self.read_static(field);
        }
        let this = self.this_for(field.ty);
        self.read_member(&this, field)
    }

    /// `this`, or the object around it whose class has members of `owner`.
    pub fn this_for(&mut self, owner: TypeId) -> Value {
        let Some(frame) = self.frames.last() else { return Value::NULL };
        let mut this = frame.this.clone();
        let mut captured = frame.captured.clone();
        let fits = |scope: TypeId| scope == owner || self.project.all_supers(scope).contains(&owner);
        let mut scope = Some(frame.scope);
        while let Some(at) = scope {
            if fits(at) {
                return this.unwrap_or_else(|| Value::unknown("there is no object here", Type::Unknown));
            }
            this = captured.as_ref().and_then(|captured| captured.this.clone());
            captured = match &this {
                Some(Value::Ref(id)) => self.object(*id).captured.clone(),
                _ => None,
            };
            scope = self.outer(at);
        }
        Value::unknown("the object around an inner one is not known", Type::Unknown)
    }

    /// Whether a member is static (also where an interface or enum makes it so).
    pub fn is_static(&self, member: MemberId) -> bool {
        let facts = self.project.member(member);
        facts.kind == MemberKind::EnumConstant
            || facts.modifiers.has(Modifiers::STATIC)
            || (facts.kind == MemberKind::Field
                && matches!(self.project.ty(member.ty).kind, TypeKind::Interface | TypeKind::Annotation))
    }

    /// `target.name`.
    pub fn field_access(&mut self, body: &Body, target: ExprId, name: &str) -> Eval {
        if let Some(class) = self.as_type(body, target) {
            return match &class {
                Type::Class(ClassRef::Project(id), _) => match self.field_in(*id, name) {
                    Some(field) => self.read_static(field),
                    None => self.unknown_call(&format!("{name} is not resolved"), &[], Type::Unknown),
                },
                other => {
                    let fqn = match other {
                        Type::Boxed(prim) => format!("java.lang.{}", prim.box_name()),
                        other => other.library().unwrap_or_default().to_owned(),
                    };
                    Ok(super::library::constant(&fqn, name)
                        .unwrap_or_else(|| Value::unknown(&format!("{fqn}.{name} is not modelled"), Type::Unknown)))
                }
            };
        }
        let value = self.eval(body, target)?;
        self.read_field(&value, name)
    }

    /// A field of a value, by name.
    pub fn read_field(&mut self, value: &Value, name: &str) -> Eval {
        self.not_null(value)?;
        match value {
            Value::Ref(id) => {
                let class = self.object(*id).class.clone();
                match (&self.object(*id).kind, &class) {
                    (Kind::List { items, .. }, _) if name == "length" => {
                        let length = items.len();
                        Ok(Value::int(i32::try_from(length).unwrap_or(i32::MAX)))
                    }
                    (_, ClassRef::Project(ty)) => match self.field_in(*ty, name) {
                        Some(field) => self.read_member(value, field),
                        None => self.unknown_call(
                            &format!("the field {name} is inherited from a library"),
                            &[],
                            Type::Unknown,
                        ),
                    },
                    _ => self.unknown_call(&format!("the field {name} is not known"), &[], Type::Unknown),
                }
            }
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), _)) => match self.field_in(*ty, name) {
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
                let ty = match unknown.ty.project().and_then(|ty| self.field_in(ty, name)) {
                    Some(field) => self.field_type(field),
                    None => Type::Unknown,
                };
                let reasons = unknown.reasons.clone();
                let why: Vec<&str> = reasons.iter().map(AsRef::as_ref).collect();
                self.may_throw(&format!("{}: may be null", why.join("; ")))?;
                Ok(Value::Unknown(Rc::new(super::value::Unknown { reasons, ty })))
            }
            _ => self.unknown_call(&format!("the field {name} is not known"), &[], Type::Unknown),
        }
    }

    /// Declared type of a field.
    pub fn field_type(&self, field: MemberId) -> Type {
        match &self.project.member(field).ty {
            Some(ty) => self.type_of(field.ty, ty),
            None => Type::Class(ClassRef::Project(field.ty), Vec::new()),
        }
    }

    /// A field of an object, declared in the project.
    pub fn read_member(&mut self, object: &Value, field: MemberId) -> Eval {
        if self.is_static(field) {
            return self.read_static(field);
        }
        let id = match object {
            Value::Ref(id) => *id,
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name)) => self.enum_object(*ty, &name.clone())?,
            Value::Symbol(_) => {
                let constant = self.pick_constant(object)?;
                if matches!(constant, Value::Scalar(Scalar::Enum(..))) {
                    return self.read_member(&constant, field);
                }
                return self.unknown_call("a field of a value of the request", &[], self.field_type(field));
            }
            Value::Unknown(unknown) => {
                let ty = self.field_type(field);
                return Ok(Value::Unknown(Rc::new(super::value::Unknown { reasons: unknown.reasons.clone(), ty })));
            }
            _ => return self.unknown_call("a field of an object that is not known", &[], self.field_type(field)),
        };
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
            (_, Some(value)) => Ok(value),
            (Kind::Body(input), None) => {
                let input = input.clone();
                let value = self.body_field(&input, field, &ty);
                self.object_mut(id).fields.insert(field, value.clone());
                Ok(value)
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

    /// Name of a project type for people.
    pub fn simple_name(&self, ty: TypeId) -> String {
        self.project.fqn(ty).rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// A static field or enum constant.
    pub fn read_static(&mut self, field: MemberId) -> Eval {
        let facts = self.project.member(field);
        if facts.kind == MemberKind::EnumConstant {
            return Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(field.ty), Rc::from(facts.name.as_str()))));
        }
        if let Some(value) = self.statics.get(&field) {
            return Ok(value.clone());
        }
        let ty = self.field_type(field);
        let name = format!("{}.{}", self.simple_name(field.ty), facts.name);
        let settled = facts.modifiers.has(Modifiers::FINAL) || self.project.ty(field.ty).kind == TypeKind::Interface;
        if !settled && self.is_assigned(field) {
            return Ok(self.unknown(&format!("{name} changes while the service runs"), ty));
        }
        self.members.insert(field);
        let Some(body) = self.project.body(field) else {
            return Ok(self.unknown(&format!("{name} is set in a static block"), ty));
        };
        let Some(Root::Expr(root)) = body.root else {
            return Ok(self.unknown(&format!("{name} has no initialiser"), ty));
        };
        // Cyclic initialisers see the default.
        self.statics.insert(
            field,
            match &ty {
                Type::Prim(prim) => Value::Scalar(prim.zero()),
                _ => Value::NULL,
            },
        );
        let value = self.quietly(|machine| {
            machine.within(field, body.clone(), None, |machine| {
                let value = machine.eval(&body, root)?;
                Ok(machine.convert(value, &ty))
            })
        })?;
        let value = match value {
            Some(value) => self.kept(value, field, &name),
            None => self.unknown(&format!("{name} could not be initialised"), ty),
        };
        self.statics.insert(field, value.clone());
        Ok(value)
    }

    /// A value that lives longer than a request: what may change in it meanwhile is not known.
    pub fn kept(&mut self, value: Value, field: MemberId, name: &str) -> Value {
        if let Value::Ref(id) = &value {
            let frozen = match &self.object(*id).kind {
                Kind::List { fixed, .. } => {
                    *fixed || (self.object(*id).class == ClassRef::library("array") && !self.is_index_assigned(field))
                }
                Kind::Bean => true,
                Kind::Native(native) => native.is_frozen(),
                Kind::Modelled => false,
                _ => false,
            };
            let pure = match &self.object(*id).class {
                ClassRef::Project(ty) => self.is_immutable(*ty),
                ClassRef::Library(_) => false,
            };
            if !frozen && !pure {
                self.escape(&value, &format!("{name} may change between requests"));
            }
        }
        value
    }

    /// Whether all fields of a class are final, of types that do not change.
    fn is_immutable(&self, ty: TypeId) -> bool {
        self.project.members(ty).all(|member| {
            let facts = self.project.member(member);
            match facts.kind {
                MemberKind::Field if !self.is_static(member) => {
                    facts.modifiers.has(Modifiers::FINAL)
                        && matches!(self.field_type(member), Type::Prim(_) | Type::Boxed(_) | Type::Str)
                }
                MemberKind::RecordComponent => {
                    matches!(self.field_type(member), Type::Prim(_) | Type::Boxed(_) | Type::Str)
                }
                _ => true,
            }
        })
    }

    /// Whether some body of the file assigns to a variable of the field's name, outside its initialiser. A field that other files can see
    /// counts as assigned.
    pub fn is_assigned(&self, field: MemberId) -> bool {
        let facts = self.project.member(field);
        !facts.modifiers.has(Modifiers::PRIVATE) || self.assigns(field, false)
    }

    fn is_index_assigned(&self, field: MemberId) -> bool {
        self.assigns(field, true)
    }

    fn assigns(&self, field: MemberId, indexed: bool) -> bool {
        !self.assigning(field, indexed).is_empty()
    }

    /// Members of the field's file that assign to a variable of its name.
    pub fn assigning_members(&self, field: MemberId) -> Vec<MemberId> {
        self.assigning(field, false)
    }

    fn assigning(&self, field: MemberId, indexed: bool) -> Vec<MemberId> {
        let name = self.project.member(field).name.as_str();
        let file = self.project.file_of(field.ty);
        let named = |body: &Body, id: ExprId| match &body.expr(id).kind {
            ExprKind::Name(n) => n == name,
            ExprKind::Field { name: n, .. } => n == name,
            _ => false,
        };
        let assigns = |member: &MemberId| {
            self.project.body(*member).is_some_and(|body| {
                body.exprs.iter().any(|expr| match &expr.kind {
                    ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => match &body.expr(*target).kind
                    {
                        ExprKind::Index { target, .. } => indexed && named(&body, *target),
                        _ => !indexed && named(&body, *target),
                    },
                    _ => false,
                })
            })
        };
        let mut found = Vec::new();
        for ty in self.project.types_of(file) {
            found.extend(self.project.members(ty).filter(|member| *member != field).filter(assigns));
        }
        found
    }

    /// `target = value`, `target op= value`.
    pub fn assign(&mut self, body: &Body, op: Option<BinaryOp>, target: ExprId, value: ExprId) -> Eval {
        let value = match op {
            None => self.eval(body, value)?,
            Some(op) => {
                let old = self.eval(body, target)?;
                let value = self.eval(body, value)?;
                let new = self.binary(op, old.clone(), value)?;
                // A compound assignment casts back (JLS §15.26.2).
                match old.prim() {
                    Some(prim) => self.convert(new, &Type::Prim(prim)),
                    None => new,
                }
            }
        };
        self.store(body, target, value)
    }

    /// Writes a value to what an expression names.
    pub fn store(&mut self, body: &Body, target: ExprId, value: Value) -> Eval {
        match &body.expr(target).kind {
            ExprKind::Name(name) => {
                if let Some(frame) = self.frames.last() {
                    if let Some(at) = frame.locals.iter().rposition(|(local, ..)| **local == **name) {
                        let ty = frame.locals[at].1.clone();
                        let value = self.convert(value, &ty);
                        if let Some(frame) = self.frames.last_mut() {
                            frame.locals[at].2 = value.clone();
                        }
                        return Ok(value);
                    }
                    if let Some(field) = self.find_field(frame.scope, name) {
                        let this = self.this_for(field.ty);
                        return self.write_member(&this, field, value);
                    }
                }
                self.unknown_call(&format!("{name} is not resolved"), &[], Type::Unknown)
            }
            ExprKind::Field { target: object, name } => {
                if let Some(class) = self.as_type(body, *object) {
                    return match class.project().and_then(|ty| self.field_in(ty, name)) {
                        Some(field) => self.write_member(&Value::NULL, field, value),
                        None => self.unknown_call(&format!("{name} is not resolved"), &[], Type::Unknown),
                    };
                }
                let object = self.eval(body, *object)?;
                self.not_null(&object)?;
                let class = match &object {
                    Value::Ref(id) => match self.object(*id).class {
                        ClassRef::Project(ty) => Some(ty),
                        ClassRef::Library(_) => None,
                    },
                    _ => None,
                };
                match class.and_then(|ty| self.field_in(ty, name)) {
                    Some(field) => self.write_member(&object, field, value),
                    None => {
                        self.unknown_call(&format!("{name} is assigned on what is not known"), &[value], Type::Unknown)
                    }
                }
            }
            ExprKind::Index { target, index } => {
                let (array, index) = (self.eval(body, *target)?, self.eval(body, *index)?);
                self.not_null(&array)?;
                let at = index.scalar().and_then(Scalar::as_int);
                if let (Value::Ref(id), Some(at)) = (&array, at)
                    && let Kind::List { items, .. } = &mut self.object_mut(*id).kind
                {
                    let length = items.len();
                    if let Some(slot) = usize::try_from(at).ok().and_then(|at| items.get_mut(at)) {
                        *slot = value.clone();
                        return Ok(value);
                    }
                    let message = format!("Index {at} out of bounds for length {length}");
                    return Err(self.throw("java.lang.ArrayIndexOutOfBoundsException", Value::text(&message)));
                }
                self.unknown_call("an element is assigned that is not known", &[array, value], Type::Unknown)
            }
            _ => self.unknown_call("an assignment was not understood", &[value], Type::Unknown),
        }
    }

    /// Writes a field declared in the project.
    pub fn write_member(&mut self, object: &Value, field: MemberId, value: Value) -> Eval {
        let ty = self.field_type(field);
        let value = self.convert(value, &ty);
        if self.is_static(field) {
            let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(field).name);
            self.effects.push(Rc::from(format!("{name} is set")));
            self.statics.insert(field, value.clone());
            return Ok(value);
        }
        match object {
            Value::Ref(id) => {
                if matches!(self.object(*id).kind, Kind::Bean) {
                    let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(field).name);
                    self.effects.push(Rc::from(format!("{name} is set")));
                }
                self.object_mut(*id).fields.insert(field, value.clone());
                Ok(value)
            }
            Value::Unknown(_) => Ok(value),
            _ => self.unknown_call("a field of what is not known is assigned", &[], ty),
        }
    }

    /// The constant that a symbolic enum value is: one path for each, and one for null where that may be.
    pub fn pick_constant(&mut self, value: &Value) -> Eval {
        let Value::Symbol(symbol) = value else { return Ok(value.clone()) };
        let Type::Class(ClassRef::Project(ty), _) = &symbol.ty else { return Ok(value.clone()) };
        if self.project.ty(*ty).kind != TypeKind::Enum {
            return Ok(value.clone());
        }
        self.not_null(value)?;
        let constants = self.enum_constants(*ty);
        let site = self.here();
        for (index, name) in constants.iter().enumerate() {
            let constant = Scalar::Enum(ClassRef::Project(*ty), name.clone());
            let cond = Cond::Same(symbol.term.clone(), Rc::new(Term::Const(constant.clone())));
            if index + 1 == constants.len() || self.decide(cond, site)? {
                return Ok(Value::Scalar(constant));
            }
        }
        Ok(value.clone())
    }

    /// Names of an enum's constants, in order.
    pub fn enum_constants(&self, ty: TypeId) -> Vec<Rc<str>> {
        enum_constants(self.project, ty)
    }
}

/// Names of an enum's constants, in order.
pub fn enum_constants(project: &crate::java::project::Project, ty: TypeId) -> Vec<Rc<str>> {
    project
        .members(ty)
        .map(|member| project.member(member))
        .filter(|facts| facts.kind == MemberKind::EnumConstant)
        .map(|facts| Rc::from(facts.name.as_str()))
        .collect()
}

/// `a.b.c` where an expression is a name or a chain of fields over one.
pub fn dotted(body: &Body, id: ExprId) -> Option<String> {
    match &body.expr(id).kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Field { target, name } => Some(format!("{}.{name}", dotted(body, *target)?)),
        _ => None,
    }
}

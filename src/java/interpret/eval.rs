//! Expressions: what they evaluate to on one path.

use std::rc::Rc;

use super::machine::{Eval, Machine};
use super::path::Site;
use super::scalar::Scalar;
use super::value::{Captured, Kind, Lambda, LambdaCode, Object, Type, Value};
use crate::java::body::{BinaryOp, Body, ExprId, ExprKind, Lit, Pattern};
use crate::java::facts::{Span, TypeRef};

impl Machine<'_> {
    /// The value of an expression of the running body.
    pub fn eval(&mut self, body: &Body, id: ExprId) -> Eval {
        self.step()?;
        let expr = body.expr(id);

        match &expr.kind {
            ExprKind::Lit(lit) => Ok(literal(lit)),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Field { target, name } => self.field_access(body, *target, name),
            ExprKind::Index { target, index } => {
                let (target, index) = (self.eval(body, *target)?, self.eval(body, *index)?);
                self.element(&target, &index)
            }
            ExprKind::Call { .. } => self.call(body, id),
            ExprKind::New { ty, args, anonymous, .. } => {
                let args = self.eval_all(body, args)?;
                self.construct(body, id, ty, args, *anonymous)
            }
            ExprKind::NewArray { ty, lengths, init } => self.new_array(body, ty, lengths, *init),
            ExprKind::ArrayInit(items) => {
                let items = self.eval_all(body, items)?;
                Ok(self.list(items, "array"))
            }
            ExprKind::Unary { op, operand } => {
                let value = self.eval(body, *operand)?;
                self.unary(*op, value)
            }
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right } => {
                let value = self.eval(body, *left)?;
                let site = self.at(body.expr(*left).span);
                if self.truth(&value, site)? == (*op == BinaryOp::Or) {
                    return Ok(Value::bool(*op == BinaryOp::Or));
                }
                self.eval(body, *right)
            }
            ExprKind::Binary { op, left, right } => {
                let (a, b) = (self.eval(body, *left)?, self.eval(body, *right)?);
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    let boxed = (self.is_boxed(body, *left), self.is_boxed(body, *right));
                    let same = self.same(a, b, boxed)?;
                    return if *op == BinaryOp::Eq {
                        Ok(same)
                    } else {
                        self.unary(crate::java::body::UnaryOp::Not, same)
                    };
                }
                self.binary(*op, a, b)
            }
            ExprKind::Assign { op, target, value } => self.assign(body, *op, *target, *value),
            ExprKind::IncDec { increment, prefix, target } => {
                let old = self.eval(body, *target)?;
                let op = if *increment { BinaryOp::Add } else { BinaryOp::Sub };
                let new = self.binary(op, old.clone(), Value::int(1))?;
                let new = match old.prim() {
                    Some(prim) => self.convert(new, &Type::Prim(prim)),
                    None => new,
                };
                self.store(body, *target, new.clone())?;
                Ok(if *prefix { new } else { old })
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let value = self.eval(body, *condition)?;
                let site = self.at(body.expr(*condition).span);
                let holds = self.truth(&value, site)?;
                let value = self.eval(body, if holds { *then } else { *otherwise })?;
                self.conditional_type(body, *then, *otherwise, value)
            }
            ExprKind::Cast { ty, operand } => {
                let value = self.eval(body, *operand)?;
                self.cast(ty, value)
            }
            ExprKind::InstanceOf { operand, pattern } => {
                let value = self.eval(body, *operand)?;
                self.matches_pattern(&value, pattern)
            }
            ExprKind::Lambda { params, body: code } => {
                let code = LambdaCode::Lambda { params: params.clone(), body: *code };
                Ok(self.lambda(id, code))
            }
            ExprKind::MethodRef { target, ty, name } => self.method_ref(body, id, *target, ty.as_ref(), name),
            ExprKind::Switch { selector, arms } => self.switch_value(body, *selector, arms),
            ExprKind::This(outer) => Ok(self.this(outer.as_deref())),
            ExprKind::Super(_) => Ok(self.this(None)),
            ExprKind::ClassLit(ty) => Ok(Value::Class(self.type_of(self.scope(), ty))),
            ExprKind::Unknown(kind) => self.unknown_call(&format!("{kind} is not understood"), &[], Type::Unknown),
        }
    }

    /// Several expressions, in order.
    pub fn eval_all(&mut self, body: &Body, ids: &[ExprId]) -> Eval<Vec<Value>> {
        ids.iter().map(|id| self.eval(body, *id)).collect()
    }

    /// A place in the running member.
    pub fn at(&self, span: Span) -> Site {
        let member = self
            .frames
            .last()
            .map_or(crate::java::ids::MemberId { ty: crate::java::ids::TypeId(0), index: 0 }, |frame| frame.member);
        Site { member, span }
    }

    /// The type in whose scope the running body looks names up.
    pub fn scope(&self) -> crate::java::ids::TypeId {
        self.frames.last().map_or(crate::java::ids::TypeId(0), |frame| frame.scope)
    }

    /// `this`, or `Outer.this`.
    pub fn this(&mut self, outer: Option<&str>) -> Value {
        let frame = self.frames.last();
        let this = frame.and_then(|frame| frame.this.clone());
        if let Some(outer) = outer
            && let Some(frame) = frame
            && let crate::java::named::Named::Project(wanted) = self.project.resolve(frame.scope, outer)
            && wanted != frame.scope
        {
            return match &frame.captured {
                Some(captured) => captured.this.clone(),
                None => None,
            }
            .unwrap_or_else(|| Value::unknown("the object around an inner one is not known", Type::Unknown));
        }
        this.unwrap_or_else(|| Value::unknown("there is no object here", Type::Unknown))
    }

    /// A new list or array.
    pub fn list(&mut self, items: Vec<Value>, class: &str) -> Value {
        let fixed = class == "fixed";
        let fqn = match class {
            "array" => "array",
            "fixed" | "list" => "java.util.List",
            other => other,
        };
        Value::Ref(self.allocate(Object::new(super::scalar::ClassRef::library(fqn), Kind::List { items, fixed })))
    }

    fn new_array(&mut self, body: &Body, ty: &TypeRef, lengths: &[ExprId], init: Option<ExprId>) -> Eval {
        if let Some(init) = init {
            return self.eval(body, init);
        }
        let lengths = self.eval_all(body, lengths)?;
        let [length] = lengths.as_slice() else {
            return Ok(self.unknown("an array of several dimensions is not modelled", Type::Unknown));
        };
        let Some(length) = length.scalar().and_then(Scalar::as_int) else {
            return self.unknown_call("an array's length is not known", &[], Type::Unknown);
        };
        if length < 0 {
            return Err(self.throw("java.lang.NegativeArraySizeException", Value::text(&length.to_string())));
        }
        if length > 10_000 {
            return Ok(self.unknown("an array is too long", Type::Unknown));
        }
        let mut element = ty.clone();
        element.dims = element.dims.saturating_sub(1);
        let zero = match self.type_of(self.scope(), &element) {
            Type::Prim(prim) => Value::Scalar(prim.zero()),
            _ => Value::NULL,
        };
        Ok(self.list(vec![zero; length as usize], "array"))
    }

    /// `array[index]`.
    fn element(&mut self, target: &Value, index: &Value) -> Eval {
        self.not_null(target)?;
        let items = match target {
            Value::Ref(id) => match &self.object(*id).kind {
                Kind::List { items, .. } => Some(items.len()),
                _ => None,
            },
            _ => None,
        };
        match (items, index.scalar().and_then(Scalar::as_int)) {
            (Some(length), Some(at)) => match (usize::try_from(at).ok().filter(|at| *at < length), target) {
                (Some(at), Value::Ref(id)) => match &self.object(*id).kind {
                    Kind::List { items, .. } => Ok(items[at].clone()),
                    _ => Ok(Value::NULL),
                },
                _ => {
                    let message = format!("Index {at} out of bounds for length {length}");
                    Err(self.throw("java.lang.ArrayIndexOutOfBoundsException", Value::text(&message)))
                }
            },
            _ => self.unknown_call("an array's element is not known", &[], Type::Unknown),
        }
    }

    /// Both branches of `?:` are promoted to one numeric type where both are numbers (JLS §15.25.2).
    fn conditional_type(&mut self, body: &Body, then: ExprId, otherwise: ExprId, value: Value) -> Eval {
        let prims = (self.static_prim(body, then), self.static_prim(body, otherwise));
        Ok(match (value.prim(), prims) {
            (Some(_), (Some(a), Some(b))) if a != b => match super::arith::promoted(a, b) {
                // A constant that fits the narrower type keeps it; only the clear cases are converted.
                Some(prim @ (super::scalar::Prim::Long | super::scalar::Prim::Double)) => {
                    self.convert(value, &Type::Prim(prim))
                }
                _ => value,
            },
            _ => value,
        })
    }

    fn cast(&mut self, ty: &TypeRef, value: Value) -> Eval {
        let to = self.type_of(self.scope(), ty);
        match (&to, &value) {
            (Type::Prim(_), _) => {
                self.not_null(&value)?;
                Ok(self.convert(value, &to))
            }
            (_, Value::Scalar(Scalar::Null)) => Ok(value),
            _ => match self.is_instance(&value, &to) {
                Some(true) => Ok(value),
                Some(false) => {
                    Err(self.throw("java.lang.ClassCastException", Value::unknown("message of a cast", Type::Str)))
                }
                None => {
                    if !matches!(to, Type::Unknown) {
                        self.may_throw(&format!("a cast to {} is not decided", ty.name))?;
                    }
                    Ok(match value {
                        Value::Unknown(unknown) => {
                            Value::Unknown(Rc::new(super::value::Unknown { reasons: unknown.reasons.clone(), ty: to }))
                        }
                        other => other,
                    })
                }
            },
        }
    }

    /// `value instanceof pattern`, binding its variables.
    pub fn matches_pattern(&mut self, value: &Value, pattern: &Pattern) -> Eval {
        match pattern {
            Pattern::Any => Ok(Value::bool(true)),
            Pattern::Type { ty, name } => {
                let wanted = self.type_of(self.scope(), ty);
                if let Some(name) = name {
                    self.bind(name, wanted.clone(), value.clone());
                }
                if value.is_null() {
                    return Ok(Value::bool(false));
                }
                match self.is_instance(value, &wanted) {
                    Some(true) => {
                        let null = self.is_null(value);
                        self.unary(crate::java::body::UnaryOp::Not, null)
                    }
                    Some(false) => Ok(Value::bool(false)),
                    None => Ok(self.unknown(
                        &format!("instanceof {} is not decided", ty.name),
                        Type::Prim(super::scalar::Prim::Bool),
                    )),
                }
            }
            Pattern::Record { ty, .. } => Ok(self
                .unknown(&format!("the pattern {} is not modelled", ty.name), Type::Prim(super::scalar::Prim::Bool))),
        }
    }

    /// A new local variable.
    pub fn bind(&mut self, name: &str, ty: Type, value: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.push((Rc::from(name), ty, value));
        }
    }

    fn lambda(&mut self, at: ExprId, code: LambdaCode) -> Value {
        match self.capture(at) {
            Some(captured) => Value::Lambda(Rc::new(Lambda { body: captured, code })),
            None => Value::unknown("a lambda outside a body", Type::Unknown),
        }
    }

    /// What a lambda or class body at this expression captures.
    pub fn capture(&self, at: ExprId) -> Option<Rc<Captured>> {
        let frame = self.frames.last()?;
        Some(Rc::new(Captured {
            member: frame.member,
            body: frame.body.clone(),
            this: frame.this.clone(),
            locals: frame.locals.clone(),
            at,
        }))
    }

    fn method_ref(
        &mut self,
        body: &Body,
        id: ExprId,
        target: Option<ExprId>,
        ty: Option<&TypeRef>,
        name: &str,
    ) -> Eval {
        let scope = self.scope();
        let class = match (target, ty) {
            (Some(target), _) => self.as_type(body, target),
            (None, Some(ty)) => Some(self.type_of(scope, ty)),
            (None, None) => None,
        };
        let receiver = match (&class, target) {
            (None, Some(target)) => Some(self.eval(body, target)?),
            _ => None,
        };
        Ok(self.lambda(id, LambdaCode::Method { receiver, class, name: Rc::from(name) }))
    }
}

/// A literal.
fn literal(lit: &Lit) -> Value {
    Value::Scalar(match lit {
        Lit::Utf16(_) => return Value::unknown("a string that is no text", Type::Str),
        Lit::Null => Scalar::Null,
        Lit::Bool(x) => Scalar::Bool(*x),
        Lit::Char(x) => Scalar::Char(*x),
        Lit::Int(x) => Scalar::Int(*x),
        Lit::Long(x) => Scalar::Long(*x),
        Lit::Float(x) => Scalar::Float(*x),
        Lit::Double(x) => Scalar::Double(*x),
        Lit::Str(x) => Scalar::pooled(x),
    })
}

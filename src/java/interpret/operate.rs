//! Operators on values that may be symbolic or unknown.

use std::rc::Rc;

use super::arith;
use super::condition::Cond;
use super::function::Function;
use super::machine::{Eval, Machine};
use super::scalar::{Identity, Prim, Scalar};
use super::term::Term;
use super::value::{Type, Unknown, Value};
use crate::java::body::{BinaryOp, Body, ExprId, ExprKind, Lit, UnaryOp};

impl Machine<'_> {
    /// A unary operator.
    pub fn unary(&mut self, op: UnaryOp, value: Value) -> Eval {
        self.not_null(&value)?;
        match (&value, op) {
            (Value::Scalar(scalar), _) => match arith::unary(op, scalar) {
                arith::Outcome::Value(result) => Ok(Value::Scalar(result)),
                _ => self.unknown_call("an operator was not understood", &[], Type::Unknown),
            },
            (Value::Cond(cond), UnaryOp::Not) => Ok(Value::cond(cond.negate())),
            (Value::Symbol(symbol), UnaryOp::Not) => {
                Ok(Value::cond(Cond::Not(Rc::new(Cond::Test(symbol.term.clone())))))
            }
            (Value::Symbol(symbol), _) => match value.prim().and_then(|prim| arith::promoted(prim, Prim::Int)) {
                Some(prim) => Ok(Value::symbol(Term::Unary(op, prim, symbol.term.clone()), Type::Prim(prim), false)),
                None => self.unknown_call("an operator was not understood", &[], Type::Unknown),
            },
            (Value::Unknown(unknown), _) => {
                let ty = match (op, value.prim()) {
                    (UnaryOp::Not, _) => Type::Prim(Prim::Bool),
                    (_, Some(prim)) => Type::Prim(arith::promoted(prim, Prim::Int).unwrap_or(prim)),
                    _ => Type::Unknown,
                };
                self.unboxes(&value);
                Ok(Value::Unknown(Rc::new(Unknown { reasons: unknown.reasons.clone(), ty })))
            }
            _ => self.unknown_call("an operator was not understood", &[], Type::Unknown),
        }
    }

    /// An unknown value that is boxed may be null, and then unboxing throws.
    fn unboxes(&mut self, value: &Value) {
        if let Value::Unknown(unknown) = value
            && !matches!(unknown.ty, Type::Prim(_) | Type::Unknown)
        {
            let why: Vec<&str> = unknown.reasons.iter().map(AsRef::as_ref).collect();
            let why = why.join("; ");
            self.doubt(&format!("{why}: may be null"));
        } else if let Value::Unknown(unknown) = value
            && unknown.ty == Type::Unknown
        {
            let why: Vec<&str> = unknown.reasons.iter().map(AsRef::as_ref).collect();
            let why = why.join("; ");
            self.doubt(&format!("{why}: its type is not known"));
        }
    }

    /// A binary operator other than `&&`, `||`, `==` and `!=`.
    pub fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Eval {
        if op == BinaryOp::Add && (is_text(&left) || is_text(&right)) {
            return self.concat(&left, &right);
        }
        if op == BinaryOp::Add
            && (left.prim().is_none() || right.prim().is_none())
            && !left.is_null()
            && !right.is_null()
        {
            // One side is of unknown type: a sum or a concatenation.
            return self.merged(&left, &right, Type::Unknown);
        }
        self.not_null(&left)?;
        self.not_null(&right)?;
        if let (Value::Scalar(a), Value::Scalar(b)) = (&left, &right) {
            return match arith::binary(op, a, b) {
                arith::Outcome::Value(value) => Ok(Value::Scalar(value)),
                arith::Outcome::DivisionByZero => {
                    Err(self.throw("java.lang.ArithmeticException", Value::text("/ by zero")))
                }
                arith::Outcome::Undefined => self.unknown_call("an operator was not understood", &[], Type::Unknown),
            };
        }
        if let (Some(a), Some(b)) = (as_cond(&left), as_cond(&right)) {
            match op {
                BinaryOp::BitAnd => return Ok(Value::cond(Cond::All(vec![a, b]))),
                BinaryOp::BitOr => return Ok(Value::cond(Cond::Any(vec![a, b]))),
                BinaryOp::BitXor => {
                    return Ok(Value::cond(Cond::Any(vec![
                        Cond::All(vec![a.clone(), b.negate()]),
                        Cond::All(vec![a.negate(), b]),
                    ])));
                }
                _ => {}
            }
        }
        let comparison = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
        let prim = match (left.prim(), right.prim()) {
            (Some(a), Some(_)) if matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr) => {
                arith::promoted(a, Prim::Int)
            }
            (Some(a), Some(b)) => arith::promoted(a, b).or((a == Prim::Bool && b == Prim::Bool).then_some(Prim::Bool)),
            _ => None,
        };
        let integral_division = matches!(op, BinaryOp::Div | BinaryOp::Rem) && prim.is_none_or(Prim::is_integral);
        match (left.term(), right.term(), prim) {
            (Some(a), Some(b), Some(prim)) => {
                if integral_division {
                    let zero = Rc::new(Term::Const(Scalar::Int(0)));
                    let site = self.here();
                    if self.decide(Cond::Compare(BinaryOp::Eq, prim, b.clone(), zero), site)? {
                        return Err(self.throw("java.lang.ArithmeticException", Value::text("/ by zero")));
                    }
                }
                if comparison {
                    return Ok(Value::cond(Cond::Compare(op, prim, a, b)));
                }
                Ok(Value::symbol(Term::Binary(op, prim, a, b), Type::Prim(prim), false))
            }
            _ => {
                self.unboxes(&left);
                self.unboxes(&right);
                if integral_division && right.scalar().and_then(Scalar::as_long).is_none_or(|x| x == 0) {
                    self.may_throw("a division by what is not known")?;
                }
                let ty = match (comparison, prim) {
                    (true, _) => Type::Prim(Prim::Bool),
                    (false, Some(prim)) => Type::Prim(prim),
                    _ => Type::Unknown,
                };
                self.merged(&left, &right, ty)
            }
        }
    }

    /// A value that rests on two others of which at least one is not known.
    fn merged(&mut self, left: &Value, right: &Value, ty: Type) -> Eval {
        let mut reasons = std::collections::BTreeSet::new();
        for value in [left, right] {
            if let Value::Unknown(unknown) = value {
                reasons.extend(unknown.reasons.iter().cloned());
            }
        }
        if reasons.is_empty() {
            reasons.insert(Rc::from("an operator was not understood"));
            return self.unknown_call("an operator was not understood", &[], ty);
        }
        Ok(Value::Unknown(Rc::new(Unknown { reasons, ty })))
    }

    /// `left + right` where one of them is a string.
    pub fn concat(&mut self, left: &Value, right: &Value) -> Eval {
        let (a, b) = (self.text_of(left)?, self.text_of(right)?);
        match (&a, &b) {
            (Value::Scalar(a), Value::Scalar(b)) => match (a.to_java_string(), b.to_java_string()) {
                (Some(a), Some(b)) => Ok(self.fresh_text(&(a + &b))),
                _ => Ok(self.unknown("text of a floating-point number", Type::Str)),
            },
            _ => match (a.term(), b.term()) {
                (Some(a), Some(b)) => Ok(Value::symbol(Term::Apply(Function::Concat, vec![a, b]), Type::Str, false)),
                _ => self.merged(&a, &b, Type::Str),
            },
        }
    }

    /// What a value becomes in a concatenation, or by `String.valueOf`.
    pub fn text_of(&mut self, value: &Value) -> Eval {
        match value {
            Value::Scalar(Scalar::Enum(..)) | Value::Ref(_) => self.call_method(value.clone(), "toString", Vec::new()),
            Value::Scalar(Scalar::Float(_) | Scalar::Double(_)) => {
                Ok(self.unknown("text of a floating-point number", Type::Str))
            }
            Value::Scalar(_) => Ok(value.clone()),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Str | Type::Prim(_) | Type::Boxed(_)
                    if !matches!(value.prim(), Some(Prim::Float | Prim::Double)) =>
                {
                    Ok(value.clone())
                }
                _ => Ok(self.unknown("text of a value of the request", Type::Str)),
            },
            Value::Unknown(unknown) => {
                if !matches!(unknown.ty, Type::Str | Type::Prim(_) | Type::Boxed(_)) {
                    let why: Vec<&str> = unknown.reasons.iter().map(AsRef::as_ref).collect();
                    let why = format!("{}: as text", why.join("; "));
                    self.may_throw(&why)?;
                }
                Ok(Value::Unknown(Rc::new(Unknown { reasons: unknown.reasons.clone(), ty: Type::Str })))
            }
            Value::Cond(_) | Value::Class(_) | Value::Lambda(_) => Ok(self.unknown("text of an object", Type::Str)),
        }
    }

    /// `left == right`; `boxed` says of each side whether its static type is a boxed one.
    pub fn same(&mut self, left: Value, right: Value, boxed: (Option<bool>, Option<bool>)) -> Eval {
        if left.is_null() || right.is_null() {
            let other = if left.is_null() { &right } else { &left };
            return Ok(self.is_null(other));
        }
        let primitive = |value: &Value| matches!(value, Value::Symbol(symbol) if matches!(symbol.ty, Type::Prim(_)));
        let unboxed = boxed.0 == Some(false) || boxed.1 == Some(false) || primitive(&left) || primitive(&right);
        match (&left, &right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(self.same_scalars(a, b, unboxed)),
            (Value::Ref(a), Value::Ref(b)) => Ok(Value::bool(a == b)),
            (Value::Class(a), Value::Class(b)) => Ok(Value::bool(a == b)),
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => {
                if unboxed {
                    self.unboxes(&left);
                    self.unboxes(&right);
                }
                self.merged(&left, &right, Type::Prim(Prim::Bool))
            }
            _ => {
                if let (Some(a), Some(b)) = (as_cond(&left), as_cond(&right))
                    && (left.prim() == Some(Prim::Bool) || right.prim() == Some(Prim::Bool))
                {
                    self.not_null(&left)?;
                    self.not_null(&right)?;
                    return Ok(Value::cond(match (&a, &b) {
                        (Cond::Const(true), other) | (other, Cond::Const(true)) => other.clone(),
                        (Cond::Const(false), other) | (other, Cond::Const(false)) => other.negate(),
                        _ => Cond::Any(vec![
                            Cond::All(vec![a.clone(), b.clone()]),
                            Cond::All(vec![a.negate(), b.negate()]),
                        ]),
                    }));
                }
                self.same_terms(&left, &right, unboxed)
            }
        }
    }

    fn same_scalars(&mut self, a: &Scalar, b: &Scalar, unboxed: bool) -> Value {
        match (a, b) {
            (Scalar::Str(x), Scalar::Str(y)) => {
                if x.text != y.text {
                    return Value::bool(false);
                }
                match (x.identity, y.identity) {
                    (Identity::Pooled, Identity::Pooled) => Value::bool(true),
                    (Identity::Fresh(i), Identity::Fresh(j)) => Value::bool(i == j),
                    (Identity::Fresh(_), Identity::Pooled) | (Identity::Pooled, Identity::Fresh(_)) => {
                        Value::bool(false)
                    }
                    _ => self.unknown("strings are compared by reference", Type::Prim(Prim::Bool)),
                }
            }
            (Scalar::Enum(..), _) | (_, Scalar::Enum(..)) => Value::bool(a == b),
            _ => match arith::binary(BinaryOp::Eq, a, b) {
                arith::Outcome::Value(Scalar::Bool(true)) if !unboxed && !cached(a) => {
                    self.unknown("boxed numbers are compared by reference", Type::Prim(Prim::Bool))
                }
                arith::Outcome::Value(value) => Value::Scalar(value),
                _ => Value::bool(false),
            },
        }
    }

    fn same_terms(&mut self, left: &Value, right: &Value, unboxed: bool) -> Eval {
        let (Some(a), Some(b)) = (left.term(), right.term()) else {
            return self.unknown_call("a comparison was not understood", &[], Type::Prim(Prim::Bool));
        };
        if let (Some(p), Some(q)) = (left.prim(), right.prim()) {
            let nullable = |value: &Value| matches!(value, Value::Symbol(symbol) if symbol.nullable);
            if !unboxed
                && (nullable(left)
                    || nullable(right)
                    || !matches!((left, right), (Value::Scalar(_), _) | (_, Value::Scalar(_))))
            {
                // Two boxes: the same object only within the cache, or where both are the same input.
                return Ok(if a == b {
                    Value::bool(true)
                } else {
                    self.unknown("boxed numbers are compared by reference", Type::Prim(Prim::Bool))
                });
            }
            self.not_null(left)?;
            self.not_null(right)?;
            if !unboxed && ![left, right].iter().any(|value| value.scalar().is_some_and(cached)) {
                return Ok(self.unknown("boxed numbers are compared by reference", Type::Prim(Prim::Bool)));
            }
            return match arith::promoted(p, q) {
                Some(prim) => Ok(Value::cond(Cond::Compare(BinaryOp::Eq, prim, a, b))),
                None => self.unknown_call("a comparison was not understood", &[], Type::Prim(Prim::Bool)),
            };
        }
        match (&*a, &*b) {
            _ if a == b => Ok(Value::bool(true)),
            (Term::Const(Scalar::Enum(..)), _) | (_, Term::Const(Scalar::Enum(..))) => {
                Ok(Value::cond(Cond::Same(a, b)))
            }
            // A text of the request is an object of its own, never one of the pool.
            (Term::Input(_), Term::Const(Scalar::Str(text))) | (Term::Const(Scalar::Str(text)), Term::Input(_))
                if text.identity != Identity::Open && (is_text(left) && is_text(right)) =>
            {
                Ok(Value::bool(false))
            }
            (Term::Input(_), Term::Input(_)) if is_enum(left) && is_enum(right) => Ok(Value::cond(Cond::Same(a, b))),
            _ => Ok(self.unknown("objects are compared by reference", Type::Prim(Prim::Bool))),
        }
    }

    /// A value as a type wants it: widened, narrowed by a cast, unboxed. References pass as they are.
    pub fn convert(&mut self, value: Value, to: &Type) -> Value {
        let (Type::Prim(prim) | Type::Boxed(prim)) = to else {
            return match (value, to) {
                (Value::Unknown(unknown), ty) if unknown.ty == Type::Unknown && *ty != Type::Unknown => {
                    Value::Unknown(Rc::new(Unknown { reasons: unknown.reasons.clone(), ty: ty.clone() }))
                }
                (other, _) => other,
            };
        };
        match &value {
            Value::Scalar(Scalar::Null) => value,
            Value::Scalar(scalar) => match arith::convert(scalar, *prim) {
                Some(converted) => Value::Scalar(converted),
                None => value,
            },
            Value::Symbol(symbol) => match value.prim() {
                Some(from) if from != *prim && *prim != Prim::Bool && from != Prim::Bool => {
                    Value::symbol(Term::Cast(*prim, symbol.term.clone()), to.clone(), symbol.nullable)
                }
                Some(_) if symbol.ty != *to => Value::Symbol(Rc::new(super::value::Symbol {
                    term: symbol.term.clone(),
                    ty: to.clone(),
                    nullable: symbol.nullable,
                })),
                _ => value,
            },
            Value::Unknown(unknown) => {
                Value::Unknown(Rc::new(Unknown { reasons: unknown.reasons.clone(), ty: to.clone() }))
            }
            _ => value,
        }
    }

    /// Whether an expression's static type is a boxed one; `None` where that is not known.
    pub fn is_boxed(&self, body: &Body, id: ExprId) -> Option<bool> {
        match self.static_type(body, id) {
            Some(Type::Boxed(_)) => Some(true),
            Some(Type::Prim(_)) => Some(false),
            _ => None,
        }
    }

    /// The primitive type that an expression's static type is, or boxes.
    pub fn static_prim(&self, body: &Body, id: ExprId) -> Option<Prim> {
        match self.static_type(body, id) {
            Some(Type::Boxed(prim) | Type::Prim(prim)) => Some(prim),
            _ => None,
        }
    }

    /// The static type of an expression, where it is plain to see.
    fn static_type(&self, body: &Body, id: ExprId) -> Option<Type> {
        match &body.expr(id).kind {
            ExprKind::Lit(lit) => Some(Type::Prim(match lit {
                Lit::Bool(_) => Prim::Bool,
                Lit::Char(_) => Prim::Char,
                Lit::Int(_) => Prim::Int,
                Lit::Long(_) => Prim::Long,
                Lit::Float(_) => Prim::Float,
                Lit::Double(_) => Prim::Double,
                Lit::Str(_) | Lit::Utf16(_) => return Some(Type::Str),
                Lit::Null => return None,
            })),
            ExprKind::Name(name) => {
                if let Some((_, ty, _)) =
                    self.frames.last().and_then(|frame| frame.locals.iter().rev().find(|(local, ..)| **local == **name))
                {
                    return Some(ty.clone());
                }
                let field = self.find_field(self.scope(), name)?;
                let ty = self.project.member(field).ty.as_ref()?;
                Some(self.type_of(field.ty, ty))
            }
            ExprKind::Unary { operand, op } => match op {
                UnaryOp::Not => Some(Type::Prim(Prim::Bool)),
                _ => Some(Type::Prim(arith::promoted(self.static_prim(body, *operand)?, Prim::Int)?)),
            },
            ExprKind::Binary { op, left, right } => match op {
                BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::And
                | BinaryOp::Or => Some(Type::Prim(Prim::Bool)),
                _ => {
                    Some(Type::Prim(arith::promoted(self.static_prim(body, *left)?, self.static_prim(body, *right)?)?))
                }
            },
            ExprKind::Cast { ty, .. } => Some(self.type_of(self.scope(), ty)),
            _ => None,
        }
    }
}

/// Whether the value is a string, known or not.
fn is_text(value: &Value) -> bool {
    match value {
        Value::Scalar(Scalar::Str(_)) => true,
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        Value::Unknown(unknown) => unknown.ty == Type::Str,
        _ => false,
    }
}

fn is_enum(value: &Value) -> bool {
    match value {
        Value::Scalar(Scalar::Enum(..)) => true,
        Value::Symbol(symbol) => symbol.ty.project().is_some(),
        _ => false,
    }
}

/// A boolean as a condition.
fn as_cond(value: &Value) -> Option<Cond> {
    match value {
        Value::Scalar(Scalar::Bool(value)) => Some(Cond::Const(*value)),
        Value::Cond(cond) => Some((**cond).clone()),
        Value::Symbol(symbol) if value.prim() == Some(Prim::Bool) => Some(Cond::Test(symbol.term.clone())),
        _ => None,
    }
}

/// Whether boxing this value always gives the same object (JLS §5.1.7).
fn cached(value: &Scalar) -> bool {
    match value {
        Scalar::Bool(_) => true,
        Scalar::Float(_) | Scalar::Double(_) => false,
        other => other.as_long().is_some_and(|x| (-128..=127).contains(&x)),
    }
}

//! `==` and `!=`: numbers by value, references by what is known about their identity (JLS §15.21, §5.1.7).

use super::operate::{as_cond, is_text};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::arith;
use crate::interpret::values::scalar::{Identity, Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::body::BinaryOp;

impl Machine<'_> {
    /// `left == right`; `boxed` says for each side whether its static type is a box.
    pub fn same(&mut self, left: Value, right: Value, boxed: (Option<bool>, Option<bool>)) -> Eval {
        if left.is_null() || right.is_null() {
            let other = if left.is_null() { &right } else { &left };
            return Ok(self.is_null(other));
        }
        if let (true, Some(a), Some(b)) = (self.is_opaque(), self.reference_term(&left), self.reference_term(&right)) {
            return Ok(match a == b {
                true => Value::bool(true),
                false if a.is_constant_of_same_class(&b) => Value::bool(false),
                false => Value::cond(Cond::Same(a, b)),
            });
        }
        let primitive = |value: &Value| matches!(value, Value::Symbol(symbol) if matches!(symbol.ty, Type::Prim(_)));
        let unboxed = boxed.0 == Some(false) || boxed.1 == Some(false) || primitive(&left) || primitive(&right);
        match (&left, &right) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let boxes = boxed == (Some(true), Some(true));
                Ok(self.same_scalars(a, b, unboxed, boxes))
            }
            (Value::Ref(a), Value::Ref(b)) => {
                if a != b && self.may_be_shared(*a, *b) || a == b && self.may_be_apart(*a) {
                    return Ok(self.unknown("objects are compared by reference", Type::Prim(Prim::Bool)));
                }
                Ok(Value::bool(a == b))
            }
            (Value::Class(a), Value::Class(b)) => Ok(Value::bool(a == b)),
            // A string or box is never identical to an object of another class.
            (Value::Ref(_), other) | (other, Value::Ref(_)) if is_text(other) || other.prim().is_some() => {
                Ok(Value::bool(false))
            }
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

    /// Whether two objects are equal values that the library may represent by one object.
    fn may_be_shared(&self, a: ObjId, b: ObjId) -> bool {
        match (&self.object(a).kind, &self.object(b).kind) {
            (Kind::Native(a), Kind::Native(b)) => a.is_value() && b.is_value() && format!("{a:?}") == format!("{b:?}"),
            _ => false,
        }
    }

    fn same_scalars(&mut self, a: &Scalar, b: &Scalar, unboxed: bool, boxes: bool) -> Value {
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
                // Two boxes with NaN may be the same object.
                arith::Outcome::Value(_) if boxes && is_nan(a) && is_nan(b) => {
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
                // Two boxes are the same object only within the box cache, or if they are the same input.
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
            // A text of the request is a new object, never an interned one.
            (Term::Input(_), Term::Const(Scalar::Str(text))) | (Term::Const(Scalar::Str(text)), Term::Input(_))
                if text.identity != Identity::Open && (is_text(left) && is_text(right)) =>
            {
                Ok(Value::bool(false))
            }
            (Term::Input(_), Term::Input(_)) if is_enum(left) && is_enum(right) => Ok(Value::cond(Cond::Same(a, b))),
            _ => Ok(self.unknown("objects are compared by reference", Type::Prim(Prim::Bool))),
        }
    }
}

fn is_enum(value: &Value) -> bool {
    match value {
        Value::Scalar(Scalar::Enum(..)) => true,
        Value::Symbol(symbol) => symbol.ty.project().is_some(),
        _ => false,
    }
}

fn is_nan(value: &Scalar) -> bool {
    value.as_double().is_some_and(f64::is_nan)
}

/// Whether boxing this value always gives the same cached object (JLS §5.1.7).
fn cached(value: &Scalar) -> bool {
    match value {
        Scalar::Bool(_) => true,
        Scalar::Float(_) | Scalar::Double(_) => false,
        other => other.as_long().is_some_and(|x| (-128..=127).contains(&x)),
    }
}

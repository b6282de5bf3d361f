//! Applies operators to values that may be symbolic or unknown.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::environment::clock;
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::hinting;
use crate::interpret::values::arith;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Type, Unknown, Value};
use crate::ir::body::{BinaryOp, UnaryOp};

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
                Ok(Value::Unknown(Rc::new(Unknown {
                    reasons: unknown.reasons.clone(),
                    ty,
                    present: false,
                    ends: None,
                })))
            }
            _ => self.unknown_call("an operator was not understood", &[], Type::Unknown),
        }
    }

    /// Handles unboxing: an unknown boxed value may be null, and then unboxing throws.
    pub fn unboxes(&mut self, value: &Value) {
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
            // One side has an unknown type, so it may be a sum or a concatenation.
            return self.merged(&left, &right, Type::Unknown);
        }
        self.not_null(&left)?;
        self.not_null(&right)?;
        if let (Value::Scalar(a), Value::Scalar(b)) = (&left, &right) {
            if self.is_hinting && matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge) {
                hinting::note_numbers(self, a, b);
            }
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
                // If the path's conditions allow only one value for each operand, the result is computed, so that base and
                // head get equal terms.
                if prim.is_integral()
                    && self.is_compared()
                    && let (Some(x), Some(y)) = (self.known().only_integer(&a), self.known().only_integer(&b))
                    && let (Some(x), Some(y)) = (whole(prim, x), whole(prim, y))
                    && let arith::Outcome::Value(value) = arith::binary(op, &x, &y)
                {
                    return Ok(Value::Scalar(value));
                }
                Ok(Value::symbol(Term::Binary(op, prim, a, b), Type::Prim(prim), false))
            }
            _ => {
                if let Some(value) = clock::operated(op, &left, &right) {
                    return Ok(value);
                }
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

    /// The unknown result of an operation on two values, at least one of them unknown.
    pub fn merged(&mut self, left: &Value, right: &Value, ty: Type) -> Eval {
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
        Ok(Value::Unknown(Rc::new(Unknown { reasons, ty, present: false, ends: None })))
    }

    /// Converts a value to a type by widening, narrowing or unboxing. References are unchanged.
    pub fn convert(&mut self, value: Value, to: &Type) -> Value {
        let value = if self.is_opaque() { self.typed(value, to) } else { value };
        let (Type::Prim(prim) | Type::Boxed(prim)) = to else {
            return match (value, to) {
                (Value::Unknown(unknown), ty) if unknown.ty == Type::Unknown && *ty != Type::Unknown => {
                    Value::Unknown(Rc::new(Unknown {
                        reasons: unknown.reasons.clone(),
                        ty: ty.clone(),
                        present: unknown.present,
                        ends: None,
                    }))
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
                Some(_) if symbol.ty != *to => Value::Symbol(Rc::new(crate::interpret::values::value::Symbol {
                    term: symbol.term.clone(),
                    ty: to.clone(),
                    nullable: symbol.nullable,
                })),
                _ => value,
            },
            Value::Unknown(unknown) => {
                // A boxed primitive is never null.
                let present = unknown.present || matches!(unknown.ty, Type::Prim(_));
                let ends = clock::converted(unknown, *prim);
                Value::Unknown(Rc::new(Unknown { reasons: unknown.reasons.clone(), ty: to.clone(), present, ends }))
            }
            _ => value,
        }
    }
}

/// Whether the value is a string, concrete or not.
pub fn is_text(value: &Value) -> bool {
    match value {
        Value::Scalar(Scalar::Str(_)) => true,
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        Value::Unknown(unknown) => unknown.ty == Type::Str,
        _ => false,
    }
}

/// The condition of a boolean value.
pub fn as_cond(value: &Value) -> Option<Cond> {
    match value {
        Value::Scalar(Scalar::Bool(value)) => Some(Cond::Const(*value)),
        Value::Cond(cond) => Some((**cond).clone()),
        Value::Symbol(symbol) if value.prim() == Some(Prim::Bool) => Some(Cond::Test(symbol.term.clone())),
        _ => None,
    }
}

/// An integer of the type in which an operator computes.
fn whole(prim: Prim, number: i64) -> Option<Scalar> {
    match prim {
        Prim::Int => i32::try_from(number).ok().map(Scalar::Int),
        Prim::Long => Some(Scalar::Long(number)),
        _ => None,
    }
}

//! Concatenation and string conversion of values.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Type, Unknown, Value};

impl Machine<'_> {
    /// `left + right` if one of them is a string.
    pub fn concat(&mut self, left: &Value, right: &Value) -> Eval {
        let (a, b) = (self.text_of(left)?, self.text_of(right)?);
        match (&a, &b) {
            (Value::Scalar(a), Value::Scalar(b)) => match (a.to_java_string(), b.to_java_string()) {
                (Some(a), Some(b)) => Ok(self.fresh_text(&(a + &b))),
                _ => Ok(self.unknown("text that is no character", Type::Str)),
            },
            _ => match (a.term(), b.term()) {
                (Some(a), Some(b)) => Ok(Value::symbol(Term::Apply(Function::Concat, vec![a, b]), Type::Str, false)),
                _ => Ok(match self.merged(&a, &b, Type::Str)? {
                    // The result is a string even if its text is unknown.
                    Value::Unknown(unknown) => Value::Unknown(Rc::new(Unknown { present: true, ..(*unknown).clone() })),
                    other => other,
                }),
            },
        }
    }

    /// The string conversion of a value, as in a concatenation or `String.valueOf`.
    pub fn text_of(&mut self, value: &Value) -> Eval {
        match value {
            Value::Scalar(Scalar::Enum(..)) | Value::Ref(_) => self.call_method(value.clone(), "toString", Vec::new()),
            Value::Scalar(Scalar::Str(_)) => Ok(value.clone()),
            Value::Scalar(scalar) => match scalar.to_java_string() {
                Some(text) => Ok(self.fresh_text(&text)),
                None => Ok(self.unknown("text of a number differs between releases", Type::Str)),
            },
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Str | Type::Prim(_) | Type::Boxed(_)
                    if !matches!(value.prim(), Some(Prim::Float | Prim::Double)) =>
                {
                    Ok(value.clone())
                }
                _ => Ok(self.unknown("text of a value of the request", Type::Str)),
            },
            Value::Unknown(unknown) => {
                if !unknown.present && !matches!(unknown.ty, Type::Str | Type::Prim(_) | Type::Boxed(_)) {
                    let why: Vec<&str> = unknown.reasons.iter().map(AsRef::as_ref).collect();
                    let why = format!("{}: as text", why.join("; "));
                    self.may_throw(&why)?;
                }
                Ok(Value::Unknown(Rc::new(Unknown {
                    reasons: unknown.reasons.clone(),
                    ty: Type::Str,
                    present: true,
                    ends: None,
                })))
            }
            Value::Cond(_) | Value::Class(_) | Value::Lambda(_) => Ok(self.unknown("text of an object", Type::Str)),
        }
    }
}

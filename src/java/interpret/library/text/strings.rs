//! Models `java.lang.String` for symbolic texts, where the result is exact and cheap.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::function::{Applied, Function};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Type, Value};

/// The term function of a string method, and its return type.
fn function(name: &str, args: usize) -> Option<(Function, Type)> {
    let int = Type::Prim(Prim::Int);
    let bool = Type::Prim(Prim::Bool);
    Some(match (name, args) {
        ("length", 0) => (Function::Length, int),
        ("isEmpty", 0) => (Function::IsEmpty, bool),
        ("isBlank", 0) => (Function::IsBlank, bool),
        ("equals", 1) => (Function::Equals, bool),
        ("equalsIgnoreCase", 1) => (Function::EqualsIgnoreCase, bool),
        ("startsWith", 1) => (Function::StartsWith, bool),
        ("endsWith", 1) => (Function::EndsWith, bool),
        ("contains", 1) => (Function::Contains, bool),
        ("indexOf", 1) => (Function::IndexOf, int),
        ("trim", 0) => (Function::Trim, Type::Str),
        ("toLowerCase", 0) => (Function::ToLowerCase, Type::Str),
        ("toUpperCase", 0) => (Function::ToUpperCase, Type::Str),
        ("charAt", 1) => (Function::CharAt, Type::Prim(Prim::Char)),
        ("substring", 1 | 2) => (Function::Substring, Type::Str),
        ("compareTo", 1) => (Function::CompareTo, int),
        ("concat", 1) => (Function::Concat, Type::Str),
        _ => return None,
    })
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != "java.lang.String" {
        return None;
    }
    let Some(receiver) = call.receiver else {
        return match (call.name, call.args) {
            ("valueOf", [value]) if !matches!(value, Value::Ref(_)) => Some(machine.text_of(value)),
            _ => None,
        };
    };
    match (call.name, call.args) {
        ("toString", []) => return Some(Ok(receiver.clone())),
        ("intern", []) => {
            return Some(Ok(match receiver {
                Value::Scalar(Scalar::Str(text)) => Value::Scalar(Scalar::pooled(&text.text)),
                other => machine.unknown_of(other, Type::Str),
            }));
        }
        ("equals", [Value::Ref(_) | Value::Class(_)]) => return Some(Ok(Value::bool(false))),
        ("matches", [pattern]) if is_matched(receiver, pattern) => {
            return Some(apply(machine, Function::Matches, Type::Prim(Prim::Bool), receiver, call.args));
        }
        _ => {}
    }
    let (function, ty) = function(call.name, call.args.len())?;
    Some(apply(machine, function, ty, receiver, call.args))
}

/// Whether a symbolic text is matched against a supported pattern.
pub fn is_matched(given: &Value, pattern: &Value) -> bool {
    matches!(given, Value::Symbol(_))
        && matches!(pattern, Value::Scalar(Scalar::Str(text)) if super::matching::regex_read::compile(&text.text, 0).is_ok())
}

/// Applies a term function to a receiver and arguments that may be symbolic.
pub fn apply(machine: &mut Machine<'_>, function: Function, ty: Type, receiver: &Value, args: &[Value]) -> Eval {
    let mut operands = vec![receiver.clone()];
    operands.extend(args.iter().cloned());
    if let Some(scalars) = operands.iter().map(|value| value.scalar().cloned()).collect::<Option<Vec<Scalar>>>() {
        return match function.apply(&scalars) {
            Applied::Value(Scalar::Str(text)) if function != Function::Name => Ok(machine.fresh_text(&text.text)),
            Applied::Value(value) => Ok(Value::Scalar(value)),
            Applied::Throws(class, message) => {
                let message = match message {
                    Some(message) => Value::text(&message),
                    None => Value::unknown("message of a library exception", Type::Str),
                };
                Err(machine.throw(class, message))
            }
            Applied::Unknown => machine.unknown_call(
                &format!("{} on such text is not modelled", function.describe(&["it".to_owned(), "it".to_owned()])),
                &[],
                ty,
            ),
        };
    }
    if matches!(
        function,
        Function::StartsWith | Function::EndsWith | Function::Contains | Function::CompareTo | Function::Concat
    ) {
        for arg in args {
            machine.not_null(arg)?;
        }
    }
    let terms: Option<Vec<Rc<Term>>> = operands.iter().map(Value::term).collect();
    let Some(terms) = terms else {
        let mut reasons = std::collections::BTreeSet::new();
        for value in &operands {
            if let Value::Unknown(unknown) = value {
                reasons.extend(unknown.reasons.iter().cloned());
            }
        }
        let total = matches!(function, Function::Equals | Function::EqualsIgnoreCase);
        if !total {
            machine.may_throw("text that is not known")?;
        }
        return Ok(Value::Unknown(Rc::new(crate::interpret::values::value::Unknown {
            reasons,
            ty,
            present: false,
            ends: None,
        })));
    };
    match function {
        Function::CharAt => {
            // The condition that the index is in bounds.
            let length = Rc::new(Term::Apply(Function::Length, vec![terms[0].clone()]));
            let zero = Rc::new(Term::Const(Scalar::Int(0)));
            let site = machine.here();
            use crate::ir::body::BinaryOp;
            let out = machine.decide(Cond::Compare(BinaryOp::Lt, Prim::Int, terms[1].clone(), zero), site)?
                || machine.decide(Cond::Compare(BinaryOp::Le, Prim::Int, length, terms[1].clone()), site)?;
            if out {
                let message = Value::unknown("message of a library exception", Type::Str);
                return Err(machine.throw("java.lang.StringIndexOutOfBoundsException", message));
            }
        }
        Function::Substring => machine.may_throw("substring of a value of the request")?,
        _ => {}
    }
    let nullable_equals = function == Function::Equals;
    let term = Term::Apply(function, terms.clone());
    Ok(match ty {
        Type::Prim(Prim::Bool) if nullable_equals => Value::cond(Cond::Same(terms[0].clone(), terms[1].clone())),
        Type::Prim(Prim::Bool) => Value::cond(Cond::Test(Rc::new(term))),
        ty => Value::symbol(term, ty, false),
    })
}

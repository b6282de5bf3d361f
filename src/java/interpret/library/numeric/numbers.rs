//! Models boxed numbers, `Math`, `Character` and `Boolean`, where the result is exact.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::text::strings::apply;
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Type, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let class = call.fqn.strip_prefix("java.lang.")?;
    if class == "Math" || class == "StrictMath" {
        return math(machine, call);
    }
    let prim = Prim::of_box(call.fqn)?;
    match (call.receiver, call.name, call.args) {
        (None, "valueOf", [value]) if value.prim().is_some() || matches!(prim, Prim::Bool) && is_text(value) => {
            Some(if value.prim().is_some() {
                Ok(machine.convert(value.clone(), &Type::Boxed(prim)))
            } else {
                parse(machine, prim, value)
            })
        }
        (None, "parseInt" | "parseLong" | "parseBoolean" | "valueOf", [value]) if is_text(value) => {
            Some(parse(machine, prim, value))
        }
        (None, "parseInt" | "parseLong", [value]) if value.is_null() => Some(Err(machine
            .throw("java.lang.NumberFormatException", Value::unknown("message of a library exception", Type::Str)))),
        (None, "isNaN" | "isInfinite", [value]) => {
            let function = if call.name == "isNaN" { Function::IsNaN } else { Function::IsInfinite };
            Some(apply(machine, function, Type::Prim(Prim::Bool), value, &[]))
        }
        (None, "isDigit" | "isLetter", [value]) if value.prim() == Some(Prim::Char) => {
            let function = if call.name == "isDigit" { Function::IsDigit } else { Function::IsLetter };
            Some(apply(machine, function, Type::Prim(Prim::Bool), value, &[]))
        }
        (None, "max" | "min" | "sum", [a, b]) if prim.is_integral() => {
            if call.name == "sum" {
                return Some(machine.binary(crate::ir::body::BinaryOp::Add, a.clone(), b.clone()));
            }
            math(machine, call)
        }
        (None, "compare", [a, b]) if prim.is_integral() => match (a.scalar()?.as_long(), b.scalar()?.as_long()) {
            (Some(a), Some(b)) => Some(Ok(Value::int(match a.cmp(&b) {
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
            }))),
            _ => None,
        },
        (None, "toString", [value]) => Some(machine.text_of(value)),
        (Some(receiver), name, args) => on_box(machine, prim, receiver, name, args),
        _ => None,
    }
}

fn is_text(value: &Value) -> bool {
    match value {
        Value::Scalar(Scalar::Str(_)) => true,
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        _ => false,
    }
}

fn on_box(machine: &mut Machine<'_>, prim: Prim, receiver: &Value, name: &str, args: &[Value]) -> Option<Eval> {
    let to = match name {
        "intValue" => Some(Prim::Int),
        "longValue" => Some(Prim::Long),
        "doubleValue" => Some(Prim::Double),
        "booleanValue" => Some(Prim::Bool),
        "charValue" => Some(Prim::Char),
        "shortValue" => Some(Prim::Short),
        "byteValue" => Some(Prim::Byte),
        "floatValue" => Some(Prim::Float),
        _ => None,
    };
    if let (Some(to), []) = (to, args) {
        return Some(Ok(machine.convert(receiver.clone(), &Type::Prim(to))));
    }
    match (name, args) {
        ("equals", [other]) => Some(equals(machine, receiver, other)),
        ("isNaN", []) => Some(apply(machine, Function::IsNaN, Type::Prim(Prim::Bool), receiver, &[])),
        ("isInfinite", []) => Some(apply(machine, Function::IsInfinite, Type::Prim(Prim::Bool), receiver, &[])),
        ("toString", []) => Some(machine.text_of(receiver)),
        ("hashCode", []) if prim == Prim::Int => Some(Ok(machine.convert(receiver.clone(), &Type::Prim(Prim::Int)))),
        ("compareTo", [other]) => match (receiver.scalar()?.as_long(), other.scalar()?.as_long()) {
            (Some(a), Some(b)) if prim != Prim::Char && prim != Prim::Byte && prim != Prim::Short => {
                Some(Ok(Value::int(match a.cmp(&b) {
                    std::cmp::Ordering::Less => -1,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => 1,
                })))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `a.equals(b)` for boxes: false if the classes differ.
fn equals(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Eval {
    match (a.prim(), b.prim()) {
        (Some(p), Some(q)) if p != q => Ok(Value::bool(false)),
        (Some(_), None) if matches!(b, Value::Scalar(_) | Value::Ref(_)) => Ok(Value::bool(false)),
        _ => match (a.term(), b.term()) {
            (Some(a), Some(b)) => Ok(Value::cond(Cond::Same(a, b))),
            _ => Ok(machine.unknown("boxed values are compared", Type::Prim(Prim::Bool))),
        },
    }
}

/// Models `Integer.parseInt` and related methods.
fn parse(machine: &mut Machine<'_>, prim: Prim, text: &Value) -> Eval {
    let function = match prim {
        Prim::Int => Function::ParseInt,
        Prim::Long => Function::ParseLong,
        Prim::Bool => Function::ParseBoolean,
        _ => {
            return machine.unknown_call(
                &format!("reading a {} is not modelled", prim.keyword()),
                &[],
                Type::Prim(prim),
            );
        }
    };
    if let Value::Symbol(symbol) = text
        && prim != Prim::Bool
    {
        if symbol.nullable {
            let site = machine.here();
            if machine.decide(Cond::IsNull(symbol.term.clone()), site)? {
                return Err(machine.throw(
                    "java.lang.NumberFormatException",
                    Value::unknown("message of a library exception", Type::Str),
                ));
            }
        }
        // The condition that the text is a number.
        let what = Term::Apply(function, vec![symbol.term.clone()]);
        let site = machine.here();
        let mut inputs = Vec::new();
        symbol.term.inputs(&mut inputs);
        if let (Term::Input(input), true) = (&*symbol.term, inputs.len() == 1) {
            let defect = crate::interpret::paths::condition::Defect::NotA(Rc::from(prim.keyword()));
            if machine.decide(Cond::Input(input.clone(), defect), site)? {
                return Err(machine.throw(
                    "java.lang.NumberFormatException",
                    Value::unknown("message of a library exception", Type::Str),
                ));
            }
            return Ok(Value::symbol(what, Type::Prim(prim), false));
        }
        machine.may_throw("reading a number from a value of the request")?;
        return Ok(Value::symbol(what, Type::Prim(prim), false));
    }
    apply(machine, function, Type::Prim(prim), text, &[])
}

fn math(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let function = match (call.name, call.args.len()) {
        ("abs", 1) => Function::Abs,
        ("max", 2) => Function::Max,
        ("min", 2) => Function::Min,
        ("sqrt", 1) => Function::Sqrt,
        ("floor", 1) => Function::Floor,
        ("ceil", 1) => Function::Ceil,
        _ => return None,
    };
    for arg in call.args {
        if let Err(stop) = machine.not_null(arg) {
            return Some(Err(stop));
        }
    }
    let mut prim = Prim::Int;
    for arg in call.args {
        prim = crate::interpret::values::arith::promoted(prim, arg.prim()?)?;
    }
    let ty = match function {
        Function::Sqrt | Function::Floor | Function::Ceil => Type::Prim(Prim::Double),
        _ => Type::Prim(prim),
    };
    let (first, rest) = call.args.split_first()?;
    if [first].into_iter().chain(rest).any(|value| matches!(value, Value::Unknown(_))) {
        let reasons = call
            .args
            .iter()
            .filter_map(|value| match value {
                Value::Unknown(unknown) => Some(unknown.reasons.iter().cloned()),
                _ => None,
            })
            .flatten()
            .collect();
        return Some(Ok(Value::Unknown(Rc::new(crate::interpret::values::value::Unknown {
            reasons,
            ty,
            present: false,
            ends: None,
        }))));
    }
    Some(apply(machine, function, ty, first, rest))
}

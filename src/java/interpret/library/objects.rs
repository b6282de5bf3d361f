//! `java.util.Objects`, and what every class inherits from `Object`.

use std::rc::Rc;

use super::invocation::LibraryCall;
use crate::java::body::UnaryOp;
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::value::{Type, Value};

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.fqn, call.name, call.args) {
        ("java.util.Objects", "equals", [a, b]) => Some(equals(machine, a, b)),
        ("java.util.Objects", "isNull", [value]) => Some(Ok(machine.is_null(value))),
        ("java.util.Objects", "nonNull", [value]) => {
            let null = machine.is_null(value);
            Some(machine.unary(UnaryOp::Not, null))
        }
        ("java.util.Objects", "requireNonNull", [value]) => Some(require(machine, value, Value::NULL)),
        ("java.util.Objects", "requireNonNull", [value, message @ Value::Scalar(_)]) => {
            Some(require(machine, value, message.clone()))
        }
        ("java.util.Objects", "requireNonNullElse", [value, other]) => {
            let null = machine.is_null(value);
            let site = machine.here()?;
            Some(machine.truth(&null, site).map(|null| if null { other.clone() } else { value.clone() }))
        }
        _ => None,
    }
}

fn require(machine: &mut Machine<'_>, value: &Value, message: Value) -> Eval {
    let null = machine.is_null(value);
    let Some(site) = machine.here() else { return Ok(value.clone()) };
    if machine.truth(&null, site)? {
        return Err(machine.throw("java.lang.NullPointerException", message));
    }
    Ok(match value {
        Value::Symbol(symbol) if symbol.nullable => {
            Value::Symbol(Rc::new(crate::java::interpret::value::Symbol { nullable: false, ..(**symbol).clone() }))
        }
        other => other.clone(),
    })
}

fn equals(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Eval {
    if a.is_null() || b.is_null() {
        return Ok(machine.is_null(if a.is_null() { b } else { a }));
    }
    if let (Value::Symbol(_), Some(site)) = (a, machine.here()) {
        let null = machine.is_null(a);
        if machine.truth(&null, site)? {
            return Ok(machine.is_null(b));
        }
    }
    if let Value::Unknown(unknown) = a {
        return Ok(Value::Unknown(Rc::new(crate::java::interpret::value::Unknown {
            reasons: unknown.reasons.clone(),
            ty: Type::Prim(crate::java::interpret::scalar::Prim::Bool),
        })));
    }
    machine.call_method(a.clone(), "equals", vec![b.clone()])
}

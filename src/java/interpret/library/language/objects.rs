//! Models `java.util.Objects` and the methods inherited from `Object`.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, compare, hash_all, int, invoke, same, settle, spread, sure_hash, text_of, throw, throw_with,
};
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Type, Value};
use crate::ir::body::UnaryOp;

/// Models a library call.
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
        _ => {
            let answer = known(machine, call)?;
            Some(settle(machine, call, answer))
        }
    }
}

/// Models the methods that need known values.
fn known(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.fqn == "java.lang.Object" {
        return on_object(machine, call);
    }
    if call.fqn != "java.util.Objects" {
        return None;
    }
    Some(match (call.name, call.args) {
        ("hash", args) => {
            let values = spread(machine, args);
            hash_all(machine, &values).map(Value::int)
        }
        ("hashCode", [value]) => sure_hash(machine, value).map(Value::int),
        ("toString", [value]) => text_of(machine, value).map(|text| machine.fresh_text(&text)),
        ("toString", [Value::Scalar(Scalar::Null), other]) => Ok(other.clone()),
        ("toString", [value @ (Value::Scalar(_) | Value::Ref(_)), _]) => {
            text_of(machine, value).map(|text| machine.fresh_text(&text))
        }
        // The result is one of two texts, neither of which can fail to be converted.
        ("toString", [Value::Unknown(value), other]) if value.ty == Type::Str && is_shown(other) => {
            Ok(Value::unknowable("a text or what stands for it", Type::Str))
        }
        ("compare", [a, b, by]) => {
            if same(a, b) {
                return Some(Ok(Value::int(0)));
            }
            compare(machine, Some(by), a, b).map(Value::int)
        }
        ("checkIndex", [at, length]) => match (int(at)?, int(length)?) {
            (at, length) if at >= 0 && at < length => Ok(Value::int(at)),
            _ => Err(throw(machine, "IndexOutOfBoundsException")),
        },
        ("requireNonNull", [Value::Scalar(Scalar::Null), message]) => {
            let message = invoke(machine, message, "get", Vec::new());
            message.and_then(|message| Err(throw_with(machine, "NullPointerException", message)))
        }
        ("requireNonNull", [value @ (Value::Scalar(_) | Value::Ref(_)), _]) => Ok(value.clone()),
        ("requireNonNullElseGet", [Value::Scalar(Scalar::Null), supplier]) => {
            invoke(machine, supplier, "get", Vec::new())
        }
        ("requireNonNullElseGet", [value @ (Value::Scalar(_) | Value::Ref(_)), _]) => Ok(value.clone()),
        _ => return None,
    })
}

/// Whether a value is a known text.
fn is_shown(value: &Value) -> bool {
    matches!(value, Value::Scalar(Scalar::Str(_)))
}

/// Models calls on a plain object without state, which equals only itself.
fn on_object(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.receiver, call.name, call.args) {
        (None, "<init>", []) => Some(Ok(machine.modelled("java.lang.Object", &[]))),
        (Some(Value::Ref(id)), "equals", [Value::Ref(other)])
            if machine.object(*id).class == ClassRef::library("java.lang.Object") =>
        {
            Some(Ok(Value::bool(id == other)))
        }
        (Some(Value::Ref(id)), "hashCode" | "toString", [])
            if machine.object(*id).class == ClassRef::library("java.lang.Object") =>
        {
            let ty = if call.name == "hashCode" { Type::Prim(Prim::Int) } else { Type::Str };
            Some(Ok(machine.unknown("the identity hash of an object", ty)))
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
            Value::Symbol(Rc::new(crate::interpret::values::value::Symbol { nullable: false, ..(**symbol).clone() }))
        }
        other => other.clone(),
    })
}

fn equals(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Eval {
    if a.is_null() || b.is_null() {
        return Ok(machine.is_null(if a.is_null() { b } else { a }));
    }
    // Two symbolic texts or boxes are equal if they are the same value, null or not: no fork is needed.
    if let (Value::Symbol(a), Value::Symbol(b)) = (a, b)
        && machine.is_opaque()
        && a.ty == b.ty
        && matches!(a.ty, Type::Str | Type::Boxed(_))
    {
        return Ok(Value::cond(Cond::Same(a.term.clone(), b.term.clone())));
    }
    if let (Value::Symbol(_), Some(site)) = (a, machine.here()) {
        let null = machine.is_null(a);
        if machine.truth(&null, site)? {
            return Ok(machine.is_null(b));
        }
        // A non-null value does not equal null, in either order.
        if let (Value::Symbol(_), true) = (b, machine.is_opaque()) {
            let null = machine.is_null(b);
            if machine.truth(&null, site)? {
                return Ok(Value::bool(false));
            }
        }
    }
    if let Value::Unknown(unknown) = a {
        return Ok(Value::Unknown(Rc::new(crate::interpret::values::value::Unknown {
            reasons: unknown.reasons.clone(),
            ty: Type::Prim(crate::interpret::values::scalar::Prim::Bool),
            present: false,
            ends: None,
        })));
    }
    machine.call_method(a.clone(), "equals", vec![b.clone()])
}

//! Models `java.util.Optional` and its primitive variants.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, equal, invoke, reference, settle, sure_hash, text_of, throw_with, truth,
};
use crate::interpret::values::value::{Kind, Value};
use crate::ir::body::UnaryOp;

const FQN: &str = "java.util.Optional";

/// An `Optional` of this class with a value; empty if the value is null.
pub fn of(machine: &mut Machine<'_>, class: &str, value: Value) -> Value {
    machine.modelled(class, &[("value", value)])
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if !matches!(call.fqn, FQN | "java.util.OptionalInt" | "java.util.OptionalLong" | "java.util.OptionalDouble") {
        return None;
    }
    let Some(receiver) = call.receiver else {
        return match (call.name, call.args) {
            ("of", [value]) => Some(machine.not_null(value).map(|()| {
                let value = match (call.fqn, value) {
                    ("java.util.OptionalLong", value) => machine.convert(
                        value.clone(),
                        &crate::interpret::library::base::support::prim(crate::interpret::values::scalar::Prim::Long),
                    ),
                    ("java.util.OptionalDouble", value) => machine.convert(
                        value.clone(),
                        &crate::interpret::library::base::support::prim(crate::interpret::values::scalar::Prim::Double),
                    ),
                    (_, value) => value.clone(),
                };
                of(machine, call.fqn, value)
            })),
            ("ofNullable", [value]) => Some(Ok(of(machine, FQN, value.clone()))),
            ("empty", []) => Some(Ok(of(machine, call.fqn, Value::NULL))),
            _ => None,
        };
    };
    let id = reference(receiver)?;
    if !matches!(machine.object(id).kind, Kind::Modelled) {
        return None;
    }
    let value = machine.object(id).parts.get("value")?.clone();
    let null = machine.is_null(&value);
    match (call.name, call.args) {
        ("isPresent", []) => return Some(machine.unary(UnaryOp::Not, null)),
        ("isEmpty", []) => return Some(Ok(null)),
        (
            "get" | "getAsInt" | "getAsLong" | "getAsDouble" | "orElse" | "orElseGet" | "orElseThrow" | "map"
            | "flatMap" | "filter" | "ifPresent" | "ifPresentOrElse" | "or" | "stream" | "equals" | "hashCode"
            | "toString",
            _,
        ) => {}
        _ => return None,
    }
    let answer = match truth(machine, &null) {
        Ok(empty) => with(machine, call, receiver, value, empty)?,
        Err(fail) => Err(fail),
    };
    Some(settle(machine, call, answer))
}

fn with(
    machine: &mut Machine<'_>,
    call: &LibraryCall<'_>,
    receiver: &Value,
    value: Value,
    empty: bool,
) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("get" | "getAsInt" | "getAsLong" | "getAsDouble" | "orElseThrow", []) if empty => {
            Err(throw_with(machine, "java.util.NoSuchElementException", Value::text("No value present")))
        }
        ("get" | "getAsInt" | "getAsLong" | "getAsDouble" | "orElseThrow", []) => Ok(value),
        ("orElse", [other]) => {
            let other = match call.fqn {
                "java.util.OptionalLong" => machine.convert(
                    other.clone(),
                    &crate::interpret::library::base::support::prim(crate::interpret::values::scalar::Prim::Long),
                ),
                "java.util.OptionalDouble" => machine.convert(
                    other.clone(),
                    &crate::interpret::library::base::support::prim(crate::interpret::values::scalar::Prim::Double),
                ),
                _ => other.clone(),
            };
            Ok(if empty { other } else { value })
        }
        ("orElseGet", [supplier]) => {
            if empty {
                invoke(machine, supplier, "get", Vec::new())
            } else {
                Ok(value)
            }
        }
        ("orElseThrow", [supplier]) => {
            if !empty {
                return Some(Ok(value));
            }
            match invoke(machine, supplier, "get", Vec::new()) {
                Ok(thrown) => {
                    machine.exit = machine.calling.or_else(|| machine.here());
                    Err(machine.throw_value(&thrown).into())
                }
                Err(fail) => Err(fail),
            }
        }
        ("map" | "flatMap" | "filter", [_]) if empty => Ok(receiver.clone()),
        ("map", [function]) => invoke(machine, function, "apply", vec![value]).map(|mapped| of(machine, FQN, mapped)),
        ("flatMap", [function]) => invoke(machine, function, "apply", vec![value]),
        ("filter", [test]) => match crate::interpret::library::base::support::test(machine, test, value) {
            Ok(true) => Ok(receiver.clone()),
            Ok(false) => Ok(of(machine, FQN, Value::NULL)),
            Err(fail) => Err(fail),
        },
        ("ifPresent", [action]) => {
            if empty {
                Ok(Value::NULL)
            } else {
                invoke(machine, action, "accept", vec![value]).map(|_| Value::NULL)
            }
        }
        ("ifPresentOrElse", [action, other]) => {
            let done = if empty {
                invoke(machine, other, "run", Vec::new())
            } else {
                invoke(machine, action, "accept", vec![value])
            };
            done.map(|_| Value::NULL)
        }
        ("or", [supplier]) => {
            if empty {
                invoke(machine, supplier, "get", Vec::new())
            } else {
                Ok(receiver.clone())
            }
        }
        ("stream", []) => {
            let items = if empty { Vec::new() } else { vec![value] };
            Ok(super::stream_state::of(machine, items, None))
        }
        ("equals", [other]) => {
            let id = match other {
                Value::Ref(id) => *id,
                Value::Scalar(_) => return Some(Ok(Value::bool(false))),
                _ => return None,
            };
            if machine.object(id).class != machine.object(reference(receiver)?).class {
                return Some(Ok(Value::bool(false)));
            }
            let held = machine.object(id).parts.get("value")?.clone();
            equal(machine, &value, &held).map(Value::bool)
        }
        ("hashCode", []) => sure_hash(machine, &value).map(Value::int),
        ("toString", []) => {
            let class = call.fqn.rsplit('.').next().unwrap_or_default();
            if empty {
                return Some(Ok(machine.fresh_text(&format!("{class}.empty"))));
            }
            text_of(machine, &value).map(|text| machine.fresh_text(&format!("{class}[{text}]")))
        }
        _ => return None,
    })
}

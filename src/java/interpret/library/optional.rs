//! `java.util.Optional`: a value that is there or not.

use super::invocation::LibraryCall;
use crate::java::body::UnaryOp;
use crate::java::interpret::machine::{Eval, Machine, Stop};
use crate::java::interpret::path::Thrown;
use crate::java::interpret::value::{Kind, Type, Value};

const FQN: &str = "java.util.Optional";

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let Some(receiver) = call.receiver else {
        return match (call.name, call.args) {
            ("of", [value]) => {
                Some(machine.not_null(value).map(|()| machine.modelled(FQN, &[("value", value.clone())])))
            }
            ("ofNullable", [value]) => Some(Ok(machine.modelled(FQN, &[("value", value.clone())]))),
            ("empty", []) => Some(Ok(machine.modelled(FQN, &[("value", Value::NULL)]))),
            _ => None,
        };
    };
    let Value::Ref(id) = receiver else { return None };
    if !matches!(machine.object(*id).kind, Kind::Modelled) {
        return None;
    }
    let value = machine.object(*id).parts.get("value")?.clone();
    let null = machine.is_null(&value);
    match (call.name, call.args) {
        ("isPresent", []) => return Some(machine.unary(UnaryOp::Not, null)),
        ("isEmpty", []) => return Some(Ok(null)),
        ("get" | "orElse" | "orElseGet" | "orElseThrow" | "map" | "flatMap" | "filter" | "ifPresent", _) => {}
        _ => return None,
    }
    let site = machine.here()?;
    let empty = match machine.truth(&null, site) {
        Ok(empty) => empty,
        Err(stop) => return Some(Err(stop)),
    };
    Some(with(machine, call, receiver, value, empty))
}

fn with(machine: &mut Machine<'_>, call: &LibraryCall<'_>, receiver: &Value, value: Value, empty: bool) -> Eval {
    match (call.name, call.args) {
        ("get" | "orElseThrow", []) if empty => {
            Err(machine.throw("java.util.NoSuchElementException", Value::text("No value present")))
        }
        ("get" | "orElseThrow", []) => Ok(value),
        ("orElse", [other]) => Ok(if empty { other.clone() } else { value }),
        ("orElseGet", [Value::Lambda(lambda)]) => {
            if empty {
                machine.apply(lambda, Vec::new())
            } else {
                Ok(value)
            }
        }
        ("orElseThrow", [Value::Lambda(lambda)]) => {
            if !empty {
                return Ok(value);
            }
            let thrown = machine.apply(lambda, Vec::new())?;
            machine.exit = machine.calling.or_else(|| machine.here());
            let site = machine.exit;
            Err(Stop::thrown(match thrown {
                Value::Ref(id) => Thrown { class: Some(machine.object(id).class.clone()), object: Some(id), site },
                _ => Thrown { class: None, object: None, site },
            }))
        }
        ("map", [Value::Lambda(lambda)]) => {
            if empty {
                return Ok(receiver.clone());
            }
            let mapped = machine.apply(lambda, vec![value])?;
            Ok(machine.modelled(FQN, &[("value", mapped)]))
        }
        ("flatMap", [Value::Lambda(lambda)]) => {
            if empty {
                Ok(receiver.clone())
            } else {
                machine.apply(lambda, vec![value])
            }
        }
        ("filter", [Value::Lambda(lambda)]) => {
            if empty {
                return Ok(receiver.clone());
            }
            let keep = machine.apply(lambda, vec![value])?;
            let Some(site) = machine.here() else { return Ok(receiver.clone()) };
            Ok(if machine.truth(&keep, site)? {
                receiver.clone()
            } else {
                machine.modelled(FQN, &[("value", Value::NULL)])
            })
        }
        ("ifPresent", [Value::Lambda(lambda)]) => {
            if !empty {
                machine.apply(lambda, vec![value])?;
            }
            Ok(Value::NULL)
        }
        _ => machine.unknown_call(&format!("Optional.{} with such arguments", call.name), call.args, Type::Unknown),
    }
}

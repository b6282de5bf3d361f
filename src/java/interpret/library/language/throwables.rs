//! Models library exceptions: message, cause and related data.

use crate::interpret::classes::hierarchy;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::project::brought::Carries;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != "java.lang.Throwable" && hierarchy::library_super(machine.project, call.fqn).is_none() {
        return None;
    }
    if call.name == "<init>" {
        let parts = carried(machine, call.fqn, call.args)?;
        return Some(Ok(made(machine, call, parts)));
    }
    let Some(Value::Ref(id)) = call.receiver else { return None };
    // The class of an exception stays known, whatever happened to it.
    if call.name == "getClass" && call.args.is_empty() {
        let class = machine.object(*id).class.clone();
        return Some(Ok(Value::Class(Type::Class(class, Vec::new()))));
    }
    if matches!(machine.object(*id).kind, Kind::Escaped(_)) {
        return None;
    }
    let part = |machine: &Machine<'_>, name: &str| machine.object(*id).parts.get(name).cloned();
    match (call.name, call.args) {
        ("getMessage" | "getLocalizedMessage", []) => Some(Ok(
            part(machine, "message").unwrap_or_else(|| Value::unknown("message of a library exception", Type::Str))
        )),
        ("getCause", []) => Some(Ok(part(machine, "cause").unwrap_or(Value::NULL))),
        ("printStackTrace", args) => {
            // The writer that it is printed into is unknown from here on.
            for arg in args {
                machine.escape(arg, "a stack trace is printed into it");
            }
            Some(Ok(Value::NULL))
        }
        ("addSuppressed" | "setStackTrace", _) => Some(Ok(Value::NULL)),
        ("fillInStackTrace", []) => Some(Ok(Value::Ref(*id))),
        ("initCause", [cause]) => {
            machine.object_mut(*id).parts.insert("cause", cause.clone());
            Some(Ok(Value::Ref(*id)))
        }
        _ => None,
    }
}

/// Stores the data of an exception, in a new object or in that of a project subclass.
pub fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>, parts: Vec<(&'static str, Value)>) -> Value {
    match call.receiver {
        Some(Value::Ref(id)) => {
            machine.object_mut(*id).parts.extend(parts);
            Value::Ref(*id)
        }
        _ => machine.modelled(call.fqn, &parts),
    }
}

/// Message and cause from the arguments of one of the four common constructors.
fn carried(machine: &mut Machine<'_>, fqn: &str, args: &[Value]) -> Option<Vec<(&'static str, Value)>> {
    let brought = machine.project.brought().exception(fqn);
    let carries_message = brought.is_some_and(|one| one.carries == Carries::Message);
    let is_plain = fqn.starts_with("java.") || carries_message && args.first().is_some_and(is_text);
    if !is_plain {
        return None;
    }
    match args {
        [] => Some(vec![("message", Value::NULL)]),
        [only] if is_text(only) || only.is_null() => Some(vec![("message", only.clone())]),
        [cause] if is_throwable(machine, cause) => {
            Some(vec![("message", Value::unknown("message of a cause", Type::Str)), ("cause", cause.clone())])
        }
        [message, cause, ..]
            if (is_text(message) || message.is_null()) && (is_throwable(machine, cause) || cause.is_null()) =>
        {
            Some(vec![("message", message.clone()), ("cause", cause.clone())])
        }
        // The argument is an unknown message or an unknown cause: the constructors accept nothing else.
        [Value::Unknown(_)] => Some(vec![
            ("message", Value::unknown("message of an exception", Type::Str)),
            ("cause", Value::unknown("cause of an exception", Type::Unknown)),
        ]),
        [message, Value::Unknown(_)] => {
            Some(vec![("message", message.clone()), ("cause", Value::unknown("cause of an exception", Type::Unknown))])
        }
        _ => None,
    }
}

fn is_text(value: &Value) -> bool {
    match value {
        Value::Scalar(crate::interpret::values::scalar::Scalar::Str(_)) => true,
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        Value::Unknown(unknown) => unknown.ty == Type::Str,
        _ => false,
    }
}

fn is_throwable(machine: &Machine<'_>, value: &Value) -> bool {
    let Value::Ref(ObjId(_)) = value else { return false };
    let throwable = crate::interpret::values::scalar::ClassRef::library("java.lang.Throwable");
    let Value::Ref(id) = value else { return false };
    hierarchy::is_below(machine.project, &machine.object(*id).class, &throwable) == Some(true)
}

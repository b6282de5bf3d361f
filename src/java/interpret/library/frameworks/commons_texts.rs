//! Models `StringUtils` of Commons Lang: the methods of `String` that accept null (Javadoc of
//! `org.apache.commons.lang3.StringUtils`).

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, settle, truth};
use crate::interpret::library::collections::iterators::items_of;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::Value;

/// The class in both of its packages.
pub const COMMONS: [&str; 2] = ["org.apache.commons.lang3.StringUtils", "org.apache.commons.lang.StringUtils"];

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if !COMMONS.contains(&call.fqn) || call.receiver.is_some() {
        return None;
    }
    let answer = match (call.name, call.args) {
        ("join", [parts @ Value::Ref(_), by]) => join(machine, parts, by),
        ("trim", [own]) => or_null(machine, own, "trim"),
        ("strip", [own]) => or_null(machine, own, "strip"),
        ("upperCase", [own]) => or_null(machine, own, "toUpperCase"),
        ("lowerCase", [own]) => or_null(machine, own, "toLowerCase"),
        ("trimToEmpty", [own]) => {
            instead(machine, own, None, &Value::text("")).and_then(|own| on(machine, &own, "trim", &[]))
        }
        ("defaultString", [own]) => instead(machine, own, None, &Value::text("")),
        ("defaultString", [own, other]) => instead(machine, own, None, other),
        ("defaultIfEmpty", [own, other]) => instead(machine, own, Some("isEmpty"), other),
        ("defaultIfBlank", [own, other]) => instead(machine, own, Some("isBlank"), other),
        ("equals" | "equalsIgnoreCase" | "startsWith" | "endsWith", [own, other]) => {
            both(machine, call.name, own, other, true)
        }
        ("contains", [own, other]) => both(machine, call.name, own, other, false),
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn on(machine: &mut Machine<'_>, own: &Value, name: &str, args: &[Value]) -> Answer {
    Ok(machine.call_method(own.clone(), name, args.to_vec())?)
}

fn is_null(machine: &mut Machine<'_>, value: &Value) -> Answer<bool> {
    let null = machine.is_null(value);
    truth(machine, &null)
}

fn or_null(machine: &mut Machine<'_>, own: &Value, name: &str) -> Answer {
    if is_null(machine, own)? { Ok(Value::NULL) } else { on(machine, own, name, &[]) }
}

/// A text, or the alternative if the text is null or the predicate `asked` holds for it.
fn instead(machine: &mut Machine<'_>, own: &Value, asked: Option<&str>, other: &Value) -> Answer {
    if is_null(machine, own)? {
        return Ok(other.clone());
    }
    let Some(asked) = asked else { return Ok(own.clone()) };
    let found = on(machine, own, asked, &[])?;
    Ok(if truth(machine, &found)? { other.clone() } else { own.clone() })
}

/// Compares two texts; if one is null, the result is whether both are null (`alike`) or false.
fn both(machine: &mut Machine<'_>, name: &str, own: &Value, other: &Value, alike: bool) -> Answer {
    let nulls = (is_null(machine, own)?, is_null(machine, other)?);
    match nulls {
        (false, false) => on(machine, own, name, std::slice::from_ref(other)),
        nulls => Ok(Value::bool(alike && nulls == (true, true))),
    }
}

/// Joins the texts of elements with a separator; null counts as empty.
fn join(machine: &mut Machine<'_>, parts: &Value, by: &Value) -> Answer {
    let nothing = || Value::text("");
    let mut items = items_of(machine, parts)?;
    for item in items.iter_mut().filter(|item| item.is_null()) {
        *item = nothing();
    }
    let by = match by {
        by if by.is_null() => nothing(),
        Value::Scalar(Scalar::Char(_)) => {
            Value::text(&by.scalar().and_then(Scalar::to_java_string).unwrap_or_default())
        }
        by => by.clone(),
    };
    let list = machine.list_of(items);
    Ok(machine.call_library("java.lang.String", "join", None, vec![by, list])?)
}

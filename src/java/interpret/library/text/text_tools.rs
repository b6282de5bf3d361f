//! Models null-safe helpers of Guava, Commons Lang and Spring for texts and collections.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, boolean, settle, truth};
use crate::interpret::library::frameworks::commons_texts::COMMONS;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::body::UnaryOp;

const GUAVA: &str = "com.google.common.base.Strings";
const SPRING: &str = "org.springframework.util.StringUtils";
const OBJECTS: &str = "org.springframework.util.ObjectUtils";
const COMMONS_OBJECTS: &str = "org.apache.commons.lang3.ObjectUtils";
const COLLECTIONS: [&str; 3] = [
    "org.springframework.util.CollectionUtils",
    "org.apache.commons.collections4.CollectionUtils",
    "org.apache.commons.collections.CollectionUtils",
];

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let [value] = call.args else { return None };
    if call.receiver.is_some() {
        return None;
    }
    let commons = COMMONS.contains(&call.fqn);
    let objects = [OBJECTS, COMMONS_OBJECTS].contains(&call.fqn);
    // The method called on the value if it is not null, and the helper's result for null and for a true answer. Without a
    // method only null decides.
    let (asked, holds) = match call.name {
        "isNullOrEmpty" if call.fqn == GUAVA => ("isEmpty", true),
        "isEmpty" if commons || call.fqn == SPRING || COLLECTIONS.contains(&call.fqn) => ("isEmpty", true),
        "isEmpty" if objects && is_measured(machine, value) => ("isEmpty", true),
        "isEmpty" if objects && is_simple(machine, value) => ("", true),
        "isNotEmpty" if call.fqn == COMMONS_OBJECTS && is_measured(machine, value) => ("isEmpty", false),
        "isNotEmpty" if call.fqn == COMMONS_OBJECTS && is_simple(machine, value) => ("", false),
        "isNotEmpty" if commons || COLLECTIONS.contains(&call.fqn) => ("isEmpty", false),
        "isBlank" if commons => ("isBlank", true),
        "isNotBlank" if commons => ("isBlank", false),
        "hasLength" if call.fqn == SPRING => ("isEmpty", false),
        "hasText" if call.fqn == SPRING => ("isBlank", false),
        _ => return None,
    };
    let answer = ask(machine, value, asked, holds);
    Some(settle(machine, call, answer))
}

/// Whether a value has a method `isEmpty` that `ObjectUtils` asks: it is a text, a collection or a map.
fn is_measured(machine: &Machine<'_>, value: &Value) -> bool {
    match value {
        Value::Scalar(scalar) => scalar.as_text().is_some() || value.is_null(),
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        Value::Ref(id) => matches!(&machine.object(*id).class, ClassRef::Library(fqn) if fqn.starts_with("java.util.")
            && matches!(machine.object(*id).kind, Kind::List { .. } | Kind::Native(_))),
        _ => false,
    }
}

/// Whether a value is empty for `ObjectUtils` only if it is null: a number, a truth value, an object of the project's own.
fn is_simple(machine: &Machine<'_>, value: &Value) -> bool {
    match value {
        Value::Scalar(scalar) => scalar.as_text().is_none(),
        Value::Cond(_) => true,
        Value::Symbol(symbol) => matches!(symbol.ty, Type::Prim(_) | Type::Boxed(_)),
        Value::Ref(id) => match machine.object(*id).class {
            ClassRef::Project(ty) => machine.project.library_supers(ty).is_empty(),
            ClassRef::Library(_) => false,
        },
        _ => false,
    }
}

fn ask(machine: &mut Machine<'_>, value: &Value, asked: &str, holds: bool) -> Answer {
    let null = machine.is_null(value);
    if truth(machine, &null)? {
        return Ok(Value::bool(holds));
    }
    if asked.is_empty() {
        return Ok(Value::bool(!holds));
    }
    let found = machine.call_method(value.clone(), asked, Vec::new())?;
    if holds {
        return Ok(found);
    }
    match boolean(&found) {
        Some(found) => Ok(Value::bool(!found)),
        None => Ok(machine.unary(UnaryOp::Not, found)?),
    }
}

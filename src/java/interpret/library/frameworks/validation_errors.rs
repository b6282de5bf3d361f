//! Models Spring's validation errors: the field errors in the exception for an invalid request body.

use std::collections::BTreeMap;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::text;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};

/// The exception for an invalid request body.
pub const NOT_VALID: &str = "org.springframework.web.bind.MethodArgumentNotValidException";
/// The exception for objects bound from parameters, before Spring 6.
pub const BIND: &str = "org.springframework.validation.BindException";
/// WebFlux's exception for an invalid request body, or for an invalid object bound from parameters.
pub const EXCHANGE: &str = "org.springframework.web.bind.support.WebExchangeBindException";
const RESULT: &str = "org.springframework.validation.BindingResult";
const FIELD: &str = "org.springframework.validation.FieldError";
const OBJECT: &str = "org.springframework.validation.ObjectError";

/// A constraint that a field violates.
#[derive(Debug, Clone)]
pub struct Violation {
    /// Path of the field, such as `lines[0].sku`; empty for the object itself.
    pub field: String,
    /// Simple name of the constraint annotation.
    pub code: String,
    /// Its message, if the code contains it literally; the messages of the library depend on the locale.
    pub message: Option<String>,
    /// The rejected value.
    pub rejected: Value,
    /// Whether code of the project chooses the message.
    pub is_told_by_code: bool,
}

/// Stores the error of a single violation in an exception. The order of several is unspecified: see [`leave_open`].
pub fn tell(machine: &mut Machine<'_>, exception: ObjId, object: &str, violation: &Violation) {
    let message = match &violation.message {
        Some(message) => machine.fresh_text(message),
        None => Value::unknown("a message in the language of the server", Type::Str),
    };
    let (field, code) = (machine.fresh_text(&violation.field), machine.fresh_text(&violation.code));
    let object = machine.fresh_text(object);
    let named = object.clone();
    let parts = [
        ("field", field),
        ("code", code),
        ("message", message),
        ("value", violation.rejected.clone()),
        ("object", object),
    ];
    let is_global = violation.field.is_empty();
    let error = machine.modelled(if is_global { OBJECT } else { FIELD }, &parts);
    let errors = list(machine, if is_global { Vec::new() } else { vec![error.clone()] });
    let globals = list(machine, if is_global { vec![error.clone()] } else { Vec::new() });
    let all = list(machine, vec![error]);
    let told = [("errors", errors), ("globals", globals), ("all", all), ("object", named)];
    let result = machine.modelled(RESULT, &told);
    let parts = &mut machine.object_mut(exception).parts;
    parts.extend(told);
    parts.insert("result", result);
}

/// Stores in an exception that there are errors, but not which.
pub fn leave_open(machine: &mut Machine<'_>, exception: ObjId, object: &str) {
    let object = machine.fresh_text(object);
    let result = machine.modelled(RESULT, &[("open", Value::NULL), ("object", object)]);
    machine.object_mut(exception).parts.insert("result", result);
}

fn list(machine: &mut Machine<'_>, items: Vec<Value>) -> Value {
    let object = Object::new(ClassRef::library("java.util.ArrayList"), Kind::List { items, fixed: false });
    Value::Ref(machine.allocate(object))
}

fn first(machine: &Machine<'_>, held: &Value) -> Option<Value> {
    let Value::Ref(id) = held else { return None };
    match &machine.object(*id).kind {
        Kind::List { items, .. } => items.first().cloned(),
        _ => None,
    }
}

/// The codes under which a message is looked up, the most specific first (`DefaultMessageCodesResolver`).
fn codes(machine: &mut Machine<'_>, parts: &BTreeMap<&'static str, Value>) -> Option<Value> {
    let said = |name: &str| parts.get(name).and_then(text).map(str::to_owned);
    let (code, object) = (said("code")?, said("object")?);
    let items = match said("field").filter(|field| !field.is_empty()) {
        Some(field) => vec![
            machine.fresh_text(&format!("{code}.{object}.{field}")),
            machine.fresh_text(&format!("{code}.{field}")),
            Value::unknowable("the type of a field", Type::Str),
            machine.fresh_text(&code),
        ],
        None => vec![machine.fresh_text(&format!("{code}.{object}")), machine.fresh_text(&code)],
    };
    Some(machine.array(items, Type::Str))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if !matches!(call.fqn, NOT_VALID | BIND | EXCHANGE | RESULT | FIELD | OBJECT) {
        return None;
    }
    if let (None, "<init>", [object, field, message]) = (call.receiver, call.name, call.args)
        && call.fqn == FIELD
    {
        let parts = [("object", object), ("field", field), ("message", message), ("codes", &Value::NULL)];
        let parts = parts.map(|(name, value)| (name, value.clone()));
        return Some(Ok(machine.modelled(FIELD, &parts)));
    }
    let Some(Value::Ref(id)) = call.receiver else { return None };
    let parts = machine.object(*id).parts.clone();
    if matches!(call.fqn, FIELD | OBJECT) {
        let part = match (call.name, call.args) {
            ("getField", []) if call.fqn == FIELD => "field",
            ("getCode", []) => "code",
            ("getDefaultMessage", []) => "message",
            ("getRejectedValue", []) if call.fqn == FIELD => "value",
            ("getObjectName", []) => "object",
            ("getCodes", []) if parts.contains_key("codes") => "codes",
            ("getCodes", []) => return codes(machine, &parts).map(Ok),
            ("isBindingFailure", []) if call.fqn == FIELD => return Some(Ok(Value::bool(false))),
            _ => return None,
        };
        return parts.get(part).cloned().map(Ok);
    }
    match (call.name, call.args) {
        ("getBindingResult", []) => return parts.get("result").cloned().map(Ok),
        ("getObjectName", []) => return parts.get("object").cloned().map(Ok),
        ("hasErrors", []) if parts.contains_key("result") || parts.contains_key("open") => {
            return Some(Ok(Value::bool(true)));
        }
        _ => {}
    }
    let errors = parts.get("errors")?.clone();
    let Value::Ref(held) = &errors else { return None };
    let Kind::List { items, .. } = &machine.object(*held).kind else { return None };
    let items = items.clone();
    let named = |machine: &Machine<'_>, wanted: &Value| -> Option<Vec<Value>> {
        let wanted = text(wanted)?;
        let of = |error: &&Value| {
            let Value::Ref(id) = error else { return false };
            machine.object(*id).parts.get("field").and_then(text) == Some(wanted)
        };
        Some(items.iter().filter(of).cloned().collect())
    };
    Some(Ok(match (call.name, call.args) {
        ("getFieldErrors", []) => errors,
        ("getAllErrors", []) => parts.get("all")?.clone(),
        ("getFieldErrors", [field]) => {
            let found = named(machine, field)?;
            list(machine, found)
        }
        ("getFieldError", [field]) => named(machine, field)?.into_iter().next().unwrap_or(Value::NULL),
        ("getFieldError", []) => items.first().cloned().unwrap_or(Value::NULL),
        ("getGlobalErrors", []) => parts.get("globals")?.clone(),
        ("getGlobalError", []) if items.is_empty() => first(machine, parts.get("globals")?)?,
        ("getGlobalError", []) => Value::NULL,
        ("hasErrors", []) => Value::bool(true),
        ("hasFieldErrors", []) => Value::bool(!items.is_empty()),
        ("hasGlobalErrors", []) => Value::bool(items.is_empty()),
        ("hasFieldErrors", [field]) => Value::bool(!named(machine, field)?.is_empty()),
        ("getErrorCount", []) => Value::int(1),
        ("getFieldErrorCount", []) => Value::int(i32::try_from(items.len()).ok()?),
        _ => return None,
    }))
}

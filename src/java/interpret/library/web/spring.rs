//! Models Spring's response types: `ResponseEntity` and its builders, `HttpStatus`, `ResponseStatusException`.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::text;
use crate::interpret::library::frameworks::named_headers;
use crate::interpret::library::language::throwables::made;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use mastor_types::status;

/// The class of `ResponseEntity`, also used for its builders.
pub const ENTITY: &str = "org.springframework.http.ResponseEntity";
const STATUS: &str = "org.springframework.http.HttpStatus";
const STATUS_CODE: &str = "org.springframework.http.HttpStatusCode";
/// The class of the exception that carries a status.
pub const STATUS_EXCEPTION: &str = "org.springframework.web.server.ResponseStatusException";
const URI: &str = "java.net.URI";

/// A constant of these classes.
pub fn constant(fqn: &str, name: &str) -> Option<Value> {
    if fqn == STATUS {
        status::of_name(name)?;
        return Some(Value::Scalar(Scalar::Enum(ClassRef::library(STATUS), std::rc::Rc::from(name))));
    }
    None
}

/// The status code of a value: a constant of `HttpStatus`, or a number.
pub fn status_of(value: &Value) -> Option<u16> {
    match value {
        Value::Scalar(Scalar::Enum(ClassRef::Library(fqn), name)) if &**fqn == STATUS => status::of_name(name),
        Value::Scalar(scalar) => scalar.as_int().and_then(|code| u16::try_from(code).ok()),
        _ => None,
    }
}

/// A status as stored by the models: its number, or an unknown value.
fn status_value(value: &Value) -> Value {
    match status_of(value) {
        Some(code) => Value::int(code.into()),
        None => match value {
            Value::Unknown(_) => value.clone(),
            _ => Value::unknown("a status that is not known", Type::Prim(Prim::Int)),
        },
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match call.fqn {
        ENTITY => entity(machine, call),
        STATUS | STATUS_CODE => status(machine, call),
        STATUS_EXCEPTION => exception(machine, call),
        URI if call.receiver.is_none() && call.name == "create" => match call.args {
            [text @ Value::Scalar(Scalar::Str(_))] => Some(Ok(machine.modelled(URI, &[("text", text.clone())]))),
            [text] if crate::interpret::library::environment::places::is_plain_with_keys(text) => {
                Some(Ok(machine.modelled(URI, &[("text", text.clone())])))
            }
            [text @ Value::Unknown(open)] if crate::interpret::library::environment::outside::is_address(open) => {
                Some(Ok(machine.modelled(URI, &[("text", text.clone())])))
            }
            [text] => {
                // A text that is not a valid URI throws; any other is kept, because a part of it may be known.
                let text = text.clone();
                Some(
                    machine
                        .may_throw("the text of a URI is not known")
                        .map(|()| machine.modelled(URI, &[("text", text)])),
                )
            }
            _ => None,
        },
        _ => None,
    }
}

fn new_entity(machine: &mut Machine<'_>, status: Value, body: Value) -> Value {
    machine.modelled(ENTITY, &[("status", status), ("body", body)])
}

fn entity(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.name == "<init>" {
        let status = status_value(call.args.last()?);
        let (body, headers) = match call.args {
            [_] => (Value::NULL, false),
            [body, _] => (body.clone(), false),
            [body, _, _] => (body.clone(), true),
            _ => return None,
        };
        // `new ResponseEntity(headers, status)` and `new ResponseEntity(body, status)` differ only in the type of the
        // first argument.
        let given = match call.args {
            [Value::Ref(id), _] | [_, Value::Ref(id), _] => Some(*id),
            _ => None,
        };
        let own = given.filter(|id| machine.object(*id).class == ClassRef::library(super::spring_web::HEADERS));
        if let ([Value::Ref(id), _], None) = (call.args, own)
            && matches!(&machine.object(*id).class, ClassRef::Library(fqn) if fqn.contains("MultiValueMap"))
        {
            return None;
        }
        let body = if call.args.len() == 2 && own.is_some() { Value::NULL } else { body };
        let made = new_entity(machine, status, body);
        match own {
            Some(id) => named_headers::take(machine, &made, &Value::Ref(id)),
            None if headers => named_headers::note_open(machine, &made),
            None => {}
        }
        let given = own.map(Value::Ref).or_else(|| call.args.get(1).filter(|_| headers).cloned());
        if let Some(given) = given {
            named_headers::said(machine, &made, ("headers", &[given]));
        }
        let left = own.is_some_and(|id| !matches!(machine.object(id).kind, Kind::Modelled));
        let kind = own.and_then(|id| machine.object(id).parts.get("content-type").cloned());
        if let Some(kind) = kind.or_else(|| left.then(|| Value::unknown("headers that left sight", Type::Unknown))) {
            set(machine, &made, "content-type", kind);
        }
        return Some(Ok(made));
    }
    let Some(receiver) = call.receiver else { return factory(machine, call) };
    let Value::Ref(id) = receiver else { return None };
    if !matches!(machine.object(*id).kind, Kind::Modelled) {
        return None;
    }
    match (call.name, call.args) {
        ("body", [body]) => {
            let copy = copy(machine, *id);
            set(machine, &copy, "body", body.clone());
            Some(Ok(copy))
        }
        ("build", []) => Some(Ok(copy(machine, *id))),
        (
            "header" | "headers" | "contentType" | "contentLength" | "location" | "eTag" | "lastModified"
            | "cacheControl" | "allow" | "varyBy",
            args,
        ) => {
            named_headers::said(machine, receiver, (call.name, call.args));
            match (call.name, args) {
                ("location", [place]) => locate(machine, receiver, place),
                ("contentType", [kind]) => set(machine, receiver, "content-type", kind.clone()),
                ("header", [name, values]) => match text(name).map(str::to_owned) {
                    Some(name) => {
                        let value = named_headers::only(machine, values);
                        named_headers::note(machine, receiver, &name, value);
                    }
                    None => named_headers::note_open(machine, receiver),
                },
                ("headers", [given]) => named_headers::take(machine, receiver, given),
                ("eTag", _) => named_headers::note(machine, receiver, "ETag", None),
                ("lastModified", _) => named_headers::note(machine, receiver, "Last-Modified", None),
                ("cacheControl", _) => named_headers::note(machine, receiver, "Cache-Control", None),
                ("contentLength", _) => named_headers::note(machine, receiver, "Content-Length", None),
                _ => named_headers::note_open(machine, receiver),
            }
            Some(Ok(receiver.clone()))
        }
        ("getStatusCodeValue", []) => machine.object(*id).parts.get("status").cloned().map(Ok),
        ("getBody", []) => machine.object(*id).parts.get("body").cloned().map(Ok),
        _ => None,
    }
}

fn factory(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let code = match (call.name, call.args.len()) {
        ("ok", 0 | 1) => 200,
        ("created", 1) => 201,
        ("accepted", 0) => 202,
        ("noContent", 0) => 204,
        ("badRequest", 0) => 400,
        ("notFound", 0) => 404,
        ("unprocessableEntity" | "unprocessableContent", 0) => 422,
        ("internalServerError", 0) => 500,
        ("status", 1) => {
            let status = status_value(call.args.first()?);
            return Some(Ok(new_entity(machine, status, Value::NULL)));
        }
        ("of" | "ofNullable", 1) => return of_optional(machine, call),
        _ => return None,
    };
    let body = if code == 200 { call.args.first().cloned().unwrap_or(Value::NULL) } else { Value::NULL };
    let made = new_entity(machine, Value::int(code), body);
    if code == 201 {
        locate(machine, &made, call.args.first()?);
    }
    Some(Ok(made))
}

/// Models `ResponseEntity.of(optional)`: 200 with the value, or 404.
fn of_optional(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let value = match (call.name, call.args.first()?) {
        ("ofNullable", value) => value.clone(),
        (_, Value::Ref(id)) if matches!(machine.object(*id).kind, Kind::Modelled) => {
            machine.object(*id).parts.get("value")?.clone()
        }
        (_, Value::Unknown(unknown)) => Value::Unknown(unknown.clone()),
        _ => return None,
    };
    let site = machine.here()?;
    let null = match &value {
        Value::Unknown(unknown) => Value::Unknown(std::rc::Rc::new(crate::interpret::values::value::Unknown {
            reasons: unknown.reasons.clone(),
            ty: Type::Prim(Prim::Bool),
            present: false,
            ends: None,
        })),
        other => machine.is_null(other),
    };
    Some(machine.truth(&null, site).map(|null| {
        if null {
            new_entity(machine, Value::int(404), Value::NULL)
        } else {
            new_entity(machine, Value::int(200), value)
        }
    }))
}

/// Sets the `Location` header.
pub fn locate(machine: &mut Machine<'_>, object: &Value, place: &Value) {
    set(machine, object, "location", place.clone());
    let text = named_headers::place(machine, place);
    named_headers::note(machine, object, "Location", text);
}

fn set(machine: &mut Machine<'_>, object: &Value, part: &'static str, value: Value) {
    if let Value::Ref(id) = object {
        machine.object_mut(*id).parts.insert(part, value);
    }
}

fn copy(machine: &mut Machine<'_>, id: ObjId) -> Value {
    let object = machine.object(id).clone();
    Value::Ref(machine.allocate(object))
}

fn status(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.receiver, call.name, call.args) {
        (Some(receiver), "value", []) => status_of(receiver).map(|code| Ok(Value::int(code.into()))),
        (Some(receiver), "is4xxClientError", []) => status_of(receiver).map(|code| Ok(Value::bool(code / 100 == 4))),
        (Some(receiver), "is5xxServerError", []) => status_of(receiver).map(|code| Ok(Value::bool(code / 100 == 5))),
        (Some(receiver), "is2xxSuccessful", []) => status_of(receiver).map(|code| Ok(Value::bool(code / 100 == 2))),
        (Some(receiver), "isError", []) => status_of(receiver).map(|code| Ok(Value::bool(code >= 400))),
        (Some(Value::Scalar(Scalar::Enum(_, name))), "getReasonPhrase", [])
            if super::jax_rs::reason(name).is_some() =>
        {
            super::jax_rs::reason(name).map(|phrase| Ok(Value::text(phrase)))
        }
        (Some(_), "getReasonPhrase", []) => Some(Ok(machine.unknown("the reason phrase of a status", Type::Str))),
        (Some(Value::Scalar(Scalar::Enum(_, name))), "name", []) => Some(Ok(Value::Scalar(Scalar::pooled(name)))),
        (None, "valueOf", [code]) => {
            let code = status_of(code)?;
            constant(STATUS, status::only_name(code)?).map(Ok)
        }
        _ => None,
    }
}

fn exception(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.name == "<init>" {
        let status = status_value(call.args.first()?);
        let reason = call.args.get(1).cloned().unwrap_or(Value::NULL);
        let mut parts = vec![
            ("status", status),
            ("reason", reason),
            ("message", Value::unknown("message of a ResponseStatusException", Type::Str)),
        ];
        if let Some(cause) = call.args.get(2) {
            parts.push(("cause", cause.clone()));
        }
        return Some(Ok(made(machine, call, parts)));
    }
    let Some(Value::Ref(id)) = call.receiver else { return None };
    if matches!(machine.object(*id).kind, Kind::Escaped(_)) {
        return None;
    }
    match (call.name, call.args) {
        ("getReason", []) => machine.object(*id).parts.get("reason").cloned().map(Ok),
        ("getStatusCode" | "getStatus", []) => {
            let code = status_of(machine.object(*id).parts.get("status")?)?;
            constant(STATUS, status::only_name(code)?).map(Ok)
        }
        _ => None,
    }
}

//! Models Micronaut's responses: `HttpResponse` with its factories, and `HttpStatus`.

use super::named_headers;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::text;
use crate::interpret::library::functions::optional;
use crate::interpret::library::web::jax_rs::{self, status_value};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Value};
use mastor_types::status;

/// The class of responses, also used for `MutableHttpResponse`.
pub const RESPONSE: &str = "io.micronaut.http.HttpResponse";
const MUTABLE: &str = "io.micronaut.http.MutableHttpResponse";
const STATUS: &str = "io.micronaut.http.HttpStatus";
const URI: &str = "java.net.URI";

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.fqn, call.receiver) {
        (RESPONSE, None) => factory(machine, call),
        (RESPONSE | MUTABLE, Some(Value::Ref(id))) => response(machine, call, *id),
        (STATUS, receiver) => status_call(receiver, call),
        _ => None,
    }
}

/// The constant of a status.
fn named(value: &Value) -> Option<Value> {
    let code = u16::try_from(value.scalar()?.as_int()?).ok()?;
    jax_rs::constant(STATUS, status::only_name(code)?)
}

fn status_call(receiver: Option<&Value>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (receiver, call.name, call.args) {
        (Some(receiver), "getCode", []) => Some(Ok(status_value(receiver))),
        (None, "valueOf", [code]) if code.scalar().is_some_and(|code| code.as_int().is_some()) => named(code).map(Ok),
        _ => None,
    }
}

fn factory(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let is_place =
        |value: &&Value| matches!(value, Value::Ref(id) if machine.object(*id).class == ClassRef::library(URI));
    let place = call.args.iter().find(is_place).cloned();
    let body = || call.args.first().filter(|_| place.is_none() || call.args.len() == 2).cloned();
    let (code, body) = match (call.name, call.args.len()) {
        ("ok", 0 | 1) => (200, body()),
        ("created", 1 | 2) => (201, body()),
        ("accepted", 0 | 1) => (202, None),
        ("noContent", 0) => (204, None),
        ("redirect", 1) => (301, None),
        ("seeOther", 1) => (303, None),
        ("notModified", 0) => (304, None),
        ("temporaryRedirect", 1) => (307, None),
        ("permanentRedirect", 1) => (308, None),
        ("badRequest", 0 | 1) => (400, body()),
        ("unauthorized", 0 | 1) => (401, body()),
        ("forbidden", 0 | 1) => (403, body()),
        ("notFound", 0 | 1) => (404, body()),
        ("unprocessableEntity", 0) => (422, None),
        ("serverError", 0 | 1) => (500, body()),
        ("status", 1 | 2) => {
            let status = status_value(call.args.first()?);
            return Some(Ok(machine.modelled(RESPONSE, &[("status", status), ("body", Value::NULL)])));
        }
        _ => return None,
    };
    let parts = [("status", Value::int(code)), ("body", body.unwrap_or(Value::NULL))];
    let made = machine.modelled(RESPONSE, &parts);
    if let Some(place) = place {
        crate::interpret::library::web::spring::locate(machine, &made, &place);
    }
    Some(Ok(made))
}

fn response(machine: &mut Machine<'_>, call: &LibraryCall<'_>, id: ObjId) -> Option<Eval> {
    if !matches!(machine.object(id).kind, Kind::Modelled) {
        return None;
    }
    let own = Value::Ref(id);
    match (call.name, call.args) {
        ("body", [body]) => {
            machine.object_mut(id).parts.insert("body", body.clone());
        }
        ("status", [status, ..]) => {
            let status = status_value(status);
            machine.object_mut(id).parts.insert("status", status);
        }
        ("contentType", [kind]) => {
            machine.object_mut(id).parts.insert("content-type", kind.clone());
            named_headers::said(machine, &own, (call.name, call.args));
        }
        ("header", [name, value]) => {
            named_headers::said(machine, &own, (call.name, call.args));
            match text(name).map(str::to_owned) {
                Some(name) => {
                    let shown = named_headers::only(machine, value);
                    named_headers::note(machine, &own, &name, shown);
                }
                None => named_headers::note_open(machine, &own),
            }
        }
        (
            "headers" | "cookie" | "cookies" | "characterEncoding" | "locale" | "contentLength" | "contentEncoding",
            _,
        ) => {
            named_headers::said(machine, &own, (call.name, call.args));
            named_headers::note_open(machine, &own);
        }
        ("toMutableResponse", []) => {}
        ("code", []) => return machine.object(id).parts.get("status").cloned().map(Ok),
        ("getStatus" | "status", []) => {
            let status = machine.object(id).parts.get("status").cloned()?;
            return named(&status).map(Ok);
        }
        ("body", []) => return machine.object(id).parts.get("body").cloned().map(Ok),
        ("getBody", []) => {
            let body = machine.object(id).parts.get("body").cloned()?;
            return Some(Ok(optional::of(machine, "java.util.Optional", body)));
        }
        _ => return None,
    }
    Some(Ok(own))
}

//! Models JAX-RS responses: `Response`, its builder, and the exceptions that carry a response.

use crate::interpret::classes::hierarchy::jax_rs_name;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::frameworks::named_headers;
use crate::interpret::library::language::throwables::made;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Kind, Type, Value};
use crate::project::brought::Carries;
use mastor_types::status;

/// The class of responses and of their builders, used for both packages.
pub const RESPONSE: &str = "jakarta.ws.rs.core.Response";

/// Enums of statuses with the names of the specification, beside that of JAX-RS.
const STATUSES: &[&str] = &["io.micronaut.http.HttpStatus", "org.jboss.resteasy.reactive.RestResponse.Status"];

/// Whether a class is an enum of statuses with the names of the specification.
fn is_status(fqn: &str) -> bool {
    jax_rs_name(fqn) == Some("core.Response.Status") || STATUSES.contains(&fqn)
}

/// A constant of such an enum.
pub fn constant(fqn: &str, name: &str) -> Option<Value> {
    let known = is_status(fqn) && status::of_name(name).is_some();
    known.then(|| Value::Scalar(Scalar::Enum(ClassRef::library(fqn), std::rc::Rc::from(name))))
}

/// A status argument as a number.
pub fn status_value(value: &Value) -> Value {
    let code = match value {
        Value::Scalar(Scalar::Enum(ClassRef::Library(fqn), name)) if is_status(fqn) => {
            status::of_name(name).map(i32::from)
        }
        Value::Scalar(scalar) => scalar.as_int(),
        _ => None,
    };
    match code {
        Some(code) => Value::int(code),
        None => Value::unknown("a status that is not known", Type::Prim(Prim::Int)),
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let Some(name) = jax_rs_name(call.fqn) else { return exception(machine, call) };
    match name {
        "core.Response" | "core.Response.ResponseBuilder" => response(machine, call),
        "core.Response.Status" => call_status(call),
        _ => exception(machine, call),
    }
}

/// Models a method of such an enum.
pub fn call_status(call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.receiver, call.name, call.args) {
        (Some(receiver), "getStatusCode", []) => Some(Ok(status_value(receiver))),
        (Some(Value::Scalar(Scalar::Enum(_, own))), "getReasonPhrase" | "toString", []) => {
            Some(Ok(Value::text(reason(own)?)))
        }
        _ => None,
    }
}

fn response(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let Some(receiver) = call.receiver else {
        let (status, entity) = match (call.name, call.args) {
            ("ok", []) => (Value::int(200), Value::NULL),
            ("ok", [entity, ..]) => (Value::int(200), entity.clone()),
            ("status", [status]) => (status_value(status), Value::NULL),
            ("created", [_]) => (Value::int(201), Value::NULL),
            ("accepted", []) => (Value::int(202), Value::NULL),
            ("accepted", [entity]) => (Value::int(202), entity.clone()),
            ("noContent", []) => (Value::int(204), Value::NULL),
            ("serverError", []) => (Value::int(500), Value::NULL),
            ("seeOther", [_]) => (Value::int(303), Value::NULL),
            ("temporaryRedirect", [_]) => (Value::int(307), Value::NULL),
            ("notModified", []) => (Value::int(304), Value::NULL),
            ("fromResponse", [Value::Ref(id)]) if machine.object(*id).class == ClassRef::library(RESPONSE) => {
                let object = machine.object(*id).clone();
                return Some(Ok(Value::Ref(machine.allocate(object))));
            }
            _ => return None,
        };
        let made = machine.modelled(RESPONSE, &[("status", status), ("body", entity)]);
        if let ("created" | "seeOther" | "temporaryRedirect", [place]) = (call.name, call.args) {
            let shown = named_headers::place(machine, place);
            named_headers::note(machine, &made, "Location", shown);
            named_headers::said(machine, &made, (call.name, call.args));
            if let (Value::Ref(id), Value::Ref(_)) = (&made, place) {
                machine.object_mut(*id).parts.insert("location", place.clone());
            }
        }
        if let (Value::Ref(id), "ok", [_, kind]) = (&made, call.name, call.args) {
            machine.object_mut(*id).parts.insert("content-type", kind.clone());
        }
        return Some(Ok(made));
    };
    let Value::Ref(id) = receiver else { return None };
    if !matches!(machine.object(*id).kind, Kind::Modelled) {
        return None;
    }
    let part: (&'static str, Value) = match (call.name, call.args) {
        ("build", []) => {
            let object = machine.object(*id).clone();
            return Some(Ok(Value::Ref(machine.allocate(object))));
        }
        ("getStatus", []) => return machine.object(*id).parts.get("status").cloned().map(Ok),
        ("getEntity", []) => return machine.object(*id).parts.get("body").cloned().map(Ok),
        ("entity", [entity]) => ("body", entity.clone()),
        ("status", [status]) => ("status", status_value(status)),
        ("type", [kind]) => ("content-type", kind.clone()),
        ("header", [name, value]) => {
            named_headers::said(machine, receiver, (call.name, call.args));
            match crate::interpret::library::base::support::text(name).map(str::to_owned) {
                Some(name) => named_headers::note(machine, receiver, &name, named_headers::shown(value)),
                None => named_headers::note_open(machine, receiver),
            }
            return Some(Ok(receiver.clone()));
        }
        ("location", [place]) => {
            named_headers::said(machine, receiver, (call.name, call.args));
            let shown = named_headers::place(machine, place);
            named_headers::note(machine, receiver, "Location", shown);
            if let (Value::Ref(id), Value::Ref(_)) = (receiver, place) {
                machine.object_mut(*id).parts.insert("location", place.clone());
            }
            return Some(Ok(receiver.clone()));
        }
        ("cookie" | "encoding" | "language" | "cacheControl" | "tag" | "lastModified" | "allow" | "header", _) => {
            named_headers::said(machine, receiver, (call.name, call.args));
            named_headers::note_open(machine, receiver);
            return Some(Ok(receiver.clone()));
        }
        _ => return None,
    };
    machine.object_mut(*id).parts.insert(part.0, part.1);
    Some(Ok(receiver.clone()))
}

/// Models exceptions of any framework that carry a status.
fn exception(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let Carries::Status(status) = machine.project.brought().exception(call.fqn)?.carries else { return None };
    if let (Some(Value::Ref(id)), "getResponse", []) = (call.receiver, call.name, call.args) {
        let carried = machine.object(*id).parts.clone();
        let status = carried.get("status")?.clone();
        let body = carried.get("body").cloned().unwrap_or(Value::NULL);
        let made = machine.modelled(RESPONSE, &[("status", status), ("body", body)]);
        named_headers::note_open(machine, &made);
        return Some(Ok(made));
    }
    if call.name != "<init>" {
        return None;
    }
    let mut parts =
        vec![("message", Value::unknown("message of an exception with a status", Type::Str)), ("body", Value::NULL)];
    let mut code = status.map(|code| Value::int(code.into()));
    for arg in call.args {
        match arg {
            Value::Scalar(Scalar::Enum(..) | Scalar::Int(_)) if code.is_none() => code = Some(status_value(arg)),
            Value::Ref(id) if machine.object(*id).class == ClassRef::library(RESPONSE) => {
                code = machine.object(*id).parts.get("status").cloned();
                parts.push(("body", machine.object(*id).parts.get("body").cloned().unwrap_or(Value::NULL)));
            }
            Value::Scalar(Scalar::Str(_)) => parts.push(("message", arg.clone())),
            Value::Unknown(_) => {
                parts.push(("body", arg.clone()));
                if code.is_none() {
                    code = Some(arg.clone());
                }
            }
            _ => {}
        }
    }
    // Without a status, the base class answers 500.
    parts.push(("status", code.unwrap_or_else(|| Value::int(500))));
    Some(Ok(made(machine, call, parts)))
}

/// The reason phrase of a status; `None` if it differs between releases.
pub(in crate::interpret::library) fn reason(name: &str) -> Option<&'static str> {
    Some(match name {
        "OK" => "OK",
        "CREATED" => "Created",
        "ACCEPTED" => "Accepted",
        "NO_CONTENT" => "No Content",
        "RESET_CONTENT" => "Reset Content",
        "PARTIAL_CONTENT" => "Partial Content",
        "MOVED_PERMANENTLY" => "Moved Permanently",
        "FOUND" => "Found",
        "SEE_OTHER" => "See Other",
        "NOT_MODIFIED" => "Not Modified",
        "USE_PROXY" => "Use Proxy",
        "TEMPORARY_REDIRECT" => "Temporary Redirect",
        "BAD_REQUEST" => "Bad Request",
        "UNAUTHORIZED" => "Unauthorized",
        "PAYMENT_REQUIRED" => "Payment Required",
        "FORBIDDEN" => "Forbidden",
        "NOT_FOUND" => "Not Found",
        "METHOD_NOT_ALLOWED" => "Method Not Allowed",
        "NOT_ACCEPTABLE" => "Not Acceptable",
        "REQUEST_TIMEOUT" => "Request Timeout",
        "CONFLICT" => "Conflict",
        "GONE" => "Gone",
        "LENGTH_REQUIRED" => "Length Required",
        "PRECONDITION_FAILED" => "Precondition Failed",
        "UNSUPPORTED_MEDIA_TYPE" => "Unsupported Media Type",
        "EXPECTATION_FAILED" => "Expectation Failed",
        "INTERNAL_SERVER_ERROR" => "Internal Server Error",
        "NOT_IMPLEMENTED" => "Not Implemented",
        "BAD_GATEWAY" => "Bad Gateway",
        "SERVICE_UNAVAILABLE" => "Service Unavailable",
        "GATEWAY_TIMEOUT" => "Gateway Timeout",
        _ => return None,
    })
}

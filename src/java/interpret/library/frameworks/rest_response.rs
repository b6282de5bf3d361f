//! Models `RestResponse` of Quarkus REST: its factories, its builder and its statuses, on the response of JAX-RS.

use super::named_headers;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::web::jax_rs::{self, RESPONSE, status_value};
use crate::interpret::values::value::Value;

const REST: &str = "org.jboss.resteasy.reactive.RestResponse";

/// The part of a class name behind `RestResponse`: its builder or its enum of statuses.
fn rest_name(fqn: &str) -> Option<&str> {
    let rest = fqn.strip_prefix(REST)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let name = rest_name(call.fqn)?;
    match (name, call.receiver) {
        ("", None) => made(machine, call),
        ("ResponseBuilder", None) => begun(machine, call),
        ("Status", _) => jax_rs::call_status(call),
        (_, Some(_)) => member(machine, call),
        _ => None,
    }
}

/// A whole response, by the class's own factories.
fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let (status, body) = match (call.name, call.args) {
        ("status", [status, body]) => (status_value(status), body.clone()),
        ("notFound", []) => (Value::int(404), Value::NULL),
        _ => return of_jax_rs(machine, call),
    };
    Some(Ok(machine.modelled(RESPONSE, &[("status", status), ("body", body)])))
}

/// A builder, by the builder's factories.
fn begun(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let (status, body) = match (call.name, call.args) {
        ("create", [status]) => (status_value(status), Value::NULL),
        ("create", [status, body]) => (status_value(status), body.clone()),
        ("notFound", []) => (Value::int(404), Value::NULL),
        _ => return of_jax_rs(machine, call),
    };
    Some(Ok(machine.modelled(RESPONSE, &[("status", status), ("body", body)])))
}

/// A method that `Response` has under the same name.
fn of_jax_rs(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    jax_rs::call(machine, &LibraryCall { fqn: RESPONSE, ..*call })
}

/// A method of a response or a builder.
fn member(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let receiver = call.receiver?;
    match (call.name, call.args) {
        ("toResponse", []) => Some(Ok(receiver.clone())),
        ("expires" | "links" | "link" | "variant" | "variants" | "replaceAll" | "contentLocation", _) => {
            named_headers::said(machine, receiver, (call.name, call.args));
            named_headers::note_open(machine, receiver);
            Some(Ok(receiver.clone()))
        }
        _ => of_jax_rs(machine, call),
    }
}

//! Models the contexts of Swagger Inflector: the request that a handler receives, and the response that it builds.

use super::media_types;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{reference, text};
use crate::interpret::library::web::jax_rs::status_value;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, Native, ObjId, Object, Value};

/// The response class, used for both releases.
pub const RESPONSE: &str = "io.swagger.oas.inflector.models.ResponseContext";

const HEADERS: &str = "jakarta.ws.rs.core.MultivaluedMap";

/// The simple name of a context class, for either release.
fn context_name(fqn: &str) -> Option<&str> {
    fqn.strip_prefix("io.swagger.oas.inflector.models.").or_else(|| fqn.strip_prefix("io.swagger.inflector.models."))
}

/// Whether this is the class of the request.
pub fn is_request(fqn: &str) -> bool {
    context_name(fqn) == Some("RequestContext")
}

/// The headers of a request, by lower-case name; `None` for an arbitrary request.
#[derive(Debug, Clone)]
struct Headers(Option<Vec<(String, String)>>);

impl Native for Headers {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A request with these headers.
pub fn request(machine: &mut Machine<'_>, fqn: &str, headers: Option<Vec<(String, String)>>) -> Value {
    let headers = self::headers(machine, headers);
    machine.modelled(fqn, &[("headers", headers)])
}

/// The headers of a request, by lower-case name; `None` for an arbitrary request.
pub fn headers(machine: &mut Machine<'_>, headers: Option<Vec<(String, String)>>) -> Value {
    let headers = Object::new(ClassRef::library(HEADERS), Kind::Native(Box::new(Headers(headers))));
    Value::Ref(machine.allocate(headers))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn == HEADERS {
        return on_headers(machine, reference(call.receiver?)?, call);
    }
    match (context_name(call.fqn)?, call.receiver) {
        ("RequestContext", Some(receiver)) => {
            let id = reference(receiver)?;
            match (call.name, call.args) {
                ("getHeaders", []) => machine.object(id).parts.get("headers").cloned().map(Ok),
                ("getAcceptableMediaTypes", []) => {
                    let any = media_types::of(machine, "*/*");
                    let list = Object::new(
                        ClassRef::library("java.util.ArrayList"),
                        Kind::List { items: vec![any], fixed: false },
                    );
                    Some(Ok(Value::Ref(machine.allocate(list))))
                }
                _ => None,
            }
        }
        ("ResponseContext", None) if call.name == "<init>" && call.args.is_empty() => {
            Some(Ok(machine.modelled(RESPONSE, &[])))
        }
        ("ResponseContext", Some(receiver)) => on_response(machine, receiver, call),
        _ => None,
    }
}

fn on_headers(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let Headers(sent) = machine.native::<Headers>(id)?.clone();
    let [name] = call.args else { return None };
    let name = text(name)?.to_lowercase();
    let own =
        sent.as_ref().and_then(|sent| sent.iter().find(|(known, _)| *known == name)).map(|(_, value)| value.clone());
    // Headers that a test client sends by default are known or left unknown; all other headers are absent.
    let value = match (own, name.as_str(), &sent) {
        (Some(value), ..) => machine.fresh_text(&value),
        (None, "accept", _) => machine.fresh_text("*/*"),
        (
            None,
            "host" | "user-agent" | "content-type" | "content-length" | "connection" | "accept-encoding"
            | "transfer-encoding" | "accept-language",
            _,
        )
        | (None, _, None) => return None,
        _ => Value::NULL,
    };
    Some(Ok(match call.name {
        "getFirst" => value,
        "get" if value.is_null() => value,
        "get" => {
            let list =
                Object::new(ClassRef::library("java.util.ArrayList"), Kind::List { items: vec![value], fixed: false });
            Value::Ref(machine.allocate(list))
        }
        "containsKey" => Value::bool(!value.is_null()),
        _ => return None,
    }))
}

fn on_response(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Eval> {
    let id = reference(receiver)?;
    if !matches!(machine.object(id).kind, Kind::Modelled) {
        return None;
    }
    let (part, value, chained) = match (call.name, call.args) {
        ("status" | "setStatus", [status]) => ("status", status_value(status), call.name == "status"),
        ("entity" | "setEntity", [entity]) => ("entity", entity.clone(), call.name == "entity"),
        ("contentType" | "setContentType", [kind]) => ("content-type", kind.clone(), call.name == "contentType"),
        ("header", [_, _]) => ("headers", Value::bool(true), true),
        ("getEntity", []) => return machine.object(id).parts.get("entity").cloned().or(Some(Value::NULL)).map(Ok),
        ("getStatus", []) => return machine.object(id).parts.get("status").cloned().or(Some(Value::int(200))).map(Ok),
        _ => return None,
    };
    machine.object_mut(id).parts.insert(part, value);
    Some(Ok(if chained { receiver.clone() } else { Value::NULL }))
}

//! Models the requests and responses of router functions: `ServerRequest` and `ServerResponse`, of WebFlux and of
//! Spring MVC.

use super::media_types;
use super::reactive;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{native, reference, text};
use crate::interpret::library::web::spring;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, Native, Value};

const REACTIVE: &str = "org.springframework.web.reactive.function.server.";
const SERVLET: &str = "org.springframework.web.servlet.function.";
const HEADERS: &str = "org.springframework.web.reactive.function.server.ServerRequest.Headers";
const INSERTERS: &str = "org.springframework.web.reactive.function.BodyInserters";

/// The body that a handler reads.
#[derive(Debug, Clone)]
pub enum RequestBody {
    /// The deserialised value.
    Read(Value),
    /// No body was sent.
    Nothing,
    /// Reading it throws this exception.
    Refused(Value),
    /// Unknown.
    Open,
}

/// A request, with the values that its handler reads by name.
#[derive(Debug, Clone)]
pub struct Request {
    /// Path variables.
    pub variables: Vec<(String, Value)>,
    /// Query parameters.
    pub query: Vec<(String, Value)>,
    /// Headers, by lower-case name.
    pub headers: Vec<(String, Value)>,
    /// The body.
    pub body: RequestBody,
}

impl Native for Request {
    native_state!();

    fn children(&self) -> Vec<Value> {
        let named = self.variables.iter().chain(&self.query).chain(&self.headers).map(|(_, value)| value.clone());
        let held = match &self.body {
            RequestBody::Read(value) | RequestBody::Refused(value) => Some(value.clone()),
            RequestBody::Nothing | RequestBody::Open => None,
        };
        named.chain(held).collect()
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

/// Whether a class is a request of router functions; `true` for that of WebFlux, `false` for that of Spring MVC.
pub fn is_request(fqn: &str) -> Option<bool> {
    if fqn.strip_prefix(REACTIVE) == Some("ServerRequest") {
        return Some(true);
    }
    (fqn.strip_prefix(SERVLET) == Some("ServerRequest")).then_some(false)
}

/// Whether a class is a response of router functions.
pub fn is_response(fqn: &str) -> bool {
    [REACTIVE, SERVLET].iter().any(|package| fqn.strip_prefix(package) == Some("ServerResponse"))
}

/// A request object.
pub fn request(machine: &mut Machine<'_>, fqn: &str, request: Request) -> Value {
    native(machine, fqn, request)
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if let Some(reactive) = is_request(call.fqn) {
        return on_request(machine, call, reactive);
    }
    if is_response(call.fqn) {
        return on_response(machine, call, call.fqn.starts_with(REACTIVE));
    }
    match (call.fqn, call.name, call.args) {
        (HEADERS, "firstHeader", [name]) => {
            let name = text(name)?.to_lowercase();
            let request = reference(machine.object(reference(call.receiver?)?).parts.get("request")?)?;
            let request = machine.native::<Request>(request)?;
            request.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| Ok(value.clone()))
        }
        (INSERTERS, "fromValue" | "fromObject", [value]) => {
            Some(Ok(machine.modelled(INSERTERS, &[("value", value.clone())])))
        }
        (INSERTERS, "fromPublisher", [value, _]) => Some(Ok(machine.modelled(INSERTERS, &[("value", value.clone())]))),
        _ => None,
    }
}

fn on_request(machine: &mut Machine<'_>, call: &LibraryCall<'_>, reactive: bool) -> Option<Eval> {
    let receiver = call.receiver?;
    let request = machine.native::<Request>(reference(receiver)?)?.clone();
    let named = |all: &[(String, Value)], name: &Value| {
        let name = text(name)?;
        all.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    };
    match (call.name, call.args) {
        ("pathVariable", [name]) => named(&request.variables, name).map(Ok),
        ("queryParam", [name]) if reactive => {
            let value = named(&request.query, name)?;
            Some(Ok(machine.modelled("java.util.Optional", &[("value", value)])))
        }
        ("param", [name]) if !reactive => {
            let value = named(&request.query, name)?;
            Some(Ok(machine.modelled("java.util.Optional", &[("value", value)])))
        }
        ("headers", []) => Some(Ok(machine.modelled(HEADERS, &[("request", receiver.clone())]))),
        ("bodyToMono", [Value::Class(_)]) if reactive => Some(Ok(match request.body {
            RequestBody::Read(value) => reactive::of(machine, reactive::MONO, vec![value]),
            RequestBody::Nothing => reactive::of(machine, reactive::MONO, Vec::new()),
            RequestBody::Refused(thrown) => reactive::failing(machine, thrown),
            RequestBody::Open => return None,
        })),
        ("body", [Value::Class(_)]) if !reactive => Some(match request.body {
            RequestBody::Read(value) => Ok(value),
            RequestBody::Refused(thrown) => Err(machine.throw_value(&thrown)),
            RequestBody::Nothing | RequestBody::Open => return None,
        }),
        _ => None,
    }
}

fn on_response(machine: &mut Machine<'_>, call: &LibraryCall<'_>, reactive: bool) -> Option<Eval> {
    let as_entity = LibraryCall { fqn: spring::ENTITY, ..*call };
    let Some(receiver) = call.receiver else {
        let moved = match (call.name, call.args) {
            ("seeOther", [place]) => Some((303, place)),
            ("temporaryRedirect", [place]) => Some((307, place)),
            ("permanentRedirect", [place]) => Some((308, place)),
            ("ok" | "accepted" | "noContent" | "badRequest" | "notFound" | "unprocessableEntity", []) => None,
            ("unprocessableContent", []) | ("created" | "status", [_]) => None,
            _ => return None,
        };
        let made = match moved {
            None => spring::call(machine, &as_entity)?,
            Some((status, place)) => {
                let made = machine.modelled(spring::ENTITY, &[("status", Value::int(status)), ("body", Value::NULL)]);
                spring::locate(machine, &made, place);
                Ok(made)
            }
        };
        return Some(made.inspect(|made| {
            if let Value::Ref(id) = made {
                machine.object_mut(*id).class = ClassRef::library(call.fqn);
            }
        }));
    };
    let id = reference(receiver)?;
    if !matches!(machine.object(id).kind, Kind::Modelled) {
        return None;
    }
    let body = match (call.name, call.args, reactive) {
        ("build", [], _) => Value::NULL,
        ("bodyValue" | "syncBody", [value], true) | ("body", [value], false) => known_body(value)?,
        ("body", [inserter], true) => {
            let inserter = reference(inserter)?;
            if crate::interpret::library::base::support::class_of(machine, &Value::Ref(inserter)) != Some(INSERTERS) {
                return None;
            }
            let value = machine.object(inserter).parts.get("value")?.clone();
            known_body(&value)?
        }
        ("body", [publisher, _], true) => {
            reactive::class(machine, publisher)?;
            publisher.clone()
        }
        (
            "header" | "headers" | "contentType" | "contentLength" | "location" | "eTag" | "lastModified"
            | "cacheControl" | "allow" | "varyBy",
            _,
            _,
        ) => {
            // Methods that take a function of the headers or cookies are not modelled.
            if matches!(call.args, [Value::Lambda(_)]) {
                return None;
            }
            return spring::call(machine, &as_entity);
        }
        _ => return None,
    };
    let mut object = machine.object(id).clone();
    object.parts.insert("body", body);
    let made = Value::Ref(machine.allocate(object));
    Some(Ok(if reactive { reactive::of(machine, reactive::MONO, vec![made]) } else { made }))
}

/// The body, if it is not null: the effect of null depends on the method and the release.
fn known_body(value: &Value) -> Option<Value> {
    (!value.is_null()).then(|| value.clone())
}

/// Whether the media type that a handler sets is JSON.
pub fn says_json(machine: &Machine<'_>, kind: &Value) -> bool {
    media_types::text_of(machine, kind).is_some_and(|kind| kind.contains("json"))
}

//! Models the JDK's HTTP server: contexts that code creates, and the exchange passed to a handler.
//!
//! The rules were observed on a server of release 17: a handler that throws, or that sends no status, produces no
//! response at all; a length of -1 ends the response, 0 leaves its length open, and any other length must be met
//! exactly.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{int, library_type, long, native, reference, text};
use crate::interpret::library::text::codings::bytes_of;
use crate::interpret::library::text::input_text;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, Native, ObjId, Object, Type, Value};

const PACKAGE: &str = "com.sun.net.httpserver.";
const CONTEXT: &str = "com.sun.net.httpserver.HttpContext";
const EXCHANGE: &str = "com.sun.net.httpserver.HttpExchange";
const HEADERS: &str = "com.sun.net.httpserver.Headers";
const BODY: &str = "java.io.OutputStream";

/// A request as a handler sees it.
#[derive(Debug, Clone)]
pub struct HandlerRequest {
    /// Its method.
    pub method: &'static str,
    /// Path and query as sent; `None` if they depend on symbolic inputs.
    pub target: Option<String>,
    /// Headers that the test sends, by lower-case name; `None` for an arbitrary request.
    pub headers: Option<Vec<(String, String)>>,
    /// The bytes of the body; `None` if unknown.
    pub body: Option<Vec<u8>>,
}

/// The announced length of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// It has no body.
    None,
    /// Open: the body may have any length.
    Open,
    /// This many bytes.
    Of(u64),
    /// Unknown.
    Unknown,
}

/// The response so far.
#[derive(Debug, Clone, Default)]
pub struct HandlerResponse {
    /// The status, once sent; the inner value is `None` if it is unknown.
    pub status: Option<Option<u16>>,
    /// The length announced with the status.
    pub length: Option<Length>,
    /// The body written so far; `None` if unknown.
    pub bytes: Option<Vec<u8>>,
    /// Whether the response was completed.
    pub is_closed: bool,
}

/// The state of an `HttpExchange`.
#[derive(Debug, Clone)]
struct Exchange {
    asked: HandlerRequest,
    path: Rc<str>,
    uri: Value,
    sent: Value,
    answered: HandlerResponse,
    headers: Value,
    attributes: BTreeMap<String, Value>,
    body: Option<Value>,
}

impl Native for Exchange {
    native_state!();

    fn children(&self) -> Vec<Value> {
        let own = [&self.uri, &self.sent, &self.headers];
        own.into_iter().chain(self.attributes.values()).chain(&self.body).cloned().collect()
    }
}

/// The output stream of a response body, with its exchange.
#[derive(Debug, Clone)]
struct Sink(ObjId);

impl Native for Sink {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![Value::Ref(self.0)]
    }
}

/// The headers of a request (`known` is `None` for an arbitrary request) or of a response; an unknown value is
/// `None`.
#[derive(Debug, Clone)]
struct Headers {
    known: Option<Vec<(String, Option<String>)>>,
    is_request: bool,
}

impl Native for Headers {
    native_state!(leaf);
}

/// A context of the server: its path and its object.
pub type Hosted = (Rc<str>, ObjId);

/// The context that serves a path: the one with the longest matching prefix.
pub fn context_of(machine: &Machine<'_>, path: &str) -> Option<Hosted> {
    let fitting = machine.hosted.iter().filter(|(prefix, _)| path.starts_with(&**prefix));
    fitting.max_by_key(|(prefix, _)| prefix.len()).cloned()
}

/// The handler of a context; `None` if filters or an authenticator precede it, or if it is unknown.
pub fn handler_of(machine: &Machine<'_>, context: ObjId) -> Option<Value> {
    let object = machine.object(context);
    let is_plain = matches!(object.kind, Kind::Modelled) && !object.parts.contains_key("guard");
    let filters = object.parts.get("filters").and_then(reference).map(|id| &machine.object(id).kind);
    let unfiltered = filters.is_none_or(|kind| matches!(kind, Kind::List { items, .. } if items.is_empty()));
    object.parts.get("handler").filter(|_| is_plain && unfiltered).cloned()
}

/// A new exchange without a response.
pub fn exchange(machine: &mut Machine<'_>, asked: HandlerRequest, path: &Rc<str>) -> Value {
    let uri = match &asked.target {
        Some(target) => {
            let target = machine.fresh_text(target);
            machine.modelled("java.net.URI", &[("text", target)])
        }
        None => Value::unknowable("the request as the server sees it", library_type("java.net.URI")),
    };
    let sent = asked.headers.clone().map(|all| all.into_iter().map(|(name, value)| (name, Some(value))).collect());
    let sent = native(machine, HEADERS, Headers { known: sent, is_request: true });
    let headers = native(machine, HEADERS, Headers { known: Some(Vec::new()), is_request: false });
    let answered = HandlerResponse { bytes: Some(Vec::new()), ..HandlerResponse::default() };
    let attributes = BTreeMap::new();
    native(
        machine,
        EXCHANGE,
        Exchange { asked, path: path.clone(), uri, sent, answered, headers, attributes, body: None },
    )
}

/// The response that a handler has produced; `None` if it passed the exchange to code that is not modelled.
pub fn answered(machine: &Machine<'_>, exchange: &Value) -> Option<HandlerResponse> {
    machine.native::<Exchange>(reference(exchange)?).map(|state| state.answered.clone())
}

/// The headers that a handler has set, by lower-case name; `None` if the name of one is unknown.
pub fn headers(machine: &Machine<'_>, exchange: &Value) -> Option<BTreeMap<String, Option<String>>> {
    let headers = machine.native::<Exchange>(reference(exchange)?)?.headers.clone();
    let known = machine.native::<Headers>(reference(&headers)?)?.known.clone()?;
    let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (name, value) in known {
        // A header with several values gets an unknown value.
        let value = if found.contains_key(&name) { None } else { value };
        found.insert(name, value);
    }
    Some(found)
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if let Some(id) = call.receiver.and_then(reference) {
        if machine.native::<Sink>(id).is_some() {
            return on_sink(machine, id, call);
        }
        if let Kind::Native(_) = machine.object(id).kind {
            let class = machine.object(id).class.clone();
            if class == ClassRef::library(EXCHANGE) {
                return on_exchange(machine, id, call);
            }
            if class == ClassRef::library(HEADERS) {
                return on_headers(machine, id, call);
            }
        }
    }
    match (call.fqn.strip_prefix(PACKAGE)?, call.receiver) {
        ("HttpServer" | "HttpsServer", None) if call.name == "create" => {
            let server = machine.modelled(call.fqn, &[]);
            if let [_, _, path, handler, ..] = call.args {
                host(machine, path, Some(handler))?;
            }
            Some(Ok(server))
        }
        ("HttpServer" | "HttpsServer", Some(_)) => on_server(machine, call),
        ("HttpContext", Some(receiver)) => on_context(machine, reference(receiver)?, call),
        _ => None,
    }
}

fn host(machine: &mut Machine<'_>, path: &Value, handler: Option<&Value>) -> Option<Value> {
    let path: Rc<str> = Rc::from(text(path)?);
    let list = Object::new(ClassRef::library("java.util.LinkedList"), Kind::List { items: Vec::new(), fixed: false });
    let filters = Value::Ref(machine.allocate(list));
    let context = machine.modelled(CONTEXT, &[("filters", filters)]);
    let id = reference(&context)?;
    if let Some(handler) = handler {
        machine.object_mut(id).parts.insert("handler", handler.clone());
    }
    machine.hosted.push((path, id));
    Some(context)
}

fn on_server(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    Some(Ok(match (call.name, call.args) {
        ("createContext", [path]) => host(machine, path, None)?,
        ("createContext", [path, handler]) => host(machine, path, Some(handler))?,
        ("setExecutor" | "start" | "bind" | "stop" | "setHttpsConfigurator", _) => Value::NULL,
        ("getAddress", []) => Value::unknowable("where the server listens", library_type("java.net.InetSocketAddress")),
        ("getExecutor", []) => machine.unknown("threads", library_type("java.util.concurrent.Executor")),
        _ => return None,
    }))
}

fn on_context(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.name, call.args) {
        ("setHandler", [handler]) => {
            machine.object_mut(id).parts.insert("handler", handler.clone());
            Some(Ok(Value::NULL))
        }
        ("setAuthenticator", [guard]) => {
            machine.object_mut(id).parts.insert("guard", guard.clone());
            Some(Ok(Value::NULL))
        }
        ("getFilters", []) => machine.object(id).parts.get("filters").cloned().map(Ok),
        ("getHandler", []) => machine.object(id).parts.get("handler").cloned().map(Ok),
        _ => None,
    }
}

fn on_exchange(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let state = machine.native::<Exchange>(id)?.clone();
    let value = match (call.name, call.args) {
        ("getRequestMethod", []) => machine.fresh_text(state.asked.method),
        ("getRequestURI", []) => state.uri,
        ("getRequestHeaders", []) => state.sent,
        ("getResponseHeaders", []) => state.headers,
        ("getProtocol", []) => machine.fresh_text("HTTP/1.1"),
        ("getPrincipal", []) => Value::NULL,
        ("getRequestBody", []) => match (state.body, state.asked.body) {
            (Some(body), _) => body,
            (None, Some(bytes)) => {
                let body = input_text::stream(machine, bytes.into());
                machine.native_mut::<Exchange>(id)?.body = Some(body.clone());
                body
            }
            (None, None) => machine.unknown("the body of the request", library_type("java.io.InputStream")),
        },
        ("getResponseBody", []) => native(machine, BODY, Sink(id)),
        ("getResponseCode", []) => match state.answered.status {
            None => Value::int(-1),
            Some(Some(code)) => Value::int(code.into()),
            Some(None) => return None,
        },
        ("getHttpContext", []) => {
            let path = machine.fresh_text(&state.path);
            machine.modelled("com.sun.net.httpserver.HttpContext.of.exchange", &[("path", path)])
        }
        ("getRemoteAddress" | "getLocalAddress", []) => {
            Value::unknowable("who sent the request", library_type("java.net.InetSocketAddress"))
        }
        ("getAttribute", [name]) => state.attributes.get(text(name)?).cloned().unwrap_or(Value::NULL),
        ("setAttribute", [name, value]) => {
            let name = text(name)?.to_owned();
            machine.native_mut::<Exchange>(id)?.attributes.insert(name, value.clone());
            Value::NULL
        }
        ("sendResponseHeaders", [status, length]) => return Some(begin(machine, id, status, length)),
        ("close", []) => {
            machine.native_mut::<Exchange>(id)?.answered.is_closed = true;
            Value::NULL
        }
        _ => return None,
    };
    Some(Ok(value))
}

/// Sends the status; it can be sent only once.
fn begin(machine: &mut Machine<'_>, id: ObjId, status: &Value, length: &Value) -> Eval {
    let refused = Value::unknown("message of the server", Type::Str);
    let said = match long(length).or_else(|| int(length).map(i64::from)) {
        None => Length::Unknown,
        Some(-1) => Length::None,
        Some(0) => Length::Open,
        Some(of) => u64::try_from(of).map_or(Length::Unknown, Length::Of),
    };
    let code = int(status).map(|code| u16::try_from(code).ok().filter(|code| (200..600).contains(code)));
    let Some(state) = machine.native_mut::<Exchange>(id) else { return Ok(Value::NULL) };
    if state.answered.status.is_some() {
        return Err(machine.throw("java.io.IOException", refused));
    }
    state.answered.status = Some(code.flatten());
    let said = if matches!(code, Some(Some(204 | 304))) { Length::None } else { said };
    state.answered.length = Some(said);
    state.answered.is_closed |= said == Length::None;
    Ok(Value::NULL)
}

fn on_sink(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let Sink(exchange) = machine.native::<Sink>(id)?.clone();
    let written: Option<Vec<u8>> = match (call.name, call.args) {
        ("flush", []) => return Some(Ok(Value::NULL)),
        ("close", []) => {
            // Closing the body before the status is sent has no effect.
            let state = machine.native_mut::<Exchange>(exchange)?;
            state.answered.is_closed |= state.answered.status.is_some();
            return Some(Ok(Value::NULL));
        }
        ("write", [one]) => match one {
            Value::Scalar(Scalar::Int(byte)) => Some(vec![(byte & 0xff) as u8]),
            Value::Scalar(_) => return None,
            bytes => bytes_of(machine, bytes),
        },
        ("write", [bytes, from, count]) => {
            let (from, count) = (usize::try_from(int(from)?).ok()?, usize::try_from(int(count)?).ok()?);
            match bytes_of(machine, bytes) {
                Some(bytes) => Some(bytes.get(from..from.checked_add(count)?)?.to_vec()),
                None => None,
            }
        }
        _ => return None,
    };
    let refused = Value::unknown("message of the server", Type::Str);
    let state = machine.native_mut::<Exchange>(exchange)?;
    let is_over = match (state.answered.length, &state.answered.bytes, &written) {
        (None, ..) => true,
        (Some(Length::None), _, Some(more)) => !more.is_empty(),
        (Some(Length::Of(most)), Some(bytes), Some(more)) => (bytes.len() + more.len()) as u64 > most,
        _ => state.answered.is_closed,
    };
    if is_over {
        return Some(Err(machine.throw("java.io.IOException", refused)));
    }
    state.answered.bytes = match (state.answered.bytes.take(), written) {
        (Some(mut bytes), Some(more)) => {
            bytes.extend(more);
            Some(bytes)
        }
        _ => None,
    };
    Some(Ok(Value::NULL))
}

fn on_headers(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let state = machine.native::<Headers>(id)?.clone();
    if let ("set" | "add", [name, value]) = (call.name, call.args) {
        let (name, value) = (text(name).map(str::to_lowercase), text(value).map(str::to_owned));
        let is_set = call.name == "set";
        let own = machine.native_mut::<Headers>(id)?;
        own.known = own.known.take().zip(name).map(|(mut known, name)| {
            known.retain(|(own, _)| !is_set || *own != name);
            known.push((name, value));
            known
        });
        return Some(Ok(Value::NULL));
    }
    if let ("put", [name, values]) = (call.name, call.args) {
        let name = text(name).map(str::to_lowercase);
        let items = machine.given_items(values);
        let value = match items.as_deref() {
            Some([only]) => text(only).map(str::to_owned),
            _ => None,
        };
        let own = machine.native_mut::<Headers>(id)?;
        own.known = own.known.take().zip(name).map(|(mut known, name)| {
            known.retain(|(own, _)| *own != name);
            known.push((name, value));
            known
        });
        return Some(Ok(Value::NULL));
    }
    let [name] = call.args else { return None };
    let name = text(name)?.to_lowercase();
    let known = state.known?;
    let found: Vec<Option<String>> =
        known.iter().filter(|(own, _)| *own == name).map(|(_, value)| value.clone()).collect();
    let value = match (found.as_slice(), name.as_str()) {
        ([Some(value), ..], _) => machine.fresh_text(value),
        ([None, ..], _) => return None,
        // Headers that a test client sends by default are known or left unknown; all other headers are absent.
        ([], "accept") if state.is_request => machine.fresh_text("*/*"),
        (
            [],
            "host" | "user-agent" | "content-length" | "connection" | "accept-encoding" | "transfer-encoding"
            | "accept-language" | "content-type",
        ) if state.is_request => return None,
        ([], _) => Value::NULL,
    };
    Some(Ok(match call.name {
        "getFirst" => value,
        "containsKey" => Value::bool(!value.is_null()),
        "get" if value.is_null() => value,
        "get" if found.len() < 2 => {
            let list =
                Object::new(ClassRef::library("java.util.LinkedList"), Kind::List { items: vec![value], fixed: false });
            Value::Ref(machine.allocate(list))
        }
        _ => return None,
    }))
}

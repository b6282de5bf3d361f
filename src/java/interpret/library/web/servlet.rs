//! Models servlets: the request, the response as code outside a handler writes it, sessions, and the filter chain.
//!
//! Only what decides the answer is recorded: whether a filter passed the request on, a status, a redirect, and that
//! something was written.

use std::collections::BTreeMap;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{int, reference, text};
use crate::interpret::library::frameworks::named_headers;
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::term::{Input, InputPlace, Term};
use crate::interpret::values::value::{Kind, Native, ObjId, Object, Type, Value};

/// The data that a request carries.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    /// Query and form parameters, by name.
    pub params: Vec<(String, String)>,
    /// Headers, by lower-case name.
    pub headers: Vec<(String, String)>,
    /// Media type of the body, if there is one.
    pub media_type: Option<String>,
}

/// The state of a request.
#[derive(Debug, Clone)]
pub struct ServletRequest {
    /// Its method.
    pub method: &'static str,
    /// Its path within the application; `None` if it depends on symbolic inputs.
    pub path: Option<String>,
    /// The context path.
    pub context: String,
    /// The data it carries; `None` for an arbitrary request.
    pub sent: Option<Sent>,
    /// Context path and servlet path, as servlets see them; `None` if unknown.
    pub split: Option<(String, String)>,
    /// Whether it authenticates a user, by credentials that are not recorded.
    pub names_user: bool,
    attributes: BTreeMap<String, Value>,
}

impl ServletRequest {
    /// A request without attributes.
    pub fn new(method: &'static str, path: Option<String>, context: String, sent: Option<Sent>) -> Self {
        let split = path.clone().map(|path| (context.clone(), path));
        Self { method, path, context, split, sent, names_user: false, attributes: BTreeMap::new() }
    }
}

impl Native for ServletRequest {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.attributes.values().cloned().collect()
    }
}

/// A session that was created for this request.
#[derive(Debug, Clone, Default)]
struct Session {
    attributes: BTreeMap<String, Value>,
}

impl Native for Session {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.attributes.values().cloned().collect()
    }
}

const WHY: &str = "the request as the server sees it";

/// The name of a class relative to the package of the Servlet API (`javax.servlet` or `jakarta.servlet`).
pub fn servlet_name(fqn: &str) -> Option<&str> {
    fqn.strip_prefix("javax.servlet.").or_else(|| fqn.strip_prefix("jakarta.servlet."))
}

/// A request object, in the package that `like` is in.
pub fn request(machine: &mut Machine<'_>, like: &str, asked: ServletRequest) -> ObjId {
    let class = ClassRef::library(&in_package(like, "http.HttpServletRequest"));
    machine.allocate(Object::new(class, Kind::Native(Box::new(asked))))
}

/// A response object without content, in the package that `like` is in.
pub fn response(machine: &mut Machine<'_>, like: &str) -> ObjId {
    machine.allocate(Object::new(ClassRef::library(&in_package(like, "http.HttpServletResponse")), Kind::Modelled))
}

/// A filter chain that was not called yet, in the package that `like` is in.
pub fn chain(machine: &mut Machine<'_>, like: &str) -> ObjId {
    machine.allocate(Object::new(ClassRef::library(&in_package(like, "FilterChain")), Kind::Modelled))
}

fn in_package(like: &str, name: &str) -> String {
    let package = if like.starts_with("jakarta.") { "jakarta" } else { "javax" };
    format!("{package}.servlet.{name}")
}

/// A constant of the Servlet API.
pub fn constant(fqn: &str, name: &str) -> Option<Value> {
    let code = match (servlet_name(fqn)?, name.strip_prefix("SC_")?) {
        ("http.HttpServletResponse", "REQUEST_ENTITY_TOO_LARGE") => Some(413),
        ("http.HttpServletResponse", status) => mastor_types::status::of_name(match status {
            "INTERNAL_SERVER_ERROR"
            | "UNAUTHORIZED"
            | "FORBIDDEN"
            | "NOT_FOUND"
            | "BAD_REQUEST"
            | "OK"
            | "CREATED"
            | "ACCEPTED"
            | "NO_CONTENT"
            | "FOUND"
            | "SEE_OTHER"
            | "NOT_MODIFIED"
            | "MOVED_PERMANENTLY"
            | "MOVED_TEMPORARILY"
            | "TEMPORARY_REDIRECT"
            | "METHOD_NOT_ALLOWED"
            | "NOT_ACCEPTABLE"
            | "CONFLICT"
            | "GONE"
            | "PRECONDITION_FAILED"
            | "UNSUPPORTED_MEDIA_TYPE"
            | "NOT_IMPLEMENTED"
            | "BAD_GATEWAY"
            | "SERVICE_UNAVAILABLE"
            | "REQUEST_TIMEOUT" => status,
            _ => return None,
        }),
        _ => None,
    }?;
    Some(Value::int(code.into()))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    // An interceptor base class of the framework, which lets every request pass.
    let simple = call.fqn.rsplit('.').next().unwrap_or_default();
    if matches!(simple, "HandlerInterceptor" | "HandlerInterceptorAdapter" | "AsyncHandlerInterceptor") {
        return match call.name {
            "preHandle" => Some(Ok(Value::bool(true))),
            "postHandle" | "afterCompletion" | "afterConcurrentHandlingStarted" => Some(Ok(Value::NULL)),
            _ => None,
        };
    }
    let receiver = call.receiver?;
    let mut id = reference(receiver)?;
    let class = match &machine.object(id).class {
        ClassRef::Library(fqn) => servlet_name(fqn)?.to_owned(),
        ClassRef::Project(_) => return None,
    };
    // An injected request represents the current request.
    if class == "http.HttpServletRequest"
        && matches!(machine.object(id).kind, Kind::Modelled)
        && let Some((request, _)) = machine.exchange
    {
        id = request;
    }
    match class.as_str() {
        "http.HttpServletRequest" => on_request(machine, id, call),
        "http.HttpServletResponse" => on_response(machine, id, call),
        "http.HttpSession" => on_session(machine, id, call),
        "ServletOutputStream" | "PrintWriter" => on_writer(machine, id, call),
        "FilterChain" => on_chain(machine, id, call),
        _ => None,
    }
}

fn on_request(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let asked = machine.native::<ServletRequest>(id)?.clone();
    let some = |machine: &mut Machine<'_>, text: &str| Some(Ok(machine.fresh_text(text)));
    match (call.name, call.args) {
        ("getMethod", []) => some(machine, asked.method),
        ("getContextPath" | "getServletPath", []) => match &asked.split {
            Some((context, _)) if call.name == "getContextPath" => some(machine, context),
            Some((_, path)) => some(machine, path),
            None => Some(Ok(open(machine, "its path", true))),
        },
        ("getRequestURI", []) => match &asked.path {
            Some(path) => {
                let uri = format!("{}{path}", asked.context);
                some(machine, &uri)
            }
            None => Some(Ok(open(machine, "its path", true))),
        },
        ("getHeader", [name]) => {
            let name = text(name)?.to_lowercase();
            Some(Ok(header(machine, &asked, &name)))
        }
        ("getParameter", [name]) => {
            let name = text(name)?.to_owned();
            Some(Ok(parameter(machine, &asked, &name)))
        }
        ("getContentType", []) => Some(Ok(header(machine, &asked, "content-type"))),
        ("getUserPrincipal", []) if asked.names_user => {
            crate::interpret::library::frameworks::security::caller(machine).map(Ok)
        }
        ("getRemoteUser" | "getAuthType" | "isUserInRole" | "getCookies", _) if asked.names_user => None,
        ("getUserPrincipal" | "getRemoteUser" | "getAuthType", []) if asked.sent.is_some() => Some(Ok(Value::NULL)),
        ("isUserInRole", [_]) if asked.sent.is_some() => Some(Ok(Value::bool(false))),
        ("getCookies", []) if asked.sent.is_some() => Some(Ok(Value::NULL)),
        ("getAttribute", [name]) => {
            let name = text(name)?;
            match asked.attributes.get(name) {
                Some(value) => Some(Ok(value.clone())),
                // Attributes set by the server or the framework are unknown.
                None if name.contains("servlet.") || name.contains("springframework") => None,
                None => Some(Ok(Value::NULL)),
            }
        }
        ("setAttribute", [name, value]) => {
            let (name, value) = (text(name)?.to_owned(), value.clone());
            machine.native_mut::<ServletRequest>(id)?.attributes.insert(name, value);
            Some(Ok(Value::NULL))
        }
        ("removeAttribute", [name]) => {
            let name = text(name)?.to_owned();
            machine.native_mut::<ServletRequest>(id)?.attributes.remove(&name);
            Some(Ok(Value::NULL))
        }
        ("setCharacterEncoding", [_]) => Some(Ok(Value::NULL)),
        ("getSession", args) => session(machine, id, &asked, args),
        _ => None,
    }
}

/// The session: a client without a cookie has none, and gets a new one on demand.
fn session(machine: &mut Machine<'_>, id: ObjId, asked: &ServletRequest, args: &[Value]) -> Option<Eval> {
    if let Some(session) = machine.object(id).parts.get("session") {
        return Some(Ok(session.clone()));
    }
    asked.sent.as_ref()?;
    match args {
        [] => {}
        [make] if crate::interpret::library::base::support::boolean(make) == Some(true) => {}
        [make] if crate::interpret::library::base::support::boolean(make) == Some(false) => {
            return Some(Ok(Value::NULL));
        }
        _ => return None,
    }
    let like = match &machine.object(id).class {
        ClassRef::Library(fqn) => fqn.to_string(),
        ClassRef::Project(_) => return None,
    };
    let class = ClassRef::library(&in_package(&like, "http.HttpSession"));
    let made = machine.allocate(Object::new(class, Kind::Native(Box::new(Session::default()))));
    machine.object_mut(id).parts.insert("session", Value::Ref(made));
    Some(Ok(Value::Ref(made)))
}

fn on_session(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let state = machine.native::<Session>(id)?;
    match (call.name, call.args) {
        ("getAttribute", [name]) => Some(Ok(state.attributes.get(text(name)?).cloned().unwrap_or(Value::NULL))),
        ("setAttribute", [name, value]) => {
            let (name, value) = (text(name)?.to_owned(), value.clone());
            machine.native_mut::<Session>(id)?.attributes.insert(name, value);
            Some(Ok(Value::NULL))
        }
        ("removeAttribute", [name]) => {
            let name = text(name)?.to_owned();
            machine.native_mut::<Session>(id)?.attributes.remove(&name);
            Some(Ok(Value::NULL))
        }
        ("isNew", []) => Some(Ok(Value::bool(true))),
        ("setMaxInactiveInterval", [_]) => Some(Ok(Value::NULL)),
        ("getId", []) => Some(Ok(open(machine, "a session's id", true))),
        _ => None,
    }
}

/// The value of a header: those that a test client sends by default are present or unknown, all others absent.
pub fn header(machine: &mut Machine<'_>, asked: &ServletRequest, name: &str) -> Value {
    let credentials = asked.names_user && matches!(name, "authorization" | "cookie");
    let Some(sent) = asked.sent.as_ref().filter(|_| !credentials) else {
        return open(machine, &format!("the header {name}"), false);
    };
    if let Some((_, value)) = sent.headers.iter().find(|(own, _)| own == name) {
        let value = value.clone();
        return machine.fresh_text(&value);
    }
    match name {
        "accept" => machine.fresh_text("*/*"),
        "content-type" => match sent.media_type.clone() {
            Some(kind) => machine.fresh_text(&kind),
            None => Value::NULL,
        },
        "host" | "user-agent" => open(machine, &format!("the header {name}"), true),
        "content-length" | "connection" | "accept-encoding" | "transfer-encoding" | "accept-language" => {
            open(machine, &format!("the header {name}"), false)
        }
        _ => Value::NULL,
    }
}

fn parameter(machine: &mut Machine<'_>, asked: &ServletRequest, name: &str) -> Value {
    let Some(sent) = &asked.sent else {
        return Value::symbol(Term::Input(Input::new(InputPlace::Query, name)), Type::Str, true);
    };
    match sent.params.iter().find(|(own, _)| own == name) {
        Some((_, value)) => {
            let value = value.clone();
            machine.fresh_text(&value)
        }
        None => Value::NULL,
    }
}

fn open(machine: &mut Machine<'_>, what: &str, present: bool) -> Value {
    let reason = format!("{WHY}: {what}");
    machine.unknown(&reason, Type::Str);
    if present { Value::unknowable(&reason, Type::Str) } else { Value::unknown(&reason, Type::Str) }
}

/// Records a header set by code; a header of unknown name makes all headers unknown.
fn note_header(machine: &mut Machine<'_>, response: ObjId, call: &LibraryCall<'_>, (name, value): (&Value, &Value)) {
    let response = Value::Ref(response);
    let Some(name) = text(name).map(str::to_owned) else { return named_headers::note_open(machine, &response) };
    let shown = named_headers::shown(value);
    match call.name.starts_with("set") {
        true => named_headers::put(machine, &response, &name, shown),
        false => named_headers::note(machine, &response, &name, shown),
    }
}

fn on_response(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    if !matches!(machine.object(id).kind, Kind::Modelled) {
        return None;
    }
    let set = |machine: &mut Machine<'_>, part: &'static str, value: Value| {
        machine.object_mut(id).parts.insert(part, value);
    };
    if let Some(receiver) = call.receiver.filter(|_| call.name.starts_with("set") || call.name.starts_with("add")) {
        named_headers::said(machine, receiver, (call.name, call.args));
    }
    match (call.name, call.args) {
        ("setStatus", [status, ..]) => set(machine, "status", known_status(status)),
        ("sendError", [status, ..]) => {
            set(machine, "status", known_status(status));
            set(machine, "sent", Value::text("error"));
        }
        ("sendRedirect", [place, ..]) => {
            set(machine, "status", Value::int(302));
            set(machine, "sent", Value::text("redirect"));
            set(machine, "location", place.clone());
        }
        ("setContentType", [kind]) => set(machine, "content-type", kind.clone()),
        ("setHeader" | "addHeader", [name, value]) => {
            note_header(machine, id, call, (name, value));
            if text(name).is_none_or(|name| name.eq_ignore_ascii_case("content-type")) {
                set(machine, "content-type", value.clone());
            }
        }
        ("setIntHeader" | "addIntHeader", [name, value]) => note_header(machine, id, call, (name, value)),
        ("setDateHeader" | "addDateHeader", [name, _]) => note_header(machine, id, call, (name, &Value::NULL)),
        (
            "setCharacterEncoding"
            | "setContentLength"
            | "setContentLengthLong"
            | "addCookie"
            | "setLocale"
            | "setBufferSize",
            _,
        ) => {}
        ("flushBuffer", []) => set(machine, "written", Value::bool(true)),
        ("getStatus", []) => {
            return Some(Ok(machine.object(id).parts.get("status").cloned().unwrap_or(Value::int(200))));
        }
        ("isCommitted", []) => return Some(Ok(machine.unknown("what was written already", Type::Prim(Prim::Bool)))),
        ("getWriter" | "getOutputStream", []) => {
            let name = if call.name == "getWriter" { "PrintWriter" } else { "ServletOutputStream" };
            let like = match &machine.object(id).class {
                ClassRef::Library(fqn) => in_package(fqn, name),
                ClassRef::Project(_) => return None,
            };
            return Some(Ok(machine.modelled(&like, &[("response", Value::Ref(id))])));
        }
        _ => return None,
    }
    Some(Ok(Value::NULL))
}

fn known_status(value: &Value) -> Value {
    match (int(value), super::spring::status_of(value)) {
        (Some(code), _) => Value::int(code),
        (None, Some(code)) => Value::int(code.into()),
        _ => Value::unknown("a status that is not known", Type::Prim(Prim::Int)),
    }
}

fn on_writer(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let Some(Value::Ref(response)) = machine.object(id).parts.get("response").cloned() else { return None };
    match call.name {
        "write" | "print" | "println" | "append" | "flush" | "close" => {
            machine.object_mut(response).parts.insert("written", Value::bool(true));
            if !call.args.is_empty() {
                named_headers::said(machine, &Value::Ref(response), (call.name, call.args));
            }
            Some(Ok(if call.name == "append" { call.receiver?.clone() } else { Value::NULL }))
        }
        _ => None,
    }
}

fn on_chain(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let ("doFilter", [request, response]) = (call.name, call.args) else { return None };
    let own = |machine: &Machine<'_>, value: &Value, name: &str| {
        reference(value).is_some_and(|id| match &machine.object(id).class {
            ClassRef::Library(fqn) => servlet_name(fqn) == Some(name),
            ClassRef::Project(_) => false,
        })
    };
    if !own(machine, request, "http.HttpServletRequest") || !own(machine, response, "http.HttpServletResponse") {
        machine.doubt("a filter hands on another request or response than it was given");
    }
    machine.object_mut(id).parts.insert("passed", Value::bool(true));
    if let Some((_, response)) = machine.exchange {
        // Headers set from here on may be too late, so those set before are kept at the chain.
        named_headers::copy(machine, response, id);
    }
    Some(Ok(Value::NULL))
}

//! Models the objects that JAX-RS passes to filters: the request's context and the matched resource method.

use std::collections::BTreeMap;

use super::annotated;
use super::inflector;
use crate::interpret::classes::hierarchy::jax_rs_name;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{native, reference, text};
use crate::interpret::library::web::servlet::{self, ServletRequest};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, Native, ObjId, Object, Type, Value};
use crate::ir::ids::{MemberId, TypeId};

/// The resource method that was matched for a request.
#[derive(Debug, Clone, Copy)]
pub struct Resource {
    /// The method.
    pub method: MemberId,
    /// The class of the resource object.
    pub class: TypeId,
}

/// The context of one request.
#[derive(Debug, Clone)]
struct Context {
    request: ObjId,
    properties: BTreeMap<String, Value>,
    aborted: Option<Value>,
}

impl Native for Context {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.properties.values().chain(&self.aborted).cloned().collect()
    }
}

/// A `ResourceInfo`: which resource method was matched; `None` before matching.
#[derive(Debug, Clone)]
struct MatchedResource(Option<Resource>);

impl Native for MatchedResource {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// The part of a request that holds its `ResourceInfo`.
const CHOSEN: &str = "resource";

/// The context passed to a filter, in the package that `like` is in.
pub fn context(machine: &mut Machine<'_>, like: &str, request: ObjId) -> ObjId {
    let class = ClassRef::library(&in_package(like, "container.ContainerRequestContext"));
    let state = Context { request, properties: BTreeMap::new(), aborted: None };
    machine.allocate(Object::new(class, Kind::Native(Box::new(state))))
}

fn in_package(like: &str, name: &str) -> String {
    let package = if like.starts_with("jakarta.") { "jakarta" } else { "javax" };
    format!("{package}.ws.rs.{name}")
}

/// Sets the matched resource method of a request; `None` before matching.
pub fn choose(machine: &mut Machine<'_>, request: ObjId, resource: Option<Resource>) {
    let chosen = native(machine, &in_package("jakarta.", "container.ResourceInfo"), MatchedResource(resource));
    machine.object_mut(request).parts.insert(CHOSEN, chosen);
}

/// What a filter did with the context passed to it.
#[derive(Debug, Clone)]
pub enum FilterOutcome {
    /// It let the request through.
    Passed,
    /// It aborted the request with this response.
    Aborted(Value),
    /// It passed the context to code that is not modelled.
    Open,
}

/// What a filter did with the context passed to it.
pub fn left(machine: &Machine<'_>, context: ObjId) -> FilterOutcome {
    match machine.native::<Context>(context) {
        Some(state) => state.aborted.clone().map_or(FilterOutcome::Passed, FilterOutcome::Aborted),
        None => FilterOutcome::Open,
    }
}

/// The object injected into a field or parameter of this class: a proxy for the object of the current request.
pub fn proxy(machine: &mut Machine<'_>, fqn: &str) -> Option<Value> {
    let known = jax_rs_name(fqn) == Some("container.ResourceInfo")
        || servlet::servlet_name(fqn) == Some("http.HttpServletRequest");
    (known && machine.exchange.is_some()).then(|| machine.modelled(fqn, &[]))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let name = jax_rs_name(call.fqn)?;
    let id = reference(call.receiver?)?;
    match name {
        "container.ResourceInfo" => {
            let (request, _) = machine.exchange?;
            let chosen = reference(machine.object(request).parts.get(CHOSEN)?)?;
            let MatchedResource(resource) = machine.native::<MatchedResource>(chosen)?.clone();
            Some(Ok(match (call.name, resource) {
                ("getResourceMethod", Some(resource)) => annotated::method(machine, resource.method),
                ("getResourceClass", Some(resource)) => {
                    Value::Class(Type::Class(ClassRef::Project(resource.class), Vec::new()))
                }
                ("getResourceMethod" | "getResourceClass", None) => Value::NULL,
                _ => return None,
            }))
        }
        "container.ContainerRequestContext" => on_context(machine, id, call),
        _ => None,
    }
}

fn on_context(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Eval> {
    let state = machine.native::<Context>(id)?.clone();
    let asked = machine.native::<ServletRequest>(state.request)?.clone();
    let value = match (call.name, call.args) {
        ("getMethod", []) => machine.fresh_text(asked.method),
        ("getHeaderString", [name]) => {
            let name = text(name)?.to_lowercase();
            servlet::header(machine, &asked, &name)
        }
        ("getHeaders", []) => {
            let sent = asked.sent.as_ref().filter(|_| !asked.names_user).map(|sent| sent.headers.clone());
            inflector::headers(machine, sent)
        }
        ("abortWith", [response]) => {
            machine.native_mut::<Context>(id)?.aborted.get_or_insert(response.clone());
            Value::NULL
        }
        ("setProperty", [name, value]) => {
            let name = text(name)?.to_owned();
            machine.native_mut::<Context>(id)?.properties.insert(name, value.clone());
            Value::NULL
        }
        ("removeProperty", [name]) => {
            let name = text(name)?.to_owned();
            machine.native_mut::<Context>(id)?.properties.remove(&name);
            Value::NULL
        }
        ("getProperty", [name]) => state.properties.get(text(name)?)?.clone(),
        ("setSecurityContext", [_]) => Value::NULL,
        ("getSecurityContext", []) => {
            let name = in_package(call.fqn, "core.SecurityContext");
            Value::unknowable("who sent the request", Type::Class(ClassRef::library(&name), Vec::new()))
        }
        _ => return None,
    };
    Some(Ok(value))
}

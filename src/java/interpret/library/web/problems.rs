//! Models Spring's `ProblemDetail`: the body of an error response, with its status.

use super::spring::status_of;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::contents::{Contents, contents};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::reference;
use crate::interpret::library::collections::keyed::map_makers;
use crate::interpret::values::value::{Kind, ObjId, Type, Value};

/// The class name.
pub const PROBLEM: &str = "org.springframework.http.ProblemDetail";

/// The additional properties: names and values alternate.
pub fn more(machine: &Machine<'_>, id: ObjId) -> Vec<Value> {
    properties(machine, id).into_iter().flat_map(|(name, value)| [name, value]).collect()
}

/// The additional properties, in the order in which they were set.
fn properties(machine: &Machine<'_>, id: ObjId) -> Vec<(Value, Value)> {
    let map = machine.object(id).parts.get("properties").and_then(reference);
    match map.and_then(|map| contents(&machine.heap, map)) {
        Some(Contents::Map(pairs) | Contents::Pairs(pairs)) => pairs,
        _ => Vec::new(),
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != PROBLEM {
        return None;
    }
    let Some(receiver) = call.receiver else {
        let (status, detail) = match (call.name, call.args) {
            ("forStatus", [status]) => (status, Value::NULL),
            ("forStatusAndDetail", [status, detail]) => (status, detail.clone()),
            _ => return None,
        };
        let status = match status_of(status) {
            Some(code) => Value::int(code.into()),
            None => {
                Value::unknown("a status that is not known", Type::Prim(crate::interpret::values::scalar::Prim::Int))
            }
        };
        return Some(Ok(machine.modelled(PROBLEM, &[("status", status), ("detail", detail)])));
    };
    let Value::Ref(id) = receiver else { return None };
    if !matches!(machine.object(*id).kind, Kind::Modelled) {
        return None;
    }
    let part = |name: &str| match name {
        "Status" => Some("status"),
        "Title" => Some("title"),
        "Detail" => Some("detail"),
        "Type" => Some("type"),
        "Instance" => Some("instance"),
        _ => None,
    };
    match (call.name, call.args) {
        ("setProperty", [name, value]) => {
            let mut pairs = properties(machine, *id);
            pairs.push((name.clone(), value.clone()));
            let map = map_makers::linked(machine, pairs).ok()?;
            machine.object_mut(*id).parts.insert("properties", map);
            Some(Ok(Value::NULL))
        }
        (name, [value]) if name.starts_with("set") => {
            let part = part(&name[3..])?;
            let value = match (part, status_of(value)) {
                ("status", Some(code)) => Value::int(code.into()),
                ("status", None) => return None,
                _ => value.clone(),
            };
            machine.object_mut(*id).parts.insert(part, value);
            Some(Ok(Value::NULL))
        }
        ("getTitle" | "getType", []) if !machine.object(*id).parts.contains_key(part(&call.name[3..])?) => None,
        (name, []) if name.starts_with("get") => {
            let part = part(&name[3..])?;
            Some(Ok(machine.object(*id).parts.get(part).cloned().unwrap_or(Value::NULL)))
        }
        _ => None,
    }
}

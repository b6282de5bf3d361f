//! Models maps: `HashMap`, `LinkedHashMap`, `TreeMap`, `EnumMap`, `Map.of` and their views.

use super::entries::{find, get, is_stale, keep_doubt, pairs_of, put, value_at};
use super::map_entries::{entry_call, navigate, take};
use super::map_makers::statics;
use super::table::{Insert, Order, Table};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, equal, invoke, native, open, reference, settle, size, sure_hash, text_of, throw, throw_with,
};
use crate::interpret::library::collections::views::{MapEntry, Part, View, Wrapper};
use crate::interpret::values::value::{ObjId, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None => statics(machine, call)?,
        Some(receiver) => {
            let id = reference(receiver)?;
            if machine.native::<MapEntry>(id).is_some() {
                entry_call(machine, id, call)?
            } else if machine.native::<Table>(id).is_some_and(|table| !table.is_set) {
                map_call(machine, id, call)?
            } else {
                return None;
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn mods(machine: &Machine<'_>, id: ObjId) -> u32 {
    machine.native::<Table>(id).map_or(0, |table| table.mods)
}

/// Stores the result of a computation for a key; null removes the entry.
fn settle_computed(machine: &mut Machine<'_>, id: ObjId, key: &Value, new: Value) -> Answer {
    if new.is_null() {
        if let (Ok(at), _) = find(machine, id, key)? {
            take(machine, id, at);
        }
        return Ok(Value::NULL);
    }
    put(machine, id, key.clone(), new.clone(), Insert::Compute)?;
    Ok(new)
}

const CHANGES: &[&str] = &[
    "put",
    "putIfAbsent",
    "putAll",
    "remove",
    "replace",
    "replaceAll",
    "clear",
    "compute",
    "computeIfAbsent",
    "computeIfPresent",
    "merge",
];

fn map_call(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    if is_stale(machine, id, CHANGES.contains(&call.name) || call.name.starts_with("poll")) {
        return Some(open("a part of a collection that changed"));
    }
    let table = machine.native::<Table>(id)?;
    let (fixed, no_null, length, sorted) =
        (table.fixed, table.no_null, table.entries.len(), table.order == Order::Sorted);
    if fixed && CHANGES.contains(&call.name) {
        return Some(Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)));
    }
    if no_null && matches!(call.name, "put" | "putIfAbsent" | "merge") && call.args.iter().any(Value::is_null) {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    Some(match (call.name, call.args) {
        ("size", []) => Ok(size(length)),
        ("isEmpty", []) => Ok(Value::bool(length == 0)),
        ("clear", []) => {
            machine.native_mut::<Table>(id)?.clear();
            Ok(Value::NULL)
        }
        ("get", [key]) => get(machine, id, key).map(|found| found.unwrap_or(Value::NULL)),
        ("getOrDefault", [key, other]) => get(machine, id, key).map(|found| found.unwrap_or_else(|| other.clone())),
        ("containsKey", [key]) => find(machine, id, key).map(|(found, _)| Value::bool(found.is_ok())),
        ("containsValue", [value]) => contains_value(machine, id, value),
        ("put", [key, value]) => {
            put(machine, id, key.clone(), value.clone(), Insert::Put).map(|old| old.unwrap_or(Value::NULL))
        }
        ("putIfAbsent", [key, value]) => put_if_absent(machine, id, key, value),
        ("remove", [key]) => match find(machine, id, key) {
            Ok((Ok(at), _)) => Ok(take(machine, id, at)),
            Ok(_) => Ok(Value::NULL),
            Err(fail) => Err(fail),
        },
        ("remove", [key, value]) => remove_pair(machine, id, key, value),
        ("replace", [key, value]) => match find(machine, id, key) {
            Ok((Ok(_), _)) => {
                put(machine, id, key.clone(), value.clone(), Insert::Put).map(|old| old.unwrap_or(Value::NULL))
            }
            Ok(_) => Ok(Value::NULL),
            Err(fail) => Err(fail),
        },
        ("replace", [key, old, new]) => replace_pair(machine, id, key, old, new),
        ("putAll", [from]) => put_all(machine, id, from),
        ("keySet" | "navigableKeySet", []) => Ok(view(machine, id, Part::Keys)),
        ("values", []) => Ok(view(machine, id, Part::Values)),
        ("entrySet", []) => Ok(view(machine, id, Part::Entries)),
        ("forEach", [action]) => for_each(machine, id, action),
        ("replaceAll", [function]) => replace_all(machine, id, function),
        ("computeIfAbsent", [key, function]) => compute_if_absent(machine, id, key, function),
        ("computeIfPresent" | "compute" | "merge", _) => computed(machine, id, call),
        ("equals", [other]) => equals(machine, id, other),
        ("hashCode", []) => map_hash(machine, id),
        ("toString", []) => shown(machine, id),
        ("clone", []) => {
            let copy = machine.object(id).clone();
            Ok(Value::Ref(machine.allocate(copy)))
        }
        (_, args) if sorted => return navigate(machine, id, call.name, args),
        _ => return None,
    })
}

fn view(machine: &mut Machine<'_>, map: ObjId, part: Part) -> Value {
    let class = match part {
        Part::Values => "java.util.Collection",
        _ => "java.util.Set",
    };
    native(machine, class, View { map, part })
}

fn contains_value(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer {
    for (_, other) in pairs_of(machine, &Value::Ref(id))? {
        if equal(machine, value, &other)? {
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn put_if_absent(machine: &mut Machine<'_>, id: ObjId, key: &Value, value: &Value) -> Answer {
    if let Some(old) = get(machine, id, key)?
        && !old.is_null()
    {
        return Ok(old);
    }
    put(machine, id, key.clone(), value.clone(), Insert::Put)?;
    Ok(Value::NULL)
}

fn remove_pair(machine: &mut Machine<'_>, id: ObjId, key: &Value, value: &Value) -> Answer {
    if let (Ok(at), _) = find(machine, id, key)? {
        let there = value_at(machine, id, at);
        if equal(machine, &there, value)? {
            take(machine, id, at);
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn replace_pair(machine: &mut Machine<'_>, id: ObjId, key: &Value, old: &Value, new: &Value) -> Answer {
    if let (Ok(at), _) = find(machine, id, key)? {
        let there = value_at(machine, id, at);
        if equal(machine, &there, old)? {
            put(machine, id, key.clone(), new.clone(), Insert::Put)?;
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn put_all(machine: &mut Machine<'_>, id: ObjId, from: &Value) -> Answer {
    let pairs = pairs_of(machine, from)?;
    if let Some(table) = machine.native_mut::<Table>(id) {
        table.expect(pairs.len());
    }
    for (key, value) in pairs {
        put(machine, id, key, value, Insert::Put)?;
    }
    keep_doubt(machine, from, id);
    Ok(Value::NULL)
}

/// The entries in iteration order, which must be fixed.
fn ordered(machine: &mut Machine<'_>, id: ObjId) -> Answer<Vec<(Value, Value)>> {
    match machine.native::<Table>(id).and_then(Table::sequence) {
        Some(_) => pairs_of(machine, &Value::Ref(id)),
        None => open("Java does not fix the order of a hashed collection"),
    }
}

fn for_each(machine: &mut Machine<'_>, id: ObjId, action: &Value) -> Answer {
    let before = mods(machine, id);
    for (key, value) in ordered(machine, id)? {
        invoke(machine, action, "accept", vec![key, value])?;
    }
    if mods(machine, id) != before {
        return Err(throw_with(machine, "java.util.ConcurrentModificationException", Value::NULL));
    }
    Ok(Value::NULL)
}

fn replace_all(machine: &mut Machine<'_>, id: ObjId, function: &Value) -> Answer {
    for (key, value) in ordered(machine, id)? {
        let new = invoke(machine, function, "apply", vec![key.clone(), value])?;
        put(machine, id, key, new, Insert::Put)?;
    }
    Ok(Value::NULL)
}

/// Prepares the buckets as the `compute…` methods do before they look for a key.
pub fn prepare(machine: &mut Machine<'_>, id: ObjId) {
    if let Some(table) = machine.native_mut::<Table>(id) {
        table.prepare();
    }
}

fn compute_if_absent(machine: &mut Machine<'_>, id: ObjId, key: &Value, function: &Value) -> Answer {
    prepare(machine, id);
    if let Some(old) = get(machine, id, key)?
        && !old.is_null()
    {
        return Ok(old);
    }
    let before = mods(machine, id);
    let new = invoke(machine, function, "apply", vec![key.clone()])?;
    if mods(machine, id) != before {
        return open("a map changes while it computes");
    }
    if new.is_null() {
        return Ok(Value::NULL);
    }
    put(machine, id, key.clone(), new.clone(), Insert::Compute)?;
    Ok(new)
}

fn computed(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Answer {
    let Some(key) = call.args.first() else { return open("its arguments") };
    let merges_null = call.name == "merge" && call.args.get(1).is_some_and(Value::is_null);
    if call.name != "computeIfPresent" && !merges_null {
        prepare(machine, id);
    }
    let old = get(machine, id, key)?.unwrap_or(Value::NULL);
    let before = mods(machine, id);
    let new = match (call.name, call.args) {
        ("computeIfPresent", [_, function]) => {
            if old.is_null() {
                return Ok(Value::NULL);
            }
            invoke(machine, function, "apply", vec![key.clone(), old])?
        }
        ("compute", [_, function]) => invoke(machine, function, "apply", vec![key.clone(), old])?,
        ("merge", [_, value, function]) => {
            if value.is_null() {
                return Err(throw(machine, "NullPointerException"));
            }
            if old.is_null() { value.clone() } else { invoke(machine, function, "apply", vec![old, value.clone()])? }
        }
        _ => return open("its arguments"),
    };
    if mods(machine, id) != before {
        return open("a map changes while it computes");
    }
    settle_computed(machine, id, key, new)
}

fn equals(machine: &mut Machine<'_>, id: ObjId, other: &Value) -> Answer {
    let Some(other_id) = reference(other) else {
        return if let Value::Unknown(_) | Value::Symbol(_) = other {
            open("what it is compared with")
        } else {
            Ok(Value::bool(false))
        };
    };
    if other_id == id {
        return Ok(Value::bool(true));
    }
    let other_id = match machine.native::<Wrapper>(other_id) {
        Some(wrapped) => match reference(&wrapped.inner) {
            Some(inner) => inner,
            None => return Ok(Value::bool(false)),
        },
        None => other_id,
    };
    if machine.native::<Table>(other_id).is_none_or(|table| table.is_set) {
        return Ok(Value::bool(false));
    }
    let (a, b) = (pairs_of(machine, &Value::Ref(id))?, pairs_of(machine, &Value::Ref(other_id))?);
    if a.len() != b.len() {
        return Ok(Value::bool(false));
    }
    for (key, value) in a {
        match find(machine, other_id, &key)? {
            (Ok(at), _) => {
                let there = value_at(machine, other_id, at);
                if !equal(machine, &value, &there)? {
                    return Ok(Value::bool(false));
                }
            }
            _ => return Ok(Value::bool(false)),
        }
    }
    Ok(Value::bool(true))
}

fn map_hash(machine: &mut Machine<'_>, id: ObjId) -> Answer {
    let mut all = 0_i32;
    for (key, value) in pairs_of(machine, &Value::Ref(id))? {
        all = all.wrapping_add(sure_hash(machine, &key)? ^ sure_hash(machine, &value)?);
    }
    Ok(Value::int(all))
}

fn shown(machine: &mut Machine<'_>, id: ObjId) -> Answer {
    let mut parts = Vec::new();
    for (key, value) in ordered(machine, id)? {
        parts.push(format!("{}={}", text_of(machine, &key)?, text_of(machine, &value)?));
    }
    Ok(machine.fresh_text(&format!("{{{}}}", parts.join(", "))))
}

//! Models map entries, the methods of sorted maps, and removal through views.

use super::entries::{find, pairs_of, section, value_at};
use super::map_makers::entry;
use super::table::Table;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, equal, native, open, reference, same, sure_hash, text_of, throw_with,
};
use crate::interpret::library::collections::iterators::items_of;
use crate::interpret::library::collections::views::{MapEntry, View};
use crate::interpret::values::value::{ObjId, Value};

/// Removes an entry and returns its value.
pub fn take(machine: &mut Machine<'_>, id: ObjId, at: usize) -> Value {
    machine.native_mut::<Table>(id).map_or(Value::NULL, |table| table.remove(at).value)
}

/// Models the methods that only sorted maps have.
pub fn navigate(machine: &mut Machine<'_>, id: ObjId, name: &str, args: &[Value]) -> Option<Answer> {
    let table = machine.native::<Table>(id)?;
    let length = table.entries.len();
    let is_key = name.ends_with("Key");
    let what = name.trim_end_matches("Key").trim_end_matches("Entry");
    let at = match (what, args) {
        ("first" | "pollFirst", []) => (length > 0).then_some(0),
        ("last" | "pollLast", []) => length.checked_sub(1),
        ("floor" | "ceiling" | "higher" | "lower", [key]) => {
            let place = match find(machine, id, key) {
                Ok((place, _)) => place,
                Err(fail) => return Some(Err(fail)),
            };
            match (what, place) {
                ("floor" | "ceiling", Ok(at)) => Some(at),
                ("higher", Ok(at)) => Some(at + 1),
                ("lower", Ok(at)) | ("floor" | "lower", Err(at)) => at.checked_sub(1),
                (_, Err(at)) => Some(at),
                _ => None,
            }
            .filter(|at| *at < length)
        }
        ("headMap" | "tailMap" | "subMap" | "descendingMap" | "descendingKeySet" | "descending" | "comparator", _) => {
            return section(machine, id, name, args);
        }
        _ => return None,
    };
    let Some(at) = at else {
        return Some(if matches!(name, "firstKey" | "lastKey") {
            Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL))
        } else {
            Ok(Value::NULL)
        });
    };
    let found = machine.native::<Table>(id)?.entries[at].clone();
    if what.starts_with("poll") {
        take(machine, id, at);
    }
    Some(Ok(if is_key { found.key } else { entry(machine, found.key, found.value, true) }))
}

/// Models the methods of entries.
pub fn entry_call(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    let state = machine.native::<MapEntry>(id)?.clone();
    let live = match state.map.and_then(|map| machine.native::<Table>(map)) {
        Some(table) => table.entries.iter().position(|entry| same(&entry.key, &state.key)),
        None => None,
    };
    let value = match (state.map, live) {
        (Some(map), Some(at)) => value_at(machine, map, at),
        _ => state.value.clone(),
    };
    Some(match (call.name, call.args) {
        ("getKey", []) => Ok(state.key),
        ("getValue", []) => Ok(value),
        ("setValue", [_]) if machine.object(id).parts.contains_key("live") => open("an entry of a tree is set"),
        ("setValue", [new]) => {
            if state.fixed || state.map.and_then(|map| machine.native::<Table>(map)).is_some_and(|table| table.fixed) {
                return Some(Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)));
            }
            if let (Some(map), Some(at)) = (state.map, live)
                && let Some(table) = machine.native_mut::<Table>(map)
            {
                table.entries[at].value = new.clone();
            }
            machine.native_mut::<MapEntry>(id)?.value = new.clone();
            Ok(value)
        }
        ("equals", [other]) => {
            let other = match reference(other).and_then(|other| machine.native::<MapEntry>(other)) {
                Some(other) => other.clone(),
                None if matches!(other, Value::Unknown(_) | Value::Symbol(_)) => return None,
                None => return Some(Ok(Value::bool(false))),
            };
            equal(machine, &state.key, &other.key)
                .and_then(|keys| Ok(Value::bool(keys && equal(machine, &value, &other.value)?)))
        }
        ("hashCode", []) => {
            sure_hash(machine, &state.key).and_then(|key| Ok(Value::int(key ^ sure_hash(machine, &value)?)))
        }
        ("toString", []) => text_of(machine, &state.key).and_then(|key| {
            let text = format!("{key}={}", text_of(machine, &value)?);
            Ok(machine.fresh_text(&text))
        }),
        _ => return None,
    })
}

/// Removes all entries of a map whose key, value or entry fulfils a condition.
pub fn remove_if(
    machine: &mut Machine<'_>,
    view: &View,
    mut test: impl FnMut(&mut Machine<'_>, &Value) -> Answer<bool>,
) -> Answer<bool> {
    let mut changed = false;
    let part = native(machine, "java.util.Set", view.clone());
    let shown = items_of(machine, &part)?;
    let keys: Vec<Value> = pairs_of(machine, &Value::Ref(view.map))?.into_iter().map(|(key, _)| key).collect();
    for (key, item) in keys.into_iter().zip(shown) {
        if test(machine, &item)?
            && let Some(table) = machine.native_mut::<Table>(view.map)
            && let Some(at) = table.entries.iter().position(|entry| same(&entry.key, &key))
        {
            table.remove(at);
            changed = true;
        }
    }
    Ok(changed)
}

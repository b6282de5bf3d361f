//! Models the key sets, value collections and entry sets of maps; equality and hash codes of sets.

use super::entries::find;
use super::map_entries::remove_if;
use super::table::Table;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, equal, open, reference, size, sure_hash, throw_with};
use crate::interpret::library::collections::iterators::{items_any, items_of};
use crate::interpret::library::collections::shared::{contains, shared};
use crate::interpret::library::collections::views::{Part, View, Wrapper};
use crate::interpret::values::value::{ObjId, Value};

/// Removes an element of a set, or a key of a map.
pub fn remove(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer<bool> {
    let (Ok(at), _) = find(machine, id, value)? else { return Ok(false) };
    if let Some(table) = machine.native_mut::<Table>(id) {
        table.remove(at);
    }
    Ok(true)
}

/// Models the methods of views.
pub fn on_view(machine: &mut Machine<'_>, id: ObjId, view: &View, call: &LibraryCall<'_>) -> Option<Answer> {
    let map = view.map;
    let table = machine.native::<Table>(map)?;
    let (length, fixed) = (table.entries.len(), table.fixed);
    if fixed && matches!(call.name, "add" | "addAll" | "remove" | "removeAll" | "retainAll" | "removeIf" | "clear") {
        return Some(Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)));
    }
    Some(match (call.name, call.args) {
        ("size", []) => Ok(size(length)),
        ("isEmpty", []) => Ok(Value::bool(length == 0)),
        ("clear", []) => {
            machine.native_mut::<Table>(map)?.clear();
            Ok(Value::NULL)
        }
        ("add" | "addAll", _) => Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)),
        ("contains", [key]) if view.part == Part::Keys => {
            find(machine, map, key).map(|(found, _)| Value::bool(found.is_ok()))
        }
        ("remove", [key]) if view.part == Part::Keys => remove(machine, map, key).map(Value::bool),
        ("remove", [value]) => {
            let mut done = false;
            remove_if(machine, view, |machine, item| {
                if done {
                    return Ok(false);
                }
                done = equal(machine, value, item)?;
                Ok(done)
            })
            .map(Value::bool)
        }
        ("removeIf", [test]) => remove_if(machine, view, |machine, item| {
            crate::interpret::library::base::support::test(machine, test, item.clone())
        })
        .map(Value::bool),
        ("removeAll" | "retainAll", [with]) => {
            let removes = call.name == "removeAll";
            remove_if(machine, view, |machine, item| Ok(contains(machine, with, item)? == removes)).map(Value::bool)
        }
        ("equals" | "hashCode", _) if view.part != Part::Values => return set_identity(machine, &Value::Ref(id), call),
        ("equals", [other]) => Ok(Value::bool(reference(other) == Some(id))),
        ("hashCode", []) => open("the identity hash of a view"),
        ("first" | "last", []) => {
            let items = match items_of(machine, &Value::Ref(id)) {
                Ok(items) => items,
                Err(fail) => return Some(Err(fail)),
            };
            match if call.name == "first" { items.first() } else { items.last() } {
                Some(item) => Ok(item.clone()),
                None => Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL)),
            }
        }
        _ => return shared(machine, &Value::Ref(id), call),
    })
}

fn is_set(machine: &Machine<'_>, value: &Value) -> Option<bool> {
    let id = match value {
        Value::Ref(id) => *id,
        Value::Unknown(_) | Value::Symbol(_) => return None,
        _ => return Some(false),
    };
    if let Some(wrapped) = machine.native::<Wrapper>(id) {
        return is_set(machine, &wrapped.inner);
    }
    Some(
        machine.opaque.sets.contains(&id)
            || machine.native::<Table>(id).is_some_and(|table| table.is_set)
            || machine.native::<View>(id).is_some_and(|view| view.part != Part::Values),
    )
}

/// Models `equals` and `hashCode` of sets.
pub fn set_identity(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("hashCode", []) => set_hash(machine, receiver),
        ("equals", [other]) => {
            if !is_set(machine, other)? {
                return Some(Ok(Value::bool(false)));
            }
            sets_equal(machine, receiver, other).map(Value::bool)
        }
        _ => return None,
    })
}

fn set_hash(machine: &mut Machine<'_>, receiver: &Value) -> Answer {
    let mut all = 0_i32;
    for item in items_any(machine, receiver)? {
        all = all.wrapping_add(sure_hash(machine, &item)?);
    }
    Ok(Value::int(all))
}

fn sets_equal(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Answer<bool> {
    let (x, y) = (items_any(machine, a)?, items_any(machine, b)?);
    if x.len() != y.len() {
        return Ok(false);
    }
    for item in x {
        if !contains(machine, b, &item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

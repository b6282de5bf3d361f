//! Models sets: `HashSet`, `LinkedHashSet`, `TreeSet`, `EnumSet`, `Set.of`.

use super::entries::{find, is_stale, keep_doubt, section};
use super::set_makers::construct;
use super::set_views::{on_view, remove, set_identity};
use super::table::{Insert, Order, Table};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, open, reference, same, settle, size, throw_with};
use crate::interpret::library::collections::iterators::items_any;
use crate::interpret::library::collections::shared::{contains, shared};
use crate::interpret::library::collections::views::View;
use crate::interpret::values::value::{ObjId, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None => construct(machine, call)?,
        Some(receiver) => {
            let id = reference(receiver)?;
            if machine.native::<Table>(id).is_some_and(|table| table.is_set) {
                on_set(machine, id, call)?
            } else if let Some(view) = machine.native::<View>(id).cloned() {
                on_view(machine, id, &view, call)?
            } else {
                return None;
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn on_set(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    let changes = matches!(
        call.name,
        "add" | "addAll" | "remove" | "removeAll" | "retainAll" | "removeIf" | "clear" | "pollFirst" | "pollLast"
    );
    if is_stale(machine, id, changes) {
        return Some(open("a part of a collection that changed"));
    }
    let table = machine.native::<Table>(id)?;
    let (fixed, sorted, length) = (table.fixed, table.order == Order::Sorted, table.entries.len());
    if fixed && matches!(call.name, "add" | "addAll" | "remove" | "removeAll" | "retainAll" | "removeIf" | "clear") {
        return Some(Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)));
    }
    let receiver = Value::Ref(id);
    Some(match (call.name, call.args) {
        ("size", []) => Ok(size(length)),
        ("isEmpty", []) => Ok(Value::bool(length == 0)),
        ("add", [value]) => add(machine, id, value).map(Value::bool),
        ("contains", [value]) => find(machine, id, value).map(|(found, _)| Value::bool(found.is_ok())),
        ("remove", [value]) => remove(machine, id, value).map(Value::bool),
        ("clear", []) => {
            machine.native_mut::<Table>(id)?.clear();
            Ok(Value::NULL)
        }
        ("addAll", [from]) => add_all(machine, id, from),
        ("removeAll" | "retainAll", [with]) => {
            let keeps = call.name == "retainAll";
            filter(machine, id, |machine, item| Ok(contains(machine, with, item)? == keeps))
        }
        ("removeIf", [test]) => filter(machine, id, |machine, item| {
            Ok(!crate::interpret::library::base::support::test(machine, test, item.clone())?)
        }),
        ("clone", []) => {
            let copy = machine.object(id).clone();
            Ok(Value::Ref(machine.allocate(copy)))
        }
        (
            "first" | "last" | "pollFirst" | "pollLast" | "floor" | "ceiling" | "higher" | "lower" | "getFirst"
            | "getLast",
            _,
        ) if sorted => {
            return navigate(machine, id, call);
        }
        ("headSet" | "tailSet" | "subSet" | "descendingSet" | "comparator", args) if sorted => {
            return section(machine, id, call.name, args);
        }
        ("equals" | "hashCode", _) => return set_identity(machine, &receiver, call),
        _ => return shared(machine, &receiver, call),
    })
}

fn add(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer<bool> {
    let (found, hash) = find(machine, id, value)?;
    let Err(at) = found else { return Ok(false) };
    if let Some(table) = machine.native_mut::<Table>(id) {
        table.insert(value.clone(), Value::NULL, hash, Insert::Put, at);
    }
    Ok(true)
}

fn add_all(machine: &mut Machine<'_>, id: ObjId, from: &Value) -> Answer {
    let mut changed = false;
    for item in items_any(machine, from)? {
        changed |= add(machine, id, &item)?;
    }
    keep_doubt(machine, from, id);
    Ok(Value::bool(changed))
}

/// Keeps the elements that fulfil a condition, which is tested in iteration order if there is one.
fn filter(
    machine: &mut Machine<'_>,
    id: ObjId,
    mut keep: impl FnMut(&mut Machine<'_>, &Value) -> Answer<bool>,
) -> Answer {
    let mut changed = false;
    for item in items_any(machine, &Value::Ref(id))? {
        if !keep(machine, &item)?
            && let Some(table) = machine.native_mut::<Table>(id)
            && let Some(at) = table.entries.iter().position(|entry| same(&entry.key, &item))
        {
            table.remove(at);
            changed = true;
        }
    }
    Ok(Value::bool(changed))
}

fn navigate(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    let length = machine.native::<Table>(id)?.entries.len();
    let at = match (call.name, call.args) {
        ("first" | "pollFirst" | "getFirst", []) => (length > 0).then_some(0),
        ("last" | "pollLast" | "getLast", []) => length.checked_sub(1),
        (name, [key]) => {
            let place = match find(machine, id, key) {
                Ok((place, _)) => place,
                Err(fail) => return Some(Err(fail)),
            };
            match (name, place) {
                ("floor" | "ceiling", Ok(at)) => Some(at),
                ("higher", Ok(at)) => Some(at + 1),
                ("lower", Ok(at)) | ("floor" | "lower", Err(at)) => at.checked_sub(1),
                (_, Err(at)) => Some(at),
                _ => None,
            }
            .filter(|at| *at < length)
        }
        _ => return None,
    };
    Some(match at {
        Some(at) => {
            let key = machine.native::<Table>(id)?.entries[at].key.clone();
            if call.name.starts_with("poll") {
                machine.native_mut::<Table>(id)?.remove(at);
            }
            Ok(key)
        }
        None if matches!(call.name, "first" | "last" | "getFirst" | "getLast") => {
            Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL))
        }
        None => Ok(Value::NULL),
    })
}

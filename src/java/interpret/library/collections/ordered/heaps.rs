//! Models `PriorityQueue`: the same heap as Java's, built by the same comparisons.

use super::list_changes::{put, take};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, compare, equal, open, throw, throw_with};
use crate::interpret::library::collections::iterators::items_of;
use crate::interpret::library::collections::views::list_items;
use crate::interpret::values::value::{Kind, ObjId, Value};

fn comparator(machine: &Machine<'_>, id: ObjId) -> Option<Value> {
    machine.object(id).parts.get("comparator").cloned()
}

fn at(machine: &Machine<'_>, id: ObjId, place: usize) -> Value {
    list_items(machine, id).and_then(|items| items.get(place).cloned()).unwrap_or(Value::NULL)
}

fn set_at(machine: &mut Machine<'_>, id: ObjId, place: usize, value: Value) {
    if let Kind::List { items, .. } = &mut machine.object_mut(id).kind
        && let Some(old) = items.get_mut(place)
    {
        *old = value;
    }
}

fn sift_up(machine: &mut Machine<'_>, id: ObjId, mut place: usize) -> Answer<()> {
    let by = comparator(machine, id);
    let value = at(machine, id, place);
    while place > 0 {
        let parent = (place - 1) >> 1;
        let above = at(machine, id, parent);
        if compare(machine, by.as_ref(), &value, &above)? >= 0 {
            break;
        }
        set_at(machine, id, place, above);
        place = parent;
    }
    set_at(machine, id, place, value);
    Ok(())
}

/// Moves an element down the heap to its position.
pub fn sift_down(machine: &mut Machine<'_>, id: ObjId, mut place: usize) -> Answer<()> {
    let by = comparator(machine, id);
    let value = at(machine, id, place);
    let count = list_items(machine, id).map_or(0, Vec::len);
    while place < count / 2 {
        let mut child = 2 * place + 1;
        let mut least = at(machine, id, child);
        if child + 1 < count {
            let right = at(machine, id, child + 1);
            if compare(machine, by.as_ref(), &least, &right)? > 0 {
                child += 1;
                least = right;
            }
        }
        if compare(machine, by.as_ref(), &value, &least)? <= 0 {
            break;
        }
        set_at(machine, id, place, least);
        place = child;
    }
    set_at(machine, id, place, value);
    Ok(())
}

/// Models the methods of a priority queue.
pub fn on_priority(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    let count = list_items(machine, id)?.len();
    Some(match (call.name, call.args) {
        ("add" | "offer", [value]) => {
            if value.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            if let Err(fail) = put(machine, id, count, value.clone()) {
                return Some(Err(fail));
            }
            if count == 0 {
                let by = comparator(machine, id);
                // Some releases compare the first element with itself, which only matters if the comparison fails.
                return Some(compare(machine, by.as_ref(), value, value).map(|_| Value::bool(true)));
            }
            sift_up(machine, id, count).map(|()| Value::bool(true))
        }
        ("addAll", [from]) => {
            let new = match items_of(machine, from) {
                Ok(new) => new,
                Err(fail) => return Some(Err(fail)),
            };
            for (at, item) in new.iter().enumerate() {
                if let Err(fail) =
                    put(machine, id, count + at, item.clone()).and_then(|()| sift_up(machine, id, count + at))
                {
                    return Some(Err(fail));
                }
            }
            Ok(Value::bool(!new.is_empty()))
        }
        ("peek", []) => Ok(at(machine, id, 0)),
        ("poll", []) if count == 0 => Ok(Value::NULL),
        ("remove" | "element", []) if count == 0 => {
            Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL))
        }
        ("element", []) => Ok(at(machine, id, 0)),
        ("poll" | "remove", []) => remove_from_heap(machine, id, 0),
        ("remove", [value]) => {
            let all = list_items(machine, id)?.clone();
            for (place, item) in all.iter().enumerate() {
                match equal(machine, value, item) {
                    Ok(true) => return Some(remove_from_heap(machine, id, place).map(|_| Value::bool(true))),
                    Ok(false) => {}
                    Err(fail) => return Some(Err(fail)),
                }
            }
            Ok(Value::bool(false))
        }
        ("removeIf" | "removeAll" | "retainAll", _) => open("a heap is made anew"),
        _ => return None,
    })
}

fn remove_from_heap(machine: &mut Machine<'_>, id: ObjId, place: usize) -> Answer {
    let removed = at(machine, id, place);
    let last = list_items(machine, id).map_or(0, Vec::len).saturating_sub(1);
    let moved = take(machine, id, last)?;
    if place < last {
        set_at(machine, id, place, moved.clone());
        sift_down(machine, id, place)?;
        if crate::interpret::library::base::support::same(&at(machine, id, place), &moved) {
            sift_up(machine, id, place)?;
        }
    }
    Ok(removed)
}

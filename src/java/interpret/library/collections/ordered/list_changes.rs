//! Changes of known lists, for the models of lists and of their iterators.

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, native, open, reference, throw, throw_with};
use crate::interpret::library::collections::views::{SubList, list_items, list_mods};
use crate::interpret::values::value::{Kind, ObjId, Value};

/// Counts a structural change.
pub fn bump(machine: &mut Machine<'_>, id: ObjId) {
    let mods = list_mods(machine, id).wrapping_add(1);
    machine.object_mut(id).parts.insert("mods", Value::int(mods));
}

/// Removes an element from a list.
pub fn take(machine: &mut Machine<'_>, id: ObjId, at: usize) -> Answer {
    bump(machine, id);
    match &mut machine.object_mut(id).kind {
        Kind::List { items, fixed: false } if at < items.len() => Ok(items.remove(at)),
        Kind::List { fixed: true, .. } => Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)),
        _ => open("a list is not known"),
    }
}

/// Inserts an element into a list.
pub fn put(machine: &mut Machine<'_>, id: ObjId, at: usize, value: Value) -> Answer<()> {
    bump(machine, id);
    match &mut machine.object_mut(id).kind {
        Kind::List { items, fixed: false } if at <= items.len() => {
            items.insert(at, value);
            Ok(())
        }
        Kind::List { fixed: true, .. } => Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)),
        _ => open("a list is not known"),
    }
}

/// An unmodifiable list; `nulls` if it may contain null and be searched for null.
pub fn immutable(machine: &mut Machine<'_>, items: Vec<Value>, nulls: bool) -> Answer {
    if !nulls && items.iter().any(Value::is_null) {
        return Err(throw(machine, "NullPointerException"));
    }
    let list = machine.list(items, "fixed");
    if nulls && let Some(id) = reference(&list) {
        machine.object_mut(id).parts.insert("nulls", Value::bool(true));
    }
    Ok(list)
}

/// `Arrays.asList` for an array: changes are visible in both.
pub fn over_array(machine: &mut Machine<'_>, array: ObjId) -> Value {
    let length = list_items(machine, array).map_or(0, Vec::len);
    native(machine, "java.util.Arrays$ArrayList", SubList { list: array, from: 0, length, mods: 0 })
}

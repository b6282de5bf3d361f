//! Access to lists and sub-lists: reading, writing, and counting structural changes.

use super::list_changes::{bump, put, take};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, equal, int, open, size, throw, throw_with};
use crate::interpret::library::collections::views::{SubList, list_items, list_mods};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Value};

/// A list, or a sub-list of it.
#[derive(Debug, Clone, Copy)]
pub struct ListRange {
    pub(in crate::interpret::library) list: ObjId,
    pub(in crate::interpret::library) from: usize,
    pub(in crate::interpret::library) length: usize,
    pub(in crate::interpret::library) part: Option<ObjId>,
    pub(in crate::interpret::library) own: ObjId,
}

/// The library class of an object.
pub fn class(machine: &Machine<'_>, id: ObjId) -> String {
    match &machine.object(id).class {
        ClassRef::Library(fqn) => fqn.to_string(),
        ClassRef::Project(_) => String::new(),
    }
}

/// The list or sub-list that a receiver refers to.
pub fn resolve(machine: &mut Machine<'_>, id: ObjId) -> Option<Answer<ListRange>> {
    if let Some(part) = machine.native::<SubList>(id).cloned() {
        if list_mods(machine, part.list) != part.mods {
            return Some(Err(throw_with(machine, "java.util.ConcurrentModificationException", Value::NULL)));
        }
        return Some(Ok(ListRange { list: part.list, from: part.from, length: part.length, part: Some(id), own: id }));
    }
    if let ClassRef::Library(fqn) = &machine.object(id).class
        && &**fqn == "array"
    {
        return None;
    }
    let length = list_items(machine, id)?.len();
    Some(Ok(ListRange { list: id, from: 0, length, part: None, own: id }))
}

/// The elements.
pub fn items(machine: &Machine<'_>, of: ListRange) -> Vec<Value> {
    list_items(machine, of.list).and_then(|items| items.get(of.from..of.from + of.length)).unwrap_or_default().to_vec()
}

/// Replaces all elements; `structure` if that counts as a structural change.
pub fn write(machine: &mut Machine<'_>, of: ListRange, new: Vec<Value>, structure: bool) -> Answer<()> {
    if structure {
        bump(machine, of.list);
    }
    let length = new.len();
    if let Kind::List { items, .. } = &mut machine.object_mut(of.list).kind {
        items.splice(of.from..of.from + of.length, new);
    }
    if let Some(part) = of.part {
        let mods = list_mods(machine, of.list);
        if let Some(part) = machine.native_mut::<SubList>(part) {
            part.length = length;
            part.mods = mods;
        }
    }
    Ok(())
}

/// The exception for an index out of bounds.
pub fn out_of_bounds(machine: &mut Machine<'_>, of: ListRange) -> crate::interpret::library::base::support::Fail {
    let class = class(machine, of.list);
    match class.as_str() {
        "java.util.ArrayList" | "java.util.LinkedList" => throw(machine, "IndexOutOfBoundsException"),
        "java.util.Vector" | "java.util.Stack" | "java.util.concurrent.CopyOnWriteArrayList" | "array"
            if of.part.is_none() || class == "array" =>
        {
            throw(machine, "ArrayIndexOutOfBoundsException")
        }
        _ => crate::interpret::library::base::support::Fail::Open("which exception it is".into()),
    }
}

/// An index argument, which must be below a limit.
pub fn index(machine: &mut Machine<'_>, of: ListRange, value: &Value, limit: usize) -> Answer<usize> {
    let Some(at) = int(value) else { return open("an index is not known") };
    match usize::try_from(at).ok().filter(|at| *at < limit) {
        Some(at) => Ok(at),
        None => Err(out_of_bounds(machine, of)),
    }
}

/// Adds an element.
pub fn add_at(machine: &mut Machine<'_>, of: ListRange, at: usize, value: Value) -> Answer<()> {
    put(machine, of.list, of.from + at, value)?;
    grown(machine, of, 1);
    Ok(())
}

/// Removes an element.
pub fn take_at(machine: &mut Machine<'_>, of: ListRange, at: usize) -> Answer {
    let taken = take(machine, of.list, of.from + at)?;
    grown(machine, of, -1);
    Ok(taken)
}

fn grown(machine: &mut Machine<'_>, of: ListRange, by: isize) {
    let mods = list_mods(machine, of.list);
    if let Some(part) = of.part.and_then(|part| machine.native_mut::<SubList>(part)) {
        part.length = part.length.saturating_add_signed(by);
        part.mods = mods;
    }
}

/// `indexOf` and `lastIndexOf`.
pub fn position(machine: &mut Machine<'_>, of: ListRange, value: &Value, last: bool) -> Answer {
    if value.is_null() && refuses_null(machine, of) {
        return Err(throw(machine, "NullPointerException"));
    }
    let mut all: Vec<(usize, Value)> = items(machine, of).into_iter().enumerate().collect();
    if last {
        all.reverse();
    }
    for (at, item) in all {
        if equal(machine, value, &item)? {
            return Ok(size(at));
        }
    }
    Ok(Value::int(-1))
}

fn refuses_null(machine: &Machine<'_>, of: ListRange) -> bool {
    let object = machine.object(of.list);
    matches!(object.kind, Kind::List { fixed: true, .. }) && !object.parts.contains_key("nulls")
}

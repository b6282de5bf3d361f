//! Operations shared by maps and sets: looking up a key, putting an entry, and parts of sorted ones.

use super::table::{Insert, Order, Table};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{
    Answer, boolean, class_of, compare, equal, hash, native, open, reference, throw,
};
use crate::interpret::library::collections::views::{Wrapper, is_unordered};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{ObjId, Value};
use crate::ir::facts::TypeKind;

/// Marks the order of `into` as uncertain if it was filled from a collection without a fixed order.
pub fn keep_doubt(machine: &mut Machine<'_>, from: &Value, into: ObjId) {
    let open = is_unordered(machine, from);
    if open && let Some(table) = machine.native_mut::<Table>(into) {
        table.loose = true;
        if table.order == Order::Linked && table.entries.len() > 1 {
            table.order = Order::Open;
        }
    }
}

/// Keys and values of a map; their order is arbitrary if the map has none.
pub fn pairs_of(machine: &mut Machine<'_>, map: &Value) -> Answer<Vec<(Value, Value)>> {
    let Some(id) = reference(map) else {
        if map.is_null() {
            return Err(throw(machine, "NullPointerException"));
        }
        return open("a map is not known");
    };
    if let Some(wrapped) = machine.native::<Wrapper>(id) {
        let inner = wrapped.inner.clone();
        return pairs_of(machine, &inner);
    }
    let Some(table) = machine.native::<Table>(id).filter(|table| !table.is_set) else {
        return open("a map is not known");
    };
    let order = table.sequence().unwrap_or_else(|| (0..table.entries.len()).collect());
    Ok(order.into_iter().map(|at| (table.entries[at].key.clone(), table.entries[at].value.clone())).collect())
}

/// Whether this is a copied part of a collection that has changed since; with `changes`, whether it is such a part at all, because a
/// change would have to reach that collection.
pub fn is_stale(machine: &Machine<'_>, id: ObjId, changes: bool) -> bool {
    match machine.native::<Table>(id).and_then(|table| table.of) {
        Some((of, mods)) => changes || machine.native::<Table>(of).is_none_or(|table| table.mods != mods),
        None => false,
    }
}

/// The position of a key, or the position where it would be inserted; and its hash, if known.
pub fn find(machine: &mut Machine<'_>, id: ObjId, key: &Value) -> Answer<(Result<usize, usize>, Option<i32>)> {
    let Some(table) = machine.native::<Table>(id) else { return open("a map is not known") };
    if key.is_null() && (table.no_null || (table.order == Order::Sorted && table.comparator.is_none())) {
        return Err(throw(machine, "NullPointerException"));
    }
    let Some(table) = machine.native::<Table>(id) else { return open("a map is not known") };
    let keys: Vec<(Value, Option<i32>)> = table.entries.iter().map(|entry| (entry.key.clone(), entry.hash)).collect();
    if table.order == Order::Sorted {
        let by = table.comparator.clone();
        if keys.is_empty() {
            compare(machine, by.as_ref(), key, key)?;
            return Ok((Err(0), None));
        }
        let (mut low, mut high) = (0, keys.len());
        while low < high {
            let mid = (low + high) / 2;
            let order = compare(machine, by.as_ref(), key, &keys[mid].0)?;
            match order {
                0 => return Ok((Ok(mid), None)),
                n if n < 0 => high = mid,
                _ => low = mid + 1,
            }
        }
        return Ok((Err(low), None));
    }
    if let Value::Unknown(_) = key {
        return open("a key is not known");
    }
    let own = hash(machine, key)?;
    for (at, (other, hash)) in keys.iter().enumerate() {
        if let (Some(a), Some(b)) = (own, hash)
            && a != *b
        {
            continue;
        }
        let identity = own.is_none() && matches!(key, Value::Ref(_));
        if identity && matches!(other, Value::Ref(_)) && reference(key) != reference(other) {
            if equal(machine, key, other)? {
                // Records that are equal have equal hashes.
                if is_record(machine, key) {
                    return Ok((Ok(at), own));
                }
                return open("equal keys with hashes that are not known");
            }
            continue;
        }
        if equal(machine, key, other)? {
            return Ok((Ok(at), own));
        }
    }
    Ok((Err(keys.len()), own))
}

fn is_record(machine: &Machine<'_>, value: &Value) -> bool {
    let class = reference(value).map(|id| &machine.object(id).class);
    matches!(class, Some(ClassRef::Project(ty)) if machine.project.ty(*ty).kind == TypeKind::Record)
}

/// Puts a value and returns the previous one.
pub fn put(machine: &mut Machine<'_>, id: ObjId, key: Value, value: Value, how: Insert) -> Answer<Option<Value>> {
    let (found, hash) = find(machine, id, &key)?;
    let Some(table) = machine.native_mut::<Table>(id) else { return open("a map is not known") };
    match found {
        Ok(at) => {
            let old = std::mem::replace(&mut table.entries[at].value, value);
            table.touch(at);
            Ok(Some(old))
        }
        Err(at) => {
            table.insert(key, value, hash, how, at);
            Ok(None)
        }
    }
}

/// The value of the entry at a position.
pub fn value_at(machine: &Machine<'_>, id: ObjId, at: usize) -> Value {
    machine.native::<Table>(id).map_or(Value::NULL, |table| table.entries[at].value.clone())
}

/// The value of a key.
pub fn get(machine: &mut Machine<'_>, id: ObjId, key: &Value) -> Answer<Option<Value>> {
    let (found, _) = find(machine, id, key)?;
    Ok(match found {
        Ok(at) => {
            let value = value_at(machine, id, at);
            if let Some(table) = machine.native_mut::<Table>(id) {
                table.touch(at);
            }
            Some(value)
        }
        Err(_) => None,
    })
}

/// A part of a sorted map or set, as a read-only copy: a change of it is not modelled.
pub fn section(machine: &mut Machine<'_>, id: ObjId, name: &str, args: &[Value]) -> Option<Answer> {
    let mut table = machine.native::<Table>(id)?.clone();
    if table.of.is_some() {
        return Some(open("a part of a part of a collection"));
    }
    table.of = Some((id, table.mods));
    let class = class_of(machine, &Value::Ref(id))?.to_owned();
    let mut bound = |key: &Value, inclusive_low: bool| -> Answer<usize> {
        let (place, _) = find(machine, id, key)?;
        Ok(match place {
            Ok(at) => at + usize::from(!inclusive_low),
            Err(at) => at,
        })
    };
    let flag = |value: &Value| boolean(value);
    let (from, to) = match (name, args) {
        ("headMap" | "headSet", [to]) => (Ok(0), bound(to, true)),
        ("headMap" | "headSet", [to, inclusive]) => (Ok(0), bound(to, !flag(inclusive)?)),
        ("tailMap" | "tailSet", [from]) => (bound(from, true), Ok(table.entries.len())),
        ("tailMap" | "tailSet", [from, inclusive]) => (bound(from, flag(inclusive)?), Ok(table.entries.len())),
        ("subMap" | "subSet", [from, to]) => (bound(from, true), bound(to, true)),
        ("subMap" | "subSet", [from, low, to, high]) => (bound(from, flag(low)?), bound(to, !flag(high)?)),
        ("descendingMap" | "descendingSet" | "descendingKeySet", []) => {
            let mut copy = table;
            copy.entries.reverse();
            copy.order = Order::Linked;
            copy.is_set = name != "descendingMap";
            let class = if copy.is_set { "java.util.NavigableSet" } else { "java.util.NavigableMap" };
            return Some(Ok(native(machine, class, copy)));
        }
        ("comparator", []) => return Some(Ok(table.comparator.unwrap_or(Value::NULL))),
        _ => return None,
    };
    let (from, to) = match (from, to) {
        (Ok(from), Ok(to)) => (from, to),
        (Err(fail), _) | (_, Err(fail)) => return Some(Err(fail)),
    };
    if from > to {
        return Some(Err(throw(machine, "IllegalArgumentException")));
    }
    let mut copy = table;
    copy.entries = copy.entries[from..to].to_vec();
    let class = if class.ends_with("Set") { "java.util.NavigableSet" } else { "java.util.NavigableMap" };
    Some(Ok(native(machine, class, copy)))
}

//! Iteration over collections as in Java: order, iterators that detect concurrent modification, and unmodifiable
//! views.

use super::keyed::table::Table;
use super::views::{Iter, MapEntry, Part, Source, SubList, View, Wrapper, is_unordered, list_items, list_mods};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, equal, invoke, native, open, reference, settle, throw, throw_with, truth,
};
use crate::interpret::library::frameworks::pages;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Value};

/// The elements of an iterable value in Java's order; unknown if the order is not fixed.
pub fn items_of(machine: &mut Machine<'_>, value: &Value) -> Answer<Vec<Value>> {
    if let Some(list) = pages::listed(machine, value) {
        return items_of(machine, &list);
    }
    if is_unordered(machine, value) {
        return open("Java does not fix the order of a hashed collection");
    }
    items_any(machine, value)
}

/// The elements of an iterable value, in an arbitrary order if Java fixes none.
pub fn items_any(machine: &mut Machine<'_>, value: &Value) -> Answer<Vec<Value>> {
    match value {
        Value::Scalar(Scalar::Null) => return Err(throw(machine, "NullPointerException")),
        Value::Symbol(_) => {
            let site = machine.here();
            return Ok(machine.elements(value, site)?);
        }
        Value::Ref(_) => {}
        _ => return open("a collection is not known"),
    }
    let Some(id) = reference(value) else { return open("a collection is not known") };
    if let Some(items) = list_items(machine, id) {
        return Ok(items.clone());
    }
    if super::keyed::entries::is_stale(machine, id, false) {
        return open("a part of a collection that changed");
    }
    if let Some(table) = machine.native::<Table>(id).filter(|table| table.is_set) {
        let order = table.sequence().unwrap_or_else(|| (0..table.entries.len()).collect());
        return Ok(order.into_iter().map(|at| table.entries[at].key.clone()).collect());
    }
    if let Some(view) = machine.native::<View>(id).cloned() {
        let pairs = super::keyed::entries::pairs_of(machine, &Value::Ref(view.map))?;
        return Ok(pairs
            .into_iter()
            .map(|(key, value)| match view.part {
                Part::Keys => key,
                Part::Values => value,
                Part::Entries => {
                    native(machine, "java.util.Map$Entry", MapEntry { map: Some(view.map), key, value, fixed: false })
                }
            })
            .collect());
    }
    if let Some(wrapped) = machine.native::<Wrapper>(id) {
        let inner = wrapped.inner.clone();
        return items_any(machine, &inner);
    }
    if let Some(part) = machine.native::<SubList>(id).cloned() {
        if list_mods(machine, part.list) != part.mods {
            return Err(throw_with(machine, "java.util.ConcurrentModificationException", Value::NULL));
        }
        let items = list_items(machine, part.list).and_then(|items| items.get(part.from..part.from + part.length));
        return Ok(items.unwrap_or_default().to_vec());
    }
    if let Some(items) = crate::interpret::library::json::tree::items(machine, value) {
        return Ok(items);
    }
    if let ClassRef::Project(_) = machine.object(id).class {
        let iterator = machine.call_method(value.clone(), "iterator", Vec::new())?;
        let mut out = Vec::new();
        while has_next(machine, &iterator)? {
            out.push(next(machine, &iterator)?);
        }
        return Ok(out);
    }
    open("a collection is not known")
}

fn all_mods(machine: &Machine<'_>, id: ObjId) -> i64 {
    match machine.native::<Table>(id) {
        Some(table) => i64::from(table.mods),
        None => i64::from(list_mods(machine, id)),
    }
}

/// A new iterator over a collection.
pub fn iterator(machine: &mut Machine<'_>, value: &Value) -> Answer {
    let class = "java.util.Iterator";
    let Some(id) = reference(value) else {
        let items = items_of(machine, value)?;
        return Ok(native(machine, class, Iter { source: Source::Values(items), at: 0, last: None, mods: 0 }));
    };
    if matches!(machine.object(id).class, ClassRef::Project(_)) && matches!(machine.object(id).kind, Kind::Plain) {
        return Ok(machine.call_method(value.clone(), "iterator", Vec::new())?);
    }
    if let Some(wrapped) = machine.native::<Wrapper>(id) {
        let items = wrapped.inner.clone();
        let items = items_of(machine, &items)?;
        return Ok(native(machine, class, Iter { source: Source::Values(items), at: 0, last: None, mods: 0 }));
    }
    let live = list_items(machine, id).is_some()
        && !matches!(&machine.object(id).class, ClassRef::Library(fqn) if matches!(&**fqn, "array" | "java.util.concurrent.CopyOnWriteArrayList"));
    let source = if live {
        Source::List(id)
    } else if machine.native::<Table>(id).is_some() {
        Source::Keys(id, items_of(machine, value)?, None)
    } else if let Some(view) = machine.native::<View>(id).cloned() {
        if is_unordered(machine, value) {
            return open("Java does not fix the order of a hashed collection");
        }
        let keys =
            super::keyed::entries::pairs_of(machine, &Value::Ref(view.map))?.into_iter().map(|(key, _)| key).collect();
        Source::Keys(view.map, keys, Some(view.part))
    } else {
        Source::Values(items_of(machine, value)?)
    };
    let mods = match &source {
        Source::List(id) | Source::Keys(id, ..) => all_mods(machine, *id),
        Source::Values(_) => 0,
    };
    Ok(native(machine, class, Iter { source, at: 0, last: None, mods }))
}

/// An iterator over a fixed list of values.
pub fn over(machine: &mut Machine<'_>, items: Vec<Value>) -> Value {
    native(machine, "java.util.Iterator", Iter { source: Source::Values(items), at: 0, last: None, mods: 0 })
}

/// `iterator.hasNext()`.
pub fn has_next(machine: &mut Machine<'_>, iterator: &Value) -> Answer<bool> {
    machine.step()?;
    if let Some(state) = reference(iterator).and_then(|id| machine.native::<Iter>(id)) {
        return Ok(match &state.source {
            // A set's iterator has found its next element already (`HashMap`, `TreeMap`), a list's holds against the size.
            Source::List(id) if machine.opaque.sets.contains(id) => {
                machine.opaque.elements.get(id).map_or(0, Vec::len) > state.at
            }
            Source::List(id) => list_items(machine, *id).map_or(0, Vec::len) != state.at,
            Source::Keys(_, keys, _) => state.at < keys.len(),
            Source::Values(values) => state.at < values.len(),
        });
    }
    let holds = invoke(machine, iterator, "hasNext", Vec::new())?;
    truth(machine, &holds)
}

/// `iterator.next()`.
pub fn next(machine: &mut Machine<'_>, iterator: &Value) -> Answer {
    let Some((id, state)) = reference(iterator).and_then(|id| Some((id, machine.native::<Iter>(id)?.clone()))) else {
        return invoke(machine, iterator, "next", Vec::new());
    };
    let at = state.at;
    let value = match &state.source {
        Source::List(list) | Source::Keys(list, ..) if all_mods(machine, *list) != state.mods => {
            return Err(throw_with(machine, "java.util.ConcurrentModificationException", Value::NULL));
        }
        Source::List(list) => list_items(machine, *list).and_then(|items| items.get(at).cloned()),
        Source::Keys(_, keys, None | Some(Part::Keys)) => keys.get(at).cloned(),
        Source::Keys(map, keys, Some(part)) => match keys.get(at).cloned() {
            Some(key) => {
                let value = super::keyed::entries::get(machine, *map, &key)?.unwrap_or(Value::NULL);
                Some(match part {
                    Part::Entries => {
                        native(machine, "java.util.Map$Entry", MapEntry { map: Some(*map), key, value, fixed: false })
                    }
                    _ => value,
                })
            }
            None => None,
        },
        Source::Values(values) => values.get(at).cloned(),
    };
    let Some(value) = value else {
        return Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL));
    };
    if let Some(state) = machine.native_mut::<Iter>(id) {
        state.last = Some(at);
        state.at = at + 1;
    }
    Ok(value)
}

/// The next element, if there is one.
pub fn advance(machine: &mut Machine<'_>, iterator: &Value) -> Answer<Option<Value>> {
    if has_next(machine, iterator)? { next(machine, iterator).map(Some) } else { Ok(None) }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let id = reference(call.receiver?)?;
    if machine.native::<Iter>(id).is_some() {
        let answer = on_iterator(machine, id, call)?;
        return Some(settle(machine, call, answer));
    }
    if let Some(wrapper) = machine.native::<Wrapper>(id) {
        let inner = wrapper.inner.clone();
        let changes = matches!(
            call.name,
            "add"
                | "addAll"
                | "remove"
                | "removeAll"
                | "retainAll"
                | "removeIf"
                | "clear"
                | "set"
                | "sort"
                | "replaceAll"
                | "put"
                | "putAll"
                | "putIfAbsent"
                | "replace"
                | "compute"
                | "computeIfAbsent"
                | "computeIfPresent"
                | "merge"
                | "addFirst"
                | "addLast"
                | "removeFirst"
                | "removeLast"
                | "pollFirst"
                | "pollLast"
        );
        if changes {
            let fail = throw_with(machine, "UnsupportedOperationException", Value::NULL);
            return Some(settle(machine, call, Err(fail)));
        }
        if matches!(call.name, "iterator") {
            let answer = iterator(machine, &Value::Ref(id));
            return Some(settle(machine, call, answer));
        }
        if matches!(call.name, "listIterator" | "subList" | "entrySet" | "keySet" | "values") {
            // The results are unmodifiable too.
            return Some(
                machine
                    .call_method(inner, call.name, call.args.to_vec())
                    .map(|inner| native(machine, "java.util.Collection", Wrapper { inner })),
            );
        }
        return Some(machine.call_method(inner, call.name, call.args.to_vec()));
    }
    None
}

fn on_iterator(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    let receiver = Value::Ref(id);
    Some(match (call.name, call.args) {
        ("hasNext" | "hasMoreElements", []) => has_next(machine, &receiver).map(Value::bool),
        ("next" | "nextElement" | "nextInt" | "nextLong", []) => next(machine, &receiver),
        ("forEachRemaining", [action]) => rest(machine, &receiver, action),
        ("remove", []) => remove(machine, id),
        ("hasPrevious", []) => Ok(Value::bool(machine.native::<Iter>(id)?.at > 0)),
        ("nextIndex", []) => Ok(crate::interpret::library::base::support::size(machine.native::<Iter>(id)?.at)),
        ("previousIndex", []) => Ok(Value::int(i32::try_from(machine.native::<Iter>(id)?.at).ok()? - 1)),
        ("previous", []) => previous(machine, id),
        ("set", [value]) => set(machine, id, value),
        ("add", [value]) => add(machine, id, value),
        _ => return None,
    })
}

fn rest(machine: &mut Machine<'_>, iterator: &Value, action: &Value) -> Answer {
    while has_next(machine, iterator)? {
        let item = next(machine, iterator)?;
        invoke(machine, action, "accept", vec![item])?;
    }
    Ok(Value::NULL)
}

fn checked(machine: &mut Machine<'_>, id: ObjId) -> Answer<(Iter, ObjId)> {
    let Some(state) = machine.native::<Iter>(id).cloned() else { return open("an iterator is not known") };
    let (Source::List(of) | Source::Keys(of, ..)) = state.source else {
        return Err(throw_with(machine, "UnsupportedOperationException", Value::NULL));
    };
    if all_mods(machine, of) != state.mods {
        return Err(throw_with(machine, "java.util.ConcurrentModificationException", Value::NULL));
    }
    Ok((state, of))
}

fn remove(machine: &mut Machine<'_>, id: ObjId) -> Answer {
    let (state, of) = match machine.native::<Iter>(id).map(|state| state.last) {
        Some(None) => return Err(throw_with(machine, "IllegalStateException", Value::NULL)),
        _ => checked(machine, id)?,
    };
    let Some(last) = state.last else { return open("an iterator is not known") };
    match &state.source {
        Source::List(_) => {
            super::ordered::list_changes::take(machine, of, last)?;
        }
        Source::Keys(_, keys, _) => {
            let key = keys.get(last).cloned().unwrap_or(Value::NULL);
            if let Some(table) = machine.native_mut::<Table>(of) {
                if table.fixed {
                    return Err(throw_with(machine, "UnsupportedOperationException", Value::NULL));
                }
                if let Some(at) = table
                    .entries
                    .iter()
                    .position(|entry| crate::interpret::library::base::support::same(&entry.key, &key))
                {
                    table.remove(at);
                }
            }
        }
        Source::Values(_) => {}
    }
    let mods = all_mods(machine, of);
    if let Some(state) = machine.native_mut::<Iter>(id) {
        if let Source::List(_) = state.source {
            state.at = last;
        }
        state.last = None;
        state.mods = mods;
    }
    Ok(Value::NULL)
}

fn previous(machine: &mut Machine<'_>, id: ObjId) -> Answer {
    let (state, of) = checked(machine, id)?;
    let Some(at) = state.at.checked_sub(1) else {
        return Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL));
    };
    let value = list_items(machine, of).and_then(|items| items.get(at).cloned());
    if let Some(state) = machine.native_mut::<Iter>(id) {
        state.at = at;
        state.last = Some(at);
    }
    match value {
        Some(value) => Ok(value),
        None => open("an iterator is not known"),
    }
}

fn set(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer {
    let (state, of) = checked(machine, id)?;
    let Some(last) = state.last else { return Err(throw_with(machine, "IllegalStateException", Value::NULL)) };
    if let Kind::List { items, fixed } = &mut machine.object_mut(of).kind {
        if *fixed {
            return Err(throw_with(machine, "UnsupportedOperationException", Value::NULL));
        }
        if let Some(place) = items.get_mut(last) {
            *place = value.clone();
        }
    }
    Ok(Value::NULL)
}

fn add(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer {
    let (state, of) = checked(machine, id)?;
    super::ordered::list_changes::put(machine, of, state.at, value.clone())?;
    let mods = all_mods(machine, of);
    if let Some(state) = machine.native_mut::<Iter>(id) {
        state.at += 1;
        state.last = None;
        state.mods = mods;
    }
    Ok(Value::NULL)
}

/// Whether two sequences have equal elements in the same order.
pub fn equal_items(machine: &mut Machine<'_>, a: &[Value], b: &[Value]) -> Answer<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (x, y) in a.iter().zip(b) {
        if !equal(machine, x, y)? {
            return Ok(false);
        }
    }
    Ok(true)
}

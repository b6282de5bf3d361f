//! Sets, views of maps, and what all collections share.

use super::entries::{find, is_stale, keep_doubt, put, section};
use super::invocation::LibraryCall;
use super::iterators::{equal_items, items_any, items_of, iterator};
use super::maps::remove_if;
use super::support::{
    Answer, array, array_items, equal, hash_all, int, invoke, native, open, reference, same, settle, size, sure_hash,
    text_of, throw, throw_with,
};
use super::table::{Insert, Order, Table};
use super::views::{Part, SubList, View, Wrapper, list_items, list_mods};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{ClassRef, Scalar};
use crate::java::interpret::value::{Kind, ObjId, Type, Value};

/// The model.
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

fn order_of(fqn: &str) -> Option<Order> {
    Some(match fqn {
        "java.util.HashSet" => Order::Hash,
        "java.util.LinkedHashSet" => Order::Linked,
        "java.util.TreeSet" | "java.util.concurrent.ConcurrentSkipListSet" => Order::Sorted,
        _ => return None,
    })
}

/// A set that cannot be changed and has no fixed order.
pub fn immutable(machine: &mut Machine<'_>, items: Vec<Value>, checked: bool) -> Answer {
    let mut table = Table::new(Order::Open, true);
    table.no_null = true;
    let made = native(machine, "java.util.Set", table);
    let Some(id) = reference(&made) else { return Ok(made) };
    for item in items {
        if put(machine, id, item, Value::NULL, Insert::Put)?.is_some() && checked {
            return Err(throw(machine, "IllegalArgumentException"));
        }
    }
    if let Some(table) = machine.native_mut::<Table>(id) {
        table.fixed = true;
    }
    Ok(made)
}

/// A new set with these elements.
pub fn filled(machine: &mut Machine<'_>, class: &str, items: Vec<Value>) -> Answer {
    let order = order_of(class).unwrap_or(Order::Sorted);
    let made = native(machine, class, Table::new(order, true));
    if let Some(id) = reference(&made) {
        for item in items {
            put(machine, id, item, Value::NULL, Insert::Put)?;
        }
    }
    Ok(made)
}

fn construct(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.fqn, call.name, call.args) {
        ("java.util.Set", "of", args) => {
            let items = super::support::spread(machine, args);
            return Some(immutable(machine, items, true));
        }
        ("java.util.Set", "copyOf", [from]) => {
            return Some(items_any(machine, from).and_then(|items| immutable(machine, items, false)));
        }
        ("java.util.EnumSet", "noneOf", [_]) => return Some(filled(machine, "java.util.EnumSet", Vec::new())),
        ("java.util.EnumSet", "of", args) => {
            let mut items = Vec::new();
            for arg in args {
                match array_items(machine, arg) {
                    Some(more) => items.extend(more),
                    None => items.push(arg.clone()),
                }
            }
            return Some(filled(machine, "java.util.EnumSet", items));
        }
        ("java.util.EnumSet", "copyOf", [from]) => {
            return Some(items_any(machine, from).and_then(|items| filled(machine, "java.util.EnumSet", items)));
        }
        ("java.util.EnumSet", "allOf", [Value::Class(Type::Class(ClassRef::Project(ty), _))]) => {
            let ty = *ty;
            let items = machine
                .enum_constants(ty)
                .into_iter()
                .map(|name| Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name)))
                .collect();
            return Some(filled(machine, "java.util.EnumSet", items));
        }
        (
            "java.util.EnumSet",
            "range",
            [Value::Scalar(Scalar::Enum(ClassRef::Project(ty), from)), Value::Scalar(Scalar::Enum(_, to))],
        ) => {
            let all = machine.enum_constants(*ty);
            let (from, to) = (all.iter().position(|one| one == from)?, all.iter().position(|one| one == to)?);
            if from > to {
                return Some(Err(throw(machine, "IllegalArgumentException")));
            }
            let items = all[from..=to]
                .iter()
                .map(|name| Value::Scalar(Scalar::Enum(ClassRef::Project(*ty), name.clone())))
                .collect();
            return Some(filled(machine, "java.util.EnumSet", items));
        }
        _ => {}
    }
    if call.name != "<init>" {
        return None;
    }
    let order = order_of(call.fqn)?;
    let mut table = Table::new(order, true);
    match call.args {
        [] => {}
        [capacity, ..] if int(capacity).is_some() && order != Order::Sorted => {
            table = table.sized(usize::try_from(int(capacity)?).ok()?);
            if call.args.get(1).and_then(super::support::double).is_some_and(|load| load != 0.75)
                && order == Order::Hash
            {
                table.order = Order::Open;
            }
        }
        [by @ Value::Lambda(_)] if order == Order::Sorted => table.comparator = Some(by.clone()),
        [by @ Value::Ref(id)]
            if order == Order::Sorted
                && matches!(&machine.object(*id).class, ClassRef::Library(fqn) if &**fqn == "java.util.Comparator") =>
        {
            table.comparator = Some(by.clone());
        }
        [Value::Unknown(_)] => return None,
        [from] => {
            let items = match items_any(machine, from) {
                Ok(items) => items,
                Err(fail) => return Some(Err(fail)),
            };
            if order != Order::Sorted {
                let wanted = (items.len() as f32 / 0.75) as usize + 1;
                let least = if order == Order::Linked { (2 * items.len()).max(11) } else { wanted.max(16) };
                table = table.sized(least);
            } else if let Some(other) = reference(from).and_then(|id| machine.native::<Table>(id))
                && other.order == Order::Sorted
            {
                table.comparator = other.comparator.clone();
            }
            let made = native(machine, call.fqn, table);
            let id = reference(&made)?;
            for item in items {
                if let Err(fail) = put(machine, id, item, Value::NULL, Insert::Put) {
                    return Some(Err(fail));
                }
            }
            keep_doubt(machine, from, id);
            return Some(Ok(made));
        }
        _ => return None,
    }
    Some(Ok(native(machine, call.fqn, table)))
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
        ("removeIf", [test]) => {
            filter(machine, id, |machine, item| Ok(!super::support::test(machine, test, item.clone())?))
        }
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

fn remove(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer<bool> {
    let (Ok(at), _) = find(machine, id, value)? else { return Ok(false) };
    if let Some(table) = machine.native_mut::<Table>(id) {
        table.remove(at);
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

/// Keeps the elements that fulfil a condition; asked in the order of iteration where there is one.
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

fn on_view(machine: &mut Machine<'_>, id: ObjId, view: &View, call: &LibraryCall<'_>) -> Option<Answer> {
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
        ("removeIf", [test]) => {
            remove_if(machine, view, |machine, item| super::support::test(machine, test, item.clone())).map(Value::bool)
        }
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
        machine.native::<Table>(id).is_some_and(|table| table.is_set)
            || machine.native::<View>(id).is_some_and(|view| view.part != Part::Values),
    )
}

fn set_identity(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
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

/// `collection.contains(item)`.
pub fn contains(machine: &mut Machine<'_>, collection: &Value, item: &Value) -> Answer<bool> {
    let Some(id) = reference(collection) else {
        if collection.is_null() {
            return Err(throw(machine, "NullPointerException"));
        }
        return open("a collection is not known");
    };
    if let ClassRef::Project(_) = machine.object(id).class {
        return open("a collection of the project's own");
    }
    let answer = machine.call_method(collection.clone(), "contains", vec![item.clone()])?;
    super::support::truth(machine, &answer)
}

/// What all collections have.
pub fn shared(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    Some(match (call.name, call.args) {
        ("contains", [value]) => scan(machine, id, value),
        ("containsAll", [with]) => contains_all(machine, receiver, with),
        ("iterator" | "listIterator" | "elements", []) => iterator(machine, receiver),
        ("forEach", [action]) => for_each(machine, receiver, action),
        ("toString", []) => shown(machine, receiver),
        ("hashCode", []) => items_of(machine, receiver).and_then(|items| Ok(Value::int(hash_all(machine, &items)?))),
        ("equals", [other]) => return lists_equal(machine, receiver, other),
        ("toArray", args) => {
            let items = match items_of(machine, receiver) {
                Ok(items) => items,
                Err(fail) => return Some(Err(fail)),
            };
            Ok(to_array(machine, items, args))
        }
        _ => return None,
    })
}

fn scan(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer {
    let object = machine.object(id);
    if value.is_null() && matches!(object.kind, Kind::List { fixed: true, .. }) && !object.parts.contains_key("nulls") {
        return Err(throw(machine, "NullPointerException"));
    }
    for item in items_any(machine, &Value::Ref(id))? {
        if equal(machine, value, &item)? {
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn contains_all(machine: &mut Machine<'_>, receiver: &Value, with: &Value) -> Answer {
    for item in items_any(machine, with)? {
        if !contains(machine, receiver, &item)? {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn for_each(machine: &mut Machine<'_>, receiver: &Value, action: &Value) -> Answer {
    let items = items_of(machine, receiver)?;
    let before = reference(receiver).map(|id| list_mods(machine, id));
    for item in items {
        invoke(machine, action, "accept", vec![item])?;
        if reference(receiver).map(|id| list_mods(machine, id)) != before {
            return open("a collection changes while it is gone through");
        }
    }
    Ok(Value::NULL)
}

fn shown(machine: &mut Machine<'_>, receiver: &Value) -> Answer {
    let mut parts = Vec::new();
    for item in items_of(machine, receiver)? {
        if same(&item, receiver) {
            parts.push("(this Collection)".to_owned());
        } else {
            parts.push(text_of(machine, &item)?);
        }
    }
    Ok(machine.fresh_text(&format!("[{}]", parts.join(", "))))
}

fn lists_equal(machine: &mut Machine<'_>, receiver: &Value, other: &Value) -> Option<Answer> {
    let id = match other {
        Value::Ref(id) => *id,
        Value::Unknown(_) | Value::Symbol(_) => return None,
        _ => return Some(Ok(Value::bool(false))),
    };
    let list = |machine: &Machine<'_>, id: ObjId| {
        machine.native::<SubList>(id).is_some()
            || (list_items(machine, id).is_some()
                && !matches!(&machine.object(id).class, ClassRef::Library(fqn) if matches!(&**fqn, "array" | "java.util.ArrayDeque" | "java.util.PriorityQueue")))
    };
    if let ClassRef::Project(_) = machine.object(id).class {
        return None;
    }
    if let Some(wrapped) = machine.native::<Wrapper>(id) {
        let inner = wrapped.inner.clone();
        return lists_equal(machine, receiver, &inner);
    }
    if !list(machine, id) || !list(machine, reference(receiver)?) {
        return Some(Ok(Value::bool(false)));
    }
    let (a, b) = match (items_of(machine, receiver), items_of(machine, other)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(fail), _) | (_, Err(fail)) => return Some(Err(fail)),
    };
    Some(equal_items(machine, &a, &b).map(Value::bool))
}

/// `toArray()`, `toArray(new T[n])` and `toArray(T[]::new)`.
fn to_array(machine: &mut Machine<'_>, mut items: Vec<Value>, args: &[Value]) -> Value {
    if let [given] = args
        && let Some(old) = array_items(machine, given)
        && let Some(id) = reference(given)
    {
        if old.len() >= items.len() {
            let count = items.len();
            if let Kind::List { items: place, .. } = &mut machine.object_mut(id).kind {
                place.splice(..count, items);
                if let Some(next) = place.get_mut(count) {
                    *next = Value::NULL;
                }
            }
            return given.clone();
        }
        // A new array of the same class as the given one.
        let mut object = machine.object(id).clone();
        object.kind = Kind::List { items: std::mem::take(&mut items), fixed: false };
        return Value::Ref(machine.allocate(object));
    }
    array(machine, items, Type::Unknown)
}

//! Models lists, deques and queues whose elements are known: `ArrayList`, `LinkedList`, `List.of`, `ArrayDeque`,
//! `PriorityQueue` and sub-lists.

use super::deques::{on_deque, on_part};
use super::heaps::{on_priority, sift_down};
use super::list_places::{ListRange, add_at, class, index, items, position, resolve, take_at, write};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::contents::{LOOSE, is_loose};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, compare, equal, int, invoke, native, open, reference, settle, size, sort, throw, throw_with,
};
use crate::interpret::library::collections::iterators::{items_any, items_of};
use crate::interpret::library::collections::views::{SubList, is_unordered, list_items, list_mods};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, Object, Value};

const CLASSES: &[&str] = &[
    "java.util.ArrayList",
    "java.util.LinkedList",
    "java.util.Vector",
    "java.util.Stack",
    "java.util.concurrent.CopyOnWriteArrayList",
    "java.util.ArrayDeque",
    "java.util.PriorityQueue",
];

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None if call.name == "<init>" && CLASSES.contains(&call.fqn) => construct(machine, call)?,
        None => return None,
        Some(receiver) => {
            let id = reference(receiver)?;
            let of = resolve(machine, id)?;
            match of {
                Ok(of) => on_list(machine, of, call)?,
                Err(fail) => Err(fail),
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn construct(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let priority = call.fqn == "java.util.PriorityQueue";
    Some(match call.args {
        [] => Ok(machine.list(Vec::new(), call.fqn)),
        [capacity] if int(capacity).is_some() => {
            if int(capacity).is_some_and(|n| n < 0) {
                return Some(Err(throw(machine, "IllegalArgumentException")));
            }
            Ok(machine.list(Vec::new(), call.fqn))
        }
        [by] if priority && is_comparator(machine, by) => {
            let queue = machine.list(Vec::new(), call.fqn);
            machine.object_mut(reference(&queue)?).parts.insert("comparator", by.clone());
            Ok(queue)
        }
        [capacity, by] if priority && int(capacity).is_some() => {
            let queue = machine.list(Vec::new(), call.fqn);
            machine.object_mut(reference(&queue)?).parts.insert("comparator", by.clone());
            Ok(queue)
        }
        [Value::Unknown(_)] => return None,
        // The copy has no certain order until it is sorted.
        [from] if call.fqn == "java.util.ArrayList" && is_unordered(machine, from) => {
            let items = match items_any(machine, from) {
                Ok(items) => items,
                Err(fail) => return Some(Err(fail)),
            };
            let loose = items.len() > 1;
            let made = machine.list(items, call.fqn);
            if loose {
                machine.object_mut(reference(&made)?).parts.insert(LOOSE, Value::bool(true));
            }
            Ok(made)
        }
        [from] => {
            let items = match items_of(machine, from) {
                Ok(items) => items,
                Err(fail) => return Some(Err(fail)),
            };
            if call.fqn == "java.util.ArrayDeque" && items.iter().any(Value::is_null) {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let made = machine.list(items, call.fqn);
            if priority {
                // Builds the heap from the middle down.
                let id = reference(&made)?;
                let count = list_items(machine, id)?.len();
                for at in (0..count / 2).rev() {
                    if let Err(fail) = sift_down(machine, id, at) {
                        return Some(Err(fail));
                    }
                }
            }
            Ok(made)
        }
        _ => return None,
    })
}

fn is_comparator(machine: &Machine<'_>, value: &Value) -> bool {
    match value {
        Value::Lambda(_) => true,
        Value::Ref(id) => {
            matches!(&machine.object(*id).class, ClassRef::Library(fqn) if &**fqn == "java.util.Comparator")
                || (matches!(machine.object(*id).class, ClassRef::Project(_))
                    && matches!(machine.object(*id).kind, Kind::Plain))
        }
        _ => false,
    }
}

const CHANGES: &[&str] = &[
    "add",
    "addAll",
    "remove",
    "removeAll",
    "retainAll",
    "removeIf",
    "clear",
    "set",
    "sort",
    "replaceAll",
    "addFirst",
    "addLast",
    "removeFirst",
    "removeLast",
];

fn on_list(machine: &mut Machine<'_>, of: ListRange, call: &LibraryCall<'_>) -> Option<Answer> {
    let fixed = matches!(&machine.object(of.list).kind, Kind::List { fixed: true, .. });
    let of_class = class(machine, of.list);
    let array = of_class == "array" || of_class == "java.util.Arrays$ArrayList";
    let refuses = fixed || (array && !matches!(call.name, "set" | "sort" | "replaceAll"));
    if refuses && CHANGES.contains(&call.name) {
        // Some of these methods do not throw if there is nothing to change.
        if array && matches!(call.name, "remove" | "removeAll" | "retainAll" | "removeIf" | "clear" | "addAll") {
            return Some(open("a change that an array refuses"));
        }
        if fixed && machine.object(of.list).parts.contains_key("nulls") {
            return Some(open("a change of a list that cannot be changed"));
        }
        return Some(Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)));
    }
    if is_loose(&machine.heap, of.list) {
        return Some(match (call.name, call.args) {
            ("size", []) => Ok(size(of.length)),
            ("isEmpty", []) => Ok(Value::bool(of.length == 0)),
            ("sort", [by]) if of.part.is_none() => sort_loose(machine, of, by),
            _ => open("Java does not fix the order of a hashed collection"),
        });
    }
    if of_class == "java.util.PriorityQueue"
        && let Some(answer) = on_priority(machine, of.list, call)
    {
        return Some(answer);
    }
    let answer = on_sequence(machine, of, call, &of_class)
        .or_else(|| on_deque(machine, of, call, &of_class))
        .or_else(|| on_part(machine, of, call, &of_class));
    answer.or_else(|| crate::interpret::library::collections::shared::shared(machine, &Value::Ref(of.own), call))
}

/// Sorts a list of uncertain order; its order becomes certain if the comparator treats no two elements as equal.
fn sort_loose(machine: &mut Machine<'_>, of: ListRange, by: &Value) -> Answer {
    let mut all = items(machine, of);
    sort(machine, Some(by), &mut all)?;
    let mut is_tied = false;
    for pair in all.windows(2) {
        is_tied |= compare(machine, Some(by), &pair[0], &pair[1])? == 0;
    }
    write(machine, of, all, true)?;
    if !is_tied {
        machine.object_mut(of.list).parts.remove(LOOSE);
    }
    Ok(Value::NULL)
}

/// Models the methods of all lists.
fn on_sequence(machine: &mut Machine<'_>, of: ListRange, call: &LibraryCall<'_>, class: &str) -> Option<Answer> {
    let is_deque = matches!(class, "java.util.ArrayDeque" | "java.util.PriorityQueue");
    Some(match (call.name, call.args) {
        ("size", []) => Ok(size(of.length)),
        ("isEmpty" | "empty", []) => Ok(Value::bool(of.length == 0)),
        ("get" | "elementAt", [at]) if !is_deque => {
            index(machine, of, at, of.length).map(|at| items(machine, of)[at].clone())
        }
        ("set", [at, value]) if !is_deque => index(machine, of, at, of.length).map(|at| {
            let mut old = Value::NULL;
            if let Kind::List { items, .. } = &mut machine.object_mut(of.list).kind {
                old = std::mem::replace(&mut items[of.from + at], value.clone());
            }
            old
        }),
        ("add" | "addElement" | "addLast" | "offer" | "offerLast", [value]) => {
            if class == "java.util.ArrayDeque" && value.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            add_at(machine, of, of.length, value.clone()).map(|()| Value::bool(true))
        }
        ("add", [at, value]) if !is_deque => {
            let place = index(machine, of, at, of.length + 1);
            place.and_then(|at| add_at(machine, of, at, value.clone())).map(|()| Value::NULL)
        }
        ("remove", [at @ Value::Scalar(Scalar::Int(_) | Scalar::Short(_) | Scalar::Byte(_) | Scalar::Char(_))])
            if !is_deque =>
        {
            return remove_by_type(machine, of, call, at);
        }
        ("remove" | "removeElement" | "removeFirstOccurrence", [value]) => remove_object(machine, of, value),
        ("indexOf" | "lastIndexOf", [value]) => position(machine, of, value, call.name == "lastIndexOf"),
        ("clear" | "removeAllElements", []) => write(machine, of, Vec::new(), true).map(|()| Value::NULL),
        ("addAll", [from]) => add_all(machine, of, of.length, from),
        ("addAll", [at, from]) => match index(machine, of, at, of.length + 1) {
            Ok(at) => add_all(machine, of, at, from),
            Err(fail) => Err(fail),
        },
        ("removeAll" | "retainAll", [with]) => keep(machine, of, with, call.name == "retainAll"),
        ("removeIf", [test]) => remove_if(machine, of, test),
        ("replaceAll", [function]) => replace_all(machine, of, function),
        ("sort", [by]) => {
            let mut all = items(machine, of);
            match sort(machine, Some(by), &mut all) {
                Ok(()) => write(machine, of, all, class == "java.util.ArrayList").map(|()| Value::NULL),
                Err(fail) => Err(fail),
            }
        }
        ("subList", [from, to]) => part(machine, of, from, to),
        ("trimToSize" | "ensureCapacity", _) => Ok(Value::NULL),
        ("clone", []) if of.part.is_none() => {
            let copy = machine.object(of.list).clone();
            Ok(Value::Ref(machine.allocate(Object { kind: copy.kind.clone(), ..copy })))
        }
        _ => return None,
    })
}

fn remove_by_type(machine: &mut Machine<'_>, of: ListRange, call: &LibraryCall<'_>, at: &Value) -> Option<Answer> {
    match call.is_primitive(0) {
        Some(true) => Some(index(machine, of, at, of.length).and_then(|at| take_at(machine, of, at))),
        Some(false) => Some(remove_object(machine, of, at)),
        None => Some(open("whether an index or an element is removed")),
    }
}

fn remove_object(machine: &mut Machine<'_>, of: ListRange, value: &Value) -> Answer {
    for (at, item) in items(machine, of).into_iter().enumerate() {
        if equal(machine, value, &item)? {
            take_at(machine, of, at)?;
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn add_all(machine: &mut Machine<'_>, of: ListRange, at: usize, from: &Value) -> Answer {
    let new = items_of(machine, from)?;
    let changed = !new.is_empty();
    let mut all = items(machine, of);
    all.splice(at..at, new);
    write(machine, of, all, true)?;
    Ok(Value::bool(changed))
}

fn keep(machine: &mut Machine<'_>, of: ListRange, with: &Value, keep: bool) -> Answer {
    let all = items(machine, of);
    let mut left = Vec::new();
    for item in &all {
        let there = crate::interpret::library::collections::shared::contains(machine, with, item)?;
        if there == keep {
            left.push(item.clone());
        }
    }
    let changed = left.len() != all.len();
    if changed {
        write(machine, of, left, true)?;
    }
    Ok(Value::bool(changed))
}

fn remove_if(machine: &mut Machine<'_>, of: ListRange, test: &Value) -> Answer {
    let all = items(machine, of);
    let before = list_mods(machine, of.list);
    let mut left = Vec::new();
    for item in &all {
        if !crate::interpret::library::base::support::test(machine, test, item.clone())? {
            left.push(item.clone());
        }
    }
    if list_mods(machine, of.list) != before {
        return Err(throw_with(machine, "java.util.ConcurrentModificationException", Value::NULL));
    }
    let changed = left.len() != all.len();
    if changed {
        write(machine, of, left, true)?;
    }
    Ok(Value::bool(changed))
}

fn replace_all(machine: &mut Machine<'_>, of: ListRange, function: &Value) -> Answer {
    let mut new = Vec::new();
    for item in items(machine, of) {
        new.push(invoke(machine, function, "apply", vec![item])?);
    }
    write(machine, of, new, false)?;
    Ok(Value::NULL)
}

fn part(machine: &mut Machine<'_>, of: ListRange, from: &Value, to: &Value) -> Answer {
    let (Some(from), Some(to)) = (int(from), int(to)) else { return open("an index is not known") };
    let length = i32::try_from(of.length).unwrap_or(i32::MAX);
    if from < 0 || to > length {
        return Err(throw(machine, "IndexOutOfBoundsException"));
    }
    if from > to {
        return Err(throw(machine, "IllegalArgumentException"));
    }
    let (from, to) = (usize::try_from(from).unwrap_or_default(), usize::try_from(to).unwrap_or_default());
    let mods = list_mods(machine, of.list);
    if of.part.is_some() {
        // A sub-list of a sub-list is a fixed copy, because changes would also have to update the outer sub-list.
        let items = items(machine, of)[from..to].to_vec();
        let list = machine.list(items, "fixed");
        if let Some(id) = reference(&list) {
            machine.object_mut(id).parts.insert("nulls", Value::bool(true));
        }
        return Ok(list);
    }
    Ok(native(machine, "java.util.List", SubList { list: of.list, from: of.from + from, length: to - from, mods }))
}

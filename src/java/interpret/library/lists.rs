//! Lists, deques and queues whose elements are known: `ArrayList`, `LinkedList`, `List.of`, `ArrayDeque`, `PriorityQueue` and parts of lists.

use super::invocation::LibraryCall;
use super::iterators::items_of;
use super::list_changes::{bump, put, take};
use super::support::{
    Answer, compare, equal, int, invoke, native, open, reference, settle, size, sort, throw, throw_with,
};
use super::views::{SubList, list_items, list_mods};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{ClassRef, Scalar};
use crate::java::interpret::value::{Kind, ObjId, Object, Value};

/// A list, or a part of one.
#[derive(Debug, Clone, Copy)]
struct Of {
    list: ObjId,
    from: usize,
    length: usize,
    part: Option<ObjId>,
    own: ObjId,
}

const CLASSES: &[&str] = &[
    "java.util.ArrayList",
    "java.util.LinkedList",
    "java.util.Vector",
    "java.util.Stack",
    "java.util.concurrent.CopyOnWriteArrayList",
    "java.util.ArrayDeque",
    "java.util.PriorityQueue",
];

/// The model.
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
                // Made into a heap from the middle down.
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

fn class(machine: &Machine<'_>, id: ObjId) -> String {
    match &machine.object(id).class {
        ClassRef::Library(fqn) => fqn.to_string(),
        ClassRef::Project(_) => String::new(),
    }
}

/// What a receiver is, where it is a list.
fn resolve(machine: &mut Machine<'_>, id: ObjId) -> Option<Answer<Of>> {
    if let Some(part) = machine.native::<SubList>(id).cloned() {
        if list_mods(machine, part.list) != part.mods {
            return Some(Err(throw_with(machine, "java.util.ConcurrentModificationException", Value::NULL)));
        }
        return Some(Ok(Of { list: part.list, from: part.from, length: part.length, part: Some(id), own: id }));
    }
    if let ClassRef::Library(fqn) = &machine.object(id).class
        && &**fqn == "array"
    {
        return None;
    }
    let length = list_items(machine, id)?.len();
    Some(Ok(Of { list: id, from: 0, length, part: None, own: id }))
}

fn items(machine: &Machine<'_>, of: Of) -> Vec<Value> {
    list_items(machine, of.list).and_then(|items| items.get(of.from..of.from + of.length)).unwrap_or_default().to_vec()
}

/// Puts new elements in the place of all old ones; `structure` where that counts as a change of structure.
fn write(machine: &mut Machine<'_>, of: Of, new: Vec<Value>, structure: bool) -> Answer<()> {
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

fn out_of_bounds(machine: &mut Machine<'_>, of: Of) -> super::support::Fail {
    let class = class(machine, of.list);
    match class.as_str() {
        "java.util.ArrayList" | "java.util.LinkedList" => throw(machine, "IndexOutOfBoundsException"),
        "java.util.Vector" | "java.util.Stack" | "java.util.concurrent.CopyOnWriteArrayList" | "array"
            if of.part.is_none() || class == "array" =>
        {
            throw(machine, "ArrayIndexOutOfBoundsException")
        }
        _ => super::support::Fail::Open("which exception it is".into()),
    }
}

fn index(machine: &mut Machine<'_>, of: Of, value: &Value, limit: usize) -> Answer<usize> {
    let Some(at) = int(value) else { return open("an index is not known") };
    match usize::try_from(at).ok().filter(|at| *at < limit) {
        Some(at) => Ok(at),
        None => Err(out_of_bounds(machine, of)),
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

fn on_list(machine: &mut Machine<'_>, of: Of, call: &LibraryCall<'_>) -> Option<Answer> {
    let fixed = matches!(&machine.object(of.list).kind, Kind::List { fixed: true, .. });
    let of_class = class(machine, of.list);
    let array = of_class == "array" || of_class == "java.util.Arrays$ArrayList";
    let refuses = fixed || (array && !matches!(call.name, "set" | "sort" | "replaceAll"));
    if refuses && CHANGES.contains(&call.name) {
        // Some of them do nothing where nothing is to be done.
        if array && matches!(call.name, "remove" | "removeAll" | "retainAll" | "removeIf" | "clear" | "addAll") {
            return Some(open("a change that an array refuses"));
        }
        if fixed && machine.object(of.list).parts.contains_key("nulls") {
            return Some(open("a change of a list that cannot be changed"));
        }
        return Some(Err(throw_with(machine, "UnsupportedOperationException", Value::NULL)));
    }
    if of_class == "java.util.PriorityQueue"
        && let Some(answer) = on_priority(machine, of.list, call)
    {
        return Some(answer);
    }
    let answer = on_sequence(machine, of, call, &of_class)
        .or_else(|| on_deque(machine, of, call, &of_class))
        .or_else(|| on_part(machine, of, call, &of_class));
    answer.or_else(|| super::sets::shared(machine, &Value::Ref(of.own), call))
}

fn add_at(machine: &mut Machine<'_>, of: Of, at: usize, value: Value) -> Answer<()> {
    put(machine, of.list, of.from + at, value)?;
    grown(machine, of, 1);
    Ok(())
}

fn take_at(machine: &mut Machine<'_>, of: Of, at: usize) -> Answer {
    let taken = take(machine, of.list, of.from + at)?;
    grown(machine, of, -1);
    Ok(taken)
}

fn grown(machine: &mut Machine<'_>, of: Of, by: isize) {
    let mods = list_mods(machine, of.list);
    if let Some(part) = of.part.and_then(|part| machine.native_mut::<SubList>(part)) {
        part.length = part.length.saturating_add_signed(by);
        part.mods = mods;
    }
}

/// What all lists have.
fn on_sequence(machine: &mut Machine<'_>, of: Of, call: &LibraryCall<'_>, class: &str) -> Option<Answer> {
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

fn remove_by_type(machine: &mut Machine<'_>, of: Of, call: &LibraryCall<'_>, at: &Value) -> Option<Answer> {
    match call.is_primitive(0) {
        Some(true) => Some(index(machine, of, at, of.length).and_then(|at| take_at(machine, of, at))),
        Some(false) => Some(remove_object(machine, of, at)),
        None => Some(open("whether an index or an element is removed")),
    }
}

fn remove_object(machine: &mut Machine<'_>, of: Of, value: &Value) -> Answer {
    for (at, item) in items(machine, of).into_iter().enumerate() {
        if equal(machine, value, &item)? {
            take_at(machine, of, at)?;
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn position(machine: &mut Machine<'_>, of: Of, value: &Value, last: bool) -> Answer {
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

fn refuses_null(machine: &Machine<'_>, of: Of) -> bool {
    let object = machine.object(of.list);
    matches!(object.kind, Kind::List { fixed: true, .. }) && !object.parts.contains_key("nulls")
}

fn add_all(machine: &mut Machine<'_>, of: Of, at: usize, from: &Value) -> Answer {
    let new = items_of(machine, from)?;
    let changed = !new.is_empty();
    let mut all = items(machine, of);
    all.splice(at..at, new);
    write(machine, of, all, true)?;
    Ok(Value::bool(changed))
}

fn keep(machine: &mut Machine<'_>, of: Of, with: &Value, keep: bool) -> Answer {
    let all = items(machine, of);
    let mut left = Vec::new();
    for item in &all {
        let there = super::sets::contains(machine, with, item)?;
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

fn remove_if(machine: &mut Machine<'_>, of: Of, test: &Value) -> Answer {
    let all = items(machine, of);
    let before = list_mods(machine, of.list);
    let mut left = Vec::new();
    for item in &all {
        if !super::support::test(machine, test, item.clone())? {
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

fn replace_all(machine: &mut Machine<'_>, of: Of, function: &Value) -> Answer {
    let mut new = Vec::new();
    for item in items(machine, of) {
        new.push(invoke(machine, function, "apply", vec![item])?);
    }
    write(machine, of, new, false)?;
    Ok(Value::NULL)
}

fn part(machine: &mut Machine<'_>, of: Of, from: &Value, to: &Value) -> Answer {
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
        // A part of a part: changes would have to be told to the part between.
        let items = items(machine, of)[from..to].to_vec();
        let list = machine.list(items, "fixed");
        if let Some(id) = reference(&list) {
            machine.object_mut(id).parts.insert("nulls", Value::bool(true));
        }
        return Ok(list);
    }
    Ok(native(machine, "java.util.List", SubList { list: of.list, from: of.from + from, length: to - from, mods }))
}

/// What deques have.
fn on_deque(machine: &mut Machine<'_>, of: Of, call: &LibraryCall<'_>, class: &str) -> Option<Answer> {
    if class == "java.util.Stack"
        && let Some(answer) = on_stack(machine, of, call)
    {
        return Some(answer);
    }
    let newer = matches!(call.name, "getFirst" | "getLast" | "removeFirst" | "removeLast" | "addFirst" | "addLast");
    if !matches!(class, "java.util.LinkedList" | "java.util.ArrayDeque") && !newer {
        return None;
    }
    let front = |of: Of| (of.length > 0).then_some(0);
    let back = |of: Of| of.length.checked_sub(1);
    let (at, takes, throws) = match (call.name, call.args) {
        ("addFirst" | "push" | "offerFirst", [value]) => {
            if class == "java.util.ArrayDeque" && value.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let added = add_at(machine, of, 0, value.clone());
            return Some(added.map(|()| if call.name == "offerFirst" { Value::bool(true) } else { Value::NULL }));
        }
        ("getFirst" | "element" | "firstElement", []) => (front(of), false, true),
        ("getLast" | "lastElement", []) => (back(of), false, true),
        ("peek" | "peekFirst", []) => (front(of), false, false),
        ("peekLast", []) => (back(of), false, false),
        ("poll" | "pollFirst", []) => (front(of), true, false),
        ("pollLast", []) => (back(of), true, false),
        ("remove" | "removeFirst" | "pop", []) => (front(of), true, true),
        ("removeLast", []) => (back(of), true, true),
        ("descendingIterator", []) => {
            let mut all = items(machine, of);
            all.reverse();
            return Some(Ok(super::iterators::over(machine, all)));
        }
        _ => return None,
    };
    Some(match (at, takes) {
        (Some(at), true) => take_at(machine, of, at),
        (Some(at), false) => Ok(items(machine, of)[at].clone()),
        (None, _) if throws => Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL)),
        (None, _) => Ok(Value::NULL),
    })
}

fn on_stack(machine: &mut Machine<'_>, of: Of, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args, of.length.checked_sub(1)) {
        ("push", [value], _) => add_at(machine, of, of.length, value.clone()).map(|()| value.clone()),
        ("pop" | "peek", [], None) => Err(throw_with(machine, "java.util.EmptyStackException", Value::NULL)),
        ("pop", [], Some(at)) => take_at(machine, of, at),
        ("peek", [], Some(at)) => Ok(items(machine, of)[at].clone()),
        ("search", [value], _) => position(machine, of, value, true).map(|at| match int(&at) {
            Some(at) if at >= 0 => Value::int(i32::try_from(of.length).unwrap_or_default() - at),
            _ => Value::int(-1),
        }),
        _ => return None,
    })
}

fn on_part(machine: &mut Machine<'_>, of: Of, call: &LibraryCall<'_>, class: &str) -> Option<Answer> {
    match (call.name, call.args) {
        ("firstElement" | "lastElement", []) if class == "java.util.Vector" || class == "java.util.Stack" => {
            let all = items(machine, of);
            let item = if call.name == "firstElement" { all.first() } else { all.last() };
            Some(match item {
                Some(item) => Ok(item.clone()),
                None => Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL)),
            })
        }
        ("reversed", []) => None,
        ("equals", [other]) if matches!(class, "java.util.ArrayDeque" | "java.util.PriorityQueue") => {
            Some(Ok(Value::bool(reference(other) == Some(of.own))))
        }
        ("hashCode", []) if matches!(class, "java.util.ArrayDeque" | "java.util.PriorityQueue") => {
            Some(open("the identity hash of a queue"))
        }
        _ => None,
    }
}

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

fn sift_down(machine: &mut Machine<'_>, id: ObjId, mut place: usize) -> Answer<()> {
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

fn on_priority(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
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
                // The first one is compared with itself in some releases: only whether that can be done matters.
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
        if super::support::same(&at(machine, id, place), &moved) {
            sift_up(machine, id, place)?;
        }
    }
    Ok(removed)
}

//! Models the methods that deques and stacks have in addition to those of lists.

use super::list_places::{ListRange, add_at, items, position, take_at};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, open, reference, throw, throw_with};
use crate::interpret::values::value::Value;

/// Models the methods of deques.
pub fn on_deque(machine: &mut Machine<'_>, of: ListRange, call: &LibraryCall<'_>, class: &str) -> Option<Answer> {
    if class == "java.util.Stack"
        && let Some(answer) = on_stack(machine, of, call)
    {
        return Some(answer);
    }
    let newer = matches!(call.name, "getFirst" | "getLast" | "removeFirst" | "removeLast" | "addFirst" | "addLast");
    if !matches!(class, "java.util.LinkedList" | "java.util.ArrayDeque") && !newer {
        return None;
    }
    let front = |of: ListRange| (of.length > 0).then_some(0);
    let back = |of: ListRange| of.length.checked_sub(1);
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
            return Some(Ok(crate::interpret::library::collections::iterators::over(machine, all)));
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

fn on_stack(machine: &mut Machine<'_>, of: ListRange, call: &LibraryCall<'_>) -> Option<Answer> {
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

/// Models the methods that only queues and vectors have.
pub fn on_part(machine: &mut Machine<'_>, of: ListRange, call: &LibraryCall<'_>, class: &str) -> Option<Answer> {
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

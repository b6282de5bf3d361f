//! Models `List.of` and `Collections`.

use super::iterators::{items_any, items_of};
use super::ordered::array_tools::{arrays, copy, on_array};
use super::ordered::list_changes::immutable;
use super::ordered::rewriting::{rewrite, search};
use super::views::Wrapper;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, compare, equal, int, native, open, reference, settle, size, spread, throw, throw_with,
};
use crate::interpret::values::value::{Type, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        ("java.util.List", None) => list(machine, call)?,
        ("java.util.Collections", None) => collections(machine, call)?,
        ("java.util.Arrays", None) => arrays(machine, call)?,
        ("java.lang.System", None) if call.name == "arraycopy" => copy(machine, call.args)?,
        ("array", Some(receiver)) => on_array(machine, receiver, call)?,
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn list(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("of", args) => {
            let items = spread(machine, args);
            immutable(machine, items, false)
        }
        ("copyOf", [from]) => items_of(machine, from).and_then(|items| immutable(machine, items, false)),
        _ => return None,
    })
}

fn extreme(machine: &mut Machine<'_>, from: &Value, by: Option<&Value>, least: bool) -> Answer {
    let mut items = items_of(machine, from)?.into_iter();
    let Some(mut best) = items.next() else {
        return Err(throw_with(machine, "java.util.NoSuchElementException", Value::NULL));
    };
    for item in items {
        let order = compare(machine, by, &item, &best)?;
        if (least && order < 0) || (!least && order > 0) {
            best = item;
        }
    }
    Ok(best)
}

fn collections(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("emptyList", []) => immutable(machine, Vec::new(), true),
        ("singletonList", [item]) => immutable(machine, vec![item.clone()], true),
        ("nCopies", [count, item]) => match usize::try_from(int(count)?) {
            Ok(count) if count <= 100_000 => immutable(machine, vec![item.clone(); count], true),
            Ok(_) => open("a list is too long"),
            Err(_) => Err(throw(machine, "IllegalArgumentException")),
        },
        ("emptyIterator", []) => Ok(super::iterators::over(machine, Vec::new())),
        ("emptySet" | "singleton" | "emptyMap" | "singletonMap", args) => return small(machine, call.name, args),
        (
            "unmodifiableList"
            | "unmodifiableCollection"
            | "unmodifiableSet"
            | "unmodifiableMap"
            | "unmodifiableSortedMap"
            | "unmodifiableSortedSet",
            [inner],
        ) => {
            reference(inner)?;
            let class = match call.name {
                "unmodifiableList" => "java.util.List",
                "unmodifiableCollection" => "java.util.Collection",
                name if name.ends_with("Set") => "java.util.Set",
                _ => "java.util.Map",
            };
            Ok(native(machine, class, Wrapper { inner: inner.clone() }))
        }
        ("synchronizedList" | "synchronizedMap" | "synchronizedSet" | "synchronizedCollection", [inner]) => {
            Ok(inner.clone())
        }
        ("sort", [target]) => sorted_in_place(machine, target, None).map(|()| Value::NULL),
        ("sort", [target, by]) => sorted_in_place(machine, target, Some(by)).map(|()| Value::NULL),
        ("reverse", [target]) => items_of(machine, target).and_then(|mut items| {
            items.reverse();
            rewrite(machine, target, items).map(|()| Value::NULL)
        }),
        ("swap", [target, a, b]) => {
            let (a, b) = (int(a)?, int(b)?);
            items_of(machine, target).and_then(|mut items| match (usize::try_from(a), usize::try_from(b)) {
                (Ok(a), Ok(b)) if a < items.len() && b < items.len() => {
                    items.swap(a, b);
                    rewrite(machine, target, items).map(|()| Value::NULL)
                }
                _ => open("which exception it is"),
            })
        }
        ("rotate", [target, by]) => {
            let by = int(by)?;
            items_of(machine, target).and_then(|mut items| {
                if !items.is_empty() {
                    let by = by.rem_euclid(i32::try_from(items.len()).unwrap_or(i32::MAX));
                    items.rotate_right(usize::try_from(by).unwrap_or_default());
                }
                rewrite(machine, target, items).map(|()| Value::NULL)
            })
        }
        ("fill", [target, value]) => items_of(machine, target)
            .and_then(|items| rewrite(machine, target, vec![value.clone(); items.len()]).map(|()| Value::NULL)),
        ("addAll", [target, args @ ..]) => {
            let mut changed = false;
            for item in spread(machine, args) {
                match machine.call_method(target.clone(), "add", vec![item]) {
                    Ok(answer) => changed |= crate::interpret::library::base::support::boolean(&answer)?,
                    Err(stop) => return Some(Err(stop.into())),
                }
            }
            Ok(Value::bool(changed))
        }
        ("max", [from]) => extreme(machine, from, None, false),
        ("min", [from]) => extreme(machine, from, None, true),
        ("max", [from, by]) => extreme(machine, from, Some(by), false),
        ("min", [from, by]) => extreme(machine, from, Some(by), true),
        ("frequency", [from, value]) => frequency(machine, from, value),
        ("disjoint", [a, b]) => disjoint(machine, a, b),
        ("binarySearch", [from, key]) => items_of(machine, from).and_then(|items| search(machine, &items, key, None)),
        ("binarySearch", [from, key, by]) => {
            items_of(machine, from).and_then(|items| search(machine, &items, key, Some(by)))
        }
        ("indexOfSubList", [from, wanted]) => sub_list(machine, from, wanted),
        ("reverseOrder", []) => Ok(crate::interpret::library::functions::functional::reversed(machine, None)),
        ("reverseOrder", [by]) => {
            Ok(crate::interpret::library::functions::functional::reversed(machine, Some(by.clone())))
        }
        ("shuffle", [target, ..]) => items_of(machine, target).and_then(|items| {
            if items.len() < 2 {
                return Ok(Value::NULL);
            }
            let unknown = Value::unknown("a shuffled list", Type::Unknown);
            rewrite(machine, target, vec![unknown; items.len()]).map(|()| Value::NULL)
        }),
        _ => return None,
    })
}

fn small(machine: &mut Machine<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    use super::keyed::table::{Insert, Order, Table};
    let table = Table::new(Order::Linked, !name.ends_with("Map"));
    let class = if name.ends_with("Map") { "java.util.Map" } else { "java.util.Set" };
    let made = native(machine, class, table);
    let id = reference(&made)?;
    let put = match args {
        [] => Ok(None),
        [item] => super::keyed::entries::put(machine, id, item.clone(), Value::NULL, Insert::Put),
        [key, value] => super::keyed::entries::put(machine, id, key.clone(), value.clone(), Insert::Put),
        _ => return None,
    };
    if let Err(fail) = put {
        return Some(Err(fail));
    }
    machine.native_mut::<Table>(id)?.fixed = true;
    Some(Ok(made))
}

fn sorted_in_place(machine: &mut Machine<'_>, target: &Value, by: Option<&Value>) -> Answer<()> {
    let none = Value::NULL;
    machine.call_method(target.clone(), "sort", vec![by.unwrap_or(&none).clone()])?;
    Ok(())
}

fn frequency(machine: &mut Machine<'_>, from: &Value, value: &Value) -> Answer {
    let mut count = 0;
    for item in items_any(machine, from)? {
        count += i32::from(equal(machine, value, &item)?);
    }
    Ok(Value::int(count))
}

fn disjoint(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Answer {
    for item in items_any(machine, a)? {
        if super::shared::contains(machine, b, &item)? {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn sub_list(machine: &mut Machine<'_>, from: &Value, wanted: &Value) -> Answer {
    let (all, wanted) = (items_of(machine, from)?, items_of(machine, wanted)?);
    for at in 0..=all.len().saturating_sub(wanted.len()) {
        if at + wanted.len() <= all.len()
            && super::iterators::equal_items(machine, &wanted, &all[at..at + wanted.len()])?
        {
            return Ok(size(at));
        }
    }
    Ok(Value::int(-1))
}

//! Models `Arrays`, `System.arraycopy`, and the methods of arrays.

use super::list_changes::over_array;
use super::rewriting::{rewrite, search};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array, array_items, equal, hash_all, int, invoke, open, reference, size, sort, text_of, throw,
};
use crate::interpret::library::collections::views::list_items;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Kind, Type, Value};

/// Models the static methods of `Arrays`.
pub fn arrays(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.name == "asList" {
        return Some(as_list(machine, call));
    }
    if matches!(call.name, "equals" | "deepEquals" | "toString" | "deepToString" | "hashCode" | "deepHashCode") {
        return whole(machine, call);
    }
    let target = call.args.first()?;
    if target.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let items = array_items(machine, target)?;
    let length = items.len();
    let rest = call.args.get(1..)?;
    Some(match (call.name, rest) {
        ("sort" | "parallelSort", []) => sorted(machine, target, items, 0, length, None),
        ("sort", [by]) => sorted(machine, target, items, 0, length, Some(by)),
        ("sort", [from, to]) => match range(machine, from, to, length)? {
            Ok((from, to)) => sorted(machine, target, items, from, to, None),
            Err(fail) => Err(fail),
        },
        ("fill", [value]) => {
            let value = like(machine, target, value);
            rewrite(machine, target, vec![value; length]).map(|()| Value::NULL)
        }
        ("fill", [from, to, value]) => match range(machine, from, to, length)? {
            Ok((from, to)) => {
                let value = like(machine, target, value);
                let mut items = items;
                items[from..to].fill(value);
                rewrite(machine, target, items).map(|()| Value::NULL)
            }
            Err(fail) => Err(fail),
        },
        ("copyOf", [to]) => cut(machine, target, items, 0, int(to)?),
        ("copyOfRange", [from, to]) => cut(machine, target, items, int(from)?, int(to)?),
        ("binarySearch", [key]) => {
            let key = like(machine, target, key);
            search(machine, &items, &key, None)
        }
        ("setAll", [function]) => {
            let mut new = Vec::new();
            for at in 0..length {
                match invoke(machine, function, "apply", vec![size(at)]) {
                    Ok(value) => new.push(like(machine, target, &value)),
                    Err(fail) => return Some(Err(fail)),
                }
            }
            rewrite(machine, target, new).map(|()| Value::NULL)
        }
        _ => return None,
    })
}

/// Converts a value to the element type of an array of primitives.
fn like(machine: &mut Machine<'_>, array: &Value, value: &Value) -> Value {
    let first = array_items(machine, array).and_then(|items| items.first().cloned());
    match first.as_ref().and_then(Value::scalar).and_then(Scalar::prim) {
        Some(prim) => machine.convert(value.clone(), &Type::Prim(prim)),
        None => value.clone(),
    }
}

fn range(machine: &mut Machine<'_>, from: &Value, to: &Value, length: usize) -> Option<Answer<(usize, usize)>> {
    let (from, to) = (int(from)?, int(to)?);
    if from > to {
        return Some(Err(throw(machine, "IllegalArgumentException")));
    }
    Some(match (usize::try_from(from), usize::try_from(to)) {
        (Ok(from), Ok(to)) if to <= length => Ok((from, to)),
        _ => Err(throw(machine, "ArrayIndexOutOfBoundsException")),
    })
}

fn sorted(
    machine: &mut Machine<'_>,
    target: &Value,
    mut items: Vec<Value>,
    from: usize,
    to: usize,
    by: Option<&Value>,
) -> Answer {
    let mut part = items[from..to].to_vec();
    sort(machine, by, &mut part)?;
    items.splice(from..to, part);
    rewrite(machine, target, items)?;
    Ok(Value::NULL)
}

fn cut(machine: &mut Machine<'_>, target: &Value, items: Vec<Value>, from: i32, to: i32) -> Answer {
    let length = i32::try_from(items.len()).unwrap_or(i32::MAX);
    if from < 0 || from > length {
        return Err(throw(machine, "ArrayIndexOutOfBoundsException"));
    }
    let Ok(count) = usize::try_from(to - from) else {
        return Err(throw(machine, if from == 0 { "NegativeArraySizeException" } else { "IllegalArgumentException" }));
    };
    let from = usize::try_from(from).unwrap_or_default();
    if count > 1_000_000 {
        return open("an array is too long");
    }
    let zero = match items.first().and_then(Value::scalar).and_then(Scalar::prim) {
        _ if count <= items.len() - from => Value::NULL,
        // Boxed and primitive elements cannot be told apart without the array's element type.
        Some(prim) => match element(machine, target) {
            Some(Type::Prim(_)) => Value::Scalar(prim.zero()),
            Some(_) => Value::NULL,
            None => return open("the type of an array's elements"),
        },
        None => match element(machine, target) {
            Some(Type::Prim(prim)) => Value::Scalar(prim.zero()),
            Some(_) => Value::NULL,
            None if !items.is_empty() => Value::NULL,
            None => return open("the type of an array's elements"),
        },
    };
    let mut new: Vec<Value> = items.into_iter().skip(from).take(count).collect();
    new.resize(count, zero);
    let Some(id) = reference(target) else { return open("an array is not known") };
    let mut object = machine.object(id).clone();
    object.kind = Kind::List { items: new, fixed: false };
    Ok(Value::Ref(machine.allocate(object)))
}

/// The element type of an array, if the machine records it.
pub fn element(machine: &Machine<'_>, array: &Value) -> Option<Type> {
    match machine.object(reference(array)?).parts.get("element") {
        Some(Value::Class(ty)) => Some(ty.clone()),
        _ => None,
    }
}

fn as_list(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Answer {
    if let [only] = call.args
        && let Some(id) = reference(only)
        && array_items(machine, only).is_some()
    {
        match element(machine, only) {
            Some(Type::Prim(_)) => {}
            Some(_) => return Ok(over_array(machine, id)),
            None => return open("the type of an array's elements"),
        }
    } else if let [Value::Unknown(_) | Value::Symbol(_)] = call.args {
        return open("what is made a list");
    }
    let backing = array(machine, call.args.to_vec(), Type::Unknown);
    match reference(&backing) {
        Some(id) => Ok(over_array(machine, id)),
        None => Ok(backing),
    }
}

fn deep_text(machine: &mut Machine<'_>, value: &Value, depth: usize) -> Answer<String> {
    let Some(items) = array_items(machine, value) else { return text_of(machine, value) };
    if depth > 8 {
        return open("arrays in arrays");
    }
    let mut parts = Vec::new();
    for item in items {
        parts.push(deep_text(machine, &item, depth + 1)?);
    }
    Ok(format!("[{}]", parts.join(", ")))
}

fn whole(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let read = |machine: &Machine<'_>, value: &Value| {
        if value.is_null() { Some(None) } else { array_items(machine, value).map(Some) }
    };
    Some(match (call.name, call.args) {
        ("equals", [a, b]) => match (read(machine, a)?, read(machine, b)?) {
            (Some(a), Some(b)) => {
                crate::interpret::library::collections::iterators::equal_items(machine, &a, &b).map(Value::bool)
            }
            (a, b) => Ok(Value::bool(a.is_none() && b.is_none())),
        },
        ("deepEquals", [a, b]) => deep_equal(machine, a, b, 0).map(Value::bool),
        ("toString", [a]) => match read(machine, a)? {
            None => Ok(Value::text("null")),
            Some(items) => {
                let mut parts = Vec::new();
                for item in items {
                    match text_of(machine, &item) {
                        Ok(text) => parts.push(text),
                        Err(fail) => return Some(Err(fail)),
                    }
                }
                Ok(machine.fresh_text(&format!("[{}]", parts.join(", "))))
            }
        },
        ("deepToString", [a]) => deep_text(machine, a, 0).map(|text| machine.fresh_text(&text)),
        ("hashCode", [a]) => match read(machine, a)? {
            None => Ok(Value::int(0)),
            Some(items) => hash_all(machine, &items).map(Value::int),
        },
        _ => return None,
    })
}

fn deep_equal(machine: &mut Machine<'_>, a: &Value, b: &Value, depth: usize) -> Answer<bool> {
    match (array_items(machine, a), array_items(machine, b)) {
        (Some(x), Some(y)) if depth < 8 => {
            if x.len() != y.len() {
                return Ok(false);
            }
            for (p, q) in x.iter().zip(&y) {
                if !deep_equal(machine, p, q, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (None, None) => equal(machine, a, b),
        _ => Ok(false),
    }
}

/// Models `System.arraycopy`.
pub fn copy(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let [from, at, to, place, count] = args else { return None };
    if from.is_null() || to.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let (source, mut target) = (array_items(machine, from)?, array_items(machine, to)?);
    let (at, place, count) = (int(at)?, int(place)?, int(count)?);
    let inside = |start: i32, length: usize| {
        let start = usize::try_from(start).ok()?;
        let end = start.checked_add(usize::try_from(count).ok()?)?;
        (end <= length).then_some(start..end)
    };
    let (Some(a), Some(b)) = (inside(at, source.len()), inside(place, target.len())) else {
        return Some(Err(throw(machine, "ArrayIndexOutOfBoundsException")));
    };
    match (element(machine, from), element(machine, to)) {
        (Some(a), Some(b)) if a != b => return Some(open("arrays of different types")),
        _ => {}
    }
    target[b].clone_from_slice(&source[a]);
    Some(rewrite(machine, to, target).map(|()| Value::NULL))
}

/// Models a method call on an array.
pub fn on_array(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    list_items(machine, id)?;
    Some(match (call.name, call.args) {
        ("clone", []) => {
            let copy = machine.object(id).clone();
            Ok(Value::Ref(machine.allocate(copy)))
        }
        ("equals", [other]) => match other {
            Value::Unknown(_) => return None,
            other => Ok(Value::bool(reference(other) == Some(id))),
        },
        ("hashCode" | "toString", []) => open("the identity hash of an array"),
        _ => return None,
    })
}

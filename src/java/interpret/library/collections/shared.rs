//! Models the methods that all collections share.

use super::iterators::{equal_items, items_any, items_of, iterator};
use super::views::{SubList, Wrapper, list_items, list_mods};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array, array_items, equal, hash_all, invoke, open, reference, same, text_of, throw,
};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Type, Value};

/// Models `collection.contains(item)`.
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
    crate::interpret::library::base::support::truth(machine, &answer)
}

/// Models the methods that all collections share.
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

/// Models `toArray()`, `toArray(new T[n])` and `toArray(T[]::new)`.
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
        // A new array of the same class as the argument.
        let mut object = machine.object(id).clone();
        object.kind = Kind::List { items: std::mem::take(&mut items), fixed: false };
        return Value::Ref(machine.allocate(object));
    }
    array(machine, items, Type::Unknown)
}

//! Models the creation of sets: constructors, `Set.of`, `EnumSet`.

use super::entries::{keep_doubt, put};
use super::table::{Insert, Order, Table};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, array_items, int, native, reference, throw};
use crate::interpret::library::collections::iterators::items_any;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Type, Value};

fn order_of(fqn: &str) -> Option<Order> {
    Some(match fqn {
        "java.util.HashSet" => Order::Hash,
        "java.util.LinkedHashSet" => Order::Linked,
        "java.util.TreeSet" | "java.util.concurrent.ConcurrentSkipListSet" => Order::Sorted,
        _ => return None,
    })
}

/// An unmodifiable set without a fixed order.
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

/// Models static methods and constructors.
pub fn construct(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.fqn, call.name, call.args) {
        ("java.util.Set", "of", args) => {
            let items = crate::interpret::library::base::support::spread(machine, args);
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
            if call
                .args
                .get(1)
                .and_then(crate::interpret::library::base::support::double)
                .is_some_and(|load| load != 0.75)
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

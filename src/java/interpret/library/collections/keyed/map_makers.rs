//! Models the creation of maps and entries: constructors, `Map.of`, `Map.entry`.

use super::entries::{keep_doubt, pairs_of, put};
use super::table::{Insert, Order, Table};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, boolean, int, native, reference, throw};
use crate::interpret::library::collections::views::MapEntry;
use crate::interpret::values::value::Value;

fn order_of(fqn: &str) -> Option<Order> {
    Some(match fqn {
        "java.util.HashMap" => Order::Hash,
        "java.util.LinkedHashMap" => Order::Linked,
        "java.util.TreeMap" | "java.util.EnumMap" | "java.util.concurrent.ConcurrentSkipListMap" => Order::Sorted,
        "java.util.concurrent.ConcurrentHashMap" | "java.util.Hashtable" => Order::Open,
        _ => return None,
    })
}

/// An entry that belongs to no map.
pub fn entry(machine: &mut Machine<'_>, key: Value, value: Value, fixed: bool) -> Value {
    native(machine, "java.util.Map$Entry", MapEntry { map: None, key, value, fixed })
}

/// Models static methods and constructors.
pub fn statics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.fqn, call.name, call.args) {
        ("java.util.Map", "of", args) if args.len() % 2 == 0 => {
            let pairs = args.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
            return Some(immutable(machine, pairs, true));
        }
        ("java.util.Map", "ofEntries", args) => {
            let entries = crate::interpret::library::base::support::spread(machine, args);
            let mut pairs = Vec::new();
            for entry in &entries {
                let entry = machine.native::<MapEntry>(reference(entry)?)?;
                pairs.push((entry.key.clone(), entry.value.clone()));
            }
            return Some(immutable(machine, pairs, true));
        }
        ("java.util.Map", "copyOf", [from]) => {
            let pairs = match pairs_of(machine, from) {
                Ok(pairs) => pairs,
                Err(fail) => return Some(Err(fail)),
            };
            return Some(immutable(machine, pairs, true));
        }
        ("java.util.Map", "entry", [key, value]) => {
            if key.is_null() || value.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            return Some(Ok(entry(machine, key.clone(), value.clone(), true)));
        }
        ("java.util.AbstractMap.SimpleEntry" | "java.util.AbstractMap$SimpleEntry", "<init>", [key, value]) => {
            return Some(Ok(entry(machine, key.clone(), value.clone(), false)));
        }
        (
            "java.util.AbstractMap.SimpleImmutableEntry" | "java.util.AbstractMap$SimpleImmutableEntry",
            "<init>",
            [key, value],
        ) => return Some(Ok(entry(machine, key.clone(), value.clone(), true))),
        _ => {}
    }
    if call.name != "<init>" {
        return None;
    }
    let order = order_of(call.fqn)?;
    let mut table = Table::new(order, false);
    table.no_null = order == Order::Open || call.fqn == "java.util.EnumMap";
    match call.args {
        [] => {}
        [Value::Class(_)] if call.fqn == "java.util.EnumMap" => {}
        [capacity] if int(capacity).is_some() && order != Order::Sorted => {
            let Some(capacity) = int(capacity).and_then(|n| usize::try_from(n).ok()) else {
                return Some(Err(throw(machine, "IllegalArgumentException")));
            };
            table = table.sized(capacity);
        }
        [capacity, _, rest @ ..] if int(capacity).is_some() && rest.len() < 2 && order != Order::Sorted => {
            if crate::interpret::library::base::support::double(&call.args[1]) != Some(0.75) && order == Order::Hash {
                table.order = Order::Open;
            }
            table = table.sized(usize::try_from(int(capacity)?).ok()?);
            table.access = rest.first().and_then(boolean).unwrap_or_default();
        }
        [from] => {
            if let Value::Unknown(_) | Value::Symbol(_) = from {
                return None;
            }
            if order == Order::Sorted && pairs_of(machine, from).is_err() {
                table.comparator = Some(from.clone());
                return Some(Ok(native(machine, call.fqn, table)));
            }
            let pairs = match pairs_of(machine, from) {
                Ok(pairs) => pairs,
                Err(fail) => return Some(Err(fail)),
            };
            if let Some(id) = reference(from)
                && let Some(other) = machine.native::<Table>(id)
                && order == Order::Sorted
                && other.order == Order::Sorted
            {
                table.comparator = other.comparator.clone();
            }
            table.expect(pairs.len());
            // In a copy of a map without a fixed order, the order within a bucket is unknown too.
            let made = native(machine, call.fqn, table);
            let id = reference(&made)?;
            for (key, value) in pairs {
                if let Err(fail) = put(machine, id, key, value, Insert::Put) {
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

/// A `LinkedHashMap` of these entries, put one after another.
pub(in crate::interpret::library) fn linked(machine: &mut Machine<'_>, pairs: Vec<(Value, Value)>) -> Answer {
    let made = native(machine, "java.util.LinkedHashMap", Table::new(Order::Linked, false));
    if let Some(id) = reference(&made) {
        for (key, value) in pairs {
            put(machine, id, key, value, Insert::Put)?;
        }
    }
    Ok(made)
}

fn immutable(machine: &mut Machine<'_>, pairs: Vec<(Value, Value)>, checked: bool) -> Answer {
    let mut table = Table::new(Order::Open, false);
    table.no_null = true;
    let made = native(machine, "java.util.Map", table);
    let Some(id) = reference(&made) else { return Ok(made) };
    for (key, value) in pairs {
        if key.is_null() || value.is_null() {
            return Err(throw(machine, "NullPointerException"));
        }
        if put(machine, id, key, value, Insert::Put)?.is_some() && checked {
            return Err(throw(machine, "IllegalArgumentException"));
        }
    }
    if let Some(table) = machine.native_mut::<Table>(id) {
        table.fixed = true;
    }
    Ok(made)
}

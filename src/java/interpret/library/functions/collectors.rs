//! Models `java.util.stream.Collectors`.

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, compare, invoke, long, native, open, reference, text_of, throw, truth,
};
use crate::interpret::library::collections::keyed::entries::{get, put};
use crate::interpret::library::collections::keyed::maps::prepare;
use crate::interpret::library::collections::keyed::table::{Insert, Order, Table};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Native, Type, Value};

/// A collector: the method that made it, and its arguments.
#[derive(Debug, Clone)]
pub struct Collector {
    name: String,
    args: Vec<Value>,
}

impl Native for Collector {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.args.clone()
    }
}

const KNOWN: &[&str] = &[
    "toList",
    "toUnmodifiableList",
    "toSet",
    "toUnmodifiableSet",
    "toCollection",
    "joining",
    "counting",
    "summingInt",
    "summingLong",
    "summingDouble",
    "averagingInt",
    "averagingLong",
    "averagingDouble",
    "minBy",
    "maxBy",
    "mapping",
    "filtering",
    "flatMapping",
    "reducing",
    "groupingBy",
    "partitioningBy",
    "toMap",
    "collectingAndThen",
    "teeing",
    "summarizingInt",
    "summarizingLong",
    "summarizingDouble",
];

/// Models the static methods of `Collectors`.
pub fn statics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if !KNOWN.contains(&call.name) {
        return None;
    }
    let collector = Collector { name: call.name.to_owned(), args: call.args.to_vec() };
    Some(Ok(native(machine, "java.util.stream.Collector", collector)))
}

type Sink<'s> = &'s mut dyn FnMut(&mut Machine<'_>, Value) -> Answer<bool>;
type Feed<'f> = &'f mut dyn FnMut(&mut Machine<'_>, Sink<'_>) -> Answer<()>;

/// The intermediate state of a collector.
enum State {
    /// Elements collected for a computation at the end.
    Items(Vec<Value>),
    /// A collection or map being filled.
    Object(Value),
    /// The result of a reduction so far.
    Value(Option<Value>),
    /// One state per key.
    Groups(Vec<(Value, State)>, Value),
    /// The states of both sides of a partition.
    Parts(Box<State>, Box<State>),
    /// The states of two collectors that run together (`teeing`).
    Two(Box<State>, Box<State>),
}

fn collector(machine: &Machine<'_>, value: &Value) -> Answer<Collector> {
    match reference(value).and_then(|id| machine.native::<Collector>(id)) {
        Some(collector) => Ok(collector.clone()),
        None => open("a collector is not known"),
    }
}

/// Runs a collector over the elements of a stream.
pub fn collect(machine: &mut Machine<'_>, by: &Value, feed: Feed<'_>) -> Answer {
    let by = collector(machine, by)?;
    let mut state = start(machine, &by)?;
    feed(machine, &mut |machine, value| {
        accept(machine, &by, &mut state, value)?;
        Ok(true)
    })?;
    finish(machine, &by, state)
}

fn to_list() -> Collector {
    Collector { name: "toList".to_owned(), args: Vec::new() }
}

/// The downstream collector of a collector.
fn inner(machine: &Machine<'_>, by: &Collector) -> Answer<Collector> {
    match (by.name.as_str(), by.args.as_slice()) {
        ("groupingBy" | "partitioningBy", [_]) => Ok(to_list()),
        ("groupingBy", [_, _, inner])
        | ("groupingBy" | "partitioningBy" | "mapping" | "filtering" | "flatMapping", [_, inner]) => {
            collector(machine, inner)
        }
        ("collectingAndThen", [inner, _]) => collector(machine, inner),
        _ => open("a collector is not known"),
    }
}

fn start(machine: &mut Machine<'_>, by: &Collector) -> Answer<State> {
    Ok(match (by.name.as_str(), by.args.as_slice()) {
        ("toSet", []) => State::Object(native(machine, "java.util.HashSet", Table::new(Order::Hash, true))),
        ("toCollection", [supplier]) => State::Object(invoke(machine, supplier, "get", Vec::new())?),
        ("toMap", args) => State::Object(match args {
            [_, _, _, supplier] => invoke(machine, supplier, "get", Vec::new())?,
            _ => native(machine, "java.util.HashMap", Table::new(Order::Hash, false)),
        }),
        ("minBy" | "maxBy" | "reducing", args) => State::Value(match args {
            [seed, _] | [seed, _, _] => Some(seed.clone()),
            _ => None,
        }),
        ("groupingBy", args) => {
            let map = match args {
                [_, supplier, _] => invoke(machine, supplier, "get", Vec::new())?,
                _ => native(machine, "java.util.HashMap", Table::new(Order::Hash, false)),
            };
            State::Groups(Vec::new(), map)
        }
        ("partitioningBy", _) => {
            let within = inner(machine, by)?;
            State::Parts(Box::new(start(machine, &within)?), Box::new(start(machine, &within)?))
        }
        ("mapping" | "filtering" | "flatMapping" | "collectingAndThen", _) => {
            let within = inner(machine, by)?;
            start(machine, &within)?
        }
        ("teeing", [a, b, _]) => {
            let (a, b) = (collector(machine, a)?, collector(machine, b)?);
            State::Two(Box::new(start(machine, &a)?), Box::new(start(machine, &b)?))
        }
        _ => State::Items(Vec::new()),
    })
}

fn accept(machine: &mut Machine<'_>, by: &Collector, state: &mut State, value: Value) -> Answer<()> {
    match (by.name.as_str(), by.args.as_slice(), state) {
        ("mapping", [function, _], state) => {
            let mapped = invoke(machine, function, "apply", vec![value])?;
            let within = inner(machine, by)?;
            accept(machine, &within, state, mapped)
        }
        ("filtering", [test, _], state) => {
            if crate::interpret::library::base::support::test(machine, test, value.clone())? {
                let within = inner(machine, by)?;
                accept(machine, &within, state, value)?;
            }
            Ok(())
        }
        ("flatMapping", [function, _], state) => {
            let given = invoke(machine, function, "apply", vec![value])?;
            let within = inner(machine, by)?;
            let Some(stream) =
                reference(&given).and_then(|id| machine.native::<super::stream_state::Stream>(id).cloned())
            else {
                return open("a stream within a stream");
            };
            for item in super::stream_run::drain(machine, &stream)? {
                accept(machine, &within, state, item)?;
            }
            Ok(())
        }
        ("collectingAndThen", _, state) => {
            let within = inner(machine, by)?;
            accept(machine, &within, state, value)
        }
        ("teeing", [a, b, _], State::Two(x, y)) => {
            let (a, b) = (collector(machine, a)?, collector(machine, b)?);
            accept(machine, &a, x, value.clone())?;
            accept(machine, &b, y, value)
        }
        ("partitioningBy", [test, ..], State::Parts(no, yes)) => {
            let holds = invoke(machine, test, "test", vec![value.clone()])?;
            let side = if truth(machine, &holds)? { yes } else { no };
            let within = inner(machine, by)?;
            accept(machine, &within, side, value)
        }
        ("groupingBy", [classifier, ..], State::Groups(groups, map)) => {
            let key = invoke(machine, classifier, "apply", vec![value.clone()])?;
            if key.is_null() {
                return Err(throw(machine, "NullPointerException"));
            }
            let within = inner(machine, by)?;
            if let Some(id) = reference(map) {
                prepare(machine, id);
            }
            let mut at = None;
            for (index, (other, _)) in groups.iter().enumerate() {
                if crate::interpret::library::base::support::equal(machine, &key, other)? {
                    at = Some(index);
                    break;
                }
            }
            let at = match at {
                Some(at) => at,
                None => {
                    let Some(id) = reference(map) else { return open("a map is not known") };
                    put(machine, id, key.clone(), Value::NULL, Insert::Compute)?;
                    groups.push((key, start(machine, &within)?));
                    groups.len() - 1
                }
            };
            accept(machine, &within, &mut groups[at].1, value)
        }
        ("toMap", [key, function, rest @ ..], State::Object(map)) => {
            let key = invoke(machine, key, "apply", vec![value.clone()])?;
            let value = invoke(machine, function, "apply", vec![value])?;
            if value.is_null() {
                return Err(throw(machine, "NullPointerException"));
            }
            let Some(id) = reference(map) else { return open("a map is not known") };
            if !rest.is_empty() {
                prepare(machine, id);
            }
            let old = get(machine, id, &key)?;
            match (old, rest) {
                (None, []) => put(machine, id, key, value, Insert::Put)?,
                (None, _) => put(machine, id, key, value, Insert::Compute)?,
                (Some(_), []) => return Err(throw(machine, "IllegalStateException")),
                (Some(old), [merge, ..]) => {
                    let new = invoke(machine, merge, "apply", vec![old, value])?;
                    if new.is_null() {
                        return open("an entry that is taken out");
                    }
                    put(machine, id, key, new, Insert::Compute)?
                }
            };
            Ok(())
        }
        ("toSet" | "toCollection", _, State::Object(into)) => {
            machine.call_method(into.clone(), "add", vec![value])?;
            Ok(())
        }
        (name @ ("minBy" | "maxBy"), [by], State::Value(best)) => {
            let new = match best.take() {
                None => value,
                Some(old) => {
                    let order = compare(machine, Some(by), &old, &value)?;
                    let keep = if name == "maxBy" { order >= 0 } else { order <= 0 };
                    if keep { old } else { value }
                }
            };
            *best = Some(new);
            Ok(())
        }
        ("reducing", args, State::Value(state)) => {
            let (value, function) = match args {
                [function] | [_, function] => (value, function),
                [_, mapper, function] => (invoke(machine, mapper, "apply", vec![value])?, function),
                _ => return open("its arguments"),
            };
            let new = match state.take() {
                None => value,
                Some(old) => invoke(machine, function, "apply", vec![old, value])?,
            };
            *state = Some(new);
            Ok(())
        }
        (name, [function], State::Items(items))
            if name.starts_with("summing") || name.starts_with("averaging") || name.starts_with("summarizing") =>
        {
            let number = invoke(machine, function, "apply", vec![value])?;
            machine.not_null(&number)?;
            items.push(machine.convert(number, &Type::Prim(kind(name))));
            Ok(())
        }
        (_, _, State::Items(items)) => {
            items.push(value);
            Ok(())
        }
        _ => open("a collector is not known"),
    }
}

fn kind(name: &str) -> Prim {
    if name.ends_with("Int") {
        Prim::Int
    } else if name.ends_with("Long") {
        Prim::Long
    } else {
        Prim::Double
    }
}

fn finish(machine: &mut Machine<'_>, by: &Collector, state: State) -> Answer {
    match (by.name.as_str(), by.args.as_slice(), state) {
        ("mapping" | "filtering" | "flatMapping", _, state) => {
            let within = inner(machine, by)?;
            finish(machine, &within, state)
        }
        ("collectingAndThen", [_, function], state) => {
            let within = inner(machine, by)?;
            let done = finish(machine, &within, state)?;
            invoke(machine, function, "apply", vec![done])
        }
        ("teeing", [a, b, function], State::Two(x, y)) => {
            let (a, b) = (collector(machine, a)?, collector(machine, b)?);
            let (x, y) = (finish(machine, &a, *x)?, finish(machine, &b, *y)?);
            invoke(machine, function, "apply", vec![x, y])
        }
        ("partitioningBy", _, State::Parts(no, yes)) => {
            let within = inner(machine, by)?;
            let (no, yes) = (finish(machine, &within, *no)?, finish(machine, &within, *yes)?);
            let map = native(machine, "java.util.Map", Table::new(Order::Linked, false));
            let Some(id) = reference(&map) else { return open("a map is not known") };
            put(machine, id, Value::bool(false), no, Insert::Put)?;
            put(machine, id, Value::bool(true), yes, Insert::Put)?;
            Ok(map)
        }
        ("groupingBy", _, State::Groups(groups, map)) => {
            let within = inner(machine, by)?;
            let Some(id) = reference(&map) else { return open("a map is not known") };
            for (key, state) in groups {
                let value = finish(machine, &within, state)?;
                put(machine, id, key, value, Insert::Put)?;
            }
            Ok(map)
        }
        ("toMap" | "toSet" | "toCollection", _, State::Object(object)) => Ok(object),
        ("minBy" | "maxBy", _, State::Value(value)) => {
            Ok(super::optional::of(machine, "java.util.Optional", value.unwrap_or(Value::NULL)))
        }
        ("reducing", [_], State::Value(value)) => {
            Ok(super::optional::of(machine, "java.util.Optional", value.unwrap_or(Value::NULL)))
        }
        ("reducing", _, State::Value(value)) => Ok(value.unwrap_or(Value::NULL)),
        (name, args, State::Items(items)) => over_items(machine, name, args, items),
        _ => open("a collector is not known"),
    }
}

fn over_items(machine: &mut Machine<'_>, name: &str, args: &[Value], items: Vec<Value>) -> Answer {
    match name {
        "toList" => Ok(machine.list(items, "java.util.ArrayList")),
        "toUnmodifiableList" => {
            crate::interpret::library::collections::ordered::list_changes::immutable(machine, items, false)
        }
        "toUnmodifiableSet" => {
            crate::interpret::library::collections::keyed::set_makers::immutable(machine, items, false)
        }
        "counting" => Ok(Value::Scalar(Scalar::Long(items.len() as i64))),
        "joining" => {
            let mut given = Vec::new();
            for arg in args {
                match crate::interpret::library::text::sequences::sequence(machine, arg) {
                    Some(text) => given.push(text),
                    None => return open("what joins"),
                }
            }
            let mut texts = Vec::new();
            for item in &items {
                texts.push(text_of(machine, item)?);
            }
            let part = |at: usize| given.get(at).cloned().unwrap_or_default();
            Ok(machine.fresh_text(&format!("{}{}{}", part(1), texts.join(&part(0)), part(2))))
        }
        _ => {
            let prim = kind(name);
            let what = if name.starts_with("summarizing") {
                "summaryStatistics"
            } else if name.starts_with("averaging") {
                "average"
            } else {
                "sum"
            };
            let value = super::stream_run::summary(machine, prim, &items, what)?;
            if what == "average" {
                let held = reference(&value).and_then(|id| machine.object(id).parts.get("value").cloned());
                return Ok(held.filter(|value| !value.is_null()).unwrap_or(Value::Scalar(Scalar::Double(0.0))));
            }
            if let (Prim::Int, "sum", Some(sum)) = (prim, what, long(&value)) {
                return Ok(Value::int(sum as i32));
            }
            Ok(value)
        }
    }
}

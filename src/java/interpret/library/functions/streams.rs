//! Models streams over known elements: lazy, each element passes through all steps before the next one, as in a
//! sequential stream of Java.

use super::collectors::{self, collect};
use super::stream_run::{drain, optional, run, summary, take};
use super::stream_state::{Op, Source, Stream, wrap};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, array, compare, int, invoke, long, open, reference, settle};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{ObjId, Type, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None => statics(machine, call)?,
        Some(receiver) => {
            let stream = reference(receiver).and_then(|id| Some((id, machine.native::<Stream>(id)?.clone())));
            match stream {
                Some((id, stream)) => on_stream(machine, id, stream, call)?,
                None => from_collection(machine, receiver, call)?,
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn from_collection(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    if !matches!((call.name, call.args), ("stream" | "parallelStream", [])) {
        return None;
    }
    reference(receiver)?;
    if matches!(machine.object(reference(receiver)?).class, crate::interpret::values::scalar::ClassRef::Project(_)) {
        return None;
    }
    Some(Ok(wrap(
        machine,
        Stream { source: Source::Later(receiver.clone()), ops: Vec::new(), prim: None, used: false },
    )))
}

fn prim_of(fqn: &str) -> Option<Prim> {
    match fqn {
        "java.util.stream.IntStream" => Some(Prim::Int),
        "java.util.stream.LongStream" => Some(Prim::Long),
        "java.util.stream.DoubleStream" => Some(Prim::Double),
        _ => None,
    }
}

fn of_items(items: &[Value]) -> Option<Prim> {
    match items.first()?.scalar()?.prim()? {
        Prim::Int => Some(Prim::Int),
        Prim::Long => Some(Prim::Long),
        Prim::Double => Some(Prim::Double),
        _ => None,
    }
}

fn statics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let made = |source: Source, prim: Option<Prim>| Stream { source, ops: Vec::new(), prim, used: false };
    if call.fqn == "java.util.Arrays" && call.name == "stream" {
        let items = crate::interpret::library::base::support::array_items(machine, call.args.first()?)?;
        let prim = match crate::interpret::library::collections::ordered::array_tools::element(machine, &call.args[0]) {
            Some(Type::Prim(prim)) => Some(prim),
            Some(_) => None,
            None if of_items(&items).is_some() || items.is_empty() => {
                return Some(open("the type of an array's elements"));
            }
            None => None,
        };
        let items = match call.args {
            [_] => items,
            [_, from, to] => items.get(usize::try_from(int(from)?).ok()?..usize::try_from(int(to)?).ok()?)?.to_vec(),
            _ => return None,
        };
        return Some(Ok(wrap(machine, made(Source::Items(items), prim))));
    }
    if call.fqn == "java.util.stream.Collectors" {
        return collectors::statics(machine, call);
    }
    let prim = prim_of(call.fqn);
    if prim.is_none() && call.fqn != "java.util.stream.Stream" {
        return None;
    }
    let stream = match (call.name, call.args) {
        ("of", args) => {
            let spread_args = if prim.is_some() || args.len() != 1 {
                crate::interpret::library::base::support::spread(machine, args)
            } else {
                match crate::interpret::library::base::support::array_items(machine, &args[0]) {
                    Some(items) => {
                        match crate::interpret::library::collections::ordered::array_tools::element(machine, &args[0]) {
                            Some(Type::Prim(_)) => args.to_vec(),
                            Some(_) => items,
                            None => return Some(open("the type of an array's elements")),
                        }
                    }
                    None => args.to_vec(),
                }
            };
            let items = match prim {
                Some(prim) => spread_args.into_iter().map(|item| machine.convert(item, &Type::Prim(prim))).collect(),
                None => spread_args,
            };
            made(Source::Items(items), prim)
        }
        ("empty", []) => made(Source::Items(Vec::new()), prim),
        ("ofNullable", [value]) => {
            made(Source::Items(if value.is_null() { Vec::new() } else { vec![value.clone()] }), prim)
        }
        ("range" | "rangeClosed", [from, to]) => {
            let (from, to) = (long(from)?, long(to)?);
            let to = if call.name == "rangeClosed" { to.checked_add(1)? } else { to };
            if to.checked_sub(from)? > 200_000 {
                return Some(open("a range that is too long"));
            }
            let item =
                |n: i64| if prim == Some(Prim::Long) { Value::Scalar(Scalar::Long(n)) } else { Value::int(n as i32) };
            made(Source::Items((from..to).map(item).collect()), prim)
        }
        ("iterate", [seed, next]) => made(Source::Iterate(seed.clone(), None, next.clone()), prim),
        ("iterate", [seed, test, next]) => made(Source::Iterate(seed.clone(), Some(test.clone()), next.clone()), prim),
        ("generate", [supplier]) => made(Source::Generate(supplier.clone()), prim),
        ("concat", [a, b]) => {
            let (a, b) = (take(machine, a)?, take(machine, b)?);
            match (a, b) {
                (Ok(a), Ok(b)) => made(Source::Concat(Box::new(a), Box::new(b)), prim),
                (Err(fail), _) | (_, Err(fail)) => return Some(Err(fail)),
            }
        }
        _ => return None,
    };
    Some(Ok(wrap(machine, stream)))
}

/// The intermediate operation of a method.
fn step(stream: &Stream, call: &LibraryCall<'_>) -> Option<(Op, Option<Prim>)> {
    let prim = stream.prim;
    Some(match (call.name, call.args) {
        ("filter", [f]) => (Op::Filter(f.clone()), prim),
        ("map", [f]) => (Op::Map(f.clone(), prim), prim),
        ("mapToObj", [f]) => (Op::Map(f.clone(), None), None),
        ("mapToInt", [f]) => (Op::Map(f.clone(), Some(Prim::Int)), Some(Prim::Int)),
        ("mapToLong", [f]) => (Op::Map(f.clone(), Some(Prim::Long)), Some(Prim::Long)),
        ("mapToDouble", [f]) => (Op::Map(f.clone(), Some(Prim::Double)), Some(Prim::Double)),
        ("asLongStream", []) => (Op::Convert(Prim::Long), Some(Prim::Long)),
        ("asDoubleStream", []) => (Op::Convert(Prim::Double), Some(Prim::Double)),
        ("flatMap", [f]) => (Op::FlatMap(f.clone()), prim),
        ("peek", [f]) => (Op::Peek(f.clone()), prim),
        ("limit", [n]) if long(n)? >= 0 => (Op::Limit(long(n)?), prim),
        ("skip", [n]) if long(n)? >= 0 => (Op::Skip(long(n)?), prim),
        ("takeWhile", [f]) => (Op::TakeWhile(f.clone()), prim),
        ("dropWhile", [f]) => (Op::DropWhile(f.clone()), prim),
        ("distinct", []) => (Op::Distinct, prim),
        ("sorted", []) => (Op::Sorted(None), prim),
        ("sorted", [by]) => (Op::Sorted(Some(by.clone())), prim),
        _ => return None,
    })
}

fn on_stream(machine: &mut Machine<'_>, id: ObjId, stream: Stream, call: &LibraryCall<'_>) -> Option<Answer> {
    if matches!(call.name, "onClose" | "close") {
        return None;
    }
    if stream.used {
        return Some(Err(crate::interpret::library::base::support::throw(machine, "IllegalStateException")));
    }
    if matches!(call.name, "boxed" | "sequential" | "parallel" | "unordered") {
        machine.native_mut::<Stream>(id)?.used = true;
        let prim = if call.name == "boxed" { None } else { stream.prim };
        return Some(Ok(wrap(machine, Stream { prim, ..stream })));
    }
    if let Some((op, prim)) = step(&stream, call) {
        machine.native_mut::<Stream>(id)?.used = true;
        let mut stream = stream;
        stream.ops.push(op);
        stream.prim = prim;
        return Some(Ok(wrap(machine, stream)));
    }
    machine.native_mut::<Stream>(id)?.used = true;
    match terminal(machine, &stream, call) {
        Some(answer) => Some(answer),
        None => {
            machine.native_mut::<Stream>(id)?.used = false;
            None
        }
    }
}

fn terminal(machine: &mut Machine<'_>, stream: &Stream, call: &LibraryCall<'_>) -> Option<Answer> {
    if let Some(answer) = short(machine, stream, call) {
        return Some(answer);
    }
    if let Some(prim) = stream.prim
        && let Some(answer) = numbers(machine, stream, prim, call)
    {
        return Some(answer);
    }
    Some(match (call.name, call.args) {
        ("forEach" | "forEachOrdered", [action]) => run(machine, stream, &mut |machine, value| {
            invoke(machine, action, "accept", vec![value])?;
            Ok(true)
        })
        .map(|()| Value::NULL),
        ("collect", [collector]) => collect(machine, collector, &mut |machine, sink| run(machine, stream, sink)),
        ("toList", []) => drain(machine, stream).and_then(|items| {
            crate::interpret::library::collections::ordered::list_changes::immutable(machine, items, true)
        }),
        ("toArray", args) => drain(machine, stream).map(|items| {
            let ty = stream.prim.map_or(Type::Unknown, Type::Prim);
            if let ([function], None) = (args, stream.prim)
                && let Ok(given) = machine.call_method(
                    function.clone(),
                    "apply",
                    vec![crate::interpret::library::base::support::size(items.len())],
                )
                && let Some(id) = reference(&given)
            {
                machine.object_mut(id).kind = crate::interpret::values::value::Kind::List { items, fixed: false };
                return given;
            }
            array(machine, items, ty)
        }),
        ("count", []) => {
            let plain =
                stream.ops.iter().all(|op| matches!(op, Op::Map(..) | Op::Peek(_) | Op::Sorted(_) | Op::Convert(_)));
            if plain && stream.ops.iter().any(|op| matches!(op, Op::Map(..) | Op::Peek(_))) {
                return Some(open("whether counting runs the steps"));
            }
            let mut unordered = stream.clone();
            if let Source::Later(value) = &stream.source {
                match crate::interpret::library::collections::iterators::items_any(machine, value) {
                    Ok(items) if plain => unordered.source = Source::Items(items),
                    Ok(_) => {}
                    Err(fail) => return Some(Err(fail)),
                }
            }
            drain(machine, &unordered).map(|all| Value::Scalar(Scalar::Long(all.len() as i64)))
        }
        ("reduce", args) => reduce(machine, stream, args),
        ("max" | "min", [by]) => {
            let max = call.name == "max";
            let mut best: Option<Value> = None;
            run(machine, stream, &mut |machine, value| {
                best = Some(match best.take() {
                    None => value,
                    Some(old) => {
                        let order = compare(machine, Some(by), &old, &value)?;
                        let keep = if max { order >= 0 } else { order <= 0 };
                        if keep { old } else { value }
                    }
                });
                Ok(true)
            })
            .and_then(|()| there(machine, best))
        }
        ("iterator", []) => {
            drain(machine, stream).map(|items| crate::interpret::library::collections::iterators::over(machine, items))
        }
        _ => return None,
    })
}

fn there(machine: &mut Machine<'_>, value: Option<Value>) -> Answer {
    match value {
        Some(value) if value.is_null() => {
            Err(crate::interpret::library::base::support::throw(machine, "NullPointerException"))
        }
        value => Ok(super::optional::of(machine, "java.util.Optional", value.unwrap_or(Value::NULL))),
    }
}

fn short(machine: &mut Machine<'_>, stream: &Stream, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("anyMatch" | "allMatch" | "noneMatch", [test]) => {
            let stop_at = call.name != "allMatch";
            let mut found = false;
            run(machine, stream, &mut |machine, value| {
                found = crate::interpret::library::base::support::test(machine, test, value)? == stop_at;
                Ok(!found)
            })
            .map(|()| Value::bool(if call.name == "anyMatch" { found } else { !found }))
        }
        ("findFirst" | "findAny", []) => {
            let only = at_most_one(machine, stream);
            let stream = only.as_ref().unwrap_or(stream);
            let mut first = None;
            let done = run(machine, stream, &mut |_, value| {
                first = Some(value);
                Ok(false)
            });
            match (done, stream.prim) {
                (Err(fail), _) => Err(fail),
                (Ok(()), None) => there(machine, first),
                (Ok(()), Some(prim)) => Ok(super::optional::of(machine, optional(prim), first.unwrap_or(Value::NULL))),
            }
        }
        _ => return None,
    })
}

/// A stream over an unordered source, in an arbitrary order, if at most one element passes its filters: which one
/// comes first then does not matter.
fn at_most_one(machine: &mut Machine<'_>, stream: &Stream) -> Option<Stream> {
    let Source::Later(value) = &stream.source else { return None };
    if !crate::interpret::library::collections::views::is_unordered(machine, value)
        || !stream.ops.iter().all(|op| matches!(op, Op::Filter(_)))
    {
        return None;
    }
    let items = crate::interpret::library::collections::iterators::items_any(machine, value).ok()?;
    let over = Stream { source: Source::Items(items), ..stream.clone() };
    let passed = drain(machine, &over).ok()?;
    (passed.len() < 2).then_some(Stream { source: Source::Items(passed), ops: Vec::new(), ..stream.clone() })
}

fn reduce(machine: &mut Machine<'_>, stream: &Stream, args: &[Value]) -> Answer {
    let (seed, function) = match args {
        [function] => (None, function),
        [seed, function] | [seed, function, _] => (Some(seed.clone()), function),
        _ => return open("its arguments"),
    };
    let with_seed = seed.is_some();
    let mut state = match (seed, stream.prim) {
        (Some(seed), Some(prim)) => Some(machine.convert(seed, &Type::Prim(prim))),
        (seed, _) => seed,
    };
    run(machine, stream, &mut |machine, value| {
        state = Some(match state.take() {
            None => value,
            Some(old) => invoke(machine, function, "apply", vec![old, value])?,
        });
        Ok(true)
    })?;
    match (with_seed, stream.prim) {
        (true, _) => Ok(state.unwrap_or(Value::NULL)),
        (false, Some(prim)) => Ok(super::optional::of(machine, optional(prim), state.unwrap_or(Value::NULL))),
        (false, None) => there(machine, state),
    }
}

fn numbers(machine: &mut Machine<'_>, stream: &Stream, prim: Prim, call: &LibraryCall<'_>) -> Option<Answer> {
    if !matches!(call.name, "sum" | "average" | "max" | "min" | "summaryStatistics") || !call.args.is_empty() {
        return None;
    }
    let all = match drain(machine, stream) {
        Ok(all) => all,
        Err(fail) => return Some(Err(fail)),
    };
    Some(summary(machine, prim, &all, call.name))
}

/// Models `IntSummaryStatistics` and related classes.
pub fn statistics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let part = match (call.name, call.args) {
        ("getMin", []) => "min",
        ("getMax", []) => "max",
        ("getSum", []) => "sum",
        ("getCount", []) => "count",
        ("getAverage", []) => "average",
        _ => return None,
    };
    let id = reference(call.receiver?)?;
    call.fqn.ends_with("SummaryStatistics").then(|| machine.object(id).parts.get(part).cloned().map(Ok))?
}

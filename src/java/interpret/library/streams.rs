//! Streams over known elements: lazy, one element after the other through all steps, as Java runs a sequential stream.

use super::collectors::{self, collect};
use super::invocation::LibraryCall;
use super::iterators::items_of;
use super::support::{Answer, array, compare, double, int, invoke, long, native, open, reference, settle, sort};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{Prim, Scalar};
use crate::java::interpret::value::{Native, ObjId, Type, Value};

/// Where the elements come from.
#[derive(Debug, Clone)]
enum Source {
    Items(Vec<Value>),
    /// Elements of a collection, read when the stream ends; `true` where Java does not fix their order.
    Later(Value),
    Iterate(Value, Option<Value>, Value),
    Generate(Value),
    Concat(Box<Stream>, Box<Stream>),
}

/// One step.
#[derive(Debug, Clone)]
enum Op {
    Filter(Value),
    Map(Value, Option<Prim>),
    FlatMap(Value),
    Peek(Value),
    Limit(i64),
    Skip(i64),
    TakeWhile(Value),
    DropWhile(Value),
    Distinct,
    Sorted(Option<Value>),
    Convert(Prim),
}

/// A stream.
#[derive(Debug, Clone)]
pub struct Stream {
    source: Source,
    ops: Vec<Op>,
    /// The primitive type of its elements.
    prim: Option<Prim>,
    used: bool,
}

impl Native for Stream {
    crate::native_state!();

    fn children(&self) -> Vec<Value> {
        let mut all = Vec::new();
        match &self.source {
            Source::Items(items) => all.extend(items.iter().cloned()),
            Source::Later(value) | Source::Generate(value) => all.push(value.clone()),
            Source::Iterate(a, b, c) => all.extend([Some(a.clone()), b.clone(), Some(c.clone())].into_iter().flatten()),
            Source::Concat(a, b) => all.extend(a.children().into_iter().chain(b.children())),
        }
        for op in &self.ops {
            match op {
                Op::Filter(f) | Op::Map(f, _) | Op::FlatMap(f) | Op::Peek(f) | Op::TakeWhile(f) | Op::DropWhile(f) => {
                    all.push(f.clone())
                }
                Op::Sorted(by) => all.extend(by.clone()),
                _ => {}
            }
        }
        all
    }
}

fn class(prim: Option<Prim>) -> &'static str {
    match prim {
        Some(Prim::Int) => "java.util.stream.IntStream",
        Some(Prim::Long) => "java.util.stream.LongStream",
        Some(Prim::Double) => "java.util.stream.DoubleStream",
        _ => "java.util.stream.Stream",
    }
}

fn wrap(machine: &mut Machine<'_>, stream: Stream) -> Value {
    let class = class(stream.prim);
    native(machine, class, stream)
}

/// A stream over these elements.
pub fn of(machine: &mut Machine<'_>, items: Vec<Value>, prim: Option<Prim>) -> Value {
    wrap(machine, Stream { source: Source::Items(items), ops: Vec::new(), prim, used: false })
}

/// The model.
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
    if matches!(machine.object(reference(receiver)?).class, crate::java::interpret::scalar::ClassRef::Project(_)) {
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
        let items = super::support::array_items(machine, call.args.first()?)?;
        let prim = match super::utilities::element(machine, &call.args[0]) {
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
                super::support::spread(machine, args)
            } else {
                match super::support::array_items(machine, &args[0]) {
                    Some(items) => match super::utilities::element(machine, &args[0]) {
                        Some(Type::Prim(_)) => args.to_vec(),
                        Some(_) => items,
                        None => return Some(open("the type of an array's elements")),
                    },
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

/// A stream that is used up by that.
fn take(machine: &mut Machine<'_>, value: &Value) -> Option<Answer<Stream>> {
    let id = reference(value)?;
    let stream = machine.native::<Stream>(id)?.clone();
    if stream.used {
        return Some(Err(super::support::throw(machine, "IllegalStateException")));
    }
    machine.native_mut::<Stream>(id)?.used = true;
    Some(Ok(stream))
}

type Sink<'s> = &'s mut dyn FnMut(&mut Machine<'_>, Value) -> Answer<bool>;

/// Runs a stream; the sink says whether it goes on.
pub fn run(machine: &mut Machine<'_>, stream: &Stream, sink: Sink<'_>) -> Answer<()> {
    let mut ops: Vec<State> = stream.ops.iter().map(State::of).collect();
    // A stream that wants nothing takes nothing.
    if ops.iter().any(|state| matches!(state.op, Op::Limit(0)))
        && !ops.iter().any(|state| matches!(state.op, Op::Sorted(_)))
    {
        return Ok(());
    }
    feed(machine, &stream.source, &mut |machine, value| push(machine, &mut ops, value, sink))?;
    finish(machine, &mut ops, sink)
}

fn feed(machine: &mut Machine<'_>, source: &Source, to: Sink<'_>) -> Answer<()> {
    match source {
        Source::Items(items) => {
            for item in items {
                if !to(machine, item.clone())? {
                    break;
                }
            }
        }
        Source::Later(value) => {
            for item in items_of(machine, value)? {
                if !to(machine, item)? {
                    break;
                }
            }
        }
        Source::Iterate(seed, test, next) => {
            let mut value = seed.clone();
            loop {
                if let Some(test) = test
                    && !super::maps::test(machine, test, value.clone())?
                {
                    break;
                }
                if !to(machine, value.clone())? {
                    break;
                }
                value = invoke(machine, next, "apply", vec![value])?;
            }
        }
        Source::Generate(supplier) => loop {
            let value = invoke(machine, supplier, "get", Vec::new())?;
            if !to(machine, value)? {
                break;
            }
        },
        Source::Concat(a, b) => {
            let mut goes_on = true;
            run(machine, a, &mut |machine, value| {
                goes_on = to(machine, value)?;
                Ok(goes_on)
            })?;
            if goes_on {
                run(machine, b, to)?;
            }
        }
    }
    Ok(())
}

/// A step with what it remembers.
struct State {
    op: Op,
    seen: Vec<Value>,
    count: i64,
    open: bool,
}

impl State {
    fn of(op: &Op) -> Self {
        Self { op: op.clone(), seen: Vec::new(), count: 0, open: false }
    }
}

fn push(machine: &mut Machine<'_>, ops: &mut [State], value: Value, sink: Sink<'_>) -> Answer<bool> {
    machine.step()?;
    let Some((first, rest)) = ops.split_first_mut() else { return sink(machine, value) };
    match &first.op {
        Op::Filter(test) => {
            if super::maps::test(machine, test, value.clone())? {
                push(machine, rest, value, sink)
            } else {
                Ok(true)
            }
        }
        Op::Map(function, to) => {
            let mapped = invoke(machine, function, "apply", vec![value])?;
            let mapped = match to {
                Some(prim) => {
                    machine.not_null(&mapped)?;
                    machine.convert(mapped, &Type::Prim(*prim))
                }
                None => mapped,
            };
            push(machine, rest, mapped, sink)
        }
        Op::Convert(prim) => {
            let converted = machine.convert(value, &Type::Prim(*prim));
            push(machine, rest, converted, sink)
        }
        Op::FlatMap(function) => {
            let inner = invoke(machine, function, "apply", vec![value])?;
            if inner.is_null() {
                return Ok(true);
            }
            let Some(inner) = take(machine, &inner) else { return open("a stream within a stream") };
            let inner = inner?;
            let mut goes_on = true;
            run(machine, &inner, &mut |machine, value| {
                goes_on = push(machine, rest, value, sink)?;
                Ok(goes_on)
            })?;
            Ok(goes_on)
        }
        Op::Peek(action) => {
            invoke(machine, action, "accept", vec![value.clone()])?;
            push(machine, rest, value, sink)
        }
        Op::Limit(limit) => {
            let limit = *limit;
            if first.count >= limit {
                return Ok(false);
            }
            first.count += 1;
            let last = first.count == limit;
            Ok(push(machine, rest, value, sink)? && !last)
        }
        Op::Skip(skip) => {
            if first.count < *skip {
                first.count += 1;
                return Ok(true);
            }
            push(machine, rest, value, sink)
        }
        Op::TakeWhile(test) => {
            if super::maps::test(machine, test, value.clone())? {
                push(machine, rest, value, sink)
            } else {
                Ok(false)
            }
        }
        Op::DropWhile(test) => {
            if !first.open {
                let test = test.clone();
                if super::maps::test(machine, &test, value.clone())? {
                    return Ok(true);
                }
                first.open = true;
            }
            push(machine, rest, value, sink)
        }
        Op::Distinct => {
            for other in first.seen.clone() {
                if super::support::equal(machine, &value, &other)? {
                    return Ok(true);
                }
            }
            first.seen.push(value.clone());
            push(machine, rest, value, sink)
        }
        Op::Sorted(_) => {
            first.seen.push(value);
            Ok(true)
        }
    }
}

/// Lets go of what sorting held back.
fn finish(machine: &mut Machine<'_>, ops: &mut [State], sink: Sink<'_>) -> Answer<()> {
    for at in 0..ops.len() {
        let (first, rest) = ops[at..].split_at_mut(1);
        let Op::Sorted(by) = &first[0].op else { continue };
        let by = by.clone();
        let mut held = std::mem::take(&mut first[0].seen);
        sort(machine, by.as_ref(), &mut held)?;
        for value in held {
            if !push(machine, rest, value, sink)? {
                break;
            }
        }
    }
    Ok(())
}

/// All elements.
pub fn drain(machine: &mut Machine<'_>, stream: &Stream) -> Answer<Vec<Value>> {
    let mut all = Vec::new();
    run(machine, stream, &mut |_, value| {
        all.push(value);
        Ok(true)
    })?;
    Ok(all)
}

/// Step by its name.
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
        return Some(Err(super::support::throw(machine, "IllegalStateException")));
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
        ("toList", []) => drain(machine, stream).and_then(|items| super::lists::immutable(machine, items, true)),
        ("toArray", args) => drain(machine, stream).map(|items| {
            let ty = stream.prim.map_or(Type::Unknown, Type::Prim);
            if let ([function], None) = (args, stream.prim)
                && let Ok(given) =
                    machine.call_method(function.clone(), "apply", vec![super::support::size(items.len())])
                && let Some(id) = reference(&given)
            {
                machine.object_mut(id).kind = crate::java::interpret::value::Kind::List { items, fixed: false };
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
                match super::iterators::items_any(machine, value) {
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
        ("iterator", []) => drain(machine, stream).map(|items| super::iterators::over(machine, items)),
        _ => return None,
    })
}

fn there(machine: &mut Machine<'_>, value: Option<Value>) -> Answer {
    match value {
        Some(value) if value.is_null() => Err(super::support::throw(machine, "NullPointerException")),
        value => Ok(super::optional::of(machine, "java.util.Optional", value.unwrap_or(Value::NULL))),
    }
}

fn short(machine: &mut Machine<'_>, stream: &Stream, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("anyMatch" | "allMatch" | "noneMatch", [test]) => {
            let stop_at = call.name != "allMatch";
            let mut found = false;
            run(machine, stream, &mut |machine, value| {
                found = super::maps::test(machine, test, value)? == stop_at;
                Ok(!found)
            })
            .map(|()| Value::bool(if call.name == "anyMatch" { found } else { !found }))
        }
        ("findFirst" | "findAny", []) => {
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

fn optional(prim: Prim) -> &'static str {
    match prim {
        Prim::Long => "java.util.OptionalLong",
        Prim::Double => "java.util.OptionalDouble",
        _ => "java.util.OptionalInt",
    }
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

/// Sum as `DoubleStream` computes it: with compensation, and plain where that is not a number.
pub fn sum_of_doubles(all: &[f64]) -> Option<f64> {
    let (mut sum, mut lost, mut simple) = (0.0_f64, 0.0_f64, 0.0_f64);
    for x in all {
        let y = x - lost;
        let t = sum + y;
        lost = (t - sum) - y;
        sum = t;
        simple += x;
    }
    // Releases differ in the sign of the compensation: sure where there is none.
    if simple.is_nan() || simple.is_infinite() || lost == 0.0 {
        Some(if lost == 0.0 { sum } else { simple })
    } else {
        None
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

/// What is computed over numbers of one type.
pub fn summary(machine: &mut Machine<'_>, prim: Prim, all: &[Value], name: &str) -> Answer {
    let count = all.len();
    let sum = if prim == Prim::Double {
        let Some(doubles) = all.iter().map(double).collect::<Option<Vec<f64>>>() else {
            return open("a number is not known");
        };
        match sum_of_doubles(&doubles) {
            Some(sum) => Scalar::Double(sum),
            None if matches!(name, "max" | "min") => Scalar::Double(0.0),
            None => return open("the last digit of a sum"),
        }
    } else {
        let Some(longs) = all.iter().map(long).collect::<Option<Vec<i64>>>() else {
            return open("a number is not known");
        };
        let sum = longs.iter().fold(0_i64, |a, b| a.wrapping_add(*b));
        if prim == Prim::Int && name == "sum" { Scalar::Int(sum as i32) } else { Scalar::Long(sum) }
    };
    let average = sum.as_double().unwrap_or_default() / count as f64;
    match name {
        "sum" => Ok(Value::Scalar(sum)),
        "average" => {
            let value = if count == 0 { Value::NULL } else { Value::Scalar(Scalar::Double(average)) };
            Ok(super::optional::of(machine, "java.util.OptionalDouble", value))
        }
        "max" | "min" => {
            let mut best: Option<Value> = None;
            for value in all {
                let keep = match &best {
                    None => false,
                    Some(old) => {
                        let order = compare(machine, None, old, value)?;
                        if name == "max" { order >= 0 } else { order <= 0 }
                    }
                };
                if !keep {
                    best = Some(value.clone());
                }
            }
            Ok(super::optional::of(machine, optional(prim), best.unwrap_or(Value::NULL)))
        }
        _ => {
            let (least, most) = (summary(machine, prim, all, "min")?, summary(machine, prim, all, "max")?);
            let held = |machine: &Machine<'_>, value: &Value, empty: Scalar| {
                let value = reference(value).and_then(|id| machine.object(id).parts.get("value").cloned());
                value.filter(|value| !value.is_null()).unwrap_or(Value::Scalar(empty))
            };
            let (low, high) = match prim {
                Prim::Int => (Scalar::Int(i32::MAX), Scalar::Int(i32::MIN)),
                Prim::Long => (Scalar::Long(i64::MAX), Scalar::Long(i64::MIN)),
                _ => (Scalar::Double(f64::INFINITY), Scalar::Double(f64::NEG_INFINITY)),
            };
            let (least, most) = (held(machine, &least, low), held(machine, &most, high));
            let average = if count == 0 { 0.0 } else { average };
            let parts = [
                ("min", least),
                ("max", most),
                ("sum", Value::Scalar(sum)),
                ("count", Value::Scalar(Scalar::Long(count as i64))),
                ("average", Value::Scalar(Scalar::Double(average))),
            ];
            let class = match prim {
                Prim::Int => "java.util.IntSummaryStatistics",
                Prim::Long => "java.util.LongSummaryStatistics",
                _ => "java.util.DoubleSummaryStatistics",
            };
            Ok(machine.modelled(class, &parts))
        }
    }
}

/// `IntSummaryStatistics` and its kin.
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

//! Execution of streams: each element passes through all steps before the next one, and terminal operations combine
//! the results.

use super::stream_state::{Op, Source, Stream};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{
    Answer, compare, double, equal, invoke, long, open, reference, sort, throw,
};
use crate::interpret::library::collections::iterators::items_of;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Type, Value};

/// The state of a stream, which is then used up.
pub fn take(machine: &mut Machine<'_>, value: &Value) -> Option<Answer<Stream>> {
    let id = reference(value)?;
    let stream = machine.native::<Stream>(id)?.clone();
    if stream.used {
        return Some(Err(throw(machine, "IllegalStateException")));
    }
    machine.native_mut::<Stream>(id)?.used = true;
    Some(Ok(stream))
}

type Sink<'s> = &'s mut dyn FnMut(&mut Machine<'_>, Value) -> Answer<bool>;

/// Runs a stream; the sink returns whether to continue.
pub fn run(machine: &mut Machine<'_>, stream: &Stream, sink: Sink<'_>) -> Answer<()> {
    let mut ops: Vec<State> = stream.ops.iter().map(State::of).collect();
    // A stream with `limit(0)` takes no element.
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
                    && !crate::interpret::library::base::support::test(machine, test, value.clone())?
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

/// A step with its state.
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
            if crate::interpret::library::base::support::test(machine, test, value.clone())? {
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
            if crate::interpret::library::base::support::test(machine, test, value.clone())? {
                push(machine, rest, value, sink)
            } else {
                Ok(false)
            }
        }
        Op::DropWhile(test) => {
            if !first.open {
                let test = test.clone();
                if crate::interpret::library::base::support::test(machine, &test, value.clone())? {
                    return Ok(true);
                }
                first.open = true;
            }
            push(machine, rest, value, sink)
        }
        Op::Distinct => {
            for other in first.seen.clone() {
                if equal(machine, &value, &other)? {
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

/// Passes on the elements that a sorting step held back.
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

/// Collects all elements.
pub fn drain(machine: &mut Machine<'_>, stream: &Stream) -> Answer<Vec<Value>> {
    let mut all = Vec::new();
    run(machine, stream, &mut |_, value| {
        all.push(value);
        Ok(true)
    })?;
    Ok(all)
}

/// The class of the `Optional` for this element type.
pub fn optional(prim: Prim) -> &'static str {
    match prim {
        Prim::Long => "java.util.OptionalLong",
        Prim::Double => "java.util.OptionalDouble",
        _ => "java.util.OptionalInt",
    }
}

/// The sum as `DoubleStream` computes it: with compensation, or the simple sum if the compensated one is not a
/// number.
pub fn sum_of_doubles(all: &[f64]) -> Option<f64> {
    let (mut sum, mut lost, mut simple) = (0.0_f64, 0.0_f64, 0.0_f64);
    for x in all {
        let y = x - lost;
        let t = sum + y;
        lost = (t - sum) - y;
        sum = t;
        simple += x;
    }
    // Releases differ in the sign of the compensation: the sum is certain only if the compensation is zero.
    if simple.is_nan() || simple.is_infinite() || lost == 0.0 {
        Some(if lost == 0.0 { sum } else { simple })
    } else {
        None
    }
}

/// A statistic (sum, average, …) of numbers of one type.
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

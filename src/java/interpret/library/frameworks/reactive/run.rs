//! Subscription: runs the steps of a publisher; the result is its elements or the exception that terminates it.

use super::state::{FLUX, Step, class, state};
use crate::interpret::classes::hierarchy;
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::library::base::contents::{Contents, contents};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, Fail, int, invoke, long, open, reference, test};
use crate::interpret::paths::path::Thrown;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Type, Value};

/// The class of a tuple of values.
pub const TUPLE: &str = "reactor.util.function.Tuple2";

const PARTS: [&str; 8] = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"];

/// Reads a component of a tuple.
pub fn part(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let name = PARTS.into_iter().find(|part| call.name.strip_prefix("getT") == part.strip_prefix('t'))?;
    machine.object(reference(call.receiver?)?).parts.get(name).cloned().map(Ok)
}

/// The only element of a publisher, or null.
pub fn first(machine: &mut Machine<'_>, publisher: &Value) -> Answer {
    Ok(items(machine, publisher)?.into_iter().next().unwrap_or(Value::NULL))
}

/// The elements that a subscriber receives.
pub fn items(machine: &mut Machine<'_>, publisher: &Value) -> Answer<Vec<Value>> {
    machine.step()?;
    let step = reference(publisher).and_then(|id| state(machine, id).cloned());
    let Some(step) = step else { return open("what another publisher gives is not known") };
    match step {
        Step::Items(items) => Ok(items),
        Step::Later(held) => elements(machine, &held),
        Step::Error(thrown) => Err(machine.throw_value(&thrown).into()),
        Step::ErrorBy(by) => {
            let thrown = invoke(machine, &by, "get", Vec::new())?;
            Err(machine.throw_value(&thrown).into())
        }
        Step::Defer(by) => {
            let made = invoke(machine, &by, "get", Vec::new())?;
            items(machine, &made)
        }
        Step::Call(by, name) => {
            let made = invoke(machine, &by, name, Vec::new())?;
            if name == "run" { Ok(Vec::new()) } else { present(machine, made) }
        }
        Step::Concat(all) => {
            let mut found = Vec::new();
            for one in all {
                found.extend(items(machine, &one)?);
            }
            Ok(found)
        }
        Step::Zip(all, by) => zip(machine, &all, by.as_ref()),
        Step::Of(source, name, args) => of(machine, &source, name, &args),
    }
}

/// The elements of a collection, if they have a fixed order.
fn elements(machine: &Machine<'_>, held: &Value) -> Answer<Vec<Value>> {
    let is_loose = reference(held).is_some_and(|id| matches!(contents(&machine.heap, id), Some(Contents::Bag(_))));
    match machine.given_items(held) {
        Some(items) if !is_loose || items.len() < 2 => Ok(items),
        _ => open("a collection is not known, or has no order"),
    }
}

/// A list of one value; empty if the value is null.
fn present(machine: &mut Machine<'_>, value: Value) -> Answer<Vec<Value>> {
    let null = machine.is_null(&value);
    let null = crate::interpret::library::base::support::truth(machine, &null)?;
    Ok(if null { Vec::new() } else { vec![value] })
}

/// Combines the first elements of several publishers into one; empty as soon as one publisher is empty.
fn zip(machine: &mut Machine<'_>, all: &[Value], by: Option<&Value>) -> Answer<Vec<Value>> {
    let mut parts = Vec::new();
    for one in all {
        match items(machine, one)?.into_iter().next() {
            Some(value) => parts.push(value),
            // The remaining publishers are cancelled, even if they have started.
            None => return Ok(Vec::new()),
        }
    }
    if let Some(by) = by {
        return Ok(vec![invoke(machine, by, "apply", parts)?]);
    }
    let named: Vec<(&'static str, Value)> = PARTS.into_iter().zip(parts).collect();
    Ok(vec![machine.modelled(TUPLE, &named)])
}

fn of(machine: &mut Machine<'_>, source: &Value, name: &str, args: &[Value]) -> Answer<Vec<Value>> {
    if name.starts_with("onError") || name == "doOnError" {
        return caught(machine, source, name, args);
    }
    let given = items(machine, source)?;
    let mut found = Vec::new();
    match (name, args) {
        ("map" | "mapNotNull", [by]) => {
            for item in given {
                let made = invoke(machine, by, "apply", vec![item])?;
                match name {
                    "map" => {
                        machine.not_null(&made)?;
                        found.push(made);
                    }
                    _ => found.extend(present(machine, made)?),
                }
            }
        }
        ("flatMap" | "flatMapMany" | "concatMap" | "flatMapSequential", [by]) => {
            for item in given {
                let made = invoke(machine, by, "apply", vec![item])?;
                machine.not_null(&made)?;
                found.extend(items(machine, &made)?);
            }
        }
        ("flatMapIterable", [by]) => {
            for item in given {
                let made = invoke(machine, by, "apply", vec![item])?;
                found.extend(elements(machine, &made)?);
            }
        }
        ("filter", [by]) => {
            for item in given {
                if test(machine, by, item.clone())? {
                    found.push(item);
                }
            }
        }
        ("switchIfEmpty", [other]) if given.is_empty() => return items(machine, other),
        ("defaultIfEmpty", [value]) if given.is_empty() => found.push(value.clone()),
        ("doOnNext", [by]) => {
            for item in given {
                invoke(machine, by, "accept", vec![item.clone()])?;
                found.push(item);
            }
        }
        ("doOnSuccess", [by]) => {
            let only = given.first().cloned().unwrap_or(Value::NULL);
            invoke(machine, by, "accept", vec![only])?;
            found = given;
        }
        ("then", []) => {}
        ("then" | "thenMany", [other]) => return items(machine, other),
        ("thenReturn", [value]) => found.push(value.clone()),
        ("zipWith", [other, by @ ..]) => {
            let Some(own) = given.into_iter().next() else { return Ok(Vec::new()) };
            let Some(other) = items(machine, other)?.into_iter().next() else { return Ok(Vec::new()) };
            found.push(match by {
                [by] => invoke(machine, by, "apply", vec![own, other])?,
                _ => machine.modelled(TUPLE, &[("t1", own), ("t2", other)]),
            });
        }
        ("hasElement" | "hasElements", []) => found.push(Value::bool(!given.is_empty())),
        ("count", []) => found.push(Value::Scalar(Scalar::Long(i64::try_from(given.len()).unwrap_or_default()))),
        ("collectList", []) => found.push(machine.list(given, "java.util.ArrayList")),
        ("next", []) => found.extend(given.into_iter().take(1)),
        ("single", []) if given.is_empty() => {
            return Err(crate::interpret::library::base::support::throw(machine, "java.util.NoSuchElementException"));
        }
        ("take" | "skip", [count]) => {
            let count = int(count).map(i64::from).or_else(|| long(count)).and_then(|count| usize::try_from(count).ok());
            let Some(count) = count else { return open("how many elements are taken is not known") };
            found = match name {
                "take" => given.into_iter().take(count).collect(),
                _ => given.into_iter().skip(count).collect(),
            };
        }
        _ => found = given,
    }
    Ok(found)
}

/// The elements after error handling, if the source fails.
fn caught(machine: &mut Machine<'_>, source: &Value, name: &str, args: &[Value]) -> Answer<Vec<Value>> {
    let (frames, catching) = (machine.frames.len(), machine.catching);
    machine.catching += 1;
    let ran = items(machine, source);
    machine.frames.truncate(frames);
    machine.catching = catching;
    let thrown = match ran {
        Err(Fail::Stop(Stop::Throw(thrown))) => *thrown,
        other => return other,
    };
    let Some(object) = thrown.object.map(Value::Ref) else {
        return open("an exception that is not known");
    };
    let (only, rest) = match (name, args) {
        ("doOnError", [by]) => {
            invoke(machine, by, "accept", vec![object])?;
            return Err(Stop::thrown(thrown).into());
        }
        (_, [only, with]) => (Some(only), with),
        (_, [with]) => (None, with),
        _ => return open("what follows an exception is not known"),
    };
    if let Some(only) = only
        && !fits(machine, only, &thrown, &object)?
    {
        return Err(Stop::thrown(thrown).into());
    }
    match name {
        "onErrorResume" => {
            let other = invoke(machine, rest, "apply", vec![object])?;
            items(machine, &other)
        }
        "onErrorReturn" => Ok(vec![rest.clone()]),
        "onErrorMap" => {
            let other = invoke(machine, rest, "apply", vec![object])?;
            Err(machine.throw_value(&other).into())
        }
        _ => open("what follows an exception is not known"),
    }
}

/// Whether an exception is of the given class, or matches the given predicate.
pub fn fits(machine: &mut Machine<'_>, only: &Value, thrown: &Thrown, object: &Value) -> Answer<bool> {
    match (only, &thrown.class) {
        (Value::Class(Type::Class(wanted, _)), Some(own)) => match hierarchy::is_below(machine.project, own, wanted) {
            Some(fits) => Ok(fits),
            None => open("whether an exception is caught is not decided"),
        },
        (Value::Lambda(_), _) => test(machine, only, object.clone()),
        _ => open("whether an exception is caught is not decided"),
    }
}

/// The value that is written for a publisher: the element or null of a `Mono`, the list of elements of a `Flux`.
pub fn settled(machine: &mut Machine<'_>, publisher: &Value) -> Answer {
    match class(machine, publisher) {
        Some(FLUX) => {
            let all = items(machine, publisher)?;
            Ok(machine.list(all, "java.util.ArrayList"))
        }
        _ => first(machine, publisher),
    }
}

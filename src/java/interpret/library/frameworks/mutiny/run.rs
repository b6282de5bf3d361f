//! Subscription: runs the steps of a `Uni` or `Multi`; the result is its item or items, or the exception that ends it.

use super::state::{MULTI, Step, class, state};
use crate::interpret::engine::machine::{Machine, Stop};
use crate::interpret::library::base::support::{Answer, Fail, invoke, open, reference, test, truth};
use crate::interpret::library::frameworks::reactive::run::fits;
use crate::interpret::values::value::{LambdaCode, Value};

/// The value that is written for a `Uni` or `Multi`: its item, or the list of its items.
pub fn settled(machine: &mut Machine<'_>, stream: &Value) -> Answer {
    match class(machine, stream) {
        Some(MULTI) => {
            let all = items(machine, stream)?;
            Ok(machine.list(all, "java.util.ArrayList"))
        }
        _ => item(machine, stream),
    }
}

fn source(machine: &mut Machine<'_>, stream: &Value) -> Answer<Step> {
    machine.step()?;
    match reference(stream).and_then(|id| state(machine, id).cloned()) {
        Some(step) => Ok(step),
        None => open("what another publisher gives is not known"),
    }
}

/// The item of a `Uni`.
pub fn item(machine: &mut Machine<'_>, uni: &Value) -> Answer {
    match source(machine, uni)? {
        Step::Items(items) => Ok(items.into_iter().next().unwrap_or(Value::NULL)),
        Step::Supplied(by) => invoke(machine, &by, "get", Vec::new()),
        Step::Deferred(by) => {
            let made = invoke(machine, &by, "get", Vec::new())?;
            item(machine, &made)
        }
        Step::Failed(by) => fail(machine, &by),
        Step::Later(_) => open("a collection of items"),
        Step::Of(source, step, args) => match step.strip_prefix("failure ") {
            Some(step) => caught(machine, &source, step, &args),
            None => after(machine, &source, step, &args),
        },
    }
}

/// The items of a `Multi`.
fn items(machine: &mut Machine<'_>, multi: &Value) -> Answer<Vec<Value>> {
    match source(machine, multi)? {
        Step::Items(items) => Ok(items),
        Step::Later(held) => match machine.given_items(&held) {
            Some(items) => Ok(items),
            None => open("a collection is not known"),
        },
        Step::Failed(by) => fail(machine, &by),
        Step::Of(source, "multi", _) => {
            let item = item(machine, &source)?;
            let null = machine.is_null(&item);
            Ok(if truth(machine, &null)? { Vec::new() } else { vec![item] })
        }
        Step::Of(source, step, args) => {
            let mut found = Vec::new();
            for item in items(machine, &source)? {
                match (step, args.as_slice()) {
                    ("map", [by]) => found.push(invoke(machine, by, "apply", vec![item])?),
                    ("where", [by]) if test(machine, by, item.clone())? => found.push(item),
                    ("where", _) => {}
                    ("invoke", [by]) => {
                        with(machine, by, ("accept", "run"), &item)?;
                        found.push(item);
                    }
                    _ => return open("a step that is not modelled"),
                }
            }
            Ok(found)
        }
        Step::Supplied(_) | Step::Deferred(_) => open("a step that is not modelled"),
    }
}

/// Throws an exception, or the one that a supplier gives.
fn fail<T>(machine: &mut Machine<'_>, by: &Value) -> Answer<T> {
    let thrown = given(machine, by)?;
    Err(machine.throw_value(&thrown).into())
}

/// A value, or what a supplier gives.
fn given(machine: &mut Machine<'_>, value: &Value) -> Answer {
    match value {
        Value::Lambda(_) => invoke(machine, value, "get", Vec::new()),
        value => Ok(value.clone()),
    }
}

/// Calls a function of the item, or one without arguments; which of both is meant is not told by a method reference.
fn with(machine: &mut Machine<'_>, by: &Value, (of_item, alone): (&str, &str), item: &Value) -> Answer {
    let Value::Lambda(lambda) = by else { return open("a function that is not known") };
    let count = match &lambda.code {
        LambdaCode::Lambda { at } => lambda.around.code.as_ref().map(|code| code.count_of_params(*at)),
        LambdaCode::Method { .. } => None,
    };
    match count {
        Some(0) => invoke(machine, by, alone, Vec::new()),
        _ => invoke(machine, by, of_item, vec![item.clone()]),
    }
}

/// The item behind a step on the item of the source.
fn after(machine: &mut Machine<'_>, source: &Value, step: &str, args: &[Value]) -> Answer {
    if let ("list", []) | ("first", []) = (step, args) {
        let all = items(machine, source)?;
        return Ok(match step {
            "list" => machine.list(all, "java.util.ArrayList"),
            _ => all.into_iter().next().unwrap_or(Value::NULL),
        });
    }
    let own = item(machine, source)?;
    let (on, step) = step.split_once(' ').unwrap_or(("", step));
    if !on.is_empty() {
        let null = machine.is_null(&own);
        let is_null = truth(machine, &null)?;
        if (on == "null") != is_null {
            return Ok(own);
        }
    }
    match (step, args) {
        ("map", [by]) => with(machine, by, ("apply", "get"), &own),
        ("chain", [by]) => {
            let next = with(machine, by, ("apply", "get"), &own)?;
            item(machine, &next)
        }
        ("invoke", [by]) => with(machine, by, ("accept", "run"), &own).map(|_| own),
        ("call", [by]) => {
            let next = with(machine, by, ("apply", "get"), &own)?;
            item(machine, &next).map(|_| own)
        }
        ("fail", [by]) => {
            let thrown = match by {
                Value::Lambda(_) if on.is_empty() => with(machine, by, ("apply", "get"), &own)?,
                by => given(machine, by)?,
            };
            Err(machine.throw_value(&thrown).into())
        }
        ("continue", [value]) => given(machine, value),
        ("switch", [value]) => {
            let next = given(machine, value)?;
            item(machine, &next)
        }
        ("replace", [value]) => {
            let next = given(machine, value)?;
            if class(machine, &next).is_some() { item(machine, &next) } else { Ok(next) }
        }
        ("nothing", []) => Ok(Value::NULL),
        _ => open("a step that is not modelled"),
    }
}

/// The item behind a step on a failure of the source. The last argument selects exceptions, if the step has one more
/// than it takes.
fn caught(machine: &mut Machine<'_>, source: &Value, step: &str, args: &[Value]) -> Answer {
    let (frames, catching) = (machine.frames.len(), machine.catching);
    machine.catching += 1;
    let ran = item(machine, source);
    machine.catching = catching;
    let thrown = match ran {
        Err(Fail::Stop(Stop::Throw(thrown))) => *thrown,
        other => return other,
    };
    machine.frames.truncate(frames);
    let Some(object) = thrown.object.map(Value::Ref) else { return open("an exception that is not known") };
    let taken = usize::from(step != "null");
    if let Some(only) = args.get(taken)
        && !fits(machine, only, &thrown, &object)?
    {
        return Err(Stop::thrown(thrown).into());
    }
    match (step, args.first()) {
        ("null", _) => Ok(Value::NULL),
        ("item", Some(by @ Value::Lambda(_))) => with(machine, by, ("apply", "get"), &object),
        ("item", Some(value)) => Ok(value.clone()),
        ("uni", Some(by)) => {
            let next = match by {
                Value::Lambda(_) => with(machine, by, ("apply", "get"), &object)?,
                value => value.clone(),
            };
            item(machine, &next)
        }
        ("map", Some(by)) => {
            let other = with(machine, by, ("apply", "get"), &object)?;
            Err(machine.throw_value(&other).into())
        }
        ("invoke", Some(by)) => {
            with(machine, by, ("accept", "run"), &object)?;
            Err(Stop::thrown(thrown).into())
        }
        _ => open("a step that is not modelled"),
    }
}

//! Creation of publishers from values, suppliers and other publishers.

use super::state::{FLUX, MONO, Step, class as class_of, of, publisher};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{int, spread};
use crate::interpret::values::value::{Kind, Value};

/// Models the static methods that create publishers.
pub(super) fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let class = if call.fqn == FLUX { FLUX } else { MONO };
    let step = match (call.name, call.args) {
        ("empty", []) => Step::Items(Vec::new()),
        ("just", [value]) if class == MONO => {
            return Some(machine.not_null(value).map(|()| of(machine, class, vec![value.clone()])));
        }
        ("just", args) if class == FLUX => Step::Items(spread(machine, args)),
        ("justOrEmpty", [value]) => return just_or_empty(machine, value),
        ("error", [value]) => match value {
            Value::Lambda(_) => Step::ErrorBy(value.clone()),
            Value::Ref(_) => Step::Error(value.clone()),
            _ => return None,
        },
        ("defer", [by]) => Step::Defer(by.clone()),
        ("fromCallable", [by]) => Step::Call(by.clone(), "call"),
        ("fromSupplier", [by]) => Step::Call(by.clone(), "get"),
        ("fromRunnable", [by]) => Step::Call(by.clone(), "run"),
        ("fromIterable" | "fromArray" | "fromStream", [value]) => Step::Later(value.clone()),
        ("range", [from, count]) => {
            let (from, count) = (int(from)?, int(count)?);
            let last = from.checked_add(count)?;
            if !(0..=1_000).contains(&count) {
                return None;
            }
            Step::Items((from..last).map(Value::int).collect())
        }
        ("concat", args) if class == FLUX => Step::Concat(spread(machine, args)),
        ("zip", args) if class == MONO => match args {
            [.., Value::Lambda(by)] if args.len() == 3 => {
                Step::Zip(args.iter().take(2).cloned().collect(), Some(Value::Lambda(by.clone())))
            }
            _ if (2..=8).contains(&args.len()) && args.iter().all(|arg| class_of(machine, arg).is_some()) => {
                Step::Zip(args.to_vec(), None)
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(Ok(publisher(machine, class, step)))
}

/// Models `justOrEmpty` for a value or an `Optional`.
fn just_or_empty(machine: &mut Machine<'_>, value: &Value) -> Option<Eval> {
    let held = match value {
        Value::Ref(id) if matches!(machine.object(*id).kind, Kind::Modelled) => {
            machine.object(*id).parts.get("value").cloned().unwrap_or_else(|| value.clone())
        }
        Value::Unknown(_) => return None,
        other => other.clone(),
    };
    let null = machine.is_null(&held);
    let site = machine.here()?;
    Some(machine.truth(&null, site).map(|null| of(machine, MONO, if null { Vec::new() } else { vec![held] })))
}

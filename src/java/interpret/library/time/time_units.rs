//! Models `java.util.concurrent.TimeUnit`.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{long, open, settle, throw};
use crate::interpret::library::language::enums;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::Value;

const FQN: &str = "java.util.concurrent.TimeUnit";

/// Nanoseconds of each unit, in declaration order.
const NANOS: [i64; 7] = [1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000, 3_600_000_000_000, 86_400_000_000_000];

fn place(value: &Value) -> Option<usize> {
    match value {
        Value::Scalar(Scalar::Enum(ClassRef::Library(fqn), name)) if &**fqn == FQN => enums::ordinal(fqn, name),
        _ => None,
    }
}

/// Converts an amount between units: truncated, or clamped to the range of a `long`.
fn converted(amount: i64, from: usize, to: usize) -> i64 {
    let (from, to) = (NANOS[from], NANOS[to]);
    if from >= to { amount.saturating_mul(from / to) } else { amount / (to / from) }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let own = place(call.receiver?)?;
    let to = match call.name {
        "toNanos" => 0,
        "toMicros" => 1,
        "toMillis" => 2,
        "toSeconds" => 3,
        "toMinutes" => 4,
        "toHours" => 5,
        "toDays" => 6,
        "convert" => own,
        // Sleeping has no observable effect other than the delay.
        "sleep" => return Some(Ok(Value::NULL)),
        _ => return None,
    };
    let answer = match (call.name, call.args) {
        ("convert", [amount, from]) => match (long(amount), place(from)) {
            (Some(amount), Some(from)) => Ok(converted(amount, from, to)),
            (_, None) if from.is_null() => Err(throw(machine, "NullPointerException")),
            _ => open("an amount of time"),
        },
        (_, [amount]) => match long(amount) {
            Some(amount) => Ok(converted(amount, own, to)),
            None => open("an amount of time"),
        },
        _ => return None,
    };
    let answer = answer.map(|amount| Value::Scalar(Scalar::Long(amount)));
    Some(settle(machine, call, answer))
}

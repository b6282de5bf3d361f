//! Models `java.util.Date` and `java.sql.Timestamp`, except for what depends on the default time zone.

use super::date_values::object;
use super::temporal::Temporal;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, long, native, open, reference, settle, throw};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Contents, Heap, Native, Type, Value};

/// The class name.
pub const FQN: &str = "java.util.Date";

const TIMESTAMP: &str = "java.sql.Timestamp";

/// Milliseconds since 1970, and the nanoseconds of a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub millis: i64,
    nanos: i64,
}

impl Moment {
    /// The moment this many milliseconds after 1970-01-01.
    pub fn at(millis: i64) -> Self {
        Self { millis, nanos: millis.rem_euclid(1000) * 1_000_000 }
    }
}

impl Native for Moment {
    native_state!(leaf);

    fn contents(&self, _: &Heap) -> Option<Contents> {
        Some(Contents::Unknown("the text of a date depends on the default time zone".to_owned()))
    }
}

fn given(machine: &mut Machine<'_>, value: &Value) -> Answer<Moment> {
    if value.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    match reference(value).and_then(|id| machine.native::<Moment>(id)) {
        Some(moment) => Ok(*moment),
        None => open("a date is not known"),
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if !matches!(call.fqn, FQN | TIMESTAMP) {
        return None;
    }
    let answer = match (call.receiver, call.name, call.args) {
        (None, "<init>", [millis]) => Ok(native(machine, call.fqn, Moment::at(long(millis)?))),
        (None, "from", [instant]) => match super::date_values::needed(machine, instant) {
            Ok(Temporal::Instant(seconds, nanos)) => match seconds.checked_mul(1000) {
                Some(millis) => {
                    let millis = millis + nanos / 1_000_000;
                    let nanos = if call.fqn == TIMESTAMP { nanos } else { millis.rem_euclid(1000) * 1_000_000 };
                    Ok(native(machine, call.fqn, Moment { millis, nanos }))
                }
                None => Err(throw(machine, "IllegalArgumentException")),
            },
            Ok(_) => return None,
            Err(fail) => Err(fail),
        },
        (Some(receiver), ..) => match given(machine, receiver) {
            Ok(own) => on_date(machine, receiver, own, call)?,
            Err(fail) => Err(fail),
        },
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn on_date(machine: &mut Machine<'_>, receiver: &Value, own: Moment, call: &LibraryCall<'_>) -> Option<Answer> {
    let is_stamp = call.fqn == TIMESTAMP;
    Some(match (call.name, call.args) {
        ("getTime", []) => Ok(Value::Scalar(Scalar::Long(own.millis))),
        ("getNanos", []) if is_stamp => Ok(Value::int(own.nanos as i32)),
        ("setTime", [millis]) => {
            let millis = long(millis)?;
            *machine.native_mut::<Moment>(reference(receiver)?)? = Moment::at(millis);
            Ok(Value::NULL)
        }
        ("toInstant", []) => Ok(object(machine, Temporal::Instant(own.millis.div_euclid(1000), own.nanos))),
        ("before" | "after" | "compareTo", [other]) if !is_stamp => match given(machine, other) {
            Ok(other) => {
                let order = (own.millis, own.nanos).cmp(&(other.millis, other.nanos));
                if own.millis == other.millis && own.nanos != other.nanos {
                    return Some(open("a date and a timestamp"));
                }
                Ok(match call.name {
                    "before" => Value::bool(order.is_lt()),
                    "after" => Value::bool(order.is_gt()),
                    _ => Value::int(order as i32),
                })
            }
            Err(fail) => Err(fail),
        },
        ("equals", [other]) if !is_stamp => match other {
            Value::Ref(id) => match machine.native::<Moment>(*id) {
                Some(other) => Ok(Value::bool(other.millis == own.millis)),
                None => Ok(Value::bool(false)),
            },
            Value::Scalar(_) => Ok(Value::bool(false)),
            _ => open("a date is not known"),
        },
        ("hashCode", []) => Ok(Value::int(own.millis as i32 ^ (own.millis >> 32) as i32)),
        ("clone", []) => Ok(native(machine, call.fqn, own)),
        // The text depends on the default time zone.
        ("toString" | "toLocaleString", []) => Ok(Value::unknowable("the default time zone", Type::Str)),
        ("getYear" | "getMonth" | "getDate" | "getDay" | "getHours" | "getMinutes" | "getSeconds", []) => {
            Ok(Value::unknowable("the default time zone", Type::Prim(Prim::Int)))
        }
        _ => return None,
    })
}

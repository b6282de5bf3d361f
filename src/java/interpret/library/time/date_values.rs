//! Helpers of the `java.time` models: reading and creating their objects, and throwing their exceptions.

use super::calendar::{MONTHS, Outcome, Refusal, WEEKDAYS};
use super::formats::date_patterns::Format;
use super::formats::date_reading::Unread;
use super::temporal::{Temporal, Zone};
use crate::interpret::engine::machine::{Machine, Stop};
use crate::interpret::library::base::support::{Answer, invoke, native, open, reference, throw, throw_with};
use crate::interpret::library::language::enums;
use crate::interpret::paths::path::Thrown;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, Object, Type, Value};

/// `java.time.DateTimeException`.
pub const EXCEPTION: &str = "java.time.DateTimeException";

/// The value of a `java.time` object.
pub fn given(machine: &Machine<'_>, value: &Value) -> Option<Temporal> {
    machine.native::<Temporal>(reference(value)?).cloned()
}

/// The value of an argument that must be a `java.time` object.
pub fn needed(machine: &mut Machine<'_>, value: &Value) -> Answer<Temporal> {
    if value.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    match given(machine, value) {
        Some(temporal) => Ok(temporal),
        None => open("a date is not known"),
    }
}

/// A new `java.time` object.
pub fn object(machine: &mut Machine<'_>, value: Temporal) -> Value {
    let class = match &value {
        Temporal::Zone(Zone::Region(_)) => "java.time.ZoneRegion",
        other => other.class(),
    };
    native(machine, class, value)
}

/// The result of an operation as a new object.
pub fn made(machine: &mut Machine<'_>, outcome: Outcome<Temporal>) -> Answer {
    let value = known(machine, outcome)?;
    Ok(object(machine, value))
}

/// The result of an operation; its refusals become exceptions.
pub fn known<T>(machine: &mut Machine<'_>, outcome: Outcome<T>) -> Answer<T> {
    match outcome {
        Ok(value) => Ok(value),
        Err(Refusal::Invalid(message)) => Err(throw_with(machine, EXCEPTION, Value::text(&message))),
        Err(Refusal::Unsupported(message)) => {
            let class = "java.time.temporal.UnsupportedTemporalTypeException";
            Err(throw_with(machine, class, Value::text(&message)))
        }
        Err(Refusal::Exception(class)) => Err(throw(machine, class)),
        Err(Refusal::Open(why)) => open(why),
    }
}

/// Parses text by a format.
pub fn read(machine: &mut Machine<'_>, format: &Format, text: &str, class: &str) -> Answer {
    let shown = if text.encode_utf16().count() > 64 {
        format!("{}...", text.chars().take(64).collect::<String>())
    } else {
        text.to_owned()
    };
    let (message, cause) = match super::formats::date_reading::read(format, text, class) {
        Ok(value) => return Ok(object(machine, value)),
        Err(Unread::Open(why)) => return open(why),
        Err(Unread::At(at)) => (Value::text(&format!("Text '{shown}' could not be parsed at index {at}")), None),
        Err(Unread::After(at)) => {
            let message = format!("Text '{shown}' could not be parsed, unparsed text found at index {at}");
            (Value::text(&message), None)
        }
        Err(Unread::Unresolved(Refusal::Invalid(why))) => {
            let message = Value::text(&format!("Text '{shown}' could not be parsed: {why}"));
            (message, Some(Value::text(&why)))
        }
        Err(Unread::Unresolved(_)) => {
            let unknown = Value::unknown("message of a library exception", Type::Str);
            (unknown.clone(), Some(unknown))
        }
    };
    Err(unreadable(machine, message, cause))
}

/// A `DateTimeParseException`, with a message and the exception that caused it.
pub fn unreadable(
    machine: &mut Machine<'_>,
    message: Value,
    cause: Option<Value>,
) -> crate::interpret::library::base::support::Fail {
    let cause = cause.map(|message| {
        let mut object = Object::new(ClassRef::library(EXCEPTION), Kind::Modelled);
        object.parts.insert("message", message);
        Value::Ref(machine.allocate(object))
    });
    let class = ClassRef::library("java.time.format.DateTimeParseException");
    let mut object = Object::new(class.clone(), Kind::Modelled);
    object.parts.insert("message", message);
    if let Some(cause) = cause {
        object.parts.insert("cause", cause);
    }
    let id = machine.allocate(object);
    let site = machine.exit.or_else(|| machine.here());
    crate::interpret::library::base::support::Fail::Stop(Stop::thrown(Thrown {
        class: Some(class),
        object: Some(id),
        site,
    }))
}

/// The name of a constant of a `java.time` enum.
pub fn constant_of<'a>(value: &'a Value, class: &str) -> Option<&'a str> {
    match value {
        Value::Scalar(Scalar::Enum(ClassRef::Library(fqn), name))
            if fqn.strip_prefix("java.time.").is_some_and(|own| own == class) =>
        {
            Some(name)
        }
        _ => None,
    }
}

/// The name of a `ChronoUnit`.
pub fn unit(value: &Value) -> Option<&str> {
    constant_of(value, "temporal.ChronoUnit")
}

/// The name of a `ChronoField`.
pub fn field(value: &Value) -> Option<&str> {
    constant_of(value, "temporal.ChronoField")
}

/// A month or day of the week as an enum constant.
pub fn enum_constant(class: &str, number: i64) -> Option<Value> {
    let names: &[&str] = if class == "Month" { &MONTHS } else { &WEEKDAYS };
    let name = names.get(usize::try_from(number.checked_sub(1)?).ok()?)?;
    Some(enums::of(&format!("java.time.{class}"), name))
}

/// Calls an adjuster that is a lambda or project object.
pub fn ask(machine: &mut Machine<'_>, adjuster: &Value, own: &Temporal) -> Answer {
    let given = object(machine, own.clone());
    invoke(machine, adjuster, "adjustInto", vec![given])
}

/// A `long` value.
pub fn long_of(value: i64) -> Answer {
    Ok(Value::Scalar(Scalar::Long(value)))
}

/// An `int` value.
pub fn int_of(value: i64) -> Answer {
    match i32::try_from(value) {
        Ok(value) => Ok(Value::int(value)),
        Err(_) => open("a number out of range"),
    }
}

//! Models enums of the library: their constants by name, and the methods common to all enums.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array, int, library_type, open, settle, text, throw, throw_with,
};
use crate::interpret::library::time::calendar::{MONTHS, WEEKDAYS};
use crate::interpret::library::time::temporal_fields::{FIELDS, UNITS, shown};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Type, Value};

/// Enums of the library, with their constants in declaration order.
const ENUMS: &[(&str, &[&str])] = &[
    ("java.math.RoundingMode", &["UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN", "UNNECESSARY"]),
    (
        "java.util.concurrent.TimeUnit",
        &["NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS"],
    ),
    ("java.time.format.ResolverStyle", &["STRICT", "SMART", "LENIENT"]),
    (
        "java.time.format.TextStyle",
        &["FULL", "FULL_STANDALONE", "SHORT", "SHORT_STANDALONE", "NARROW", "NARROW_STANDALONE"],
    ),
    ("java.text.Normalizer.Form", &["NFD", "NFC", "NFKD", "NFKC"]),
    (crate::interpret::library::frameworks::sorts::DIRECTION, &["ASC", "DESC"]),
    ("java.time.format.FormatStyle", &["FULL", "LONG", "MEDIUM", "SHORT"]),
];

/// The names of the units of time, without their display texts.
const UNIT_NAMES: [&str; 16] = first(UNITS);
const FIELD_NAMES: [&str; 30] = first(FIELDS);

const fn first<const N: usize>(pairs: [(&'static str, &'static str); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = pairs[at].0;
        at += 1;
    }
    names
}

/// The constant names of a library enum.
pub fn names(fqn: &str) -> Option<&'static [&'static str]> {
    match fqn {
        "java.time.Month" => return Some(&MONTHS),
        "java.time.DayOfWeek" => return Some(&WEEKDAYS),
        "java.time.temporal.ChronoUnit" => return Some(&UNIT_NAMES),
        "java.time.temporal.ChronoField" => return Some(&FIELD_NAMES),
        _ => {}
    }
    ENUMS.iter().find(|(class, _)| *class == fqn).map(|(_, names)| *names)
}

/// The ordinal of a constant of a library enum.
pub fn ordinal(fqn: &str, name: &str) -> Option<usize> {
    names(fqn)?.iter().position(|known| *known == name)
}

/// A constant of an enum.
pub fn of(fqn: &str, name: &str) -> Value {
    Value::Scalar(Scalar::Enum(ClassRef::library(fqn), Rc::from(name)))
}

/// Models the methods common to all enums.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let known = names(call.fqn)?;
    let answer = match call.receiver {
        None => statics(machine, known, call)?,
        Some(Value::Scalar(Scalar::Enum(_, name))) => on_constant(machine, known, &name.clone(), call)?,
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn statics(machine: &mut Machine<'_>, known: &[&str], call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("values", []) => {
            let items = known.iter().map(|name| of(call.fqn, name)).collect();
            Ok(array(machine, items, library_type(call.fqn)))
        }
        ("valueOf", [Value::Scalar(Scalar::Null)]) => Err(throw(machine, "NullPointerException")),
        ("valueOf", [name]) => match text(name) {
            Some(name) if known.contains(&name) => Ok(of(call.fqn, name)),
            Some(name) => {
                let message = format!("No enum constant {}.{name}", call.fqn);
                Err(throw_with(machine, "IllegalArgumentException", Value::text(&message)))
            }
            None if call.fqn == "java.math.RoundingMode" && int(name).is_some() => {
                match usize::try_from(int(name)?).ok().and_then(|at| known.get(at)) {
                    Some(name) => Ok(of(call.fqn, name)),
                    None => Err(throw(machine, "IllegalArgumentException")),
                }
            }
            None => open("an enum constant by an unknown name"),
        },
        _ => return None,
    })
}

fn on_constant(machine: &mut Machine<'_>, known: &[&str], name: &Rc<str>, call: &LibraryCall<'_>) -> Option<Answer> {
    let place = |name: &str| known.iter().position(|known| *known == name).and_then(|at| i32::try_from(at).ok());
    Some(match (call.name, call.args) {
        ("toString", []) if call.fqn == "java.time.temporal.ChronoUnit" => Ok(Value::text(shown(&UNITS, name))),
        ("toString", []) if call.fqn == "java.time.temporal.ChronoField" => Ok(Value::text(shown(&FIELDS, name))),
        ("name" | "toString", []) => Ok(Value::Scalar(Scalar::pooled(name))),
        ("ordinal", []) => Ok(Value::int(place(name)?)),
        ("compareTo", [Value::Scalar(Scalar::Enum(ClassRef::Library(of), other))]) if **of == *call.fqn => {
            Ok(Value::int(place(name)? - place(other)?))
        }
        ("compareTo", [Value::Scalar(Scalar::Null)]) => Err(throw(machine, "NullPointerException")),
        ("equals", [other]) => match other {
            Value::Scalar(Scalar::Enum(of, other)) => {
                Ok(Value::bool(*of == ClassRef::library(call.fqn) && **other == **name))
            }
            Value::Scalar(_) | Value::Ref(_) => Ok(Value::bool(false)),
            _ => return None,
        },
        ("hashCode", []) => Ok(machine.unknown("the identity hash of an enum constant", Type::Prim(Prim::Int))),
        ("getDeclaringClass" | "getClass", []) => Ok(Value::Class(library_type(call.fqn))),
        _ => return None,
    })
}

//! Inherently unknown values: the time of day, random numbers, the default time zone and locale, threads; and request
//! objects of which only the class is known.
//!
//! Such a value has a type and is never null. A call on it that cannot fail returns another such value and has no
//! other effect; a sample value is used to learn the type of the result.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{clock, identifiers};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::library_type;
use crate::interpret::library::numeric::decimal::Decimal;
use crate::interpret::library::numeric::{big_decimals, big_integers, randoms};
use crate::interpret::library::time::calendar::Date;
use crate::interpret::library::time::old_dates;
use crate::interpret::library::time::temporal::{Temporal, Zone};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{InputPlace, Term};
use crate::interpret::values::value::{Kind, Native, Object, Type, Unknown, Value};

const TIME: &str = "the time of day";
const ZONE: &str = "the default time zone";
const LANGUAGE: &str = "the default language";
const RANDOM: &str = "a random number";
const IDENTIFIER: &str = "a random identifier";
const THREAD: &str = "which thread it is";

/// The inherently unknown value that a call returns, if it does.
pub fn source(call: &LibraryCall<'_>) -> Option<Value> {
    if call.receiver.is_some() {
        return None;
    }
    let long = || Type::Prim(Prim::Long);
    let (why, ty) = match (call.fqn, call.name, call.args) {
        ("java.lang.System", "currentTimeMillis" | "nanoTime", []) => (TIME, long()),
        ("java.lang.System", "identityHashCode", [_]) => ("the identity hash of an object", Type::Prim(Prim::Int)),
        ("java.lang.Math" | "java.lang.StrictMath", "random", []) => (RANDOM, Type::Prim(Prim::Double)),
        ("java.util.UUID", "randomUUID", []) => (IDENTIFIER, library_type(call.fqn)),
        ("java.util.Random" | "java.security.SecureRandom", "<init>", [])
        | ("java.util.concurrent.ThreadLocalRandom", "current", []) => (RANDOM, library_type(randoms::FQN)),
        ("java.util.Date", "<init>", []) => (TIME, library_type(call.fqn)),
        ("java.util.Calendar", "getInstance", _) | ("java.util.GregorianCalendar", "<init>", []) => {
            (TIME, library_type("java.util.Calendar"))
        }
        ("java.time.Clock", "systemUTC" | "systemDefaultZone" | "system", _) => (TIME, library_type(call.fqn)),
        ("java.time.ZoneId", "systemDefault", []) => (ZONE, library_type(call.fqn)),
        ("java.util.TimeZone", "getDefault", []) => (ZONE, library_type(call.fqn)),
        ("java.util.Locale", "getDefault", _) => (LANGUAGE, library_type(call.fqn)),
        ("java.lang.Thread", "currentThread", []) => (THREAD, library_type(call.fqn)),
        (class, "now", args) if class.starts_with("java.time.") && args.iter().all(|arg| !arg.is_null()) => {
            (TIME, library_type(class))
        }
        _ => return None,
    };
    // `nanoTime` has an arbitrary origin.
    let is_clock = why == TIME && call.name != "nanoTime";
    Some(if is_clock { clock::now(why, ty) } else { Value::unknowable(why, ty) })
}

/// A sample value of a type, to learn the type of a call's result.
fn sample(ty: &Type) -> Option<Sample> {
    let native = |class: &str, state: Box<dyn Native>| Some(Sample::Object(class.to_owned(), state));
    let fqn = match ty {
        Type::Prim(prim) => {
            return Some(Sample::Scalar(match prim {
                Prim::Bool => Scalar::Bool(true),
                Prim::Byte => Scalar::Byte(1),
                Prim::Short => Scalar::Short(1),
                Prim::Char => Scalar::Char(97),
                Prim::Int => Scalar::Int(1),
                Prim::Long => Scalar::Long(1),
                Prim::Float => Scalar::Float(1.0),
                Prim::Double => Scalar::Double(1.0),
            }));
        }
        Type::Str => return Some(Sample::Scalar(Scalar::text("a"))),
        Type::Class(ClassRef::Library(fqn), _) => &**fqn,
        _ => return None,
    };
    let date = Date { year: 2024, month: 1, day: 15 };
    let time = 37_815_123_456_789;
    let temporal = match fqn {
        "java.time.LocalDate" => Temporal::Date(date),
        "java.time.LocalTime" => Temporal::Time(time),
        "java.time.LocalDateTime" => Temporal::DateTime(date, time),
        "java.time.OffsetTime" => Temporal::OffsetTime(time, 0),
        "java.time.OffsetDateTime" => Temporal::OffsetDateTime(date, time, 0),
        "java.time.ZonedDateTime" => Temporal::ZonedDateTime(date, time, 0, Zone::Offset(0)),
        "java.time.Instant" => Temporal::Instant(1_705_314_615, 123_456_789),
        "java.time.Year" => Temporal::Year(2024),
        "java.time.YearMonth" => Temporal::YearMonth(2024, 1),
        "java.time.MonthDay" => Temporal::MonthDay(1, 15),
        "java.time.Duration" => Temporal::Duration(1, 5),
        "java.time.Period" => Temporal::Period(0, 0, 1),
        "java.time.ZoneId" | "java.time.ZoneRegion" => Temporal::Zone(Zone::Region("UTC".to_owned())),
        "java.time.ZoneOffset" => Temporal::Zone(Zone::Offset(0)),
        big_decimals::FQN => return native(fqn, Box::new(Decimal::new(1, 0))),
        big_integers::FQN => return native(fqn, Box::new(big_integers::Whole(1.into()))),
        identifiers::FQN => return native(fqn, Box::new(identifiers::Uuid(0x4000, 1 << 63))),
        randoms::FQN => return native(fqn, Box::new(randoms::Generator::new(1))),
        old_dates::FQN => return native(fqn, Box::new(old_dates::Moment::at(1_705_314_615_123))),
        "java.time.DayOfWeek" => return Some(Sample::Scalar(Scalar::Enum(ClassRef::library(fqn), Rc::from("MONDAY")))),
        "java.time.Month" => return Some(Sample::Scalar(Scalar::Enum(ClassRef::library(fqn), Rc::from("JANUARY")))),
        _ => return None,
    };
    native(fqn, Box::new(temporal))
}

enum Sample {
    Scalar(Scalar),
    Object(String, Box<dyn Native>),
}

/// Whether a call can fail only because of its known arguments, never because of the unknown value.
fn is_total(call: &LibraryCall<'_>) -> bool {
    let small = |most: i32| match call.args {
        [only] => crate::interpret::library::base::support::int(only).is_some_and(|value| (0..=most).contains(&value)),
        _ => false,
    };
    let name = call.name;
    let number = |value: &Value| matches!(value, Value::Unknown(unknown) if matches!(unknown.ty, Type::Prim(_)));
    let of_text = matches!(call.fqn, "java.lang.String") || Prim::of_box(call.fqn).is_some();
    if !of_text && !call.fqn.ends_with("Math") && call.args.iter().any(number) {
        // An unknown number may be out of range.
        return matches!(
            (call.fqn, name),
            ("java.time.Duration", "ofMillis" | "ofSeconds" | "ofNanos")
                | ("java.time.Instant", "ofEpochMilli")
                | (old_dates::FQN, "<init>")
        );
    }
    match call.fqn {
        // An unknown number may be no valid code point.
        "java.lang.String" if matches!(name, "format" | "formatted") => {
            let whole = call.receiver.into_iter().chain(call.args);
            !whole
                .filter_map(crate::interpret::library::base::support::text)
                .any(|text| text.contains('%') && text.contains(['c', 'C']))
        }
        "java.lang.String" => matches!(
            name,
            "length"
                | "isEmpty"
                | "isBlank"
                | "trim"
                | "strip"
                | "toLowerCase"
                | "toUpperCase"
                | "equals"
                | "equalsIgnoreCase"
                | "hashCode"
                | "compareTo"
                | "contains"
                | "startsWith"
                | "endsWith"
                | "indexOf"
                | "lastIndexOf"
                | "concat"
                | "toString"
                | "replace"
                | "valueOf"
                | "join"
        ),
        "java.lang.Math" | "java.lang.StrictMath" => {
            matches!(name, "abs" | "max" | "min" | "floor" | "ceil" | "rint" | "round" | "sqrt" | "signum")
        }
        "java.lang.Integer" | "java.lang.Long" | "java.lang.Double" | "java.lang.Float" | "java.lang.Boolean" => {
            name.ends_with("Value")
                || matches!(
                    name,
                    "toString"
                        | "valueOf"
                        | "compare"
                        | "compareTo"
                        | "equals"
                        | "hashCode"
                        | "sum"
                        | "max"
                        | "min"
                        | "toHexString"
                        | "toBinaryString"
                        | "signum"
                        | "isNaN"
                        | "isInfinite"
                        | "abs"
                )
        }
        randoms::FQN => name.starts_with("next"),
        identifiers::FQN | old_dates::FQN => !matches!(name, "<init>" | "setTime" | "fromString" | "timestamp"),
        "java.time.temporal.ChronoUnit" => name == "between",
        class if class.starts_with("java.time.") => match name {
            "withNano" => small(999_999_999),
            "withSecond" | "withMinute" => small(59),
            "withHour" => small(23),
            "withDayOfMonth" => small(28) && !small(0),
            "withDayOfYear" => small(365) && !small(0),
            "withMonth" => small(12) && !small(0),
            "with" => call.args.len() == 1,
            "parse" | "datesUntil" | "range" | "query" => false,
            _ => {
                ["is", "get", "to", "plus", "minus", "at", "until", "between", "truncated", "with", "from", "of"]
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
                    || matches!(name, "equals" | "hashCode" | "compareTo" | "format" | "length" | "lengthOfMonth")
            }
        },
        _ => false,
    }
}

/// Operands of a call with samples in place of unknown values, and the reasons why those are unknown.
pub struct Sampled {
    /// The receiver.
    pub receiver: Option<Value>,
    /// The arguments.
    pub args: Vec<Value>,
    reasons: BTreeSet<Rc<str>>,
}

fn is_open(value: &Value) -> bool {
    match value {
        Value::Unknown(unknown) => unknown.present || matches!(unknown.ty, Type::Prim(_)),
        _ => false,
    }
}

/// Whether a value is a request object of which only the class is known.
fn is_given(value: &Value) -> bool {
    matches!(value, Value::Symbol(symbol) if matches!(&symbol.ty, Type::Class(ClassRef::Library(_), _)))
}

/// Whether a call succeeds for every value of its operands' classes, even for values that no client sends. Sums are excluded: they may
/// leave the range.
fn is_harmless(call: &LibraryCall<'_>) -> bool {
    let harmless = match call.fqn {
        big_decimals::FQN | big_integers::FQN => matches!(
            call.name,
            "compareTo"
                | "equals"
                | "hashCode"
                | "signum"
                | "scale"
                | "precision"
                | "negate"
                | "abs"
                | "max"
                | "min"
                | "doubleValue"
                | "bitLength"
        ),
        class if class.starts_with("java.time.") || matches!(class, identifiers::FQN | old_dates::FQN) => {
            ["is", "get", "toLocal"].iter().any(|prefix| call.name.starts_with(prefix))
                || matches!(
                    call.name,
                    "compareTo" | "equals" | "hashCode" | "toString" | "before" | "after" | "version"
                )
        }
        _ => false,
    };
    // All methods except `equals` reject null.
    let no_null = |value: &Value| !matches!(value, Value::Symbol(symbol) if symbol.nullable);
    harmless && (call.name == "equals" || call.args.iter().all(no_null))
}

/// Operands of a call, with values made of generated keys replaced by inherently unknown ones; `None` if there are no
/// such values.
pub fn without_keys(call: &LibraryCall<'_>) -> Option<(Option<Value>, Vec<Value>)> {
    let is_made = |value: &Value| matches!(value, Value::Symbol(symbol) if is_made_of_keys(&symbol.term));
    if !call.receiver.is_some_and(is_made) && !call.args.iter().any(is_made) {
        return None;
    }
    let open = |value: &Value| match value {
        Value::Symbol(symbol) if is_made_of_keys(&symbol.term) => {
            let ty = match &symbol.ty {
                Type::Boxed(prim) => Type::Prim(*prim),
                ty => ty.clone(),
            };
            Value::unknowable("a key that the store makes", ty)
        }
        value => value.clone(),
    };
    Some((call.receiver.map(open), call.args.iter().map(open).collect()))
}

fn is_made_of_keys(term: &Term) -> bool {
    let mut inputs = Vec::new();
    term.inputs(&mut inputs);
    !inputs.is_empty() && inputs.iter().all(|input| input.place == InputPlace::Store)
}

/// Replaces the inherently unknown operands of a call by samples, if the call cannot fail because of them.
pub fn sampled(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Sampled> {
    let any = |test: fn(&Value) -> bool| call.receiver.is_some_and(test) || call.args.iter().any(test);
    let total = if any(is_given) { is_harmless(call) } else { any(is_open) && is_total(call) };
    if !total {
        return None;
    }
    let mut reasons = BTreeSet::new();
    let mut put = |machine: &mut Machine<'_>, value: &Value| -> Option<Value> {
        match value {
            Value::Unknown(_) | Value::Symbol(_) if is_open(value) || is_given(value) => {
                let ty = match value {
                    Value::Unknown(unknown) => {
                        reasons.extend(unknown.reasons.iter().cloned());
                        unknown.ty.clone()
                    }
                    Value::Symbol(symbol) => {
                        reasons.insert(Rc::from("a value of the request"));
                        symbol.ty.clone()
                    }
                    _ => return None,
                };
                Some(match sample(&ty)? {
                    Sample::Scalar(scalar) => Value::Scalar(scalar),
                    Sample::Object(class, state) => {
                        let object = Object::new(ClassRef::library(&class), Kind::Native(state));
                        Value::Ref(machine.allocate(object))
                    }
                })
            }
            Value::Unknown(_) | Value::Symbol(_) | Value::Cond(_) => None,
            other => Some(other.clone()),
        }
    };
    let receiver = match call.receiver {
        Some(receiver) => Some(put(machine, receiver)?),
        None => None,
    };
    let args = call.args.iter().map(|arg| put(machine, arg)).collect::<Option<Vec<Value>>>()?;
    Some(Sampled { receiver, args, reasons })
}

/// The result of a call, from the result for the samples.
pub fn concluded(machine: &Machine<'_>, sampled: Sampled, answer: Option<Eval>) -> Option<Eval> {
    let value = match answer? {
        Ok(value) => value,
        // The call fails for every value.
        Err(stop) => return Some(Err(stop)),
    };
    let ty = match &value {
        Value::Scalar(Scalar::Null) => return Some(Ok(value)),
        Value::Scalar(Scalar::Str(_)) => Type::Str,
        Value::Scalar(Scalar::Enum(class, _)) => Type::Class(class.clone(), Vec::new()),
        Value::Scalar(scalar) => Type::Prim(scalar.prim()?),
        Value::Ref(id) => {
            let class = machine.object(*id).class.clone();
            let ty = Type::Class(class, Vec::new());
            sample(&ty)?;
            ty
        }
        Value::Unknown(unknown) => unknown.ty.clone(),
        _ => return None,
    };
    Some(Ok(Value::Unknown(Rc::new(Unknown { reasons: sampled.reasons, ty, present: true, ends: None }))))
}

/// The results of calls on values of classes without a sample.
pub fn without_sample(call: &LibraryCall<'_>) -> Option<Value> {
    let Some(Value::Unknown(unknown)) = call.receiver else { return None };
    if !unknown.present {
        return None;
    }
    let ty = match (call.fqn, call.name) {
        ("java.util.Calendar", "get" | "getActualMaximum" | "getActualMinimum" | "compareTo" | "hashCode") => {
            Type::Prim(Prim::Int)
        }
        ("java.util.Calendar", "getTimeInMillis") => Type::Prim(Prim::Long),
        ("java.util.Calendar", "getTime") => library_type(old_dates::FQN),
        ("java.util.Calendar", "before" | "after" | "equals") => Type::Prim(Prim::Bool),
        ("java.util.Calendar", "add" | "set" | "roll" | "clear" | "setTimeInMillis") => return Some(Value::NULL),
        ("java.time.Clock", "millis") => Type::Prim(Prim::Long),
        ("java.time.Clock", "instant") => library_type("java.time.Instant"),
        ("java.time.Clock", "getZone") => library_type("java.time.ZoneId"),
        ("java.lang.Thread", "getName") => Type::Str,
        ("java.lang.Thread", "getId" | "threadId") => Type::Prim(Prim::Long),
        ("java.util.Locale", "getLanguage" | "getCountry" | "toString" | "toLanguageTag") => Type::Str,
        ("java.util.TimeZone", "getID") => Type::Str,
        ("java.util.TimeZone", "toZoneId") => library_type("java.time.ZoneId"),
        _ => return None,
    };
    Some(Value::Unknown(Rc::new(Unknown { reasons: unknown.reasons.clone(), ty, present: true, ends: None })))
}

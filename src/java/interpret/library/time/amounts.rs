//! Models `Duration` and `Period`.

use super::calendar::{Date, Outcome, Refusal, SECOND, out_of_range};
use super::date_values::{made, needed, unit, unreadable};
use super::temporal::Temporal;
use super::temporal_fields::nanos_of;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, long, open, size, throw_with};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::Value;

/// The amount of time passed as an argument.
pub fn of(machine: &mut Machine<'_>, value: &Value) -> Answer<Temporal> {
    match needed(machine, value)? {
        amount @ (Temporal::Duration(..) | Temporal::Period(..)) => Ok(amount),
        _ => open("an amount of time"),
    }
}

/// A value plus (`sign` 1) or minus (`sign` -1) an amount of time.
pub fn added(own: &Temporal, amount: &Temporal, sign: i64) -> Outcome<Temporal> {
    match amount {
        Temporal::Duration(seconds, nano) => {
            let mut moved = own.clone();
            if *seconds != 0 {
                moved = moved.plus(seconds.checked_mul(sign).map_or_else(out_of_range, Ok)?, "SECONDS")?;
            }
            if *nano != 0 {
                moved = moved.plus(nano * sign, "NANOS")?;
            }
            Ok(moved)
        }
        Temporal::Period(years, months, days) => {
            let mut moved = own.clone();
            let all = i64::from(*years) * 12 + i64::from(*months);
            match (*years, *months) {
                (years, 0) if years != 0 => moved = moved.plus(i64::from(years) * sign, "YEARS")?,
                _ if all != 0 => moved = moved.plus(all * sign, "MONTHS")?,
                _ => {}
            }
            if *days != 0 {
                moved = moved.plus(i64::from(*days) * sign, "DAYS")?;
            }
            Ok(moved)
        }
        _ => Err(Refusal::Open("an amount of time")),
    }
}

/// `Period.between`.
pub fn period_between(from: Date, to: Date) -> Outcome<Temporal> {
    let mut months = to.months() - from.months();
    let mut days = i64::from(to.day) - i64::from(from.day);
    if months > 0 && days < 0 {
        months -= 1;
        days = to.epoch_day() - from.plus_months(months)?.epoch_day();
    } else if months < 0 && days > 0 {
        months += 1;
        days -= i64::from(super::calendar::days_of(to.year.into(), to.month));
    }
    Ok(Temporal::Period((months / 12) as i32, (months % 12) as i32, days as i32))
}

/// A duration of this many nanoseconds.
pub fn duration(nanos: i128) -> Outcome<Temporal> {
    match i64::try_from(nanos.div_euclid(SECOND.into())) {
        Ok(seconds) => Ok(Temporal::Duration(seconds, nanos.rem_euclid(SECOND.into()) as i64)),
        Err(_) => Err(Refusal::Exception("java.lang.ArithmeticException")),
    }
}

fn nanos(seconds: i64, nano: i64) -> i128 {
    i128::from(seconds) * i128::from(SECOND) + i128::from(nano)
}

/// Models the methods that only amounts of time have.
pub fn call(machine: &mut Machine<'_>, receiver: &Value, own: &Temporal, call: &LibraryCall<'_>) -> Option<Answer> {
    match own {
        Temporal::Duration(seconds, nano) => on_duration(machine, receiver, (*seconds, *nano), call),
        Temporal::Period(years, months, days) => on_period(machine, (*years, *months, *days), call),
        _ => None,
    }
}

fn on_duration(
    machine: &mut Machine<'_>,
    receiver: &Value,
    (seconds, nano): (i64, i64),
    call: &LibraryCall<'_>,
) -> Option<Answer> {
    let all = nanos(seconds, nano);
    let whole = |by: i64| i64::try_from(all / i128::from(by)).ok();
    let long_value = |value: Option<i64>| match value {
        Some(value) => Ok(Value::Scalar(Scalar::Long(value))),
        None => open("a duration out of range"),
    };
    // These units are computed from the whole seconds alone; only milliseconds and nanoseconds also use the
    // nanosecond part.
    let down = |by: i64| Some(seconds / by);
    if let (Some(rest), []) = (call.name.strip_prefix("to"), call.args) {
        let part = |value: i64| size(usize::try_from(value).unwrap_or_default());
        let cut = |by: i64, of: i64| seconds / by % of;
        return Some(match rest {
            "Days" | "DaysPart" => long_value(down(86_400)),
            "Hours" => long_value(down(3600)),
            "Minutes" => long_value(down(60)),
            "Seconds" => long_value(Some(seconds)),
            "Millis" if nano % 1_000_000 != 0 && seconds < 0 => open("a part of a millisecond below zero"),
            "Millis" => long_value(whole(1_000_000)),
            "Nanos" => long_value(whole(1)),
            "HoursPart" => Ok(Value::int(cut(3600, 24) as i32)),
            "MinutesPart" => Ok(Value::int(cut(60, 60) as i32)),
            "SecondsPart" => Ok(Value::int(cut(1, 60) as i32)),
            "MillisPart" => Ok(part(nano / 1_000_000)),
            "NanosPart" => Ok(part(nano)),
            _ => return None,
        });
    }
    Some(match (call.name, call.args) {
        ("getSeconds", []) => long_value(Some(seconds)),
        ("getNano", []) => Ok(size(usize::try_from(nano).ok()?)),
        ("isZero", []) => Ok(Value::bool(all == 0)),
        ("isNegative", []) => Ok(Value::bool(all < 0)),
        ("isPositive", []) => Ok(Value::bool(all > 0)),
        ("negated", []) => made(machine, duration(-all)),
        ("abs", []) => made(machine, duration(all.abs())),
        ("plus" | "minus", [other]) => match of(machine, other) {
            Ok(Temporal::Duration(seconds, nano)) => {
                let other = nanos(seconds, nano);
                made(machine, duration(if call.name == "plus" { all + other } else { all - other }))
            }
            Ok(_) => open("an amount of time"),
            Err(fail) => Err(fail),
        },
        ("multipliedBy", [by]) => made(machine, duration(all.checked_mul(i128::from(long(by)?))?)),
        ("dividedBy", [by]) if long(by).is_some() => match long(by)? {
            0 => Err(throw_with(machine, "ArithmeticException", Value::text("Cannot divide by zero"))),
            by => made(machine, duration(all / i128::from(by))),
        },
        ("withSeconds", [value]) => made(machine, Ok(Temporal::Duration(long(value)?, nano))),
        ("plus" | "minus", [by, of]) => {
            let by = i128::from(long(by)?) * i128::from(nanos_of(unit(of)?)?);
            made(machine, duration(if call.name == "plus" { all + by } else { all - by }))
        }
        (name, [by]) => {
            let (sign, rest) = match (name.strip_prefix("plus"), name.strip_prefix("minus")) {
                (Some(rest), _) => (1, rest),
                (_, Some(rest)) => (-1, rest),
                _ => return None,
            };
            let of = nanos_of(&rest.to_uppercase())?;
            let by = long(by)?;
            if by == 0 {
                return Some(Ok(receiver.clone()));
            }
            made(machine, duration(all + sign * i128::from(by) * i128::from(of)))
        }
        _ => return None,
    })
}

fn on_period(
    machine: &mut Machine<'_>,
    (years, months, days): (i32, i32, i32),
    call: &LibraryCall<'_>,
) -> Option<Answer> {
    let whole = |parts: [Option<i32>; 3]| match parts {
        [Some(years), Some(months), Some(days)] => Ok(Temporal::Period(years, months, days)),
        _ => Err(Refusal::Exception("java.lang.ArithmeticException")),
    };
    Some(match (call.name, call.args) {
        ("getYears", []) => Ok(Value::int(years)),
        ("getMonths", []) => Ok(Value::int(months)),
        ("getDays", []) => Ok(Value::int(days)),
        ("isZero", []) => Ok(Value::bool(years == 0 && months == 0 && days == 0)),
        ("isNegative", []) => Ok(Value::bool(years < 0 || months < 0 || days < 0)),
        ("toTotalMonths", []) => Ok(Value::Scalar(Scalar::Long(i64::from(years) * 12 + i64::from(months)))),
        ("normalized", []) => {
            let all = i64::from(years) * 12 + i64::from(months);
            let years = i32::try_from(all / 12).ok();
            made(machine, whole([years, Some((all % 12) as i32), Some(days)]))
        }
        ("negated", []) => made(machine, whole([years.checked_neg(), months.checked_neg(), days.checked_neg()])),
        ("multipliedBy", [by]) => {
            let by = int(by)?;
            made(machine, whole([years.checked_mul(by), months.checked_mul(by), days.checked_mul(by)]))
        }
        ("withYears", [by]) => made(machine, whole([int(by), Some(months), Some(days)])),
        ("withMonths", [by]) => made(machine, whole([Some(years), int(by), Some(days)])),
        ("withDays", [by]) => made(machine, whole([Some(years), Some(months), int(by)])),
        ("plus" | "minus", [other]) => match of(machine, other) {
            Ok(Temporal::Period(y, m, d)) => {
                let add = |a: i32, b: i32| if call.name == "plus" { a.checked_add(b) } else { a.checked_sub(b) };
                made(machine, whole([add(years, y), add(months, m), add(days, d)]))
            }
            Ok(_) => open("an amount of time"),
            Err(fail) => Err(fail),
        },
        (name, [by]) => {
            let (sign, rest) = match (name.strip_prefix("plus"), name.strip_prefix("minus")) {
                (Some(rest), _) => (1, rest),
                (_, Some(rest)) => (-1, rest),
                _ => return None,
            };
            let by = long(by)?.checked_mul(sign).and_then(|by| i32::try_from(by).ok());
            let add = |part: i32, here: bool| if here { by.and_then(|by| part.checked_add(by)) } else { Some(part) };
            if !matches!(rest, "Years" | "Months" | "Days") {
                return None;
            }
            made(
                machine,
                whole([add(years, rest == "Years"), add(months, rest == "Months"), add(days, rest == "Days")]),
            )
        }
        _ => return None,
    })
}

/// The capture groups of a pattern matched against a text.
fn groups(pattern: &str, text: &str) -> Option<Vec<Option<String>>> {
    let pattern = regex::Regex::new(pattern).ok()?;
    let found = pattern.captures(text)?;
    Some((0..found.len()).map(|at| found.get(at).map(|part| part.as_str().to_owned())).collect())
}

/// `Period.parse` and `Duration.parse`.
pub fn parse(machine: &mut Machine<'_>, text: &str, class: &str) -> Answer {
    let read = if class == "Period" { read_period(text) } else { read_duration(text) };
    match read {
        Some(Ok(value)) => made(machine, Ok(value)),
        Some(Err(())) => open("a very long amount of time"),
        None => {
            let message = Value::text(&format!("Text cannot be parsed to a {class}"));
            Err(unreadable(machine, message, None))
        }
    }
}

fn number(part: Option<&Option<String>>) -> Result<Option<i64>, ()> {
    match part {
        Some(Some(digits)) => match digits.trim_start_matches('+').parse::<i64>() {
            Ok(value) if value.abs() < 1 << 40 => Ok(Some(value)),
            _ => Err(()),
        },
        _ => Ok(None),
    }
}

fn read_period(text: &str) -> Option<Result<Temporal, ()>> {
    const PATTERN: &str = "^(?i)([-+]?)P(?:([-+]?[0-9]+)Y)?(?:([-+]?[0-9]+)M)?(?:([-+]?[0-9]+)W)?(?:([-+]?[0-9]+)D)?$";
    let found = groups(PATTERN, text)?;
    if found[2..].iter().all(Option::is_none) {
        return None;
    }
    let sign = if found[1].as_deref() == Some("-") { -1 } else { 1 };
    let part = |at: usize| number(found.get(at)).map(|value| value.unwrap_or_default() * sign);
    let whole = || -> Result<Temporal, ()> {
        let narrow = |value: i64| i32::try_from(value).map_err(|_| ());
        let days = part(4)?.checked_mul(7).and_then(|weeks| weeks.checked_add(part(5).ok()?)).ok_or(())?;
        Ok(Temporal::Period(narrow(part(2)?)?, narrow(part(3)?)?, narrow(days)?))
    };
    Some(whole())
}

fn read_duration(text: &str) -> Option<Result<Temporal, ()>> {
    const PATTERN: &str = "^(?i)([-+]?)P(?:([-+]?[0-9]+)D)?(T(?:([-+]?[0-9]+)H)?(?:([-+]?[0-9]+)M)?(?:([-+]?[0-9]+)(?:[.,]([0-9]{0,9}))?S)?)?$";
    let found = groups(PATTERN, text)?;
    if found[3].as_deref().is_some_and(|time| time.len() == 1) || [2, 4, 5, 6].iter().all(|at| found[*at].is_none()) {
        return None;
    }
    let whole = || -> Result<Temporal, ()> {
        let part = |at: usize| number(found.get(at)).map(|value| i128::from(value.unwrap_or_default()));
        let seconds = part(2)? * 86_400 + part(4)? * 3600 + part(5)? * 60 + part(6)?;
        let fraction = found[7].clone().unwrap_or_default();
        let nano: i128 = format!("{fraction:0<9}").parse().map_err(|_| ())?;
        let below = found[6].as_deref().is_some_and(|digits| digits.starts_with('-'));
        let all = seconds * i128::from(SECOND) + if below { -nano } else { nano };
        let all = if found[1].as_deref() == Some("-") { -all } else { all };
        duration(all).map_err(|_| ())
    };
    Some(whole())
}

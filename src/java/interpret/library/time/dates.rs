//! Models `java.time`: calls on dates, times, instants and amounts of time.

use super::calendar::{Date, Refusal, SECOND, days_of, is_leap};
use super::date_constants::on_constant;
use super::date_values::{enum_constant, field, given, int_of, known, long_of, made, needed, unit};
use super::date_zones::combined;
use super::temporal::{Temporal, Zone};
use super::{adjusters, amounts, date_makers};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, long, open, settle, throw};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::Value;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let class = call.fqn.strip_prefix("java.time.")?;
    if class.starts_with("format.") || class.starts_with("chrono.") {
        return None;
    }
    let answer = match call.receiver {
        None => date_makers::call(machine, class, call)?,
        Some(receiver) => match (given(machine, receiver), receiver) {
            (Some(own), _) => on_value(machine, receiver, &own, call)?,
            (None, Value::Scalar(Scalar::Enum(ClassRef::Library(fqn), name))) => {
                on_constant(machine, &fqn.clone(), &name.clone(), call)?
            }
            (None, Value::Ref(_)) if class.starts_with("temporal.") => adjusters::on_adjuster(machine, receiver, call)?,
            _ => return None,
        },
    };
    Some(settle(machine, call, answer))
}

fn on_value(machine: &mut Machine<'_>, receiver: &Value, own: &Temporal, call: &LibraryCall<'_>) -> Option<Answer> {
    if matches!(own, Temporal::Duration(..) | Temporal::Period(..))
        && let Some(answer) = amounts::call(machine, receiver, own, call)
    {
        return Some(answer);
    }
    Some(match (call.name, call.args) {
        ("toString" | "getId", []) => Ok(machine.fresh_text(&own.text())),
        ("hashCode", []) => Ok(Value::int(own.hash())),
        ("equals", [other]) => match other {
            Value::Ref(_) => Ok(Value::bool(given(machine, other).as_ref() == Some(own))),
            Value::Scalar(_) => Ok(Value::bool(false)),
            _ => open("a date is not known"),
        },
        ("compareTo", [other]) => match needed(machine, other) {
            Ok(other) => match own.compare(&other) {
                Some(order) => Ok(Value::int(order)),
                None => open("dates of different classes"),
            },
            Err(fail) => Err(fail),
        },
        ("isBefore" | "isAfter" | "isEqual", [other]) => match needed(machine, other) {
            Ok(other) => ordered(own, &other, call.name),
            Err(fail) => Err(fail),
        },
        ("format", [format]) => return super::formats::formatters::format(machine, format, own),
        ("isSupported", [of]) => match (field(of), unit(of)) {
            (Some(field), _) => Ok(Value::bool(own.field(field).is_some())),
            (_, Some(unit)) => match own.plus(0, unit) {
                Ok(_) => Ok(Value::bool(true)),
                Err(Refusal::Unsupported(_)) => Ok(Value::bool(false)),
                Err(_) => open("a unit"),
            },
            _ => return None,
        },
        ("get", [of]) => {
            let of = field(of)?;
            if matches!(of, "EPOCH_DAY" | "PROLEPTIC_MONTH" | "NANO_OF_DAY" | "MICRO_OF_DAY" | "INSTANT_SECONDS") {
                return Some(open("a long field as an int"));
            }
            let value = known(machine, own.long_field(of));
            value.and_then(int_of)
        }
        ("getLong", [of]) => {
            let value = known(machine, own.long_field(field(of)?));
            value.and_then(long_of)
        }
        _ => {
            return getter(machine, own, call)
                .or_else(|| changed(machine, receiver, own, call))
                .or_else(|| combined(machine, own, call));
        }
    })
}

fn ordered(own: &Temporal, other: &Temporal, name: &str) -> Answer {
    let order = match (own, other) {
        (Temporal::OffsetTime(a, o), Temporal::OffsetTime(b, p)) => {
            (a - i64::from(*o) * SECOND).cmp(&(b - i64::from(*p) * SECOND))
        }
        _ => match (own.instant(), other.instant()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ if std::mem::discriminant(own) == std::mem::discriminant(other) => match own.compare(other) {
                Some(order) => order.cmp(&0),
                None => return open("dates of different classes"),
            },
            _ => return open("dates of different classes"),
        },
    };
    Ok(Value::bool(match name {
        "isBefore" => order.is_lt(),
        "isAfter" => order.is_gt(),
        _ => order.is_eq(),
    }))
}

/// Models the methods without arguments that return a number, a constant or a part.
fn getter(machine: &mut Machine<'_>, own: &Temporal, call: &LibraryCall<'_>) -> Option<Answer> {
    if !call.args.is_empty() {
        return None;
    }
    let field = |name: &str| own.field(name);
    let (date, time) = (own.date(), own.time());
    let year = field("YEAR");
    Some(match call.name {
        "getYear" | "getValue" => int_of(year?),
        "getMonthValue" => int_of(field("MONTH_OF_YEAR")?),
        "getMonth" => Ok(enum_constant("Month", field("MONTH_OF_YEAR")?)?),
        "getDayOfMonth" => int_of(field("DAY_OF_MONTH")?),
        "getDayOfYear" => int_of(field("DAY_OF_YEAR")?),
        "getDayOfWeek" => Ok(enum_constant("DayOfWeek", field("DAY_OF_WEEK")?)?),
        "getHour" => int_of(field("HOUR_OF_DAY")?),
        "getMinute" => int_of(field("MINUTE_OF_HOUR")?),
        "getSecond" => int_of(field("SECOND_OF_MINUTE")?),
        "getNano" => int_of(field("NANO_OF_SECOND")?),
        "toEpochDay" => long_of(date?.epoch_day()),
        "toSecondOfDay" => int_of(time? / SECOND),
        "toNanoOfDay" => long_of(time?),
        "getEpochSecond" | "toEpochSecond" => long_of(own.instant()?.0),
        "toEpochMilli" => {
            let (seconds, nano) = own.instant()?;
            match seconds.checked_mul(1000).and_then(|milli| milli.checked_add(nano / 1_000_000)) {
                Some(milli) => long_of(milli),
                None => open("a date out of range"),
            }
        }
        "isLeapYear" | "isLeap" => Ok(Value::bool(is_leap(year?))),
        "lengthOfYear" | "length" => int_of(if is_leap(year?) { 366 } else { 365 }),
        "lengthOfMonth" => int_of(days_of(year?, field("MONTH_OF_YEAR")? as u8).into()),
        "getTotalSeconds" => int_of(own.offset()?.into()),
        "getOffset" => made(machine, Ok(Temporal::Zone(Zone::Offset(own.offset()?)))),
        "getZone" => match own {
            Temporal::ZonedDateTime(.., zone) => made(machine, Ok(Temporal::Zone(zone.clone()))),
            _ => return None,
        },
        "normalized" => match own {
            Temporal::Zone(zone) => match zone.offset() {
                Some(offset) => made(machine, Ok(Temporal::Zone(Zone::Offset(offset)))),
                None => open("the rules of a time zone"),
            },
            _ => return None,
        },
        "toLocalDate" => made(machine, Ok(Temporal::Date(date?))),
        "toLocalTime" => made(machine, Ok(Temporal::Time(time?))),
        "toLocalDateTime" => made(machine, Ok(Temporal::DateTime(date?, time?))),
        "toOffsetTime" => made(machine, Ok(Temporal::OffsetTime(time?, own.offset()?))),
        "toOffsetDateTime" => made(machine, Ok(Temporal::OffsetDateTime(date?, time?, own.offset()?))),
        "toZonedDateTime" => {
            let offset = own.offset()?;
            made(machine, Ok(Temporal::ZonedDateTime(date?, time?, offset, Zone::Offset(offset))))
        }
        "toInstant" => {
            let (seconds, nano) = own.instant()?;
            made(machine, Ok(Temporal::Instant(seconds, nano)))
        }
        "atStartOfDay" => made(machine, Ok(Temporal::DateTime(date?, 0))),
        "atEndOfMonth" => match own {
            Temporal::YearMonth(year, month) => {
                let day = days_of((*year).into(), *month);
                made(machine, Ok(Temporal::Date(Date { year: *year, month: *month, day })))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// Models `plus…`, `minus…`, `with…`, `truncatedTo`, `until`.
fn changed(machine: &mut Machine<'_>, receiver: &Value, own: &Temporal, call: &LibraryCall<'_>) -> Option<Answer> {
    let by_name = |rest: &str| {
        Some(match rest {
            "Nanos" => "NANOS",
            "Millis" => "MILLIS",
            "Seconds" => "SECONDS",
            "Minutes" => "MINUTES",
            "Hours" => "HOURS",
            "Days" => "DAYS",
            "Weeks" => "WEEKS",
            "Months" => "MONTHS",
            "Years" => "YEARS",
            _ => return None,
        })
    };
    let (sign, rest) = match (call.name.strip_prefix("plus"), call.name.strip_prefix("minus")) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => return with(machine, own, call),
    };
    Some(match (rest, call.args) {
        ("", [amount]) => match amounts::of(machine, amount) {
            Ok(amount) => {
                let moved = amounts::added(own, &amount, sign);
                made(machine, moved)
            }
            Err(fail) => Err(fail),
        },
        ("", [amount, of]) => {
            if of.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let (amount, of) = (long(amount)?.checked_mul(sign)?, unit(of)?);
            made(machine, own.plus(amount, of))
        }
        (rest, [amount]) => {
            let amount = long(amount)?.checked_mul(sign)?;
            if amount == 0 {
                return Some(Ok(receiver.clone()));
            }
            made(machine, own.plus(amount, by_name(rest)?))
        }
        _ => return None,
    })
}

fn with(machine: &mut Machine<'_>, own: &Temporal, call: &LibraryCall<'_>) -> Option<Answer> {
    let field_of = match call.name {
        "withYear" => Some("YEAR"),
        "withMonth" => Some("MONTH_OF_YEAR"),
        "withDayOfMonth" => Some("DAY_OF_MONTH"),
        "withDayOfYear" => Some("DAY_OF_YEAR"),
        "withHour" => Some("HOUR_OF_DAY"),
        "withMinute" => Some("MINUTE_OF_HOUR"),
        "withSecond" => Some("SECOND_OF_MINUTE"),
        "withNano" => Some("NANO_OF_SECOND"),
        _ => None,
    };
    if let (Some(of), [value]) = (field_of, call.args) {
        return Some(made(machine, own.with(of, long(value)?)));
    }
    Some(match (call.name, call.args) {
        ("with", [of, value]) => made(machine, own.with(field(of)?, long(value)?)),
        ("with", [adjuster]) => adjusters::adjusted(machine, own, adjuster),
        ("truncatedTo", [of]) => made(machine, own.truncated(unit(of)?)),
        ("until", [end, of]) => match needed(machine, end) {
            Ok(end) => {
                let between = known(machine, own.until(&end, unit(of)?));
                between.and_then(long_of)
            }
            Err(fail) => Err(fail),
        },
        ("until", [end]) => match (own, needed(machine, end)) {
            (Temporal::Date(from), Ok(Temporal::Date(to))) => {
                let between = amounts::period_between(*from, to);
                made(machine, between)
            }
            (_, Err(fail)) => Err(fail),
            _ => return None,
        },
        _ => return None,
    })
}

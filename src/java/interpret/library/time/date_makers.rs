//! Models the factory methods of `java.time`: `of`, `parse`, `from`, `between`.

use super::adjusters;
use super::amounts;
use super::calendar::{DAY, Date, Outcome, Refusal, SECOND, check, check_month, check_year, days_of, is_leap, time_of};
use super::date_values::{EXCEPTION, constant_of, enum_constant, known, made, needed, read, unit};
use super::formats::date_patterns::Format;
use super::formats::formatters;
use super::temporal::{Temporal, Zone, at_offset};
use super::temporal_fields::{instant, nanos_of};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, long, open, text, throw, throw_with};
use crate::interpret::values::value::Value;

/// Models the static methods of a class in `java.time`.
pub fn call(machine: &mut Machine<'_>, class: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.name == "parse" {
        return parse(machine, class, call.args);
    }
    match class {
        "Duration" => return durations(machine, call),
        "Period" => return periods(machine, call),
        "ZoneOffset" | "ZoneId" => return super::zone_makers::zones(machine, class, call),
        "DayOfWeek" | "Month" => return of_enum(machine, class, call),
        "temporal.TemporalAdjusters" => return adjusters::made_by(machine, call),
        "format.DateTimeFormatter" => return None,
        _ => {}
    }
    if let ("from", [value]) = (call.name, call.args) {
        return Some(match needed(machine, value) {
            Ok(value) => match converted(&value, class) {
                Some(value) => made(machine, Ok(value)),
                None => Err(throw(machine, EXCEPTION)),
            },
            Err(fail) => Err(fail),
        });
    }
    if let ("ofInstant", [at, zone]) = (call.name, call.args) {
        return Some(of_instant(machine, class, at, zone));
    }
    numbers(machine, class, call)
}

fn of_instant(machine: &mut Machine<'_>, class: &str, at: &Value, zone: &Value) -> Answer {
    match (needed(machine, at)?, needed(machine, zone)?) {
        (Temporal::Instant(seconds, nano), Temporal::Zone(zone)) => {
            let zoned = known(machine, Temporal::at_zone(seconds, nano, &zone))?;
            match converted(&zoned, class) {
                Some(value) => made(machine, Ok(value)),
                None => open("a moment as another class"),
            }
        }
        _ => open("a moment at a zone"),
    }
}

/// Converts a value to another class, if it has all the fields which that class needs.
fn converted(value: &Temporal, class: &str) -> Option<Temporal> {
    let (date, time) = (value.date(), value.time());
    Some(match class {
        "LocalDate" => Temporal::Date(date?),
        "LocalTime" => Temporal::Time(time?),
        "LocalDateTime" => Temporal::DateTime(date?, time?),
        "OffsetDateTime" => Temporal::OffsetDateTime(date?, time?, value.offset()?),
        "ZonedDateTime" => match value {
            Temporal::ZonedDateTime(..) => value.clone(),
            _ => Temporal::ZonedDateTime(date?, time?, value.offset()?, Zone::Offset(value.offset()?)),
        },
        "Instant" => {
            let (seconds, nano) = value.instant()?;
            Temporal::Instant(seconds, nano)
        }
        "Year" => Temporal::Year(i32::try_from(value.field("YEAR")?).ok()?),
        "YearMonth" => Temporal::YearMonth(
            i32::try_from(value.field("YEAR")?).ok()?,
            u8::try_from(value.field("MONTH_OF_YEAR")?).ok()?,
        ),
        "MonthDay" => Temporal::MonthDay(
            u8::try_from(value.field("MONTH_OF_YEAR")?).ok()?,
            u8::try_from(value.field("DAY_OF_MONTH")?).ok()?,
        ),
        _ => return None,
    })
}

fn parse(machine: &mut Machine<'_>, class: &str, args: &[Value]) -> Option<Answer> {
    let (given, format) = match args {
        [given] => (given, None),
        [given, format] => (given, Some(format)),
        _ => return None,
    };
    if given.is_null() {
        let message = if matches!(class, "Duration" | "Period") || format.is_some() { None } else { Some("text") };
        return Some(Err(match message {
            Some(message) => throw_with(machine, "NullPointerException", Value::text(message)),
            None => throw(machine, "NullPointerException"),
        }));
    }
    let Some(own) = text(given).map(ToOwned::to_owned) else { return Some(open("text is not known")) };
    if matches!(class, "Duration" | "Period") {
        return Some(amounts::parse(machine, &own, class));
    }
    let format = match format {
        Some(format) => match formatters::given(machine, format) {
            Ok(format) => format,
            Err(fail) => return Some(Err(fail)),
        },
        None => Format::of_class(class)?,
    };
    // The predefined formats of a year, year-month or month-day do not resolve strictly; the others do.
    let strict = format.strict || !matches!(class, "Year" | "YearMonth" | "MonthDay") && args.len() == 1;
    let any_case = format.any_case || !matches!(class, "Year" | "YearMonth" | "MonthDay") && args.len() == 1;
    let format = Format { strict, any_case, ..format };
    Some(read(machine, &format, &own, class))
}

/// Integer arguments; months may be given as constants.
fn whole(args: &[Value]) -> Option<Vec<i64>> {
    args.iter().map(|arg| constant_of(arg, "Month").map_or_else(|| long(arg), month_number)).collect()
}

fn month_number(name: &str) -> Option<i64> {
    let at = super::calendar::MONTHS.iter().position(|month| *month == name)?;
    i64::try_from(at + 1).ok()
}

fn numbers(machine: &mut Machine<'_>, class: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    if let ("of", Some(parts)) = (call.name, parts_of(machine, call.args)) {
        return Some(match parts {
            Ok(parts) => joined(machine, class, &parts)?,
            Err(fail) => Err(fail),
        });
    }
    let given = call.args.split_last();
    if let (Some((zone, rest)), "of" | "ofEpochSecond") = (given, call.name)
        && let Some(Temporal::Zone(zone)) = super::date_values::given(machine, zone)
    {
        let numbers = whole(rest)?;
        let Some(offset) = zone.offset() else { return Some(open("the rules of a time zone")) };
        let outcome = match (class, call.name, numbers.as_slice()) {
            ("LocalDateTime", "ofEpochSecond", [second, nano]) => {
                check("NanoOfSecond", *nano, 0, 999_999_999, "0 - 999999999").and_then(|nano| {
                    at_offset(*second, nano, offset)
                        .map_or(Err(Refusal::Open("a date out of range")), |(date, time)| {
                            Ok(Temporal::DateTime(date, time))
                        })
                })
            }
            ("OffsetDateTime" | "ZonedDateTime", "of", [year, month, day, hour, minute, second, nano]) => {
                Date::of(*year, *month, *day).and_then(|date| {
                    let time = time_of(*hour, *minute, *second, *nano)?;
                    Ok(zoned(class, date, time, offset, zone.clone()))
                })
            }
            _ => return None,
        };
        return Some(made(machine, outcome));
    }
    let numbers = whole(call.args)?;
    let outcome: Outcome<Temporal> = match (class, call.name, numbers.as_slice()) {
        ("LocalDate", "of", [year, month, day]) => Date::of(*year, *month, *day).map(Temporal::Date),
        ("LocalDate", "ofYearDay", [year, day]) => Date::of_year_day(*year, *day).map(Temporal::Date),
        ("LocalDate", "ofEpochDay", [day]) => Date::of_epoch_day(*day).map(Temporal::Date),
        ("LocalTime", "of", [hour, minute, rest @ ..]) if rest.len() < 3 => {
            time_of(*hour, *minute, rest.first().copied().unwrap_or(0), rest.get(1).copied().unwrap_or(0))
                .map(Temporal::Time)
        }
        ("LocalTime", "ofSecondOfDay", [second]) => {
            check("SecondOfDay", *second, 0, 86_399, "0 - 86399").map(|second| Temporal::Time(second * SECOND))
        }
        ("LocalTime", "ofNanoOfDay", [nano]) => {
            check("NanoOfDay", *nano, 0, DAY - 1, "0 - 86399999999999").map(Temporal::Time)
        }
        ("LocalDateTime", "of", [year, month, day, hour, minute, rest @ ..]) if rest.len() < 3 => {
            Date::of(*year, *month, *day).and_then(|date| {
                let (second, nano) = (rest.first().copied().unwrap_or(0), rest.get(1).copied().unwrap_or(0));
                Ok(Temporal::DateTime(date, time_of(*hour, *minute, second, nano)?))
            })
        }
        ("Instant", "ofEpochSecond", [second]) => moment(i128::from(*second) * i128::from(SECOND)),
        ("Instant", "ofEpochSecond", [second, nano]) => {
            moment(i128::from(*second) * i128::from(SECOND) + i128::from(*nano))
        }
        ("Instant", "ofEpochMilli", [milli]) => moment(i128::from(*milli) * 1_000_000),
        ("Year", "of", [year]) => check_year(*year).map(Temporal::Year),
        ("Year", "isLeap", [year]) => return Some(Ok(Value::bool(is_leap(*year)))),
        ("YearMonth", "of", [year, month]) => {
            check_year(*year).and_then(|year| Ok(Temporal::YearMonth(year, check_month(*month)?)))
        }
        ("MonthDay", "of", [month, day]) => check_month(*month).and_then(|month| {
            let day = check("DayOfMonth", *day, 1, 31, "1 - 28/31")? as u8;
            if day > days_of(2000, month) {
                return Err(Refusal::Exception(EXCEPTION));
            }
            Ok(Temporal::MonthDay(month, day))
        }),
        _ => return None,
    };
    Some(made(machine, outcome))
}

fn moment(nanos: i128) -> Outcome<Temporal> {
    instant(nanos).map(|(seconds, nano)| Temporal::Instant(seconds, nano))
}

fn zoned(class: &str, date: Date, time: i64, offset: i32, zone: Zone) -> Temporal {
    if class == "OffsetDateTime" {
        Temporal::OffsetDateTime(date, time, offset)
    } else {
        Temporal::ZonedDateTime(date, time, offset, zone)
    }
}

/// The arguments, if all of them are values of `java.time`.
fn parts_of(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer<Vec<Temporal>>> {
    if args.len() < 2 || args.iter().any(|arg| super::date_values::given(machine, arg).is_none() && !arg.is_null()) {
        return None;
    }
    Some(args.iter().map(|arg| needed(machine, arg)).collect())
}

/// Models `of(date, time)` and similar methods that combine values.
fn joined(machine: &mut Machine<'_>, class: &str, parts: &[Temporal]) -> Option<Answer> {
    let value = match (class, parts) {
        ("LocalDateTime", [Temporal::Date(date), Temporal::Time(time)]) => Temporal::DateTime(*date, *time),
        ("OffsetTime", [Temporal::Time(time), Temporal::Zone(Zone::Offset(offset))]) => {
            Temporal::OffsetTime(*time, *offset)
        }
        (
            "OffsetDateTime" | "ZonedDateTime",
            [Temporal::DateTime(date, time), Temporal::Zone(zone)]
            | [Temporal::Date(date), Temporal::Time(time), Temporal::Zone(zone)],
        ) => match zone.offset() {
            Some(offset) => zoned(class, *date, *time, offset, zone.clone()),
            None => return Some(open("the rules of a time zone")),
        },
        _ => return None,
    };
    Some(made(machine, Ok(value)))
}

fn durations(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("between", [from, to]) => match (needed(machine, from), needed(machine, to)) {
            (Ok(from), Ok(to)) => {
                let between = from.nanos_between(&to).and_then(amounts::duration);
                made(machine, between)
            }
            (Err(fail), _) | (_, Err(fail)) => Err(fail),
        },
        ("of", [amount, of]) => {
            let by = nanos_of(unit(of)?)?;
            made(machine, amounts::duration(i128::from(long(amount)?) * i128::from(by)))
        }
        ("ofSeconds", [second, nano]) => {
            let all = i128::from(long(second)?) * i128::from(SECOND) + i128::from(long(nano)?);
            made(machine, amounts::duration(all))
        }
        ("from", [amount]) => amounts::of(machine, amount).and_then(|amount| made(machine, Ok(amount))),
        (name, [amount]) => {
            let by = nanos_of(&name.strip_prefix("of")?.to_uppercase())?;
            made(machine, amounts::duration(i128::from(long(amount)?) * i128::from(by)))
        }
        _ => return None,
    })
}

fn periods(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let value = match (call.name, call.args) {
        ("between", [from, to]) => match (needed(machine, from), needed(machine, to)) {
            (Ok(Temporal::Date(from)), Ok(Temporal::Date(to))) => amounts::period_between(from, to),
            (Err(fail), _) | (_, Err(fail)) => return Some(Err(fail)),
            _ => return None,
        },
        ("of", [years, months, days]) => Ok(Temporal::Period(int(years)?, int(months)?, int(days)?)),
        ("ofYears", [years]) => Ok(Temporal::Period(int(years)?, 0, 0)),
        ("ofMonths", [months]) => Ok(Temporal::Period(0, int(months)?, 0)),
        ("ofDays", [days]) => Ok(Temporal::Period(0, 0, int(days)?)),
        ("ofWeeks", [weeks]) => match int(weeks)?.checked_mul(7) {
            Some(days) => Ok(Temporal::Period(0, 0, days)),
            None => Err(Refusal::Exception("java.lang.ArithmeticException")),
        },
        _ => return None,
    };
    Some(made(machine, value))
}

fn of_enum(machine: &mut Machine<'_>, class: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("of", [number]) => {
            let number = int(number)?;
            match enum_constant(class, number.into()) {
                Some(value) => Ok(value),
                None => {
                    let what = if class == "Month" { "MonthOfYear" } else { class };
                    let message = Value::text(&format!("Invalid value for {what}: {number}"));
                    Err(throw_with(machine, EXCEPTION, message))
                }
            }
        }
        ("from", [value]) => {
            let field = if class == "Month" { "MONTH_OF_YEAR" } else { "DAY_OF_WEEK" };
            match needed(machine, value) {
                Ok(value) => match value.field(field).and_then(|number| enum_constant(class, number)) {
                    Some(value) => Ok(value),
                    None => Err(throw(machine, EXCEPTION)),
                },
                Err(fail) => Err(fail),
            }
        }
        _ => return None,
    })
}

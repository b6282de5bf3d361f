//! Combines dates and times with each other and with zones.

use super::calendar::{Date, Refusal, SECOND, days_of, time_of};
use super::date_values::{given, long_of, made, needed};
use super::temporal::{Temporal, Zone, at_offset};
use super::temporal_fields::second_at;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, open};
use crate::interpret::values::value::Value;

/// The time of day that `atTime` is given as numbers; `None` for other arguments.
fn time_of_day(args: &[Value]) -> Option<Result<i64, Refusal>> {
    let (hour, rest) = args.split_first()?;
    let mut parts = [int(hour)?, 0, 0, 0];
    for (part, value) in parts[1..].iter_mut().zip(rest) {
        *part = int(value)?;
    }
    let [hour, minute, second, nano] = parts.map(i64::from);
    Some(time_of(hour, minute, second, nano))
}

/// The message of the `DateTimeException` that a call throws on every date, since there is no such time of day: no second
/// 60.
pub fn refusal(callee: &str, args: &[Value]) -> Option<String> {
    match time_of_day(args).filter(|_| callee.starts_with("java.time.LocalDate.atTime/"))? {
        Err(Refusal::Invalid(message)) => Some(message),
        _ => None,
    }
}

/// Models `at…` and the methods that need a zone.
pub fn combined(machine: &mut Machine<'_>, own: &Temporal, call: &LibraryCall<'_>) -> Option<Answer> {
    if let (Some(date), "atTime", Some(time)) = (own.date(), call.name, time_of_day(call.args)) {
        return Some(made(machine, time.map(|time| Temporal::DateTime(date, time))));
    }
    let [arg, rest @ ..] = call.args else { return None };
    if let (Temporal::Year(year), Some(number), []) = (own, int(arg), rest) {
        return Some(match call.name {
            "atDay" => made(machine, Date::of_year_day((*year).into(), number.into()).map(Temporal::Date)),
            "atMonth" => made(
                machine,
                super::calendar::check_month(number.into()).map(|month| Temporal::YearMonth(*year, month)),
            ),
            _ => return None,
        });
    }
    if let (Temporal::YearMonth(year, month), "atDay", Some(day)) = (own, call.name, int(arg)) {
        return Some(made(machine, Date::of((*year).into(), (*month).into(), day.into()).map(Temporal::Date)));
    }
    if let (Temporal::MonthDay(month, day), "atYear", Some(year)) = (own, call.name, int(arg)) {
        let day = (*day).min(days_of(year.into(), *month));
        return Some(made(machine, Date::of(year.into(), (*month).into(), day.into()).map(Temporal::Date)));
    }
    if let (Temporal::DateTime(..), "toEpochSecond" | "toInstant", Some(Temporal::Zone(zone))) =
        (own, call.name, given(machine, arg))
    {
        let Some(second) = zone.offset().and_then(|offset| second_at(own, offset)) else {
            return Some(open("the rules of a time zone"));
        };
        let nano = own.time()? % SECOND;
        return Some(if call.name == "toInstant" {
            made(machine, Ok(Temporal::Instant(second, nano)))
        } else {
            long_of(second)
        });
    }
    let other = match needed(machine, arg) {
        Ok(other) => other,
        Err(fail) => return Some(Err(fail)),
    };
    let (date, time) = (own.date(), own.time());
    Some(match (call.name, own, other) {
        ("atTime", Temporal::Date(date), Temporal::Time(time)) => made(machine, Ok(Temporal::DateTime(*date, time))),
        ("atTime", Temporal::Date(date), Temporal::OffsetTime(time, offset)) => {
            made(machine, Ok(Temporal::OffsetDateTime(*date, time, offset)))
        }
        ("atDate", Temporal::Time(time), Temporal::Date(date)) => made(machine, Ok(Temporal::DateTime(date, *time))),
        ("atStartOfDay" | "atZone", Temporal::Date(_) | Temporal::DateTime(..), Temporal::Zone(zone)) => {
            match zone.offset() {
                Some(offset) => made(machine, Ok(Temporal::ZonedDateTime(date?, time.unwrap_or(0), offset, zone))),
                None => open("the rules of a time zone"),
            }
        }
        ("atZone", Temporal::Instant(seconds, nano), Temporal::Zone(zone)) => {
            made(machine, Temporal::at_zone(*seconds, *nano, &zone))
        }
        ("atOffset", Temporal::Instant(seconds, nano), Temporal::Zone(Zone::Offset(offset))) => {
            match at_offset(*seconds, *nano, offset) {
                Some((date, time)) => made(machine, Ok(Temporal::OffsetDateTime(date, time, offset))),
                None => open("a date out of range"),
            }
        }
        ("atOffset", Temporal::DateTime(date, time), Temporal::Zone(Zone::Offset(offset))) => {
            made(machine, Ok(Temporal::OffsetDateTime(*date, *time, offset)))
        }
        ("atOffset", Temporal::Time(time), Temporal::Zone(Zone::Offset(offset))) => {
            made(machine, Ok(Temporal::OffsetTime(*time, offset)))
        }
        ("atZoneSameInstant" | "withZoneSameInstant", _, Temporal::Zone(zone)) => {
            let (seconds, nano) = own.instant()?;
            made(machine, Temporal::at_zone(seconds, nano, &zone))
        }
        ("withZoneSameLocal" | "atZoneSimilarLocal", _, Temporal::Zone(zone)) => match zone.offset() {
            Some(offset) => made(machine, Ok(Temporal::ZonedDateTime(date?, time?, offset, zone))),
            None => open("the rules of a time zone"),
        },
        ("withOffsetSameInstant", Temporal::OffsetDateTime(..), Temporal::Zone(Zone::Offset(offset))) => {
            let (seconds, nano) = own.instant()?;
            match at_offset(seconds, nano, offset) {
                Some((date, time)) => made(machine, Ok(Temporal::OffsetDateTime(date, time, offset))),
                None => open("a date out of range"),
            }
        }
        ("withOffsetSameLocal", Temporal::OffsetDateTime(date, time, _), Temporal::Zone(Zone::Offset(offset))) => {
            made(machine, Ok(Temporal::OffsetDateTime(*date, *time, offset)))
        }
        ("datesUntil", Temporal::Date(from), Temporal::Date(to)) if rest.is_empty() => {
            let days = to.epoch_day() - from.epoch_day();
            if !(0..=10_000).contains(&days) {
                return Some(open("many dates"));
            }
            let mut items = Vec::new();
            for day in 0..days {
                match made(machine, from.plus_days(day).map(Temporal::Date)) {
                    Ok(item) => items.push(item),
                    Err(fail) => return Some(Err(fail)),
                }
            }
            Ok(crate::interpret::library::functions::stream_state::of(machine, items, None))
        }
        _ => return None,
    })
}

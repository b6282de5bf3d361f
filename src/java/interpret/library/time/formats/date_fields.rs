//! Date and time fields parsed from text, and their resolution to a date or time.

use std::collections::BTreeMap;

use super::date_patterns::Format;
use crate::interpret::library::time::calendar::{
    DAY, Date, Outcome, Refusal, SECOND, check, check_month, check_year, days_of, time_of,
};
use crate::interpret::library::time::temporal::{Temporal, Zone};

/// The parsed fields.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    /// Values by field name.
    pub values: BTreeMap<&'static str, i64>,
    /// The zone.
    pub zone: Option<Zone>,
}

const CONFLICT: Refusal = Refusal::Exception("java.time.DateTimeException");

/// The date that the fields determine; the fields used are removed.
fn date_of(format: &Format, values: &mut BTreeMap<&'static str, i64>) -> Outcome<Option<Date>> {
    if let Some(of_era) = values.get("YEAR_OF_ERA").copied() {
        check("YearOfEra", of_era, 1, 999_999_999, "1 - 999999999/1000000000")?;
        if values.contains_key("YEAR") {
            return Err(Refusal::Open("a year twice"));
        }
        if !format.strict {
            values.remove("YEAR_OF_ERA");
            values.insert("YEAR", of_era);
        }
    }
    let (Some(year), month, day) =
        (values.get("YEAR").copied(), values.get("MONTH_OF_YEAR").copied(), values.get("DAY_OF_MONTH").copied())
    else {
        return Ok(None);
    };
    match (month, day, values.get("DAY_OF_YEAR").copied()) {
        (Some(month), Some(day), _) => {
            let year_checked = check_year(year)?;
            let month_checked = check_month(month)?;
            let mut day = check("DayOfMonth", day, 1, 31, "1 - 28/31")?;
            if !format.strict {
                day = day.min(days_of(year_checked.into(), month_checked).into());
            }
            for field in ["YEAR", "MONTH_OF_YEAR", "DAY_OF_MONTH"] {
                values.remove(field);
            }
            Date::of(year, month, day).map(Some)
        }
        (_, _, Some(day)) => {
            check_year(year)?;
            values.remove("YEAR");
            values.remove("DAY_OF_YEAR");
            Date::of_year_day(year, day).map(Some)
        }
        _ => Ok(None),
    }
}

/// Sets a field that is implied by another one; it must not contradict a value already there.
fn put(values: &mut BTreeMap<&'static str, i64>, field: &'static str, value: i64) -> Outcome<()> {
    match values.insert(field, value) {
        Some(old) if old != value => Err(CONFLICT),
        _ => Ok(()),
    }
}

/// Checks that the remaining fields are in range (unless the time of day has a gap: a smaller field without the
/// larger one) and do not contradict the resolved values.
fn checked(values: &BTreeMap<&'static str, i64>, found: &[Option<Temporal>]) -> Outcome<()> {
    // An hour is left only if minutes are missing before seconds, or seconds before nanoseconds: the JDK then gives up before it checks ranges.
    let in_range = !values.contains_key("HOUR_OF_DAY");
    let mut outside = Vec::new();
    for (field, value) in values.iter().filter(|_| in_range) {
        let (name, high) = match *field {
            "HOUR_OF_DAY" => ("HourOfDay", 23),
            "MINUTE_OF_HOUR" => ("MinuteOfHour", 59),
            "SECOND_OF_MINUTE" => ("SecondOfMinute", 59),
            "HOUR_OF_AMPM" => ("HourOfAmPm", 11),
            "AMPM_OF_DAY" => ("AmPmOfDay", 1),
            "NANO_OF_SECOND" => ("NanoOfSecond", 999_999_999),
            _ => continue,
        };
        outside.extend(check(name, *value, 0, high, &format!("0 - {high}")).err());
    }
    match (outside.pop(), outside.is_empty()) {
        (None, _) => {}
        (Some(refusal), true) => return Err(refusal),
        // Which conflict is found first differs from run to run.
        (Some(_), false) => return Err(CONFLICT),
    }
    for value in found.iter().flatten() {
        if values.iter().any(|(field, wanted)| value.field(field).is_some_and(|own| own != *wanted)) {
            return Err(CONFLICT);
        }
    }
    Ok(())
}

/// A clock hour that counts from one; only strict formats reject zero.
fn clock(format: &Format, name: &str, hour: i64, most: i64) -> Outcome<i64> {
    if hour == 0 && !format.strict { Ok(0) } else { check(name, hour, 1, most, &format!("1 - {most}")) }
}

/// The time of day that the fields determine, and the excess days.
fn time_from(format: &Format, values: &mut BTreeMap<&'static str, i64>) -> Outcome<Option<(i64, i64)>> {
    if let Some(hour) = values.remove("CLOCK_HOUR_OF_DAY") {
        let hour = clock(format, "ClockHourOfDay", hour, 24)?;
        put(values, "HOUR_OF_DAY", hour % 24)?;
    }
    if let Some(hour) = values.remove("CLOCK_HOUR_OF_AMPM") {
        let hour = clock(format, "ClockHourOfAmPm", hour, 12)?;
        put(values, "HOUR_OF_AMPM", hour % 12)?;
    }
    if let (Some(half), Some(hour)) = (values.get("AMPM_OF_DAY").copied(), values.get("HOUR_OF_AMPM").copied()) {
        let hour = check("HourOfAmPm", hour, 0, 11, "0 - 11")?;
        values.remove("AMPM_OF_DAY");
        values.remove("HOUR_OF_AMPM");
        put(values, "HOUR_OF_DAY", half * 12 + hour)?;
    }
    let get = |field: &str| values.get(field).copied();
    if let Some(nano) = get("NANO_OF_SECOND") {
        check("NanoOfSecond", nano, 0, 999_999_999, "0 - 999999999")?;
    }
    let parts = ["HOUR_OF_DAY", "MINUTE_OF_HOUR", "SECOND_OF_MINUTE", "NANO_OF_SECOND"];
    if values.contains_key("AMPM_OF_DAY") && !format.strict && !parts.iter().any(|part| values.contains_key(part)) {
        return Err(Refusal::Open("half of a day, which newer releases take for a time"));
    }
    let Some(hour) = get("HOUR_OF_DAY") else { return Ok(None) };
    let (minute, second, nano) = (get("MINUTE_OF_HOUR"), get("SECOND_OF_MINUTE"), get("NANO_OF_SECOND"));
    if minute.is_none() && (second.is_some() || nano.is_some()) || second.is_none() && nano.is_some() {
        return Ok(None);
    }
    let (minute, second, nano) = (minute.unwrap_or(0), second.unwrap_or(0), nano.unwrap_or(0));
    for field in parts {
        values.remove(field);
    }
    check("MinuteOfHour", minute, 0, 59, "0 - 59")?;
    if !format.strict && hour == 24 && minute == 0 && second == 0 && nano == 0 {
        return Ok(Some((0, 1)));
    }
    time_of(hour, minute, second, nano).map(|time| Some((time, 0)))
}

/// The value that the fields resolve to, of a class of `java.time`.
pub fn resolved(format: &Format, mut fields: Fields, class: &str) -> Outcome<Temporal> {
    const MISSING: Refusal = CONFLICT;
    let values = &mut fields.values;
    let mut date = date_of(format, values)?;
    let time = time_from(format, values)?;
    let found = [date.map(Temporal::Date), time.map(|(time, _)| Temporal::Time(time))];
    checked(values, &found)?;
    if let (Some(day), Some((_, days @ 1..))) = (date, time) {
        date = Some(day.plus_days(days)?);
    }
    let time = time.map(|(time, _)| time);
    debug_assert!(time.is_none_or(|time| (0..DAY).contains(&time)));
    let offset = values.get("OFFSET_SECONDS").map(|offset| *offset as i32);
    let get = |field: &str| values.get(field).copied();
    match (class, date, time, offset) {
        ("LocalDate", Some(date), ..) => Ok(Temporal::Date(date)),
        ("LocalTime", _, Some(time), _) => Ok(Temporal::Time(time)),
        ("LocalDateTime", Some(date), Some(time), _) => Ok(Temporal::DateTime(date, time)),
        ("OffsetTime", _, Some(time), Some(offset)) => Ok(Temporal::OffsetTime(time, offset)),
        ("OffsetDateTime", Some(date), Some(time), Some(offset)) => Ok(Temporal::OffsetDateTime(date, time, offset)),
        ("ZonedDateTime", Some(date), Some(time), Some(offset)) => {
            Ok(Temporal::ZonedDateTime(date, time, offset, fields.zone.unwrap_or(Zone::Offset(offset))))
        }
        ("Instant", Some(date), Some(time), Some(offset)) => Ok(Temporal::Instant(
            crate::interpret::library::time::temporal::epoch_second(date, time, offset),
            time % SECOND,
        )),
        ("Year", Some(date), ..) => Ok(Temporal::Year(date.year)),
        ("YearMonth", Some(date), ..) => Ok(Temporal::YearMonth(date.year, date.month)),
        ("YearMonth", None, ..) => match (get("YEAR"), get("MONTH_OF_YEAR")) {
            (Some(year), Some(month)) => match (check_year(year), check_month(month)) {
                (Ok(year), Ok(month)) => Ok(Temporal::YearMonth(year, month)),
                _ => Err(MISSING),
            },
            _ => Err(MISSING),
        },
        ("Year", None, ..) => match get("YEAR").map(check_year) {
            Some(Ok(year)) => Ok(Temporal::Year(year)),
            _ => Err(MISSING),
        },
        ("MonthDay", None, ..) => match (get("MONTH_OF_YEAR"), get("DAY_OF_MONTH")) {
            (Some(month @ 1..=12), Some(day)) if (1..=i64::from(days_of(2000, month as u8))).contains(&day) => {
                Ok(Temporal::MonthDay(month as u8, day as u8))
            }
            _ => Err(MISSING),
        },
        ("LocalDate" | "LocalTime" | "LocalDateTime" | "OffsetTime" | "OffsetDateTime" | "ZonedDateTime", ..) => {
            Err(MISSING)
        }
        _ => Err(Refusal::Open("fields of a date")),
    }
}

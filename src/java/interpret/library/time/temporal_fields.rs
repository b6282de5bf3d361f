//! `ChronoField` and `ChronoUnit` for the values of `java.time`: reading, setting, adding and truncating.

use super::calendar::{DAY, Date, Outcome, Refusal, SECOND, check, check_month, check_year, out_of_range, time_of};
use super::temporal::{Temporal, Zone, at_offset, epoch_second};

/// Constants of `ChronoUnit`, in order, with their display texts.
pub const UNITS: [(&str, &str); 16] = [
    ("NANOS", "Nanos"),
    ("MICROS", "Micros"),
    ("MILLIS", "Millis"),
    ("SECONDS", "Seconds"),
    ("MINUTES", "Minutes"),
    ("HOURS", "Hours"),
    ("HALF_DAYS", "HalfDays"),
    ("DAYS", "Days"),
    ("WEEKS", "Weeks"),
    ("MONTHS", "Months"),
    ("YEARS", "Years"),
    ("DECADES", "Decades"),
    ("CENTURIES", "Centuries"),
    ("MILLENNIA", "Millennia"),
    ("ERAS", "Eras"),
    ("FOREVER", "Forever"),
];

/// Constants of `ChronoField`, in order, with their display texts.
pub const FIELDS: [(&str, &str); 30] = [
    ("NANO_OF_SECOND", "NanoOfSecond"),
    ("NANO_OF_DAY", "NanoOfDay"),
    ("MICRO_OF_SECOND", "MicroOfSecond"),
    ("MICRO_OF_DAY", "MicroOfDay"),
    ("MILLI_OF_SECOND", "MilliOfSecond"),
    ("MILLI_OF_DAY", "MilliOfDay"),
    ("SECOND_OF_MINUTE", "SecondOfMinute"),
    ("SECOND_OF_DAY", "SecondOfDay"),
    ("MINUTE_OF_HOUR", "MinuteOfHour"),
    ("MINUTE_OF_DAY", "MinuteOfDay"),
    ("HOUR_OF_AMPM", "HourOfAmPm"),
    ("CLOCK_HOUR_OF_AMPM", "ClockHourOfAmPm"),
    ("HOUR_OF_DAY", "HourOfDay"),
    ("CLOCK_HOUR_OF_DAY", "ClockHourOfDay"),
    ("AMPM_OF_DAY", "AmPmOfDay"),
    ("DAY_OF_WEEK", "DayOfWeek"),
    ("ALIGNED_DAY_OF_WEEK_IN_MONTH", "AlignedDayOfWeekInMonth"),
    ("ALIGNED_DAY_OF_WEEK_IN_YEAR", "AlignedDayOfWeekInYear"),
    ("DAY_OF_MONTH", "DayOfMonth"),
    ("DAY_OF_YEAR", "DayOfYear"),
    ("EPOCH_DAY", "EpochDay"),
    ("ALIGNED_WEEK_OF_MONTH", "AlignedWeekOfMonth"),
    ("ALIGNED_WEEK_OF_YEAR", "AlignedWeekOfYear"),
    ("MONTH_OF_YEAR", "MonthOfYear"),
    ("PROLEPTIC_MONTH", "ProlepticMonth"),
    ("YEAR_OF_ERA", "YearOfEra"),
    ("YEAR", "Year"),
    ("ERA", "Era"),
    ("INSTANT_SECONDS", "InstantSeconds"),
    ("OFFSET_SECONDS", "OffsetSeconds"),
];

/// The display text of a unit or field.
pub fn shown<'a>(all: &[(&'a str, &'a str)], name: &'a str) -> &'a str {
    all.iter().find(|(known, _)| *known == name).map_or(name, |(_, text)| *text)
}

fn no_field<T>(field: &str) -> Outcome<T> {
    Err(Refusal::Unsupported(format!("Unsupported field: {}", shown(&FIELDS, field))))
}

/// The refusal for an unsupported unit.
pub fn no_unit<T>(unit: &str) -> Outcome<T> {
    Err(Refusal::Unsupported(format!("Unsupported unit: {}", shown(&UNITS, unit))))
}

/// Nanoseconds of a time unit or of a day.
pub fn nanos_of(unit: &str) -> Option<i64> {
    Some(match unit {
        "NANOS" => 1,
        "MICROS" => 1_000,
        "MILLIS" => 1_000_000,
        "SECONDS" => SECOND,
        "MINUTES" => 60 * SECOND,
        "HOURS" => 3600 * SECOND,
        "HALF_DAYS" => DAY / 2,
        "DAYS" => DAY,
        _ => return None,
    })
}

/// Months of a date unit.
pub fn months_of(unit: &str) -> Option<i64> {
    Some(match unit {
        "MONTHS" => 1,
        "YEARS" => 12,
        "DECADES" => 120,
        "CENTURIES" => 1_200,
        "MILLENNIA" => 12_000,
        _ => return None,
    })
}

fn time_field(time: i64, field: &str) -> Option<i64> {
    let seconds = time / SECOND;
    let hour = seconds / 3600;
    Some(match field {
        "NANO_OF_SECOND" => time % SECOND,
        "NANO_OF_DAY" => time,
        "MICRO_OF_SECOND" => time % SECOND / 1000,
        "MICRO_OF_DAY" => time / 1000,
        "MILLI_OF_SECOND" => time % SECOND / 1_000_000,
        "MILLI_OF_DAY" => time / 1_000_000,
        "SECOND_OF_MINUTE" => seconds % 60,
        "SECOND_OF_DAY" => seconds,
        "MINUTE_OF_HOUR" => seconds / 60 % 60,
        "MINUTE_OF_DAY" => seconds / 60,
        "HOUR_OF_AMPM" => hour % 12,
        "CLOCK_HOUR_OF_AMPM" => (hour + 11) % 12 + 1,
        "HOUR_OF_DAY" => hour,
        "CLOCK_HOUR_OF_DAY" => (hour + 23) % 24 + 1,
        "AMPM_OF_DAY" => hour / 12,
        _ => return None,
    })
}

fn year_field(year: i32, field: &str) -> Option<i64> {
    let year = i64::from(year);
    Some(match field {
        "YEAR" => year,
        "YEAR_OF_ERA" => {
            if year >= 1 {
                year
            } else {
                1 - year
            }
        }
        "ERA" => i64::from(year >= 1),
        _ => return None,
    })
}

fn date_field(date: Date, field: &str) -> Option<i64> {
    let (day, year_day) = (i64::from(date.day), date.year_day());
    Some(match field {
        "DAY_OF_WEEK" => date.weekday(),
        "ALIGNED_DAY_OF_WEEK_IN_MONTH" => (day - 1) % 7 + 1,
        "ALIGNED_DAY_OF_WEEK_IN_YEAR" => (year_day - 1) % 7 + 1,
        "DAY_OF_MONTH" => day,
        "DAY_OF_YEAR" => year_day,
        "EPOCH_DAY" => date.epoch_day(),
        "ALIGNED_WEEK_OF_MONTH" => (day - 1) / 7 + 1,
        "ALIGNED_WEEK_OF_YEAR" => (year_day - 1) / 7 + 1,
        "MONTH_OF_YEAR" => date.month.into(),
        "PROLEPTIC_MONTH" => date.months(),
        _ => return year_field(date.year, field),
    })
}

impl Temporal {
    /// The value of a field; `None` if the class has no such field.
    pub fn field(&self, field: &str) -> Option<i64> {
        match (self, field) {
            (Self::Instant(seconds, _), "INSTANT_SECONDS") => return Some(*seconds),
            (Self::Instant(_, nano), "NANO_OF_SECOND" | "MICRO_OF_SECOND" | "MILLI_OF_SECOND") => {
                return time_field(*nano, field);
            }
            (Self::OffsetDateTime(..) | Self::ZonedDateTime(..), "INSTANT_SECONDS") => {
                return self.instant().map(|(seconds, _)| seconds);
            }
            (Self::Year(year), _) => return year_field(*year, field),
            (Self::YearMonth(_, month), "MONTH_OF_YEAR") => return Some((*month).into()),
            (Self::YearMonth(year, month), "PROLEPTIC_MONTH") => {
                return Some(i64::from(*year) * 12 + i64::from(*month) - 1);
            }
            (Self::YearMonth(year, _), _) => return year_field(*year, field),
            (Self::MonthDay(month, _), "MONTH_OF_YEAR") => return Some((*month).into()),
            (Self::MonthDay(_, day), "DAY_OF_MONTH") => return Some((*day).into()),
            (_, "OFFSET_SECONDS") => return self.offset().map(Into::into),
            _ => {}
        }
        self.date()
            .and_then(|date| date_field(date, field))
            .or_else(|| self.time().and_then(|time| time_field(time, field)))
    }

    /// `getLong`.
    pub fn long_field(&self, field: &str) -> Outcome<i64> {
        self.field(field).map_or_else(|| no_field(field), Ok)
    }

    /// `with(field, value)`.
    pub fn with(&self, field: &str, value: i64) -> Outcome<Self> {
        match self {
            Self::Year(year) => {
                return match field {
                    "YEAR" => check_year(value).map(Self::Year),
                    _ if year_field(*year, field).is_some() => Err(Refusal::Open("a year of an era")),
                    _ => no_field(field),
                };
            }
            Self::YearMonth(year, month) => {
                return match field {
                    "YEAR" => check_year(value).map(|year| Self::YearMonth(year, *month)),
                    "MONTH_OF_YEAR" => check_month(value).map(|month| Self::YearMonth(*year, month)),
                    _ if self.field(field).is_some() => Err(Refusal::Open("a field of a year and month")),
                    _ => no_field(field),
                };
            }
            Self::Instant(seconds, _) if field == "NANO_OF_SECOND" => {
                let nano = check("NanoOfSecond", value, 0, 999_999_999, "0 - 999999999")?;
                return Ok(Self::Instant(*seconds, nano));
            }
            Self::MonthDay(..) | Self::Instant(..) => return Err(Refusal::Open("a field of a moment")),
            _ => {}
        }
        let (date, time) = (self.date(), self.time());
        if let Some(date) = date
            && date_field(date, field).is_some()
        {
            let date = date_with(date, field, value)?;
            return self.rebuilt(date, time.unwrap_or_default()).map_or_else(|| no_field(field), Ok);
        }
        if let Some(time) = time
            && time_field(time, field).is_some()
        {
            let time = time_with(time, field, value)?;
            let date = date.unwrap_or(Date { year: 1970, month: 1, day: 1 });
            return self.rebuilt(date, time).map_or_else(|| no_field(field), Ok);
        }
        if self.field(field).is_some() { Err(Refusal::Open("a field of a moment")) } else { no_field(field) }
    }

    /// `plus(amount, unit)`.
    pub fn plus(&self, amount: i64, unit: &str) -> Outcome<Self> {
        match self {
            Self::Year(_) | Self::YearMonth(..) => {
                let (months, is_year) = match self {
                    Self::Year(year) => (i64::from(*year) * 12, true),
                    Self::YearMonth(year, month) => (i64::from(*year) * 12 + i64::from(*month) - 1, false),
                    _ => return no_unit(unit),
                };
                let Some(by) = months_of(unit).filter(|by| !is_year || *by >= 12) else {
                    return if unit == "ERAS" { Err(Refusal::Open("eras")) } else { no_unit(unit) };
                };
                let Some(all) = amount.checked_mul(by).and_then(|by| by.checked_add(months)) else {
                    return out_of_range();
                };
                let year = check_year(all.div_euclid(12)).or_else(|_| out_of_range())?;
                return Ok(if is_year {
                    Self::Year(year)
                } else {
                    Self::YearMonth(year, (all.rem_euclid(12) + 1) as u8)
                });
            }
            Self::Instant(seconds, nano) => {
                let Some(by) = nanos_of(unit) else { return no_unit(unit) };
                let all =
                    i128::from(*seconds) * i128::from(SECOND) + i128::from(*nano) + i128::from(amount) * i128::from(by);
                return instant(all).map(|(seconds, nano)| Self::Instant(seconds, nano));
            }
            _ => {}
        }
        let (date, time) = (self.date(), self.time());
        if let Some(date) = date {
            let whole = |days: Option<i64>| days.map_or_else(out_of_range, |days| date.plus_days(days));
            let moved = match unit {
                "DAYS" => Some(whole(Some(amount))?),
                "WEEKS" => Some(whole(amount.checked_mul(7))?),
                "ERAS" => return Err(Refusal::Open("eras")),
                _ => match months_of(unit) {
                    Some(by) => match amount.checked_mul(by) {
                        Some(months) => Some(date.plus_months(months)?),
                        None => return out_of_range(),
                    },
                    None => None,
                },
            };
            if let Some(date) = moved {
                return self.rebuilt(date, time.unwrap_or_default()).map_or_else(|| no_unit(unit), Ok);
            }
        }
        let (Some(time), Some(by)) = (time, nanos_of(unit).filter(|by| *by < DAY)) else { return no_unit(unit) };
        if let (Some(date), "HALF_DAYS") = (date, unit) {
            // The JDK adds one day for each 256 half days (`amount / 256`).
            let moved = self.rebuilt(date.plus_days(amount / 256)?, time).map_or_else(|| no_unit(unit), Ok)?;
            return moved.plus(amount % 256 * 12, "HOURS");
        }
        let all = i128::from(time) + i128::from(amount) * i128::from(by);
        let days = i64::try_from(all.div_euclid(DAY.into())).or_else(|_| out_of_range())?;
        let time = all.rem_euclid(DAY.into()) as i64;
        let date = match date {
            Some(date) => date.plus_days(days)?,
            None => Date { year: 1970, month: 1, day: 1 },
        };
        self.rebuilt(date, time).map_or_else(|| no_unit(unit), Ok)
    }

    /// `truncatedTo(unit)`.
    pub fn truncated(&self, unit: &str) -> Outcome<Self> {
        let Some(by) = nanos_of(unit) else {
            return Err(Refusal::Unsupported("Unit is too large to be used for truncation".to_owned()));
        };
        match self {
            Self::Instant(seconds, nano) => {
                let of_day = seconds.rem_euclid(86_400) * SECOND + nano;
                let cut = of_day / by * by;
                let start = seconds - seconds.rem_euclid(86_400);
                Ok(Self::Instant(start + cut / SECOND, cut % SECOND))
            }
            _ => match self.time() {
                Some(time) => {
                    let date = self.date().unwrap_or(Date { year: 1970, month: 1, day: 1 });
                    self.rebuilt(date, time / by * by).map_or_else(out_of_range, Ok)
                }
                None => Err(Refusal::Open("truncation")),
            },
        }
    }

    /// An instant at a zone whose offset never changes.
    pub fn at_zone(seconds: i64, nano: i64, zone: &Zone) -> Outcome<Self> {
        let Some(offset) = zone.offset() else { return Err(Refusal::Open("the rules of a time zone")) };
        match at_offset(seconds, nano, offset) {
            Some((date, time)) => Ok(Self::ZonedDateTime(date, time, offset, zone.clone())),
            None => out_of_range(),
        }
    }
}

/// Seconds and nanoseconds, from nanoseconds since 1970.
pub fn instant(all: i128) -> Outcome<(i64, i64)> {
    let seconds = i64::try_from(all.div_euclid(SECOND.into())).or_else(|_| out_of_range())?;
    if !(-31_557_014_167_219_200..=31_556_889_864_403_199).contains(&seconds) {
        return out_of_range();
    }
    Ok((seconds, all.rem_euclid(SECOND.into()) as i64))
}

fn date_with(date: Date, field: &str, value: i64) -> Outcome<Date> {
    match field {
        "DAY_OF_MONTH" => Date::of(date.year.into(), date.month.into(), value),
        "DAY_OF_YEAR" => Date::of_year_day(date.year.into(), value),
        "MONTH_OF_YEAR" => {
            let month = check_month(value)?;
            date.in_month(date.year.into(), month.into())
        }
        "YEAR" => {
            let year = check_year(value)?;
            date.in_month(year.into(), date.month.into())
        }
        "EPOCH_DAY" => Date::of_epoch_day(value),
        "DAY_OF_WEEK" => {
            let day = check("DayOfWeek", value, 1, 7, "1 - 7")?;
            date.plus_days(day - date.weekday())
        }
        _ => Err(Refusal::Open("a field of a date")),
    }
}

fn time_with(time: i64, field: &str, value: i64) -> Outcome<i64> {
    let part = |name: &str| time_field(time, name).unwrap_or_default();
    let (hour, minute) = (part("HOUR_OF_DAY"), part("MINUTE_OF_HOUR"));
    let (second, nano) = (part("SECOND_OF_MINUTE"), part("NANO_OF_SECOND"));
    match field {
        "HOUR_OF_DAY" => time_of(value, minute, second, nano),
        "MINUTE_OF_HOUR" => time_of(hour, value, second, nano),
        "SECOND_OF_MINUTE" => time_of(hour, minute, value, nano),
        "NANO_OF_SECOND" => time_of(hour, minute, second, value),
        "MILLI_OF_SECOND" => {
            let value = check("MilliOfSecond", value, 0, 999, "0 - 999")?;
            time_of(hour, minute, second, value * 1_000_000)
        }
        "SECOND_OF_DAY" => {
            let value = check("SecondOfDay", value, 0, 86_399, "0 - 86399")?;
            Ok(value * SECOND + nano)
        }
        "MINUTE_OF_DAY" => {
            let value = check("MinuteOfDay", value, 0, 1439, "0 - 1439")?;
            Ok(value * 60 * SECOND + second * SECOND + nano)
        }
        "NANO_OF_DAY" => check("NanoOfDay", value, 0, DAY - 1, "0 - 86399999999999"),
        _ => Err(Refusal::Open("a field of a time")),
    }
}

/// Seconds since 1970 of a value at the given offset.
pub fn second_at(value: &Temporal, offset: i32) -> Option<i64> {
    Some(epoch_second(value.date()?, value.time()?, offset))
}

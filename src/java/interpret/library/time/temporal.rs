//! The values of `java.time`: their fields, text, order and hash code.

use super::calendar::{DAY, Date, SECOND, offset_text, time_text, year_text};
use crate::interpret::values::value::{Contents, Heap, Native};

/// A time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Zone {
    /// A `ZoneOffset`, in seconds.
    Offset(i32),
    /// A region; its rules are supported only if its offset never changes.
    Region(String),
}

impl Zone {
    /// Its offset, if that never changes.
    pub fn offset(&self) -> Option<i32> {
        match self {
            Self::Offset(seconds) => Some(*seconds),
            Self::Region(id) => matches!(id.as_str(), "UTC" | "GMT" | "UT" | "Etc/UTC" | "Etc/GMT").then_some(0),
        }
    }

    /// `getId`.
    pub fn text(&self) -> String {
        match self {
            Self::Offset(seconds) => offset_text(*seconds),
            Self::Region(id) => id.clone(),
        }
    }

    /// `hashCode`.
    pub fn hash(&self) -> i32 {
        match self {
            Self::Offset(seconds) => *seconds,
            Self::Region(id) => crate::interpret::library::base::support::text_hash(id),
        }
    }
}

/// A value of `java.time`. Times of day are in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the class of `java.time` of that name, but for its prefix `Local`")]
pub enum Temporal {
    Date(Date),
    Time(i64),
    DateTime(Date, i64),
    OffsetTime(i64, i32),
    OffsetDateTime(Date, i64, i32),
    ZonedDateTime(Date, i64, i32, Zone),
    /// Seconds since 1970, and nanoseconds of the second.
    Instant(i64, i64),
    Year(i32),
    YearMonth(i32, u8),
    MonthDay(u8, u8),
    /// Seconds, and nanoseconds of the second.
    Duration(i64, i64),
    /// Years, months and days.
    Period(i32, i32, i32),
    Zone(Zone),
}

/// Seconds since 1970 of a date and time at an offset.
pub fn epoch_second(date: Date, time: i64, offset: i32) -> i64 {
    date.epoch_day() * 86_400 + time / SECOND - i64::from(offset)
}

/// Date and time at an offset; `None` if out of range.
pub fn at_offset(seconds: i64, nano: i64, offset: i32) -> Option<(Date, i64)> {
    let local = seconds.checked_add(offset.into())?;
    let date = Date::of_epoch_day(local.div_euclid(86_400)).ok()?;
    Some((date, local.rem_euclid(86_400) * SECOND + nano))
}

impl Temporal {
    /// The fully qualified name of its class.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Date(_) => "java.time.LocalDate",
            Self::Time(_) => "java.time.LocalTime",
            Self::DateTime(..) => "java.time.LocalDateTime",
            Self::OffsetTime(..) => "java.time.OffsetTime",
            Self::OffsetDateTime(..) => "java.time.OffsetDateTime",
            Self::ZonedDateTime(..) => "java.time.ZonedDateTime",
            Self::Instant(..) => "java.time.Instant",
            Self::Year(_) => "java.time.Year",
            Self::YearMonth(..) => "java.time.YearMonth",
            Self::MonthDay(..) => "java.time.MonthDay",
            Self::Duration(..) => "java.time.Duration",
            Self::Period(..) => "java.time.Period",
            Self::Zone(Zone::Offset(_)) => "java.time.ZoneOffset",
            Self::Zone(Zone::Region(_)) => "java.time.ZoneId",
        }
    }

    /// Its date.
    pub fn date(&self) -> Option<Date> {
        match self {
            Self::Date(date)
            | Self::DateTime(date, _)
            | Self::OffsetDateTime(date, ..)
            | Self::ZonedDateTime(date, ..) => Some(*date),
            _ => None,
        }
    }

    /// Its time of day.
    pub fn time(&self) -> Option<i64> {
        match self {
            Self::Time(time)
            | Self::DateTime(_, time)
            | Self::OffsetTime(time, _)
            | Self::OffsetDateTime(_, time, _)
            | Self::ZonedDateTime(_, time, ..) => Some(*time),
            _ => None,
        }
    }

    /// Its offset.
    pub fn offset(&self) -> Option<i32> {
        match self {
            Self::OffsetTime(_, offset) | Self::OffsetDateTime(.., offset) | Self::ZonedDateTime(_, _, offset, _) => {
                Some(*offset)
            }
            Self::Zone(Zone::Offset(offset)) => Some(*offset),
            _ => None,
        }
    }

    /// Its instant, as seconds and nanoseconds.
    pub fn instant(&self) -> Option<(i64, i64)> {
        match self {
            Self::Instant(seconds, nano) => Some((*seconds, *nano)),
            Self::OffsetDateTime(date, time, offset) | Self::ZonedDateTime(date, time, offset, _) => {
                Some((epoch_second(*date, *time, *offset), time % SECOND))
            }
            _ => None,
        }
    }

    /// A value of the same class with another date and time; `None` if the class has neither.
    pub fn rebuilt(&self, date: Date, time: i64) -> Option<Self> {
        Some(match self {
            Self::Date(_) => Self::Date(date),
            Self::Time(_) => Self::Time(time),
            Self::DateTime(..) => Self::DateTime(date, time),
            Self::OffsetTime(_, offset) => Self::OffsetTime(time, *offset),
            Self::OffsetDateTime(.., offset) => Self::OffsetDateTime(date, time, *offset),
            // `ZonedDateTime` values exist only for zones whose offset never changes.
            Self::ZonedDateTime(_, _, offset, zone) => Self::ZonedDateTime(date, time, *offset, zone.clone()),
            _ => return None,
        })
    }

    /// `toString`.
    pub fn text(&self) -> String {
        match self {
            Self::Date(date) => date.text(),
            Self::Time(time) => time_text(*time, false),
            Self::DateTime(date, time) => format!("{}T{}", date.text(), time_text(*time, false)),
            Self::OffsetTime(time, offset) => format!("{}{}", time_text(*time, false), offset_text(*offset)),
            Self::OffsetDateTime(date, time, offset) => {
                format!("{}T{}{}", date.text(), time_text(*time, false), offset_text(*offset))
            }
            Self::ZonedDateTime(date, time, offset, zone) => {
                let mut out = format!("{}T{}{}", date.text(), time_text(*time, false), offset_text(*offset));
                if *zone != Zone::Offset(*offset) {
                    out += &format!("[{}]", zone.text());
                }
                out
            }
            Self::Instant(seconds, nano) => match at_offset(*seconds, *nano, 0) {
                Some((date, time)) => format!("{}T{}Z", date.text(), time_text(time, true)),
                None => String::new(),
            },
            Self::Year(year) => year.to_string(),
            Self::YearMonth(year, month) => format!("{}-{month:02}", year_month_text(*year)),
            Self::MonthDay(month, day) => format!("--{month:02}-{day:02}"),
            Self::Duration(seconds, nano) => duration_text(*seconds, *nano),
            Self::Period(years, months, days) => period_text(*years, *months, *days),
            Self::Zone(zone) => zone.text(),
        }
    }

    /// `hashCode`.
    pub fn hash(&self) -> i32 {
        let long = |x: i64| (x ^ ((x as u64) >> 32) as i64) as i32;
        match self {
            Self::Date(date) => date.hash(),
            Self::Time(time) => long(*time),
            Self::DateTime(date, time) => date.hash() ^ long(*time),
            Self::OffsetTime(time, offset) => long(*time) ^ offset,
            Self::OffsetDateTime(date, time, offset) => date.hash() ^ long(*time) ^ offset,
            Self::ZonedDateTime(date, time, offset, zone) => {
                date.hash() ^ long(*time) ^ offset ^ zone.hash().rotate_left(3)
            }
            Self::Instant(seconds, nano) | Self::Duration(seconds, nano) => {
                long(*seconds).wrapping_add(51_i32.wrapping_mul(*nano as i32))
            }
            Self::Year(year) => *year,
            Self::YearMonth(year, month) => year ^ (i32::from(*month) << 27),
            Self::MonthDay(month, day) => (i32::from(*month) << 6) + i32::from(*day),
            Self::Period(years, months, days) => {
                years.wrapping_add(months.rotate_left(8)).wrapping_add(days.rotate_left(16))
            }
            Self::Zone(zone) => zone.hash(),
        }
    }

    /// `compareTo` with a value of the same class.
    pub fn compare(&self, other: &Self) -> Option<i32> {
        let sign = |order: std::cmp::Ordering| order as i32;
        let days = |a: Date, b: Date| {
            let parts = [a.year - b.year, i32::from(a.month) - i32::from(b.month), i32::from(a.day) - i32::from(b.day)];
            parts.into_iter().find(|part| *part != 0).unwrap_or_default()
        };
        let first = |orders: [i32; 3]| orders.into_iter().find(|order| *order != 0).unwrap_or_default();
        // Comparing instants returns the difference of their nanoseconds; comparing times of day returns only -1, 0
        // or 1.
        Some(match (self, other) {
            (Self::Date(a), Self::Date(b)) => days(*a, *b),
            (Self::Time(a), Self::Time(b)) => sign(a.cmp(b)),
            (Self::DateTime(a, t), Self::DateTime(b, u)) => first([days(*a, *b), sign(t.cmp(u)), 0]),
            (Self::OffsetDateTime(a, t, o), Self::OffsetDateTime(b, u, p)) => {
                let local = first([days(*a, *b), sign(t.cmp(u)), 0]);
                if o == p {
                    return Some(local);
                }
                let (x, y) = (epoch_second(*a, *t, *o), epoch_second(*b, *u, *p));
                first([sign(x.cmp(&y)), (t % SECOND - u % SECOND) as i32, local])
            }
            (Self::ZonedDateTime(a, t, o, z), Self::ZonedDateTime(b, u, p, y)) => {
                let order = sign(epoch_second(*a, *t, *o).cmp(&epoch_second(*b, *u, *p)));
                let local = first([days(*a, *b), sign(t.cmp(u)), 0]);
                let most = first([order, (t % SECOND - u % SECOND) as i32, local]);
                if most == 0 {
                    crate::interpret::library::base::support::compare_texts(&z.text(), &y.text())
                } else {
                    most
                }
            }
            (Self::Instant(a, m), Self::Instant(b, n)) | (Self::Duration(a, m), Self::Duration(b, n)) => {
                first([sign(a.cmp(b)), (m - n) as i32, 0])
            }
            (Self::Year(a), Self::Year(b)) => a - b,
            (Self::YearMonth(a, m), Self::YearMonth(b, n)) => first([a - b, i32::from(*m) - i32::from(*n), 0]),
            (Self::MonthDay(m, d), Self::MonthDay(n, e)) => {
                first([i32::from(*m) - i32::from(*n), i32::from(*d) - i32::from(*e), 0])
            }
            (Self::Zone(Zone::Offset(a)), Self::Zone(Zone::Offset(b))) => b - a,
            _ => return None,
        })
    }
}

fn year_month_text(year: i32) -> String {
    // Unlike a date, a year-month has no plus sign before a year of more than four digits.
    year_text(year).trim_start_matches('+').to_owned()
}

fn period_text(years: i32, months: i32, days: i32) -> String {
    let mut out = String::from("P");
    for (value, letter) in [(years, 'Y'), (months, 'M'), (days, 'D')] {
        if value != 0 {
            out += &format!("{value}{letter}");
        }
    }
    if out.len() == 1 { "P0D".to_owned() } else { out }
}

fn duration_text(seconds: i64, nano: i64) -> String {
    if seconds == 0 && nano == 0 {
        return "PT0S".to_owned();
    }
    let whole = if seconds < 0 && nano > 0 { seconds + 1 } else { seconds };
    let (hours, minutes, left) = (whole / 3600, whole % 3600 / 60, whole % 60);
    let mut out = String::from("PT");
    if hours != 0 {
        out += &format!("{hours}H");
    }
    if minutes != 0 {
        out += &format!("{minutes}M");
    }
    if left == 0 && nano == 0 && out.len() > 2 {
        return out;
    }
    out += &if seconds < 0 && nano > 0 && left == 0 { "-0".to_owned() } else { left.to_string() };
    if nano > 0 {
        let fraction = if seconds < 0 { SECOND - nano } else { nano };
        out += &format!(".{}", format!("{fraction:09}").trim_end_matches('0'));
    }
    out + "S"
}

impl Native for Temporal {
    native_state!(leaf);

    fn contents(&self, _: &Heap) -> Option<Contents> {
        if let Self::Instant(seconds, nano) = self
            && at_offset(*seconds, *nano, 0).is_none()
        {
            return Some(Contents::Unknown("a date out of range".to_owned()));
        }
        Some(Contents::Text(self.text()))
    }

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

/// A constant of these classes.
pub fn constant(fqn: &str, name: &str) -> Option<Temporal> {
    let max = i64::from(super::calendar::MAX_YEAR);
    let first = || Date::of(-max, 1, 1).ok();
    let last = || Date::of(max, 12, 31).ok();
    Some(match (fqn.strip_prefix("java.time.")?, name) {
        ("LocalDate", "MIN") => Temporal::Date(first()?),
        ("LocalDate", "MAX") => Temporal::Date(last()?),
        ("LocalDate", "EPOCH") => Temporal::Date(Date::of(1970, 1, 1).ok()?),
        ("LocalTime", "MIN" | "MIDNIGHT") => Temporal::Time(0),
        ("LocalTime", "MAX") => Temporal::Time(DAY - 1),
        ("LocalTime", "NOON") => Temporal::Time(DAY / 2),
        ("LocalDateTime", "MIN") => Temporal::DateTime(first()?, 0),
        ("LocalDateTime", "MAX") => Temporal::DateTime(last()?, DAY - 1),
        ("Instant", "EPOCH") => Temporal::Instant(0, 0),
        ("Instant", "MIN") => Temporal::Instant(-31_557_014_167_219_200, 0),
        ("Instant", "MAX") => Temporal::Instant(31_556_889_864_403_199, 999_999_999),
        ("Duration", "ZERO") => Temporal::Duration(0, 0),
        ("Period", "ZERO") => Temporal::Period(0, 0, 0),
        ("ZoneOffset", "UTC") => Temporal::Zone(Zone::Offset(0)),
        ("ZoneOffset", "MIN") => Temporal::Zone(Zone::Offset(-64_800)),
        ("ZoneOffset", "MAX") => Temporal::Zone(Zone::Offset(64_800)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_that_of_the_jdk() {
        for (value, text) in [
            (Temporal::Duration(-1, 500_000_000), "PT-0.5S"),
            (Temporal::Duration(3661, 0), "PT1H1M1S"),
            (Temporal::Duration(-61, 250_000_000), "PT-1M-0.75S"),
            (Temporal::Period(1, 0, -2), "P1Y-2D"),
            (Temporal::Instant(-1, 0), "1969-12-31T23:59:59Z"),
            (Temporal::Instant(0, 1_500_000), "1970-01-01T00:00:00.001500Z"),
            (Temporal::Time(5 * 3600 * SECOND), "05:00"),
            (Temporal::Zone(Zone::Offset(-19_800)), "-05:30"),
        ] {
            assert_eq!(value.text(), text);
        }
    }
}

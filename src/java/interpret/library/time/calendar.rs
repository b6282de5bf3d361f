//! Dates and times of day of the ISO calendar, computed as `java.time` does: pure arithmetic.

/// Nanoseconds per second.
pub const SECOND: i64 = 1_000_000_000;

/// Nanoseconds per day.
pub const DAY: i64 = 86_400 * SECOND;

/// The largest year.
pub const MAX_YEAR: i32 = 999_999_999;

/// Why an operation has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A `DateTimeException` with this message.
    Invalid(String),
    /// An `UnsupportedTemporalTypeException` with this message.
    Unsupported(String),
    /// An exception of this class whose message is not certain.
    Exception(&'static str),
    /// The result is unknown, for this reason.
    Open(&'static str),
}

/// The result of an operation.
pub type Outcome<T> = Result<T, Refusal>;

/// The refusal for any value that is out of range.
pub fn out_of_range<T>() -> Outcome<T> {
    Err(Refusal::Open("a date out of range"))
}

/// Checks a field as `ChronoField.checkValidValue` does; `range` is the range as the JDK prints it in the message.
pub fn check(field: &str, value: i64, low: i64, high: i64, range: &str) -> Outcome<i64> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::Invalid(format!("Invalid value for {field} (valid values {range}): {value}")))
}

/// A `LocalDate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Year.
    pub year: i32,
    /// Month, from 1.
    pub month: u8,
    /// Day, from 1.
    pub day: u8,
}

/// Whether a year has 366 days.
pub fn is_leap(year: i64) -> bool {
    year & 3 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Number of days of a month.
pub fn days_of(year: i64, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Names of the months: their enum constants.
pub const MONTHS: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];

/// Names of the days of the week: their enum constants.
pub const WEEKDAYS: [&str; 7] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];

/// Checks that a year is in range.
pub fn check_year(year: i64) -> Outcome<i32> {
    let max = i64::from(MAX_YEAR);
    check("Year", year, -max, max, "-999999999 - 999999999").map(|year| year as i32)
}

/// Checks that a month is in range.
pub fn check_month(month: i64) -> Outcome<u8> {
    check("MonthOfYear", month, 1, 12, "1 - 12").map(|month| month as u8)
}

impl Date {
    /// `LocalDate.of`.
    pub fn of(year: i64, month: i64, day: i64) -> Outcome<Self> {
        let year = check_year(year)?;
        let month = check_month(month)?;
        let day = check("DayOfMonth", day, 1, 31, "1 - 28/31")? as u8;
        if day > days_of(year.into(), month) {
            return Err(Refusal::Invalid(if day == 29 {
                format!("Invalid date 'February 29' as '{year}' is not a leap year")
            } else {
                format!("Invalid date '{} {day}'", MONTHS[usize::from(month) - 1])
            }));
        }
        Ok(Self { year, month, day })
    }

    /// `LocalDate.ofYearDay`.
    pub fn of_year_day(year: i64, day: i64) -> Outcome<Self> {
        let year = check_year(year)?;
        check("DayOfYear", day, 1, 366, "1 - 365/366")?;
        if day == 366 && !is_leap(year.into()) {
            return Err(Refusal::Invalid(format!("Invalid date 'DayOfYear 366' as '{year}' is not a leap year")));
        }
        Self { year, month: 1, day: 1 }.plus_days(day - 1)
    }

    /// `LocalDate.ofEpochDay`.
    pub fn of_epoch_day(epoch: i64) -> Outcome<Self> {
        check("EpochDay", epoch, -365_243_219_162, 365_241_780_471, "-365243219162 - 365241780471")?;
        let days = epoch + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = (of_year - (153 * shifted + 2) / 5 + 1) as u8;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u8;
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Ok(Self { year: year as i32, month, day })
    }

    /// `toEpochDay`.
    pub fn epoch_day(self) -> i64 {
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let month = i64::from(self.month);
        let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + i64::from(self.day) - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// Day of the week; Monday is 1.
    pub fn weekday(self) -> i64 {
        (self.epoch_day() + 3).rem_euclid(7) + 1
    }

    /// Day of the year, from 1.
    pub fn year_day(self) -> i64 {
        self.epoch_day() - Self { month: 1, day: 1, ..self }.epoch_day() + 1
    }

    /// Months since the year 0.
    pub fn months(self) -> i64 {
        i64::from(self.year) * 12 + i64::from(self.month) - 1
    }

    /// `plusDays`.
    pub fn plus_days(self, days: i64) -> Outcome<Self> {
        match self.epoch_day().checked_add(days).map(Self::of_epoch_day) {
            Some(Ok(date)) => Ok(date),
            _ => out_of_range(),
        }
    }

    /// `plusMonths`: a day that the new month does not have becomes its last day.
    pub fn plus_months(self, months: i64) -> Outcome<Self> {
        let Some(all) = self.months().checked_add(months) else { return out_of_range() };
        self.in_month(all.div_euclid(12), all.rem_euclid(12) + 1)
    }

    /// The same day in another month; a day that the month does not have becomes its last day.
    pub fn in_month(self, year: i64, month: i64) -> Outcome<Self> {
        let year = check_year(year).or_else(|_| out_of_range())?;
        let month = check_month(month)?;
        Ok(Self { year, month, day: self.day.min(days_of(year.into(), month)) })
    }

    /// Whole months from this date to another.
    pub fn months_until(self, end: Self) -> i64 {
        let packed = |date: Self| date.months() * 32 + i64::from(date.day);
        (packed(end) - packed(self)) / 32
    }

    /// `toString`.
    pub fn text(self) -> String {
        format!("{}-{:02}-{:02}", year_text(self.year), self.month, self.day)
    }

    /// `hashCode`.
    pub fn hash(self) -> i32 {
        (self.year & !0x7ff)
            ^ (self.year << 11).wrapping_add(i32::from(self.month) << 6).wrapping_add(i32::from(self.day))
    }
}

/// A year with at least four digits.
pub fn year_text(year: i32) -> String {
    match year {
        10_000.. => format!("+{year}"),
        0.. => format!("{year:04}"),
        _ => format!("-{:04}", year.unsigned_abs()),
    }
}

/// A time of day, in nanoseconds since midnight.
pub fn time_of(hour: i64, minute: i64, second: i64, nano: i64) -> Outcome<i64> {
    check("HourOfDay", hour, 0, 23, "0 - 23")?;
    check("MinuteOfHour", minute, 0, 59, "0 - 59")?;
    check("SecondOfMinute", second, 0, 59, "0 - 59")?;
    check("NanoOfSecond", nano, 0, 999_999_999, "0 - 999999999")?;
    Ok(((hour * 60 + minute) * 60 + second) * SECOND + nano)
}

/// `LocalTime.toString`; `always` prints the seconds even if they are zero, as for instants.
pub fn time_text(time: i64, always: bool) -> String {
    let (seconds, nano) = (time / SECOND, time % SECOND);
    let mut out = format!("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 > 0 || nano > 0 || always {
        out += &format!(":{:02}", seconds % 60);
    }
    out + &fraction_text(nano)
}

/// A fraction of a second with three, six or nine digits.
fn fraction_text(nano: i64) -> String {
    match nano {
        0 => String::new(),
        n if n % 1_000_000 == 0 => format!(".{:03}", n / 1_000_000),
        n if n % 1_000 == 0 => format!(".{:06}", n / 1_000),
        n => format!(".{n:09}"),
    }
}

/// `ZoneOffset.getId`.
pub fn offset_text(seconds: i32) -> String {
    if seconds == 0 {
        return "Z".to_owned();
    }
    let all = seconds.unsigned_abs();
    let sign = if seconds < 0 { '-' } else { '+' };
    let mut out = format!("{sign}{:02}:{:02}", all / 3600, all / 60 % 60);
    if !all.is_multiple_of(60) {
        out += &format!(":{:02}", all % 60);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_both_ways() {
        for (epoch, text) in [
            (0, "1970-01-01"),
            (19_000, "2022-01-08"),
            (-1, "1969-12-31"),
            (-719_528, "0000-01-01"),
            (-719_529, "-0001-12-31"),
            (2_932_897, "+10000-01-01"),
            (11_016, "2000-02-29"),
        ] {
            let date = Date::of_epoch_day(epoch).unwrap();
            assert_eq!(date.text(), text);
            assert_eq!(date.epoch_day(), epoch);
        }
    }

    #[test]
    fn months_are_cut_to_their_last_day() {
        let date = Date::of(2024, 1, 31).unwrap();
        assert_eq!(date.plus_months(1).unwrap().text(), "2024-02-29");
        assert_eq!(date.plus_months(-11).unwrap().text(), "2023-02-28");
        assert_eq!(date.weekday(), 3);
        assert_eq!(date.months_until(Date::of(2024, 2, 29).unwrap()), 0);
    }
}

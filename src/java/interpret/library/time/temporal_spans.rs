//! Amounts of time between values of `java.time`.

use super::calendar::{DAY, Date, Outcome, Refusal, SECOND, out_of_range};
use super::temporal::{Temporal, at_offset};
use super::temporal_fields::{months_of, nanos_of, no_unit};

impl Temporal {
    /// Models `until(end, unit)`; the end has the same class, or one that has all needed fields.
    pub fn until(&self, end: &Self, unit: &str) -> Outcome<i64> {
        const OTHER: Refusal = Refusal::Open("a moment of another class");
        if let (Some(a), Some(b)) = (self.year_month(), end.year_month())
            && matches!(self, Self::Year(_) | Self::YearMonth(..))
        {
            let (a, b) = if matches!(self, Self::Year(_)) { (a / 12 * 12, b.div_euclid(12) * 12) } else { (a, b) };
            let is_year = matches!(self, Self::Year(_));
            return match months_of(unit).filter(|by| !is_year || *by >= 12) {
                Some(by) => Ok((b - a) / by),
                None => no_unit(unit),
            };
        }
        if let (Self::Instant(..), Some(to)) = (self, end.instant()) {
            let Some(from) = self.instant() else { return Err(OTHER) };
            let Some(by) = nanos_of(unit) else { return no_unit(unit) };
            // Some releases count milliseconds from both ends truncated.
            if unit == "MILLIS" && (from.1 % 1_000_000 != 0 || to.1 % 1_000_000 != 0) {
                return Err(Refusal::Open("a part of a millisecond"));
            }
            let all = nanos(to) - nanos(from);
            // Older releases count microseconds through nanoseconds, and therefore throw on overflow.
            if unit == "MICROS" && i64::try_from(all).is_err() {
                return out_of_range();
            }
            return i64::try_from(all / i128::from(by)).or_else(|_| out_of_range());
        }
        let end = match (self, end.instant()) {
            (Self::OffsetDateTime(.., offset) | Self::ZonedDateTime(_, _, offset, _), Some((seconds, nano))) => {
                match at_offset(seconds, nano, *offset) {
                    Some((date, time)) => Self::DateTime(date, time),
                    None => return out_of_range(),
                }
            }
            (Self::OffsetDateTime(..) | Self::ZonedDateTime(..), None) => return Err(OTHER),
            _ => end.clone(),
        };
        match (self.date(), self.time()) {
            (Some(from), None) => {
                let Some(to) = end.date() else { return Err(OTHER) };
                date_until(from, to, unit)
            }
            (None, Some(from)) => {
                if matches!(self, Self::OffsetTime(..)) {
                    return Err(OTHER);
                }
                let Some(to) = end.time() else { return Err(OTHER) };
                match nanos_of(unit).filter(|by| *by < DAY) {
                    Some(by) => Ok((to - from) / by),
                    None => no_unit(unit),
                }
            }
            (Some(from), Some(time)) => {
                let (Some(mut to), Some(to_time)) = (end.date(), end.time()) else { return Err(OTHER) };
                if let Some(by) = nanos_of(unit).filter(|by| *by < DAY) {
                    let days = i128::from(to.epoch_day() - from.epoch_day());
                    let all = days * i128::from(DAY) + i128::from(to_time - time);
                    return i64::try_from(all / i128::from(by)).or_else(|_| out_of_range());
                }
                if to > from && to_time < time {
                    to = to.plus_days(-1)?;
                } else if to < from && to_time > time {
                    to = to.plus_days(1)?;
                }
                date_until(from, to, unit)
            }
            _ => Err(OTHER),
        }
    }

    /// Months since the year 0.
    fn year_month(&self) -> Option<i64> {
        match self {
            Self::Year(year) => Some(i64::from(*year) * 12),
            Self::YearMonth(year, month) => Some(i64::from(*year) * 12 + i64::from(*month) - 1),
            other => other.date().map(Date::months),
        }
    }

    /// The difference of two instants or times in nanoseconds, as `Duration.between` computes it.
    pub fn nanos_between(&self, end: &Self) -> Outcome<i128> {
        const OTHER: Refusal = Refusal::Open("a moment of another class");
        match self {
            Self::Time(from) => end.time().map_or(Err(OTHER), |to| Ok(i128::from(to - from))),
            Self::DateTime(from, time) => match (end.date(), end.time()) {
                (Some(to), Some(at)) => {
                    let days = i128::from(to.epoch_day() - from.epoch_day());
                    Ok(days * i128::from(DAY) + i128::from(at - time))
                }
                _ => Err(OTHER),
            },
            Self::Date(_) => no_unit("SECONDS"),
            _ => match (self.instant(), end.instant()) {
                (Some(from), Some(to)) => Ok(nanos(to) - nanos(from)),
                _ => Err(OTHER),
            },
        }
    }
}

fn nanos((seconds, nano): (i64, i64)) -> i128 {
    i128::from(seconds) * i128::from(SECOND) + i128::from(nano)
}

fn date_until(from: Date, to: Date, unit: &str) -> Outcome<i64> {
    let days = to.epoch_day() - from.epoch_day();
    match unit {
        "DAYS" => Ok(days),
        "WEEKS" => Ok(days / 7),
        "ERAS" => Err(Refusal::Open("eras")),
        _ => match months_of(unit) {
            Some(by) => Ok(from.months_until(to) / by),
            None => no_unit(unit),
        },
    }
}

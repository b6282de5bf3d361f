//! Models `DateTimeFormatter.parse`: parses fields from text and resolves them.

use super::date_fields::{Fields, resolved};
use super::date_formats::english;
use super::date_patterns::{Format, Item, OffsetForm, Sign};
use crate::interpret::library::time::calendar::{Date, MONTHS, Refusal, SECOND, WEEKDAYS, time_of};
use crate::interpret::library::time::temporal::{Temporal, at_offset};

/// Why a text is not parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// Parsing failed at this index.
    At(usize),
    /// The text from this index on was left unparsed.
    After(usize),
    /// The fields do not resolve to a date or time.
    Unresolved(Refusal),
    /// The result is unknown, for this reason.
    Open(&'static str),
}

struct Reader<'a> {
    format: &'a Format,
    text: &'a [char],
}

/// Parses text as a value of a class of `java.time`, given by its simple name.
pub fn read(format: &Format, text: &str, class: &str) -> Result<Temporal, Unread> {
    if format.open {
        return Err(Unread::Open("a fraction that releases read differently"));
    }
    if format.zone.is_some() {
        return Err(Unread::Open("a format with a zone"));
    }
    let chars: Vec<char> = text.chars().collect();
    if chars.iter().any(|c| !c.is_ascii()) {
        return Err(Unread::Open("text of other scripts in a date"));
    }
    if format.items == [Item::Instant] {
        return match class {
            "Instant" => read_instant(format, &chars),
            _ => Err(Unread::Open("a moment as another class")),
        };
    }
    let reader = Reader { format, text: &chars };
    let mut fields = Fields::default();
    let at = reader.all(&format.items, 0, &mut fields)?;
    if at < chars.len() {
        return Err(Unread::After(at));
    }
    resolved(format, fields, class).map_err(|refusal| match refusal {
        Refusal::Open(why) => Unread::Open(why),
        other => Unread::Unresolved(other),
    })
}

fn read_instant(format: &Format, chars: &[char]) -> Result<Temporal, Unread> {
    let number = |field, width| Item::Number { field, min: width, max: width, sign: Sign::NotNegative, later: 0 };
    let literal = |text: &str| Item::Literal(text.to_owned());
    let items = [
        Item::Number { field: "YEAR", min: 4, max: 10, sign: Sign::ExceedsPad, later: 0 },
        literal("-"),
        number("MONTH_OF_YEAR", 2),
        literal("-"),
        number("DAY_OF_MONTH", 2),
        literal("T"),
        number("HOUR_OF_DAY", 2),
        literal(":"),
        number("MINUTE_OF_HOUR", 2),
        literal(":"),
        number("SECOND_OF_MINUTE", 2),
        Item::Fraction { min: 0, max: 9, point: true },
    ];
    let reader = Reader { format, text: chars };
    let mut fields = Fields::default();
    let at = reader.all(&items, 0, &mut fields)?;
    match chars.get(at) {
        Some('Z' | 'z') => {}
        // Newer releases accept an offset here.
        Some('+' | '-') => return Err(Unread::Open("an offset in a moment")),
        _ => return Err(Unread::At(at)),
    }
    let value = |field: &str| fields.values.get(field).copied().unwrap_or_default();
    let (hour, second) = (value("HOUR_OF_DAY"), value("SECOND_OF_MINUTE"));
    if hour == 24 || second == 60 {
        return Err(Unread::Open("the end of a day or a leap second"));
    }
    let date = Date::of(value("YEAR"), value("MONTH_OF_YEAR"), value("DAY_OF_MONTH"));
    let time = time_of(hour, value("MINUTE_OF_HOUR"), second, value("NANO_OF_SECOND"));
    // If fields are out of range, the error index is the start of the instant.
    let (Ok(date), Ok(time)) = (date, time) else { return Err(Unread::At(0)) };
    if at + 1 < chars.len() {
        return Err(Unread::After(at + 1));
    }
    let seconds = crate::interpret::library::time::temporal::epoch_second(date, time, 0);
    if at_offset(seconds, 0, 0).is_none() {
        return Err(Unread::Open("a date out of range"));
    }
    Ok(Temporal::Instant(seconds, time % SECOND))
}

impl Reader<'_> {
    fn all(&self, items: &[Item], mut at: usize, fields: &mut Fields) -> Result<usize, Unread> {
        for item in items {
            at = self.one(item, at, fields)?;
        }
        Ok(at)
    }

    fn set(fields: &mut Fields, field: &'static str, value: i64, at: usize) -> Result<(), Unread> {
        match fields.values.insert(field, value) {
            Some(old) if old != value => Err(Unread::At(at)),
            _ => Ok(()),
        }
    }

    fn one(&self, item: &Item, at: usize, fields: &mut Fields) -> Result<usize, Unread> {
        match item {
            Item::Literal(text) => self.literal(text, at),
            Item::Number { field, min, max, sign, later } => {
                let (value, end) = self.number((*min, *max), *sign, *later, at)?;
                // The error index of a contradictory value is its first digit.
                let digits = at + usize::from(matches!(self.text.get(at), Some('+' | '-')));
                Self::set(fields, field, value, digits)?;
                Ok(end)
            }
            Item::TwoDigits(later) => {
                let (value, end) = self.number((2, 2), Sign::NotNegative, *later, at)?;
                Self::set(fields, "YEAR_OF_ERA", 2000 + value, at)?;
                Ok(end)
            }
            Item::Fraction { min, max, point } => self.fraction((*min, *max), *point, at, fields),
            Item::Name { field, full } => {
                if !self.format.english {
                    return Err(Unread::Open("names in the default language"));
                }
                let most = match *field {
                    "MONTH_OF_YEAR" => 1..=MONTHS.len(),
                    "DAY_OF_WEEK" => 1..=WEEKDAYS.len(),
                    _ => 0..=1,
                };
                // Longer names are tried first; none of these names is a prefix of a different one.
                for value in most {
                    let Some(name) = english(field, value as i64, *full) else { continue };
                    if let Ok(end) = self.literal(&name, at) {
                        Self::set(fields, field, value as i64, at)?;
                        return Ok(end);
                    }
                }
                Err(Unread::At(at))
            }
            Item::Offset(form) => self.offset(*form, at, fields),
            Item::Zone => Err(Unread::Open("a time zone in text")),
            Item::Optional(items) => {
                let mut inner = fields.clone();
                match self.all(items, at, &mut inner) {
                    Ok(end) => {
                        *fields = inner;
                        Ok(end)
                    }
                    Err(Unread::At(_)) => Ok(at),
                    Err(other) => Err(other),
                }
            }
            Item::Instant => Err(Unread::Open("a moment within a format")),
        }
    }

    fn literal(&self, text: &str, at: usize) -> Result<usize, Unread> {
        let mut end = at;
        for wanted in text.chars() {
            match self.text.get(end) {
                Some(c) if *c == wanted || self.format.any_case && c.eq_ignore_ascii_case(&wanted) => end += 1,
                _ => return Err(Unread::At(at)),
            }
        }
        Ok(end)
    }

    fn digit(&self, at: usize) -> Option<i64> {
        self.text.get(at)?.to_digit(10).map(i64::from)
    }

    /// Parses as `NumberPrinterParser` does: all digits, except those that the directly following numbers need.
    fn number(&self, (min, max): (usize, usize), sign: Sign, later: i32, start: usize) -> Result<(i64, usize), Unread> {
        let (mut at, mut negative, mut positive) = (start, false, false);
        match self.text.get(at) {
            None => return Err(Unread::At(at)),
            Some('+') => {
                if sign != Sign::ExceedsPad {
                    return Err(Unread::At(at));
                }
                positive = true;
                at += 1;
            }
            Some('-') => {
                if sign == Sign::NotNegative {
                    return Err(Unread::At(at));
                }
                negative = true;
                at += 1;
            }
            _ => {}
        }
        let least = at + min;
        if least > self.text.len() {
            return Err(Unread::At(at));
        }
        let later = usize::try_from(later).unwrap_or_default();
        let mut most = max + later;
        let mut end = at;
        for pass in 0..2 {
            let last = (at + most).min(self.text.len());
            end = at;
            while end < last && self.digit(end).is_some() {
                end += 1;
            }
            if end < least {
                return Err(Unread::At(at));
            }
            if later == 0 || pass == 1 {
                break;
            }
            most = min.max((end - at).saturating_sub(later));
        }
        if end - at > 18 {
            return Err(Unread::Open("a long number in a date"));
        }
        let total = (at..end).filter_map(|at| self.digit(at)).fold(0, |total, digit| total * 10 + digit);
        if negative {
            if total == 0 {
                return Err(Unread::At(at - 1));
            }
            return Ok((-total, end));
        }
        if sign == Sign::ExceedsPad {
            let length = end - at;
            if positive && length <= min {
                return Err(Unread::At(at - 1));
            }
            if !positive && length > min {
                return Err(Unread::At(at));
            }
        }
        Ok((total, end))
    }

    fn fraction(
        &self,
        (min, max): (usize, usize),
        point: bool,
        mut at: usize,
        fields: &mut Fields,
    ) -> Result<usize, Unread> {
        if at == self.text.len() {
            return if min > 0 { Err(Unread::At(at)) } else { Ok(at) };
        }
        if point {
            if self.text.get(at) != Some(&'.') {
                return if min > 0 { Err(Unread::At(at)) } else { Ok(at) };
            }
            at += 1;
        }
        let least = at + min;
        if least > self.text.len() {
            return Err(Unread::At(at));
        }
        let last = (at + max).min(self.text.len());
        let mut end = at;
        let mut value = 0;
        while end < last {
            match self.digit(end) {
                Some(digit) => value = value * 10 + digit,
                None => break,
            }
            end += 1;
        }
        if end < least {
            return Err(Unread::At(at));
        }
        if end == at {
            return Err(Unread::Open("a point without a fraction"));
        }
        let nano = value * 10_i64.pow(9 - (end - at) as u32);
        Self::set(fields, "NANO_OF_SECOND", nano, at)?;
        Ok(end)
    }

    fn offset(&self, form: OffsetForm, at: usize, fields: &mut Fields) -> Result<usize, Unread> {
        if let Ok(end) = self.literal(form.zero, at) {
            Self::set(fields, "OFFSET_SECONDS", 0, at)?;
            return Ok(end);
        }
        let sign = match self.text.get(at) {
            Some('+') => 1,
            Some('-') => -1,
            _ => return Err(Unread::At(at)),
        };
        let pair = |at: usize| Some(self.digit(at)? * 10 + self.digit(at + 1)?);
        // Some releases also accept text that deviates from the form.
        const ODD: Unread = Unread::Open("an offset of another form");
        let Some(hours) = pair(at + 1) else { return Err(ODD) };
        let mut end = at + 3;
        let mut parts = [0, 0];
        for (number, part) in parts.iter_mut().enumerate() {
            if number == 1 && !form.seconds {
                break;
            }
            let from = if form.colons { end + 1 } else { end };
            let there = !form.colons || self.text.get(end) == Some(&':');
            match pair(from).filter(|value| there && *value < 60) {
                Some(value) => {
                    *part = value;
                    end = from + 2;
                }
                None if number == 0 && form.minutes => return Err(ODD),
                None => break,
            }
        }
        if matches!(self.text.get(end), Some(c) if c.is_ascii_digit() || *c == ':') || hours >= 18 {
            return Err(ODD);
        }
        Self::set(fields, "OFFSET_SECONDS", sign * (hours * 3600 + parts[0] * 60 + parts[1]), at)?;
        Ok(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_the_format_says() {
        let date = |pattern: &str, text: &str| {
            let format = Format::of_pattern(pattern).unwrap();
            read(&format, text, "LocalDate").map(|date| date.text())
        };
        assert_eq!(date("dd/MM/yyyy", "05/03/2024").as_deref(), Ok("2024-03-05"));
        assert_eq!(date("yyyyMMdd", "20240305").as_deref(), Ok("2024-03-05"));
        assert_eq!(date("d.M.yy", "5.12.24").as_deref(), Ok("2024-12-05"));
        assert_eq!(date("dd/MM/yyyy", "31/02/2024").as_deref(), Ok("2024-02-29"));
        assert_eq!(date("dd/MM/yyyy", "5/03/2024"), Err(Unread::At(0)));
        assert_eq!(date("yyyy-MM-dd", "2024-03-05x"), Err(Unread::After(10)));
        let iso = Format::constant("ISO_LOCAL_DATE").unwrap();
        assert_eq!(
            read(&iso, "2023-02-29", "LocalDate"),
            Err(Unread::Unresolved(Refusal::Invalid(
                "Invalid date 'February 29' as '2023' is not a leap year".to_owned()
            )))
        );
    }
}

//! Models `DateTimeFormatter.format`: writes values of `java.time` by a format.

use super::date_patterns::{Format, Item, OffsetForm, Sign};
use crate::interpret::library::time::calendar::{MONTHS, Outcome, Refusal, WEEKDAYS};
use crate::interpret::library::time::temporal::{Temporal, Zone};
use crate::interpret::library::time::temporal_fields::{FIELDS, shown};

/// The English name of a month or day of the week.
pub fn english(field: &str, value: i64, full: bool) -> Option<String> {
    let at = usize::try_from(value).ok()?;
    let name = match field {
        "MONTH_OF_YEAR" => MONTHS.get(at.checked_sub(1)?)?,
        "DAY_OF_WEEK" => WEEKDAYS.get(at.checked_sub(1)?)?,
        _ => return ["AM", "PM"].get(at).map(|text| (*text).to_owned()),
    };
    let length = if full { name.len() } else { 3 };
    Some(name[..1].to_owned() + &name[1..length].to_lowercase())
}

/// Formats a value.
pub fn written(format: &Format, value: &Temporal) -> Outcome<String> {
    let value = match (&format.zone, value) {
        (Some(zone), Temporal::Instant(seconds, nano)) => Temporal::at_zone(*seconds, *nano, zone)?,
        (None, _) => value.clone(),
        (Some(_), _) => return Err(Refusal::Open("a format with a zone")),
    };
    let mut out = String::new();
    write_all(format, &format.items, &value, &mut out)?;
    Ok(out)
}

fn write_all(format: &Format, items: &[Item], value: &Temporal, out: &mut String) -> Outcome<()> {
    for item in items {
        write(format, item, value, out)?;
    }
    Ok(())
}

fn write(format: &Format, item: &Item, value: &Temporal, out: &mut String) -> Outcome<()> {
    match item {
        Item::Literal(text) => out.push_str(text),
        Item::Number { field, min, max, sign, .. } => {
            let number = value.long_field(field)?;
            out.push_str(&number_text(field, number, (*min, *max), *sign)?);
        }
        Item::TwoDigits(_) => {
            let year = value.long_field("YEAR_OF_ERA")?;
            out.push_str(&format!("{:02}", year % 100));
        }
        Item::Fraction { min, max, point } => {
            let nano = value.long_field("NANO_OF_SECOND")?;
            let digits = format!("{nano:09}");
            let digits = digits[..*max].trim_end_matches('0');
            let digits = format!("{digits:0<min$}");
            if !digits.is_empty() {
                if *point {
                    out.push('.');
                }
                out.push_str(&digits);
            }
        }
        Item::Name { field, full } => {
            let number = value.long_field(field)?;
            if !format.english {
                return Err(Refusal::Open("names in the default language"));
            }
            match english(field, number, *full) {
                Some(text) => out.push_str(&text),
                None => return Err(Refusal::Open("a name")),
            }
        }
        Item::Offset(form) => out.push_str(&offset(*form, value.long_field("OFFSET_SECONDS")?)),
        Item::Zone => match value {
            Temporal::ZonedDateTime(.., zone) => out.push_str(&zone.text()),
            Temporal::OffsetDateTime(.., offset) => out.push_str(&Zone::Offset(*offset).text()),
            _ => return Err(Refusal::Exception("java.time.DateTimeException")),
        },
        Item::Optional(items) => {
            let mut inner = String::new();
            match write_all(format, items, value, &mut inner) {
                Ok(()) => out.push_str(&inner),
                Err(Refusal::Unsupported(_)) | Err(Refusal::Exception(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Item::Instant => match value.instant() {
            Some((seconds, nano)) => out.push_str(&Temporal::Instant(seconds, nano).text()),
            None => return Err(Refusal::Unsupported("Unsupported field: InstantSeconds".to_owned())),
        },
    }
    Ok(())
}

fn number_text(field: &str, number: i64, (min, max): (usize, usize), sign: Sign) -> Outcome<String> {
    let digits = number.unsigned_abs().to_string();
    let name = shown(&FIELDS, field);
    if digits.len() > max {
        return Err(Refusal::Invalid(format!(
            "Field {name} cannot be printed as the value {number} exceeds the maximum print width of {max}"
        )));
    }
    let before = match (number < 0, sign) {
        (true, Sign::NotNegative) => return Err(Refusal::Open("a number below zero in a format")),
        (true, _) => "-",
        (false, Sign::ExceedsPad) if digits.len() > min && min < 19 => "+",
        _ => "",
    };
    Ok(format!("{before}{digits:0>min$}"))
}

fn offset(form: OffsetForm, seconds: i64) -> String {
    if seconds == 0 {
        return form.zero.to_owned();
    }
    let all = seconds.unsigned_abs();
    let (hours, minutes, left) = (all / 3600, all / 60 % 60, all % 60);
    let mut out = format!("{}{hours:02}", if seconds < 0 { '-' } else { '+' });
    let colon = if form.colons { ":" } else { "" };
    if form.minutes || minutes > 0 {
        out += &format!("{colon}{minutes:02}");
        if form.seconds && left > 0 {
            out += &format!("{colon}{left:02}");
        }
    }
    if hours == 0 && minutes == 0 && !(form.seconds && left > 0) { form.zero.to_owned() } else { out }
}

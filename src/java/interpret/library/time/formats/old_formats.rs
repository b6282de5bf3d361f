//! Models `SimpleDateFormat` and `TimeZone`: exact in UTC; otherwise the result depends on the default time zone.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, settle, text, throw};
use crate::interpret::library::time::calendar::{Date, SECOND, time_of};
use crate::interpret::library::time::old_dates::{self, Moment};
use crate::interpret::library::time::temporal::{Temporal, at_offset, epoch_second};
use crate::interpret::values::value::{Native, Type, Value};

const FORMAT: &str = "java.text.SimpleDateFormat";

const ZONE: &str = "java.util.TimeZone";

/// The first day of the Gregorian calendar, in days since 1970: `Date` uses the Julian calendar before it.
const CUT_OVER: i64 = -141_427;

/// A part of a pattern: literal text, or a letter with its count.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(char, usize),
}

/// The state of a format; `utc` is whether its time zone is UTC.
#[derive(Debug, Clone)]
struct OldFormat {
    parts: Vec<Part>,
    utc: bool,
    lenient: bool,
}

/// A time zone by its id.
#[derive(Debug, Clone)]
struct OldZone {
    id: String,
}

impl Native for OldFormat {
    native_state!(leaf);
}

impl Native for OldZone {
    native_state!(leaf);

    fn is_value(&self) -> bool {
        true
    }
}

/// The parts of a pattern; `None` if it is invalid or has letters that are not supported.
fn read(pattern: &str) -> Option<Vec<Part>> {
    let chars: Vec<char> = pattern.chars().collect();
    let (mut parts, mut text, mut at, mut quoted) = (Vec::new(), String::new(), 0, false);
    while let Some(c) = chars.get(at).copied() {
        if c == '\'' && chars.get(at + 1) == Some(&'\'') {
            text.push('\'');
            at += 2;
        } else if c == '\'' {
            quoted = !quoted;
            at += 1;
        } else if c.is_ascii_alphabetic() && !quoted {
            let from = at;
            while chars.get(at) == Some(&c) {
                at += 1;
            }
            let count = at - from;
            let known = match c {
                'y' => count == 2 || count == 4,
                'M' => count <= 2,
                'd' | 'H' | 'h' | 'm' | 's' | 'D' => count <= 3,
                'S' => count == 3,
                'X' => count <= 3,
                'Z' => count <= 4,
                _ => false,
            };
            if !known {
                return None;
            }
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(Part::Field(c, count));
        } else {
            text.push(c);
            at += 1;
        }
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    (!quoted).then_some(parts)
}

fn written(parts: &[Part], millis: i64) -> Option<String> {
    let (date, time) = at_offset(millis.div_euclid(1000), millis.rem_euclid(1000) * 1_000_000, 0)?;
    if date.epoch_day() < CUT_OVER {
        return None;
    }
    let own = Temporal::DateTime(date, time);
    let mut out = String::new();
    for part in parts {
        let (letter, count) = match part {
            Part::Text(text) => {
                out.push_str(text);
                continue;
            }
            Part::Field(letter, count) => (*letter, *count),
        };
        let value = own.field(match letter {
            'y' => "YEAR",
            'M' => "MONTH_OF_YEAR",
            'd' => "DAY_OF_MONTH",
            'D' => "DAY_OF_YEAR",
            'H' => "HOUR_OF_DAY",
            'h' => "CLOCK_HOUR_OF_AMPM",
            'm' => "MINUTE_OF_HOUR",
            's' => "SECOND_OF_MINUTE",
            'S' => "MILLI_OF_SECOND",
            'X' => {
                out.push('Z');
                continue;
            }
            _ => {
                out.push_str("+0000");
                continue;
            }
        })?;
        let value = if letter == 'y' && count == 2 { value % 100 } else { value };
        out.push_str(&format!("{value:0count$}"));
    }
    Some(out)
}

/// Parses a text that has exactly the form of the pattern, with values in range; other texts are not supported.
fn parsed(parts: &[Part], text: &str) -> Option<i64> {
    let mut rest = text;
    let (mut year, mut month, mut day) = (1970, 1, 1);
    let mut time = [0_i64; 4];
    for part in parts {
        match part {
            Part::Text(text) => rest = rest.strip_prefix(text.as_str())?,
            Part::Field('X', _) => rest = rest.strip_prefix('Z')?,
            Part::Field('Z', _) => rest = rest.strip_prefix("+0000")?,
            Part::Field(letter, count) => {
                let width = (*count).max(2);
                let digits = rest.get(..width)?;
                if *count == 1 || !digits.bytes().all(|c| c.is_ascii_digit()) {
                    return None;
                }
                rest = &rest[width..];
                let value: i64 = digits.parse().ok()?;
                match letter {
                    'y' if *count == 4 => year = value,
                    'M' => month = value,
                    'd' => day = value,
                    'H' => time[0] = value,
                    'm' => time[1] = value,
                    's' => time[2] = value,
                    'S' => time[3] = value * 1_000_000,
                    _ => return None,
                }
            }
        }
    }
    let date = Date::of(year, month, day).ok().filter(|date| rest.is_empty() && date.epoch_day() >= CUT_OVER)?;
    let time = time_of(time[0], time[1], time[2], time[3]).ok()?;
    epoch_second(date, time, 0).checked_mul(1000)?.checked_add(time % SECOND / 1_000_000)
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver, call.name, call.args) {
        (ZONE, None, "getTimeZone", [id]) => {
            let id = text(id)?.to_owned();
            Ok(native(machine, ZONE, OldZone { id }))
        }
        (ZONE, Some(receiver), "getID", []) => {
            let id = machine.native::<OldZone>(reference(receiver)?)?.id.clone();
            if !matches!(id.as_str(), "UTC" | "GMT") {
                return None;
            }
            Ok(machine.fresh_text(&id))
        }
        (FORMAT, None, "<init>", [pattern, ..]) => {
            if pattern.is_null() {
                Err(throw(machine, "NullPointerException"))
            } else {
                let parts = read(text(pattern)?)?;
                Ok(native(machine, FORMAT, OldFormat { parts, utc: false, lenient: true }))
            }
        }
        (FORMAT, Some(receiver), ..) => on_format(machine, receiver, call)?,
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn on_format(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    let own = machine.native::<OldFormat>(id)?.clone();
    Some(match (call.name, call.args) {
        ("setTimeZone", [zone]) => {
            let zone = machine.native::<OldZone>(reference(zone)?)?;
            let utc = matches!(zone.id.as_str(), "UTC" | "GMT");
            machine.native_mut::<OldFormat>(id)?.utc = utc;
            Ok(Value::NULL)
        }
        ("setLenient", [lenient]) => {
            machine.native_mut::<OldFormat>(id)?.lenient = crate::interpret::library::base::support::boolean(lenient)?;
            Ok(Value::NULL)
        }
        ("isLenient", []) => Ok(Value::bool(own.lenient)),
        ("format", [date]) => {
            if date.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let Some(moment) = reference(date).and_then(|id| machine.native::<Moment>(id)).copied() else {
                return match date {
                    Value::Unknown(unknown) if unknown.present => {
                        Some(Ok(Value::unknowable("the time of day", Type::Str)))
                    }
                    _ => Some(open("a date is not known")),
                };
            };
            if !own.utc {
                return Some(Ok(Value::unknowable("the default time zone", Type::Str)));
            }
            match written(&own.parts, moment.millis) {
                Some(text) => Ok(machine.fresh_text(&text)),
                None => open("a date long ago"),
            }
        }
        ("parse", [given]) => {
            let own_text = text(given)?.to_owned();
            match parsed(&own.parts, &own_text) {
                Some(millis) if own.utc => Ok(native(machine, old_dates::FQN, Moment::at(millis))),
                // Parsing succeeds; only the resulting time is unknown.
                Some(_) => Ok(Value::unknowable(
                    "the default time zone",
                    crate::interpret::library::base::support::library_type(old_dates::FQN),
                )),
                None => open("a date of another form"),
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_and_read_in_utc() {
        let parts = read("yyyy-MM-dd'T'HH:mm:ss.SSS").unwrap();
        assert_eq!(written(&parts, 1_705_314_615_123).as_deref(), Some("2024-01-15T10:30:15.123"));
        assert_eq!(parsed(&parts, "2024-01-15T10:30:15.123"), Some(1_705_314_615_123));
        assert_eq!(parsed(&parts, "2024-1-15T10:30:15.123"), None);
        assert_eq!(read("yyyy-MM-dd MMM"), None);
    }
}

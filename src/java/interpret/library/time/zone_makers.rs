//! Models the creation of `ZoneId` and `ZoneOffset`.

use super::calendar::Refusal;
use super::date_values::{EXCEPTION, made};
use super::temporal::{Temporal, Zone};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, open, text, throw};

/// Regions that every release of the time zone database has.
const REGIONS: &[&str] = &[
    "UTC",
    "GMT",
    "UT",
    "Etc/UTC",
    "Etc/GMT",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Paris",
    "Europe/Madrid",
    "Europe/Rome",
    "Europe/Vienna",
    "Europe/Zurich",
    "Europe/Amsterdam",
    "Europe/Brussels",
    "Europe/Warsaw",
    "Europe/Lisbon",
    "Europe/Athens",
    "Europe/Istanbul",
    "Europe/Moscow",
    "Europe/Oslo",
    "Europe/Stockholm",
    "Europe/Copenhagen",
    "Europe/Helsinki",
    "Europe/Dublin",
    "Europe/Prague",
    "Europe/Budapest",
    "Europe/Bucharest",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "America/Toronto",
    "America/Mexico_City",
    "America/Bogota",
    "America/Lima",
    "America/Argentina/Buenos_Aires",
    "Asia/Tokyo",
    "Asia/Seoul",
    "Asia/Shanghai",
    "Asia/Hong_Kong",
    "Asia/Singapore",
    "Asia/Kolkata",
    "Asia/Dubai",
    "Asia/Jakarta",
    "Asia/Bangkok",
    "Asia/Karachi",
    "Asia/Tehran",
    "Asia/Jerusalem",
    "Africa/Cairo",
    "Africa/Johannesburg",
    "Africa/Lagos",
    "Africa/Nairobi",
    "Australia/Sydney",
    "Australia/Melbourne",
    "Australia/Perth",
    "Pacific/Auckland",
];

/// Models `of`, `ofHours` and related methods.
pub fn zones(machine: &mut Machine<'_>, class: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let offset = |seconds: i32| {
        if (-64_800..=64_800).contains(&seconds) {
            Ok(Temporal::Zone(Zone::Offset(seconds)))
        } else {
            Err(Refusal::Invalid("Zone offset not in valid range: -18:00 to +18:00".to_owned()))
        }
    };
    let value = match (call.name, call.args) {
        ("of", [id]) => {
            let Some(id) = text(id).map(ToOwned::to_owned) else {
                return Some(if id.is_null() { Err(throw(machine, "NullPointerException")) } else { open("a zone") });
            };
            if let Some(seconds) = read_offset(&id) {
                Ok(Temporal::Zone(Zone::Offset(seconds)))
            } else if class == "ZoneOffset" {
                Err(Refusal::Exception(EXCEPTION))
            } else if REGIONS.contains(&id.as_str()) {
                Ok(Temporal::Zone(Zone::Region(id)))
            } else {
                Err(Refusal::Open("a time zone"))
            }
        }
        ("ofHours", [hours]) => match int(hours)? {
            hours if (-18..=18).contains(&hours) => offset(hours * 3600),
            hours => Err(Refusal::Invalid(format!(
                "Zone offset hours not in valid range: value {hours} is not in the range -18 to 18"
            ))),
        },
        ("ofHoursMinutes", [hours, minutes]) => match (int(hours)?, int(minutes)?) {
            (hours @ -17..=17, minutes @ -59..=59) if hours.signum() * minutes.signum() >= 0 => {
                offset(hours * 3600 + minutes * 60)
            }
            _ => Err(Refusal::Exception(EXCEPTION)),
        },
        ("ofTotalSeconds", [seconds]) => offset(int(seconds)?),
        _ => return None,
    };
    Some(made(machine, value))
}

/// Models `ZoneOffset.of`.
fn read_offset(id: &str) -> Option<i32> {
    if id == "Z" {
        return Some(0);
    }
    let (sign, rest) = match id.as_bytes().first()? {
        b'+' => (1, &id[1..]),
        b'-' => (-1, &id[1..]),
        _ => return None,
    };
    let digits: String = match rest.len() {
        1 => format!("0{rest}"),
        5 if rest.as_bytes()[2] == b':' => rest.replacen(':', "", 1),
        8 if rest.as_bytes()[2] == b':' && rest.as_bytes()[5] == b':' => rest.replace(':', ""),
        2 | 4 | 6 => rest.to_owned(),
        _ => return None,
    };
    if !digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let part = |at: usize| digits.get(at..at + 2).and_then(|two| two.parse::<i32>().ok()).unwrap_or(0);
    let (hours, minutes, seconds) = (part(0), part(2), part(4));
    let all = hours * 3600 + minutes * 60 + seconds;
    (minutes < 60 && seconds < 60 && all <= 64_800).then_some(sign * all)
}

//! Recognises times in texts and numbers, in the formats that Java services write.

use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;

/// Formats beside ISO 8601 and RFC 2822, as written by Java's `Date.toString`, loggers, formatters and databases.
const FORMATS: &[&str] = &[
    "%Y-%m-%dT%H:%M:%S%.f%z",
    "%Y-%m-%dT%H:%M:%S%.f %z",
    "%Y-%m-%d %H:%M:%S%.f %z",
    "%Y-%m-%d %H:%M:%S,%f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y/%m/%d %H:%M:%S%.f",
    "%Y/%m/%d",
    "%Y%m%dT%H%M%S%.fZ",
    "%Y%m%dT%H%M%S%.f%z",
    "%Y%m%dT%H%M%S%.f",
    "%Y%m%d%H%M%S",
    "%Y%m%d",
    "%a %b %d %H:%M:%S %Y",
    "%a %b %d %H:%M:%S %z %Y",
    "%a, %d %b %Y %H:%M:%S",
    "%a, %d-%b-%Y %H:%M:%S",
    "%A, %d-%b-%y %H:%M:%S",
    "%b %d, %Y, %I:%M:%S %p",
    "%b %d, %Y %I:%M:%S %p",
    "%b %d, %Y",
    "%d %b %Y %H:%M:%S",
    "%d %b %Y",
    "%d-%b-%Y",
    "%d.%m.%Y %H:%M:%S%.f",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y",
    "%d/%m/%Y %H:%M:%S",
    "%d/%m/%Y",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y",
    "%d-%m-%Y %H:%M:%S",
    "%d-%m-%Y %H:%M",
    "%d-%m-%Y%H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%d-%m-%Y",
];

/// Interprets a number as a time in seconds, milli-, micro- or nanoseconds since 1970; returns seconds.
pub fn epoch(value: f64) -> Option<i64> {
    let seconds = match value.abs() {
        v if (1e9..1e10).contains(&v) => value,
        v if (1e12..1e13).contains(&v) => value / 1e3,
        v if (1e15..1e16).contains(&v) => value / 1e6,
        v if (1e18..1e19).contains(&v) => value / 1e9,
        _ => return None,
    };
    Some(seconds as i64)
}

/// Interprets a text as a date, a date with time, or such a number; returns seconds since 1970. Time zone names are
/// ignored, which callers allow for by a tolerance of a day.
pub fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.len() < 8 || text.len() > 64 || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let text = text.split_once('[').map_or(text, |(head, _)| head);
    // Newer Java releases write a narrow no-break space before AM and PM.
    let text = &*text.replace('\u{202f}', " ");
    if let Some(number) = text.parse::<f64>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit() || b == b'.')) {
        return epoch(number).or_else(|| loose(text));
    }
    let zoned = || text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
    let civil = || text.replacen(' ', "T", 1).parse::<DateTime>().ok().and_then(utc);
    let mail = || jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp().as_second());
    zoned().or_else(civil).or_else(mail).or_else(|| loose(text)).or_else(|| loose(&without_zone(text)?))
}

fn loose(text: &str) -> Option<i64> {
    let parsed = FORMATS.iter().find_map(|format| strtime::parse(format, text).ok())?;
    utc(parsed.to_date().ok()?.to_datetime(parsed.to_time().unwrap_or_default()))
}

fn utc(civil: DateTime) -> Option<i64> {
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

/// The text without a time zone abbreviation: a capitalised word other than AM and PM.
fn without_zone(text: &str) -> Option<String> {
    let is_zone = |word: &&str| {
        (1..=5).contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_uppercase())
            && !matches!(*word, "AM" | "PM" | "T")
    };
    let kept: Vec<&str> = text.split_whitespace().filter(|word| !is_zone(word)).collect();
    (kept.len() < text.split_whitespace().count()).then(|| kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_moment_is_read_however_it_is_written() {
        let moment = 1_795_291_087; // 2026-11-21T19:58:07Z
        for text in [
            "2026-11-21T19:58:07Z",
            "2026-11-21T20:58:07+01:00",
            "2026-11-21T19:58:07.123456",
            "2026-11-21T19:58:07.123456789Z[UTC]",
            "2026-11-21T19:58:07.123+0000",
            "2026-11-21 19:58:07.123456",
            "2026-11-21 19:58:07,123",
            "2026-11-21 19:58:07 +0000",
            "2026/11/21 19:58:07",
            "20261121T195807Z",
            "20261121T195807.123Z",
            "20261121195807",
            "Sat Nov 21 19:58:07 UTC 2026",
            "Sat Nov 21 19:58:07 CET 2026",
            "Sat, 21 Nov 2026 19:58:07 GMT",
            "Saturday, 21-Nov-26 19:58:07 GMT",
            "Nov 21, 2026, 7:58:07 PM",
            "Nov 21, 2026, 7:58:07\u{202f}PM",
            "11/21/2026 7:58:07 PM",
            "21-11-202619:58:07",
            "21.11.2026 19:58:07",
            "21/11/2026 19:58:07",
            "1795291087",
            "1795291087123",
            "1795291087.123456",
        ] {
            assert_eq!(seconds(text), Some(moment), "{text}");
        }
        for day in ["2026-11-21", "20261121", "21.11.2026", "Nov 21, 2026", "21 Nov 2026", "21-11-2026"] {
            assert_eq!(seconds(day).map(|second| second.div_euclid(86_400)), Some(moment / 86_400), "{day}");
        }
        for (number, read) in
            [(1_795_291_087.5, true), (1.795_291_087e12, true), (1.795_291_087e15, true), (42.0, false)]
        {
            assert_eq!(epoch(number), read.then_some(moment), "{number}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in ["MUG-00100", "12345678901", "order 20261121", "1.2.3-RC1", "PT5M30S00", "12:30:00", "99.99.2026"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}

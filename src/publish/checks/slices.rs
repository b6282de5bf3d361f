//! The result of slices for the terminal: what did not hold, why oracles could not be run, and a line of counts.

use std::fmt::Write as _;

use super::check_view::expected;
use crate::wording::words;
use mastor_template::escape::{plain, shorten};
use mastor_types::results::outcome::{Outcome, RunVerdict};
use mastor_types::results::slices::{SliceFields, Sliced};

/// Maximum number of lines of each kind.
const LINES: usize = 25;
/// Maximum length of a line.
const WIDTH: usize = 300;

/// The first missed expectation with the value seen.
pub fn missed(outcome: &Outcome) -> Option<String> {
    let first = outcome.misses.first()?;
    Some(format!("expected {}, seen {}", expected(first), shorten(&first.seen, WIDTH)))
}

/// The text for one service.
pub fn slices(fields: &SliceFields) -> String {
    let mut out = String::new();
    let of = |verdict| fields.slices.iter().filter(move |one| one.verdict == verdict);
    for verdict in [RunVerdict::Broken, RunVerdict::Refuted] {
        for one in of(verdict).take(LINES) {
            let _ = writeln!(out, "{}  {}", verdict.as_str(), line(one));
        }
        if of(verdict).count() > LINES {
            let _ = writeln!(out, "… and {} more {}", of(verdict).count() - LINES, verdict.as_str());
        }
    }
    for change in fields.changes.iter().take(LINES) {
        let mut text = format!("changed  {}  {}", plain(change.op_id.as_str()), plain(&change.what.join("; ")));
        if let Some(thrown) = &change.thrown {
            let _ = write!(text, ": nothing caught {}", plain(thrown));
        }
        if !change.given.is_empty() {
            let _ = write!(text, " (given {})", plain(&change.given.join(", ")));
        }
        let _ = writeln!(out, "{}", shorten(&text, WIDTH));
    }
    if fields.changes.len() > LINES {
        let _ = writeln!(out, "… and {} more changed", fields.changes.len() - LINES);
    }
    for one in fields.not_made.iter().take(LINES) {
        let _ =
            writeln!(out, "not told  {}: {}", words::count(one.oracles, "oracle"), shorten(&plain(&one.why), WIDTH));
    }
    let counts = RunVerdict::ALL.iter().filter_map(|verdict| {
        let count = of(*verdict).count();
        (count > 0).then(|| format!("{count} {}", verdict.as_str()))
    });
    let counts: Vec<String> = counts.collect();
    let _ = write!(out, "{} in slices: {}", words::count(fields.slices.len(), "oracle"), counts.join(" · "));
    let _ = write!(out, " · {} with a successful answer", words::count(fields.operations.len(), "operation"));
    if let Some(seconds) = fields.seconds {
        let _ =
            write!(out, " · build {:.1} s, start {:.1} s, slices {:.1} s", seconds.build, seconds.start, seconds.run);
    }
    out.push('\n');
    out
}

fn line(one: &Sliced) -> String {
    let mut text = format!("{}  {}  {}", plain(one.op_id.as_str()), plain(&one.test_id), one.o_id);
    for part in [&one.missed, &one.reason].into_iter().flatten() {
        let _ = write!(text, ": {}", plain(part));
    }
    if !one.given.is_empty() {
        let _ = write!(text, " (given {})", plain(&one.given.join(", ")));
    }
    shorten(&text, WIDTH)
}

//! The result of a check for the terminal: failures first and in full, the rest grouped by reason, then a line of
//! counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use crate::wording::words;
use mastor_template::escape::{plain, shorten};
use mastor_types::results::check::{CheckFields, CheckedOracle, Failing};
use mastor_types::results::outcome::RunVerdict;

const BAD: Style = AnsiColor::Red.on_default().bold();
const ALERT: Style = AnsiColor::Yellow.on_default();
const FAINT: Style = Style::new().dimmed();
/// Maximum number of failures shown in full.
const IN_FULL: usize = 10;
/// Maximum number of entries of each kind, including those in full.
const LINES: usize = 25;
/// Maximum length of each text in a line, in characters.
const WIDTH: usize = 300;
/// Maximum number of lines of an excerpt.
const EXCERPT: usize = 8;

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The text of a check.
pub fn check(fields: &CheckFields) -> String {
    let mut out = String::new();
    let of = |verdict| fields.oracles.iter().filter(move |oracle| oracle.verdict == verdict);
    for (n, oracle) in of(RunVerdict::Broken).enumerate() {
        let Some(failure) = &oracle.failure else { continue };
        match n {
            0..IN_FULL => out.push_str(&in_full(oracle, failure)),
            IN_FULL..LINES => out.push_str(&in_a_line(oracle, failure, BAD)),
            _ => {}
        }
    }
    out.push_str(&left(of(RunVerdict::Broken).count(), LINES, "broken"));
    for (oracle, failure) in of(RunVerdict::Refuted).filter_map(|o| Some((o, o.failure.as_ref()?))).take(LINES) {
        out.push_str(&in_a_line(oracle, failure, ALERT));
    }
    out.push_str(&left(of(RunVerdict::Refuted).count(), LINES, "refuted"));
    for verdict in [RunVerdict::Inconclusive, RunVerdict::Skipped] {
        out.push_str(&by_reason(verdict, of(verdict)));
    }
    let unsteady: Vec<&CheckedOracle> = of(RunVerdict::Held).filter(|oracle| oracle.reason.is_some()).collect();
    for oracle in unsteady.iter().take(LINES) {
        let reason = plain(oracle.reason.as_deref().unwrap_or_default());
        let _ = writeln!(out, "{}  {}: {}", styled(ALERT, "held"), name(oracle), shorten(&reason, WIDTH));
    }
    for ignored in &fields.ignored {
        let _ = writeln!(out, "{}  {}", styled(FAINT, "ignored"), shorten(&plain(&ignored.line()), WIDTH));
    }
    let counts: Vec<String> = RunVerdict::ALL
        .into_iter()
        .filter(|verdict| matches!(verdict, RunVerdict::Held | RunVerdict::Broken) || fields.count(*verdict) > 0)
        .map(|verdict| format!("{} {}", fields.count(verdict), verdict.as_str()))
        .collect();
    let _ = write!(out, "{} checked: {}", words::count(fields.oracles.len(), "oracle"), counts.join(" · "));
    if let Some(seconds) = fields.seconds {
        let _ = write!(out, " · {seconds:.1} s");
        if let Some(service) = fields.service_seconds {
            let _ = write!(out, ", the service's own time {service:.1} s");
        }
    }
    out.push('\n');
    out
}

fn name(oracle: &CheckedOracle) -> String {
    let op_ids: Vec<String> = oracle.op_ids.iter().map(|op_id| plain(op_id.as_str())).collect();
    format!("{}  {}  {}", shorten(&op_ids.join(" → "), WIDTH), plain(&oracle.test_id), styled(FAINT, &oracle.id))
}

fn in_a_line(oracle: &CheckedOracle, failure: &Failing, style: Style) -> String {
    let expected = shorten(&plain(&failure.expected), WIDTH);
    let seen = shorten(&plain(&failure.seen), WIDTH);
    format!("{}  {}: {expected}; seen: {seen}\n", styled(style, oracle.verdict.as_str()), name(oracle))
}

fn in_full(oracle: &CheckedOracle, failure: &Failing) -> String {
    let mut out = format!("{}  {}\n", styled(BAD, oracle.verdict.as_str()), name(oracle));
    if oracle.op_ids.len() > 1 {
        let _ =
            writeln!(out, "  step      {} of {}: {}", failure.step, oracle.op_ids.len(), plain(failure.op_id.as_str()));
    }
    let _ = writeln!(out, "  expected  {}", shorten(&plain(&failure.expected), WIDTH));
    let _ = writeln!(out, "  seen      {}", shorten(&plain(&failure.seen), WIDTH));
    for unmet in failure.more.iter().take(5) {
        let _ = writeln!(out, "  and       {}", shorten(&plain(&unmet.expected), WIDTH));
        let _ = writeln!(out, "  seen      {}", shorten(&plain(&unmet.seen), WIDTH));
    }
    if failure.more.len() > 5 {
        let _ = writeln!(out, "  and       {} more", failure.more.len() - 5);
    }
    if let Some(answer) = &failure.answer {
        let body = if answer.body.is_empty() { "without a body".to_owned() } else { plain(&answer.body) };
        let _ = writeln!(out, "  answer    {} {}", answer.status, shorten(&body, WIDTH));
    }
    for evidence in &failure.evidence {
        match (&evidence.file, evidence.line) {
            (Some(file), Some(line)) => {
                let _ = writeln!(out, "  because   {}:{line}  {}", plain(file), plain(&evidence.symbol));
            }
            _ => {
                let lost = evidence.lost.as_deref().unwrap_or_default();
                let _ = writeln!(out, "  because   {}: {}", plain(&evidence.symbol), plain(lost));
            }
        }
        let source = evidence.source.as_deref().unwrap_or_default();
        for (n, line) in source.lines().enumerate().take(EXCERPT) {
            let number = evidence.line.unwrap_or(1) + n;
            let _ = writeln!(out, "  {}", styled(FAINT, &format!("{number:>6} | {}", shorten(&plain(line), WIDTH))));
        }
    }
    for request in &failure.requests {
        let _ = writeln!(out, "  {}", plain(request));
    }
    let _ = writeln!(out, "  {}\n", failure.replay);
    out
}

fn left(count: usize, shown: usize, what: &str) -> String {
    match count.checked_sub(shown) {
        None | Some(0) => String::new(),
        Some(more) => format!("… and {more} more {what}: `--format json` lists all\n"),
    }
}

/// Groups oracles without a failure by reason, the most frequent first.
fn by_reason<'a>(verdict: RunVerdict, oracles: impl Iterator<Item = &'a CheckedOracle>) -> String {
    let mut reasons: BTreeMap<String, Vec<&CheckedOracle>> = BTreeMap::new();
    for oracle in oracles {
        let missed = |failure: &Failing| format!("{}; seen: {}", failure.expected, failure.seen);
        let reason = oracle.reason.clone().or_else(|| oracle.failure.as_ref().map(missed)).unwrap_or_default();
        reasons.entry(reason).or_default().push(oracle);
    }
    let mut sorted: Vec<_> = reasons.into_iter().collect();
    sorted.sort_by_key(|(_, oracles)| std::cmp::Reverse(oracles.len()));
    let mut out = String::new();
    for (reason, oracles) in sorted.iter().take(LINES) {
        let what = match oracles.as_slice() {
            [one] => name(one),
            several => words::count(several.len(), "oracle"),
        };
        let reason = shorten(&plain(reason), WIDTH);
        let _ = writeln!(out, "{}  {what}: {reason}", styled(ALERT, verdict.as_str()));
    }
    out + &left(sorted.len(), LINES, "reasons")
}

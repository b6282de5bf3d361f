//! Tables for the terminal: operations, plan, why, generate. They contain styles, which the console removes where there
//! is no terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::json::{Operations, status_name};
use crate::wording::words;
use mastor_template::escape::{plain, shorten};
use mastor_types::manifest::Changed;
use mastor_types::results::plan::{Plan, State};
use mastor_types::results::report::{Confirming, Generated, MatchStatus, Why};
use mastor_types::warning::Warning;

/// Style of items that need attention.
const ALERT: Style = AnsiColor::Yellow.on_default();
/// Style of good results.
const FINE: Style = AnsiColor::Green.on_default();
/// Style of less important items.
const FAINT: Style = Style::new().dimmed();
/// Maximum number of notes for an operation.
const NOTES: usize = 3;
/// Maximum number of inputs listed for an operation.
const BECAUSE: usize = 5;
/// Minimum number of affected operations for an input to be reported once for all.
const SHARED: usize = 10;
/// Maximum number of unreached changes listed.
const UNREACHED: usize = 20;

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The list of `mastor operations`, with a line of counts at the end.
pub fn operations(list: &Operations) -> String {
    let mut out = String::new();
    let width = list.operations.iter().map(|o| o.op_id.as_str().width()).max().unwrap_or(0).min(70);
    for row in &list.operations {
        let name = plain(row.op_id.as_str());
        let pad = " ".repeat(width.saturating_sub(name.width()));
        let entry = row.entry.as_ref().map(|e| {
            let class = e.class.rsplit('.').next().unwrap_or(&e.class);
            format!("{class}#{}  {}:{}", e.method, e.file, e.line)
        });
        let how = row.matched_by.as_deref().or(row.reason.as_deref()).unwrap_or_default();
        let style = match row.status {
            MatchStatus::Matched => FINE,
            MatchStatus::Framework => FAINT,
            MatchStatus::Unmatched | MatchStatus::Undocumented => ALERT,
        };
        let _ = write!(out, "{name}{pad}  {}", styled(style, status_name(row.status)));
        if let Some(entry) = entry {
            let _ = write!(out, "  {}", plain(&entry));
        }
        if !how.is_empty() {
            let _ = write!(out, "  {}", styled(FAINT, &plain(how)));
        }
        out.push('\n');
    }
    let counted: Vec<String> = ["matched", "unmatched", "undocumented", "framework"]
        .iter()
        .map(|name| format!("{} {name}", list.counts.get(*name).copied().unwrap_or(0)))
        .collect();
    let _ = writeln!(out, "{}: {}", words::count(list.operations.len(), "operation"), counted.join(" · "));
    out + &warnings(&list.warnings)
}

/// Warnings, one a line; may be empty.
pub fn warnings(warnings: &[Warning]) -> String {
    let mut out = String::new();
    for warning in warnings {
        let place = match (&warning.file, warning.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "{} {}",
            styled(ALERT, &format!("warning[{}]:", plain(&warning.code))),
            plain(&format!("{place}{}", warning.message))
        );
    }
    out
}

/// The list of `mastor plan`: all operations that are not inherited, then a line of counts.
pub fn plan(plan: &Plan) -> String {
    let mut out = String::new();
    if let Some(since) = &plan.since {
        let base = since.merge_base.get(..12).unwrap_or(&since.merge_base);
        let _ = writeln!(out, "base {base} ({}) · head {}", plain(&since.reference), plain(&since.head));
    }
    for state in [State::Affected, State::New, State::Retired, State::Recheck] {
        for operation in plan.operations.iter().filter(|o| o.state == state) {
            let style = if state == State::Affected { ALERT } else { FAINT };
            let _ =
                write!(out, "{} {}", styled(style, &format!("{:9}", state.as_str())), plain(operation.op_id.as_str()));
            if let Some(was) = &operation.was {
                let _ = write!(out, " (was {})", plain(was.as_str()));
            }
            out.push('\n');
            for because in operation.because.iter().take(BECAUSE) {
                let change = serde_json::to_value(because.change).unwrap_or_default();
                let _ = writeln!(out, "          {} {}", plain(&because.input), change.as_str().unwrap_or_default());
            }
            if operation.because.len() > BECAUSE {
                let _ = writeln!(out, "          and {} more", operation.because.len() - BECAUSE);
            }
        }
    }
    out += &causes(plan);
    out += &unreached(plan);
    if !plan.stale.is_empty() {
        let names: Vec<String> = plan.stale.iter().map(|op| plain(op.as_str())).collect();
        let _ = writeln!(out, "stale suite: {}", names.join(", "));
    }
    let counted: Vec<String> =
        State::ALL.into_iter().map(|state| format!("{} {}", plan.count(state), state.as_str())).collect();
    let _ = writeln!(out, "{}: {}", words::count(plan.operations.len(), "operation"), counted.join(" · "));
    out
}

/// Inputs that affect at least [`SHARED`] operations, one line each.
fn causes(plan: &Plan) -> String {
    let mut reached: BTreeMap<(&str, Changed), usize> = BTreeMap::new();
    for because in plan.operations.iter().filter(|o| o.state == State::Affected).flat_map(|o| &o.because) {
        *reached.entry((&because.input, because.change)).or_default() += 1;
    }
    let mut shared: Vec<_> = reached.into_iter().filter(|(_, count)| *count >= SHARED).collect();
    shared.sort_by_key(|((_, change), count)| (*change != Changed::Changed, std::cmp::Reverse(*count)));
    let mut out = String::new();
    for ((input, change), count) in shared.iter().take(BECAUSE) {
        let change = words_of(*change);
        let _ = writeln!(out, "{} {change}: reaches {}", plain(input), words::count(*count, "operation"));
    }
    if shared.len() > BECAUSE {
        let _ = writeln!(out, "and {} more that reach {SHARED} operations or more", shared.len() - BECAUSE);
    }
    out
}

/// Changed main code that no operation reaches, with its callers.
fn unreached(plan: &Plan) -> String {
    let mut out = String::new();
    if plan.unreached.is_empty() {
        return out;
    }
    let _ = writeln!(out, "{} of main code that no operation reaches:", words::count(plan.unreached.len(), "change"));
    let mut list: Vec<_> = plan.unreached.iter().collect();
    list.sort_by_key(|one| !one.from_running);
    for one in list.iter().take(UNREACHED) {
        let by = match (one.referred_by.first(), one.from_running) {
            (Some(by), true) => format!("runs: {by}"),
            (None, true) => "something that runs leads to it".to_owned(),
            (Some(by), false) => format!("referred to by {by}, which nothing runs"),
            (None, false) => "nothing refers to it".to_owned(),
        };
        let _ = writeln!(out, "          {} {} ({})", plain(&one.input), words_of(one.change), plain(&by));
    }
    if list.len() > UNREACHED {
        let _ = writeln!(out, "          and {} more", list.len() - UNREACHED);
    }
    out
}

fn words_of(change: Changed) -> &'static str {
    match change {
        Changed::Added => "added",
        Changed::Removed => "removed",
        Changed::Changed => "changed",
    }
}

/// The chains of `mastor why`, from the entry to the change.
pub fn why(why: &Why) -> String {
    let mut out = format!("{}\n", plain(why.op_id.as_str()));
    if why.chains.is_empty() {
        out.push_str("  nothing that decides how it behaves has changed\n");
    }
    for chain in &why.chains {
        let _ = writeln!(out, "\n  {}", styled(ALERT, &plain(&chain.changed)));
        for (n, step) in chain.path.iter().enumerate() {
            let arrow = if n == 0 { "  " } else { "→ " };
            let _ = writeln!(out, "    {}{arrow}{}", "  ".repeat(n.min(20)), plain(step));
        }
    }
    if why.left_out > 0 {
        let _ = writeln!(out, "\n  and {} whose chains are not told", words::count(why.left_out, "more input"));
    }
    out
}

/// The output of `mastor generate`, one operation a line, then totals.
pub fn generated(generated: &Generated) -> String {
    let mut out = String::new();
    for operation in &generated.operations {
        let strategies: Vec<String> = ["fv", "fi", "bv", "bi"]
            .iter()
            .map(|s| format!("{s} {}", operation.by_strategy.get(*s).copied().unwrap_or(0)))
            .collect();
        let _ = write!(
            out,
            "{}  {}{} ({} new): {}",
            plain(operation.op_id.as_str()),
            words::count(operation.oracles, "oracle"),
            words::and_assumed(operation.assumed),
            operation.added,
            strategies.join(" ")
        );
        if operation.proposed > 0 {
            let _ = write!(out, "  {}", styled(ALERT, &format!("{} proposed", operation.proposed)));
        }
        out.push('\n');
        for dropped in &operation.dropped {
            let _ = writeln!(
                out,
                "    {}",
                styled(FAINT, &format!("dropped {}: {}", dropped.count, plain(&dropped.reason)))
            );
        }
        for note in operation.notes.iter().take(NOTES) {
            let _ = writeln!(out, "    unknown: {}", plain(&shorten(note, 120)));
        }
        if operation.notes.len() > NOTES {
            let _ = writeln!(out, "    and {} more unknowns, all in `--format json`", operation.notes.len() - NOTES);
        }
    }
    let totals = &generated.totals;
    let _ = writeln!(
        out,
        "{}: {}{} · {} · {} verified · {} pending",
        words::count(generated.operations.len(), "operation"),
        words::count(totals.oracles, "oracle"),
        words::and_assumed(totals.assumed),
        words::count(totals.sequences, "sequence"),
        words::count(totals.verified, "fact"),
        totals.pending
    );
    if let Some(slices) = &generated.slices {
        let _ = writeln!(out, "{}", slices.line());
        for one in slices.not_made.iter().take(NOTES) {
            let _ = writeln!(out, "    {}: {}", words::count(one.oracles, "oracle"), plain(&shorten(&one.why, 120)));
        }
    }
    out
}

/// Maximum number of quarantined fields listed.
const FIELDS: usize = 20;

/// Results of candidates on the service: precision by rule and strategy, refuted candidates, varying fields, and a line
/// of counts.
pub fn confirming(confirm: &Confirming) -> String {
    let mut out = String::new();
    for one in &confirm.precision {
        let rule = plain(&shorten(&one.rule, 100));
        let _ = writeln!(out, "  {:>4} of {:>4} held  {}  {rule}", one.held, one.candidates, one.strategy);
    }
    for group in &confirm.refuted_by {
        let _ = writeln!(out, "  {:>4} refuted: {}", group.count, plain(&shorten(&group.reason, 160)));
    }
    for field in confirm.quarantined.iter().take(FIELDS) {
        let path = if field.path.is_empty() { "the whole body" } else { &field.path };
        let _ = writeln!(out, "  varies: {} of {} ({})", plain(path), plain(&field.op_id.to_string()), field.why);
    }
    if confirm.quarantined.len() > FIELDS {
        let _ = writeln!(out, "  and {} more fields that vary", confirm.quarantined.len() - FIELDS);
    }
    if confirm.followed + confirm.unfollowed > 0 {
        let left = match confirm.unfollowed {
            0 => String::new(),
            left => format!(" · those of {} were not tried: too many", words::count(left, "write")),
        };
        let _ = writeln!(out, "  {} kept as seen{left}", words::count(confirm.followed, "follow-up read"));
    }
    let _ = writeln!(
        out,
        "{} run: {} held, {} refuted, {} flaky, {} without an answer · {} kept as seen · {} observed · {} sent",
        words::count(confirm.candidates, "candidate"),
        confirm.held,
        confirm.refuted,
        confirm.flaky,
        confirm.unanswered,
        words::count(confirm.seen, "open request"),
        words::count(confirm.observed, "assertion"),
        words::count(confirm.requests, "request"),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use mastor_types::results::report::{EntryPlace, OperationRow};

    fn bare(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn operations_name_entry_place_and_reason() {
        let row = |path: &str, status, entry| OperationRow {
            op_id: sample::op(path),
            status,
            entry,
            framework: None,
            matched_by: (status == MatchStatus::Matched).then(|| "path and method".to_owned()),
            reason: (status != MatchStatus::Matched).then(|| "no route of the code has this path".to_owned()),
        };
        let entry = EntryPlace {
            class: "com.acme.OrderController".into(),
            method: "get(String)".into(),
            file: "src/main/java/com/acme/OrderController.java".into(),
            line: 12,
        };
        let rows =
            vec![row("/orders/{id}", MatchStatus::Matched, Some(entry)), row("/x", MatchStatus::Unmatched, None)];
        insta::assert_snapshot!(bare(&operations(&Operations::new(rows, sample::service("a").warnings))));
    }

    #[test]
    fn plan_why_and_generated_end_in_a_countable_line() {
        let service = sample::service("a");
        let text = [plan(&service.plan), why(&service.why[0]), generated(&service.generate)].join("\n----\n");
        insta::assert_snapshot!(bare(&text));
    }
}

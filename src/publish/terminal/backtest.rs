//! The table of `mastor backtest`: one commit a line, newest first, then totals.

use std::fmt::Write as _;

use crate::wording::words;
use mastor_template::escape::plain;
use mastor_types::results::backtest::{BacktestRow, BacktestTotals};
use mastor_types::results::compared::Comparison;

/// Maximum length of a commit's subject.
const SUBJECT: usize = 60;

/// The table's header.
pub fn head() -> String {
    format!(
        "{:<10} {:>8} {:>7} {:>4} {:>7} {:>7} {:>9} {:>4} {:>7}  subject\n",
        "commit", "affected", "recheck", "new", "retired", "changes", "undecided", "same", "s"
    )
}

/// The row of a commit; with `details` also its operations and changes.
pub fn row(row: &BacktestRow, details: bool) -> String {
    let mut out = String::new();
    line(&mut out, row);
    if !details {
        return out;
    }
    for operation in &row.details {
        let because: Vec<String> = operation.because.iter().take(3).map(|b| plain(&b.input)).collect();
        let more = operation.because.len().saturating_sub(3);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(
            out,
            "             {} {}  {}{more}",
            operation.state.as_str(),
            plain(operation.op_id.as_str()),
            because.join(", ")
        );
    }
    for one in row.compared.iter().filter(|one| one.state == Comparison::Undecided) {
        let why = one.stopped.first().map(|stop| plain(&stop.what)).unwrap_or_default();
        let _ = writeln!(out, "             undecided {}: {why}", plain(one.op_id.as_str()));
    }
    for change in &row.derived {
        let _ = writeln!(
            out,
            "             {} {}: {}",
            words::effect(change.effect),
            plain(change.op_id.as_str()),
            plain(&change.what)
        );
    }
    out
}

/// The totals below the rows.
pub fn totals(totals: &BacktestTotals) -> String {
    let states: Vec<String> = totals.compared.iter().map(|(state, n)| format!("{n} {state}")).collect();
    format!(
        "{}: {} silent, {} with derived changes, {} could not be read; of the affected operations {}; {:.2} s median, {:.2} s at the 95th percentile; {} where any, median of affected operations\n",
        words::count(totals.commits, "commit"),
        totals.silent,
        totals.with_changes,
        totals.errors,
        states.join(", "),
        totals.median_seconds,
        totals.p95_seconds,
        totals.median_affected,
    )
}

fn line(out: &mut String, row: &BacktestRow) {
    let sha: String = row.sha.chars().take(10).collect();
    let subject: String = plain(&row.subject).chars().take(SUBJECT).collect();
    match &row.error {
        Some(error) => {
            let _ = writeln!(out, "{sha:<10} cannot be read: {}  {subject}", plain(error));
        }
        None => {
            let _ = writeln!(
                out,
                "{sha:<10} {:>8} {:>7} {:>4} {:>7} {:>7} {:>9} {:>4} {:>7.2}  {subject}",
                row.affected, row.recheck, row.new, row.retired, row.changes, row.undecided, row.same, row.seconds
            );
        }
    }
}

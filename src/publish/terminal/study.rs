//! The tables of a study in Markdown and CSV: results and cost by configuration, and cost by agent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use mastor_template::escape::markdown_cell;
use mastor_types::model::Usage;
use mastor_types::results::study::{Study, StudyRow};

/// All tables as Markdown.
pub fn markdown(study: &Study) -> String {
    let mut out = String::from("# Study\n\n## What was made\n\n");
    out.push_str(
        "| project | configuration | operations | oracles | by agents | sequences | held / run | precision |\n",
    );
    out.push_str("|---|---|--:|--:|--:|--:|--:|--:|\n");
    for row in &study.rows {
        let share =
            |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{:.1} %", value * 100.0));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} / {} | {} |",
            markdown_cell(&row.project),
            markdown_cell(&row.configuration),
            row.operations,
            row.oracles,
            row.by_agents,
            row.sequences,
            row.held,
            row.candidates,
            share(row.precision())
        );
    }
    out.push_str("\n## What it cost\n\n| project | configuration | calls | tokens in / out (M) | cached | USD | seconds |\n|---|---|--:|--:|--:|--:|--:|\n");
    for row in &study.rows {
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            markdown_cell(&row.project),
            markdown_cell(&row.configuration),
            cost(&row.usage, row.seconds)
        );
    }
    for (name, rows) in by_configuration(study) {
        for (label, of) in [("**sum**", sum as fn(&[f64]) -> f64), ("**average**", average), ("**median**", median)] {
            let column = |get: &dyn Fn(&StudyRow) -> f64| of(&rows.iter().map(|row| get(row)).collect::<Vec<_>>());
            let usd = rows.iter().map(|row| row.usage.usd).collect::<Option<Vec<f64>>>();
            let _ = writeln!(
                out,
                "| {label} | {} | {:.1} | {:.3} / {:.3} | {:.3} | {} | {:.1} |",
                markdown_cell(name),
                column(&|row| row.usage.calls as f64),
                column(&|row| row.usage.input_tokens as f64 / 1e6),
                column(&|row| row.usage.output_tokens as f64 / 1e6),
                column(&|row| row.usage.cached_tokens as f64 / 1e6),
                usd.map_or_else(|| "–".to_owned(), |usd| format!("{:.4}", of(&usd))),
                column(&|row| row.seconds)
            );
        }
    }
    agents(study, &mut out);
    let failed: Vec<&StudyRow> = study.rows.iter().filter(|row| row.error.is_some()).collect();
    if !failed.is_empty() {
        out.push_str("\n## Without numbers\n\n");
        for row in failed {
            let why = row.error.as_deref().unwrap_or_default();
            let _ = writeln!(
                out,
                "- {} / {}: {}",
                markdown_cell(&row.project),
                markdown_cell(&row.configuration),
                markdown_cell(why)
            );
        }
    }
    out
}

/// Cost by agent, with its share of the configuration's cost.
fn agents(study: &Study, out: &mut String) {
    let names: BTreeSet<&String> = study.rows.iter().flat_map(|row| row.by_agent.keys()).collect();
    if names.is_empty() {
        return;
    }
    out.push_str("\n## By agent: calls, USD (share)\n\n| project | configuration |");
    names.iter().for_each(|name| {
        let _ = write!(out, " {} |", markdown_cell(name));
    });
    out.push_str("\n|---|---|");
    out.push_str(&"--:|".repeat(names.len()));
    out.push('\n');
    for row in study.rows.iter().filter(|row| !row.by_agent.is_empty()) {
        let _ = write!(out, "| {} | {} |", markdown_cell(&row.project), markdown_cell(&row.configuration));
        for name in &names {
            let usage = row.by_agent.get(*name).copied().unwrap_or_default();
            let share = match (usage.usd, row.usage.usd) {
                (Some(own), Some(all)) if all > 0.0 => format!(", {own:.4} ({:.1} %)", own * 100.0 / all),
                _ => String::new(),
            };
            let _ = write!(out, " {}{share} |", usage.calls);
        }
        out.push('\n');
    }
}

/// Columns of the CSV file.
const COLUMNS: [&str; 18] = [
    "project",
    "configuration",
    "engine",
    "commit",
    "operations",
    "oracles",
    "by_agents",
    "sequences",
    "candidates",
    "held",
    "precision",
    "calls",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "usd",
    "seconds",
    "error",
];

/// All rows as CSV (RFC 4180).
///
/// # Errors
/// Errors of the CSV writer, which do not occur for text in memory.
pub fn csv(study: &Study) -> Result<String, csv::Error> {
    let mut out = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    out.write_record(COLUMNS)?;
    for row in &study.rows {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let usage = &row.usage;
        let cells = [
            row.project.clone(),
            row.configuration.clone(),
            row.engine.clone(),
            row.commit.clone(),
            row.operations.to_string(),
            row.oracles.to_string(),
            row.by_agents.to_string(),
            row.sequences.to_string(),
            row.candidates.to_string(),
            row.held.to_string(),
            number(row.precision()),
            usage.calls.to_string(),
            usage.input_tokens.to_string(),
            usage.cached_tokens.to_string(),
            usage.output_tokens.to_string(),
            number(usage.usd),
            format!("{:.3}", row.seconds),
            row.error.clone().unwrap_or_default(),
        ];
        out.write_record(cells.map(harmless))?;
    }
    let bytes = out.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Escapes a cell that a spreadsheet would run as a formula.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '@']) { format!("'{cell}") } else { cell }
}

fn cost(usage: &Usage, seconds: f64) -> String {
    format!(
        "{} | {:.3} / {:.3} | {:.3} | {} | {seconds:.1}",
        usage.calls,
        usage.input_tokens as f64 / 1e6,
        usage.output_tokens as f64 / 1e6,
        usage.cached_tokens as f64 / 1e6,
        usage.usd.map_or_else(|| "–".to_owned(), |usd| format!("{usd:.4}"))
    )
}

/// Rows with results, grouped by configuration in the file's order.
fn by_configuration(study: &Study) -> Vec<(&str, Vec<&StudyRow>)> {
    let mut out: Vec<(&str, Vec<&StudyRow>)> = Vec::new();
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    for row in study.rows.iter().filter(|row| row.error.is_none()) {
        let n = *place.entry(&row.configuration).or_insert_with(|| {
            out.push((&row.configuration, Vec::new()));
            out.len() - 1
        });
        if let Some((_, rows)) = out.get_mut(n) {
            rows.push(row);
        }
    }
    out
}

fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

fn average(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { sum(values) / values.len() as f64 }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.get(middle), middle.checked_sub(1).and_then(|below| sorted.get(below))) {
        (Some(upper), Some(lower)) if sorted.len().is_multiple_of(2) => f64::midpoint(*upper, *lower),
        (Some(upper), _) => *upper,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_averages_and_medians_are_those_of_the_rows() {
        assert_eq!((sum(&[1.0, 2.0, 6.0]), average(&[1.0, 2.0, 6.0]), median(&[6.0, 1.0, 2.0])), (9.0, 3.0, 2.0));
        assert_eq!((median(&[1.0, 3.0]), median(&[]), average(&[])), (2.0, 0.0, 0.0));
    }

    #[test]
    fn a_cell_is_never_run_by_a_spreadsheet() {
        assert_eq!(harmless("=1+1".to_owned()), "'=1+1");
        assert_eq!(harmless("a,\"b\"".to_owned()), "a,\"b\"");
    }
}

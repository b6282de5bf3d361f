//! Undecided operations in words: by cause, the most frequent first, with the changed code that matters.

use serde::Serialize;

use super::report_rows::{NAME, named, short_symbol};
use crate::wording::words;
use mastor_template::escape::{shorten, shorten_start};
use mastor_types::results::compared::{Comparison, Difference, by_cause, count};
use mastor_types::results::report::ServiceReport;

/// Maximum number of causes listed.
const CAUSES: usize = 5;
/// Maximum number of operations named for a cause.
const OPERATIONS: usize = 3;
/// Maximum length of a cause, in characters.
const TEXT: usize = 300;

/// The undecided operations of one service.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct UndecidedView {
    /// `Could not tell for 84 of 90 affected operations`.
    pub summary: String,
    /// Causes, the most frequent first.
    pub causes: Vec<Cause>,
    /// Number of causes left out.
    pub causes_left: usize,
    /// The changed code that leaves operations undecided.
    pub code: Vec<Code>,
    /// Number of pieces of code left out.
    pub code_left: usize,
}

/// A cause for undecided operations.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Cause {
    pub what: String,
    pub place: Option<String>,
    /// Number and first names of its operations: `84: GET /a, POST /b and 82 more`.
    pub operations: String,
}

/// The diff of a changed piece of code.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Code {
    pub name: String,
    pub place: Option<String>,
    pub lines: String,
}

impl UndecidedView {
    /// The undecided operations of a service; `None` where there are none.
    pub fn of(service: &ServiceReport) -> Option<Self> {
        let undecided = count(&service.compared, Comparison::Undecided);
        if undecided == 0 {
            return None;
        }
        let causes = by_cause(&service.compared);
        let shown = causes.iter().take(CAUSES).map(|cause| {
            let names: Vec<String> = cause.operations.iter().take(OPERATIONS).map(|op_id| named(op_id)).collect();
            let left = cause.operations.len().saturating_sub(OPERATIONS);
            let left = if left > 0 { format!(" and {left} more") } else { String::new() };
            Cause {
                what: shorten(&cause.stop.what, TEXT),
                place: place(cause.stop.file.as_deref(), cause.stop.line),
                operations: format!("{}: {}{left}", cause.operations.len(), names.join(", ")),
            }
        });
        Some(Self {
            summary: format!(
                "Could not tell for {undecided} of {}",
                words::count(service.compared.len(), "affected operation")
            ),
            causes: shown.collect(),
            causes_left: causes.len().saturating_sub(CAUSES),
            code: service.differences.iter().map(code).collect(),
            code_left: 0,
        })
    }

    /// Keeps at most this many pieces of code.
    pub fn keep_code(&mut self, most: usize) {
        self.code_left += self.code.len().saturating_sub(most);
        self.code.truncate(most);
    }
}

fn place(file: Option<&str>, line: Option<u32>) -> Option<String> {
    let file = shorten_start(file?, NAME);
    Some(line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
}

fn code(difference: &Difference) -> Code {
    Code {
        name: shorten(short_symbol(&difference.input), NAME),
        place: place(difference.file.as_deref(), difference.line),
        lines: difference.lines.join("\n"),
    }
}

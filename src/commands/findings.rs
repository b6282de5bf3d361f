//! Findings of `mastor doctor`, and the exit code that they lead to.

use mastor_template::escape::plain;
use mastor_types::error::{Exit, Failure};

/// Findings, one line each.
#[derive(Debug, Default)]
pub(super) struct Findings {
    lines: Vec<String>,
    exits: Vec<Exit>,
}

impl Findings {
    /// Adds a passed check.
    pub(super) fn good(&mut self, text: &str) {
        self.lines.push(format!("ok    {text}\n"));
    }

    /// Adds a note.
    pub(super) fn note(&mut self, text: &str) {
        self.lines.push(format!("note  {text}\n"));
    }

    /// Adds a failed check.
    pub(super) fn bad(&mut self, failure: &Failure) {
        let hint = failure.hint.as_ref().map(|hint| format!(": {hint}")).unwrap_or_default();
        self.lines.push(format!("FAIL  {}{hint}\n", failure.message));
        self.lines.extend(failure.lines.iter().map(|line| format!("      | {}\n", plain(line))));
        self.exits.push(failure.exit);
    }

    /// The value of a successful step; a failure becomes a finding.
    pub(super) fn take<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        result.map_err(|failure| self.bad(&failure)).ok()
    }

    /// All lines as one text.
    pub(super) fn text(&self) -> String {
        self.lines.concat()
    }

    /// The worst exit of all findings.
    pub(super) fn exit(&self) -> Exit {
        Exit::worst(self.exits.iter().copied())
    }
}

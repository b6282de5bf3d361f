//! Findings of `mastor doctor`: one line each, and how the process ends.

use crate::error::{Exit, Failure};
use crate::template::escape::plain;

/// What was found, one line each.
#[derive(Debug, Default)]
pub(super) struct Findings {
    lines: Vec<String>,
    exits: Vec<Exit>,
}

impl Findings {
    /// A line of this kind.
    pub(super) fn good(&mut self, text: &str) {
        self.lines.push(format!("ok    {text}\n"));
    }

    /// A line of this kind.
    pub(super) fn note(&mut self, text: &str) {
        self.lines.push(format!("note  {text}\n"));
    }

    /// What has to be mended.
    pub(super) fn bad(&mut self, failure: &Failure) {
        let hint = failure.hint.as_ref().map(|hint| format!(": {hint}")).unwrap_or_default();
        self.lines.push(format!("FAIL  {}{hint}\n", failure.message));
        self.lines.extend(failure.lines.iter().map(|line| format!("      | {}\n", plain(line))));
        self.exits.push(failure.exit);
    }

    /// What came of a step; its failure is a finding.
    pub(super) fn take<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        result.map_err(|failure| self.bad(&failure)).ok()
    }

    /// All lines.
    pub(super) fn text(&self) -> String {
        self.lines.concat()
    }

    /// The worst exit among them.
    pub(super) fn exit(&self) -> Exit {
        Exit::worst(self.exits.iter().copied())
    }
}

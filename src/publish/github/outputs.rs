//! Outputs of the Actions step, which other steps of a workflow can read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mastor_types::results::change::Change;
use mastor_types::results::compared::{Comparison, count};
use mastor_types::results::outcome::RunVerdict;
use mastor_types::results::plan::State;
use mastor_types::results::report::{Report, ServiceReport};

/// Paths of files that a run wrote, from the repository's root; empty if it did not.
#[derive(Debug, Clone, Default)]
pub struct Paths {
    /// `report.json`.
    pub report: String,
    /// The report as Markdown.
    pub summary: String,
    /// The results of `check` as JUnit XML.
    pub junit_results: String,
    /// The exported JUnit module.
    pub junit: String,
    /// The exported Postman collection.
    pub postman: String,
}

/// All outputs by name; every run has the same names.
pub fn outputs(report: &Report, paths: &Paths) -> BTreeMap<&'static str, String> {
    let services = &report.services;
    let sum = |count: &dyn Fn(&ServiceReport) -> usize| services.iter().map(count).sum::<usize>().to_string();
    let state = |state: State| sum(&|service| service.plan.count(state));
    let compared = |state: Comparison| sum(&|service| count(&service.compared, state));
    let usd: f64 = services.iter().map(|service| service.generate.usage.usd.unwrap_or_default()).sum();
    let worst = services.iter().map(|service| service.verdict).max_by_key(|verdict| verdict.weight());
    let verdict = worst.and_then(|verdict| serde_json::to_value(verdict).ok());
    BTreeMap::from([
        ("verdict", verdict.and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()),
        ("exit-name", report.exit.name.clone()),
        ("operations", sum(&|service| service.plan.operations.len())),
        ("affected", state(State::Affected)),
        ("recheck", state(State::Recheck)),
        ("inherited", state(State::Inherited)),
        ("new", state(State::New)),
        ("retired", state(State::Retired)),
        ("changed", compared(Comparison::Changed)),
        ("same", compared(Comparison::Same)),
        ("undecided", compared(Comparison::Undecided)),
        ("broken", sum(&|service| service.changes.iter().filter(|c| breaks(c)).count())),
        ("skipped", sum(&|service| skipped(service))),
        ("cost-usd", format!("{usd:.2}")),
        ("report-path", paths.report.clone()),
        ("summary-path", paths.summary.clone()),
        ("junit-results-path", paths.junit_results.clone()),
        ("junit-path", paths.junit.clone()),
        ("postman-path", paths.postman.clone()),
    ])
}

/// Whether a change needs a decision.
fn breaks(change: &Change) -> bool {
    change.with_also().any(|one| one.needs_decision)
}

/// Number of oracles that were not run, and of operations without any oracle.
fn skipped(service: &ServiceReport) -> usize {
    let not_run = service.check.as_ref().map_or(0, |check| check.count(RunVerdict::Skipped));
    not_run + service.generate.operations.iter().filter(|operation| operation.oracles == 0).count()
}

/// The content for the file that `GITHUB_OUTPUT` names; line breaks in values become spaces.
pub fn file_text(outputs: &BTreeMap<&'static str, String>) -> String {
    let mut out = String::new();
    for (name, value) in outputs {
        let value = value.replace(['\r', '\n'], " ");
        let _ = writeln!(out, "{name}={value}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::sample;
    use super::*;

    #[test]
    fn outputs_are_one_line_each_and_always_the_same_names() {
        let mut report = sample::report(vec![sample::service("orders")]);
        report.exit.name = "clean\nverdict=forged".to_owned();
        let paths = Paths { report: ".mastor/out/report.json".to_owned(), ..Paths::default() };
        let text = file_text(&outputs(&report, &paths));
        assert_eq!(text.lines().count(), 19);
        assert!(
            text.contains("exit-name=clean verdict=forged\n") && text.contains("report-path=.mastor/out/report.json\n")
        );
        assert!(text.contains("affected=") && text.contains("undecided=0\n") && text.contains("cost-usd=0.00"));
    }
}

//! SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format): changes as code-scanning results on the lines that
//! cause them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::report_rows::needs_decision;
use crate::wording::words;
use mastor_template::escape::plain;
use mastor_types::hash::Hash;
use mastor_types::results::change::{Change, ChangeEffect, Place};
use mastor_types::results::compared::{StoppedBy, by_cause};
use mastor_types::results::report::{Report, ServiceReport};
use mastor_types::suite::request::percent_path;

/// Rules: id and description.
const RULES: [(&str, &str); 4] = [
    (
        "unaccepted-change",
        "An operation answers differently from what the committed suite says, and nobody has accepted it.",
    ),
    ("breaking-change", "An operation answers differently, so that clients that worked may fail."),
    ("behaviour-change", "An operation answers differently."),
    ("undecided-operation", "Whether operations answer differently could not be told."),
];

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Somebody has to decide.
    Error,
    /// Clients may fail.
    Warning,
    /// Behaviour differs.
    Note,
    /// Undecided.
    Open,
}

/// A finding on a line of the pull request, independent of the format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Id of its rule.
    pub rule: &'static str,
    /// Severity.
    pub severity: Severity,
    /// One or two sentences.
    pub message: String,
    /// The changed line.
    pub place: Place,
    /// Identifies the finding between runs.
    pub fingerprint: String,
}

/// A finding for each unaccepted change with a place, and for each cause with a place that leaves operations undecided.
pub fn findings(report: &Report) -> Vec<Finding> {
    let of = |service: &ServiceReport| {
        let changes: Vec<Finding> = service.changes.iter().filter_map(of_change).collect();
        changes.into_iter().chain(undecided(service)).collect::<Vec<_>>()
    };
    report.services.iter().flat_map(of).collect()
}

/// The SARIF log with one result for each finding.
pub fn sarif(report: &Report) -> Value {
    let results: Vec<Value> = findings(report).iter().map(result).collect();
    let rules: Vec<Value> =
        RULES.iter().map(|(id, what)| json!({ "id": id, "shortDescription": { "text": what } })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "mastor", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn result(finding: &Finding) -> Value {
    let (level, key) = match finding.severity {
        Severity::Error => ("error", "change/v1"),
        Severity::Warning => ("warning", "change/v1"),
        Severity::Note => ("note", "change/v1"),
        Severity::Open => ("none", "undecided/v1"),
    };
    let mut result = json!({
        "ruleId": finding.rule,
        "level": level,
        "message": { "text": finding.message },
        "locations": [location(&finding.place)],
        "partialFingerprints": { key: finding.fingerprint },
    });
    if finding.severity == Severity::Open {
        result["kind"] = json!("open");
    }
    result
}

/// The finding for a change, at the edited line; for removed code at its line in the base.
fn of_change(change: &Change) -> Option<Finding> {
    let (place, is_gone) = change.first_place()?;
    let (rule, severity) = match change.effect {
        _ if change.accepted => return None,
        _ if needs_decision(change) => ("unaccepted-change", Severity::Error),
        ChangeEffect::Breaking => ("breaking-change", Severity::Warning),
        _ => ("behaviour-change", Severity::Note),
    };
    let operations: BTreeSet<&str> = change.with_also().map(|one| one.op_id.as_str()).collect();
    let more = match operations.len() {
        0 | 1 => String::new(),
        all => format!(" So do {} more.", words::count(all - 1, "operation")),
    };
    let gone = if is_gone { " What stood here is gone." } else { "" };
    let text = format!("{} {}. {}{more}{gone}", change.op_id, change.what, words::effect(change.effect));
    let (message, fingerprint) = (plain(&text), change.id.clone());
    Some(Finding { rule, severity, message, place: place.clone(), fingerprint })
}

/// Findings for causes with a place that leave operations undecided. Their kind is `open`, since the result is neither
/// pass nor fail.
fn undecided(service: &ServiceReport) -> Vec<Finding> {
    let finding = |cause: &StoppedBy<'_>| {
        let (file, line) = (cause.stop.file.clone()?, cause.stop.line.unwrap_or(1));
        let named: Vec<&str> = cause.operations.iter().take(3).map(|op_id| op_id.as_str()).collect();
        let text = format!(
            "could not tell for {} ({}): {}",
            words::count(cause.operations.len(), "operation"),
            named.join(", "),
            cause.stop.what
        );
        let fingerprint = Hash::of_parts([cause.stop.what.as_bytes(), file.as_bytes()]).short(16);
        let place = Place { file, line, end_line: line, symbol: String::new() };
        Some(Finding {
            rule: "undecided-operation",
            severity: Severity::Open,
            message: plain(&text),
            place,
            fingerprint,
        })
    };
    by_cause(&service.compared).iter().filter_map(finding).collect()
}

fn location(place: &Place) -> Value {
    let uri = percent_path(&place.file);
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri, "uriBaseId": "%SRCROOT%" },
        "region": { "startLine": place.line.max(1), "endLine": place.end_line.max(place.line).max(1) },
    } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn what_needs_a_decision_is_an_error_and_what_only_adds_a_note() {
        let log = sarif(&sample::report(vec![sample::service("orders")]));
        let results = log.pointer("/runs/0/results").and_then(Value::as_array).unwrap();
        let levels: Vec<&str> = results.iter().filter_map(|result| result["level"].as_str()).collect();
        assert_eq!(levels, ["note", "error"]);
        let mut service = sample::service("orders");
        service.compared[0].state = mastor_types::results::compared::Comparison::Undecided;
        service.compared[0].stopped = vec![mastor_types::results::compared::Stop {
            what: "a filter".into(),
            file: Some("F.java".into()),
            line: Some(7),
        }];
        let open = sarif(&sample::report(vec![service]));
        let last = &open.pointer("/runs/0/results").and_then(Value::as_array).unwrap()[2];
        assert_eq!((&last["kind"], &last["ruleId"]), (&json!("open"), &json!("undecided-operation")));
        assert_eq!(results[0].pointer("/locations/0/physicalLocation/region/startLine"), Some(&json!(34)));
    }
}

//! SARIF 2.1.0: changes as results for code scanning, on the line of the head that makes them (OASIS, Static Analysis Results Interchange Format).

use serde_json::{Value, json};

use super::report_rows::needs_decision;
use super::words;
use crate::template::escape::plain;
use crate::types::change::{Change, ChangeEffect, Place};
use crate::types::compared::{StoppedBy, by_cause};
use crate::types::hash::Hash;
use crate::types::report::{Report, ServiceReport};
use crate::types::request::percent_path;

/// The rules, by id, with what each says.
const RULES: [(&str, &str); 4] = [
    (
        "unaccepted-change",
        "An operation answers differently from what the committed suite says, and nobody has accepted it.",
    ),
    ("breaking-change", "An operation answers differently, so that clients that worked may fail."),
    ("behaviour-change", "An operation answers differently."),
    ("undecided-operation", "Whether operations answer differently could not be told."),
];

/// The log of one run: one result for every change that has a place in the head and is not accepted.
pub fn sarif(report: &Report) -> Value {
    let results: Vec<Value> = report
        .services
        .iter()
        .flat_map(|service| service.changes.iter().filter_map(result).chain(undecided(service)))
        .collect();
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

fn result(change: &Change) -> Option<Value> {
    let place = change.line_of_head().filter(|_| !change.accepted)?;
    let (rule, level) = match change.effect {
        _ if needs_decision(change) => ("unaccepted-change", "error"),
        ChangeEffect::Breaking => ("breaking-change", "warning"),
        _ => ("behaviour-change", "note"),
    };
    let text = format!("{} {}. {}", change.op_id, change.what, words::effect(change.effect));
    Some(json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": plain(&text) },
        "locations": [location(place)],
        "partialFingerprints": { "change/v1": change.id },
    }))
}

/// One result for each cause that leaves operations undecided and has a place: open, since neither pass nor failure could be told.
fn undecided(service: &ServiceReport) -> Vec<Value> {
    let result = |cause: &StoppedBy<'_>| {
        let (file, line) = (cause.stop.file.clone()?, cause.stop.line.unwrap_or(1));
        let named: Vec<&str> = cause.operations.iter().take(3).map(|op_id| op_id.as_str()).collect();
        let text = format!(
            "could not tell for {} ({}): {}",
            words::count(cause.operations.len(), "operation"),
            named.join(", "),
            cause.stop.what
        );
        let id = Hash::of_parts([cause.stop.what.as_bytes(), file.as_bytes()]).short(16);
        Some(json!({
            "ruleId": "undecided-operation",
            "kind": "open",
            "level": "none",
            "message": { "text": plain(&text) },
            "locations": [location(&Place { file, line, end_line: line, symbol: String::new() })],
            "partialFingerprints": { "undecided/v1": id },
        }))
    };
    by_cause(&service.compared).iter().filter_map(result).collect()
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
    use super::super::sample;
    use super::*;

    #[test]
    fn what_needs_a_decision_is_an_error_and_what_only_adds_a_note() {
        let log = sarif(&sample::report(vec![sample::service("orders")]));
        let results = log.pointer("/runs/0/results").and_then(Value::as_array).unwrap();
        let levels: Vec<&str> = results.iter().filter_map(|result| result["level"].as_str()).collect();
        assert_eq!(levels, ["note", "error"]);
        let mut service = sample::service("orders");
        service.compared[0].state = crate::types::compared::Comparison::Undecided;
        service.compared[0].stopped =
            vec![crate::types::compared::Stop { what: "a filter".into(), file: Some("F.java".into()), line: Some(7) }];
        let open = sarif(&sample::report(vec![service]));
        let last = &open.pointer("/runs/0/results").and_then(Value::as_array).unwrap()[2];
        assert_eq!((&last["kind"], &last["ruleId"]), (&json!("open"), &json!("undecided-operation")));
        assert_eq!(results[0].pointer("/locations/0/physicalLocation/region/startLine"), Some(&json!(34)));
    }
}

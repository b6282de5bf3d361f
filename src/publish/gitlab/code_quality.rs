//! GitLab's code-quality report: the findings of the SARIF log, in the format that merge requests show beside changed
//! lines.

use serde_json::{Value, json};

use crate::report::sarif::{Finding, Severity, findings};
use mastor_types::results::report::Report;

/// The report: one entry for each finding, with a fingerprint that is stable between runs.
pub fn code_quality(report: &Report) -> Value {
    findings(report).iter().map(entry).collect()
}

fn entry(finding: &Finding) -> Value {
    let severity = match finding.severity {
        Severity::Error => "critical",
        Severity::Warning => "major",
        Severity::Note => "minor",
        Severity::Open => "info",
    };
    json!({
        "description": finding.message,
        "check_name": format!("mastor/{}", finding.rule),
        "fingerprint": finding.fingerprint,
        "severity": severity,
        "location": {
            "path": finding.place.file,
            "lines": { "begin": finding.place.line.max(1), "end": finding.place.end_line.max(finding.place.line).max(1) },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn every_entry_has_what_gitlab_reads() {
        let entries = code_quality(&sample::report(vec![sample::service("orders")]));
        let entries = entries.as_array().unwrap();
        assert_eq!(entries.len(), 2);
        for entry in entries {
            let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).unwrap().to_owned();
            assert!(text("/check_name").starts_with("mastor/") && !text("/description").is_empty(), "{entry}");
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&text("/severity").as_str()), "{entry}");
            assert!(
                !text("/location/path").starts_with(['/', '.'])
                    && entry.pointer("/location/lines/begin").unwrap().is_u64()
            );
        }
        assert_ne!(entries[0]["fingerprint"], entries[1]["fingerprint"]);
    }
}

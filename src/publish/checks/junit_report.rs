//! The results of a check as JUnit XML for CI systems: an operation is a test suite, an oracle a test case.

use std::collections::BTreeMap;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use mastor_types::results::check::{CheckFields, CheckedOracle};
use mastor_types::results::outcome::RunVerdict;

/// The file's text. Only broken oracles are failures; inconclusive, refuted and skipped ones are skipped tests with a
/// reason.
///
/// # Errors
/// Where XML cannot be written.
pub fn junit_report(services: &[(String, CheckFields)]) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new("mastor");
    for (service, fields) in services {
        let mut suites: BTreeMap<String, Vec<&CheckedOracle>> = BTreeMap::new();
        for oracle in &fields.oracles {
            let of = oracle.op_ids.first().map(ToString::to_string).unwrap_or_default();
            let name = if oracle.op_ids.len() > 1 { format!("sequences from {of}") } else { of };
            suites.entry(name).or_default().push(oracle);
        }
        for (name, oracles) in suites {
            let name = if services.len() > 1 { format!("{service}: {name}") } else { name };
            let mut suite = TestSuite::new(name.as_str());
            suite.add_test_cases(oracles.into_iter().map(|oracle| case(&name, oracle)));
            report.add_test_suite(suite);
        }
    }
    let text = report.to_string()?;
    // CI systems expect a schema without a total of skipped tests at the top level.
    let end = text.find("<testsuites ").and_then(|at| Some(at + text[at..].find('>')?)).unwrap_or_default();
    let (head, rest) = text.split_at(end);
    let head = match (head.find(" skipped=\""), head.find(" failures=")) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &head[..from], &head[to..]),
        _ => head.to_owned(),
    };
    Ok(head + rest)
}

fn case(suite: &str, oracle: &CheckedOracle) -> TestCase {
    let status = match (oracle.verdict, &oracle.failure) {
        (RunVerdict::Held, _) => TestCaseStatus::success(),
        (RunVerdict::Broken, Some(failure)) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let mut lines = vec![format!("expected: {}", failure.expected), format!("seen: {}", failure.seen)];
            for unmet in &failure.more {
                lines.push(format!("expected: {}", unmet.expected));
                lines.push(format!("seen: {}", unmet.seen));
            }
            for evidence in &failure.evidence {
                let place = match (&evidence.file, evidence.line) {
                    (Some(file), Some(line)) => format!("{file}:{line}"),
                    _ => evidence.lost.clone().unwrap_or_default(),
                };
                lines.push(format!("because: {} ({place})", evidence.symbol));
            }
            lines.extend(failure.requests.iter().cloned());
            lines.push(failure.replay.clone());
            status.set_type("broken");
            status.set_message(format!("expected: {}; seen: {}", failure.expected, failure.seen));
            status.set_description(lines.join("\n"));
            status
        }
        (verdict, failure) => {
            let mut status = TestCaseStatus::skipped();
            let seen =
                failure.as_ref().map(|failure| format!("expected: {}; seen: {}", failure.expected, failure.seen));
            let why = oracle.reason.clone().or(seen).unwrap_or_default();
            // The schema has an element text here, but no message attribute.
            status.set_description(format!("{}: {why}", verdict.as_str()));
            status
        }
    };
    let mut case = TestCase::new(format!("{} [{}]", oracle.test_id, oracle.id), status);
    case.set_classname(suite);
    case
}

//! Filter: drops candidates that make no verifiable claim or whose input cannot be sent (MASTOR paper, section 4.4).
//! The paper asks a success oracle for a field assertion; here a header or body assertion serves too.

use std::collections::BTreeSet;

use mastor_suite::regenerate::impossible;
use mastor_types::suite::assertion::Check;
use mastor_types::suite::oracle::{Candidate, Oracle, Strategy};

/// Keeps a candidate that asserts something verifiable and whose input can be sent. Removes path values that the path
/// template does not name.
///
/// # Errors
/// The reason for dropping the candidate.
pub(super) fn filter(mut candidate: Candidate) -> Result<Candidate, &'static str> {
    let oracle = &mut candidate.oracle;
    if oracle.statuses().is_empty() {
        return Err("asserts no status");
    }
    if impossible(&oracle.assertions).is_some() {
        return Err("two assertions that can never hold together");
    }
    relabel(oracle);
    let success = matches!(oracle.strategy, Strategy::Fv | Strategy::Bv);
    let says_more = oracle.assertions.iter().any(|a| !matches!(a.check, Check::Status { .. }));
    if success && !says_more {
        return Err("a success oracle that asserts nothing but the status");
    }
    let template = template_parameters(oracle.op_id.path());
    oracle.input.path.retain(|name, _| template.contains(name.as_str()));
    if template.iter().any(|name| !oracle.input.path.contains_key(*name)) {
        return Err("a path parameter has no value");
    }
    if oracle.input.path.values().any(String::is_empty) {
        return Err("an empty path parameter asks for another route");
    }
    Ok(candidate)
}

/// Corrects the strategy, and its prefix in the test's name, where the expected statuses contradict it: a valid request expects a status below 400.
fn relabel(oracle: &mut Oracle) {
    let (refused, taken) = (|status: &u16| *status >= 400, |status: &u16| *status < 400);
    let statuses = oracle.statuses();
    let strategy = match oracle.strategy {
        Strategy::Fv if statuses.iter().all(refused) => Strategy::Fi,
        Strategy::Bv if statuses.iter().all(refused) => Strategy::Bi,
        Strategy::Fi if statuses.iter().all(taken) => Strategy::Fv,
        Strategy::Bi if statuses.iter().all(taken) => Strategy::Bv,
        _ => return,
    };
    if let Some(rest) = oracle.test_id.strip_prefix(oracle.strategy.as_str()).filter(|rest| rest.starts_with('_')) {
        oracle.test_id = format!("{}{rest}", strategy.as_str());
    }
    oracle.strategy = strategy;
}

/// Names of the parameters of a path template, without the regular expression or default that may follow a name.
fn template_parameters(path: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut rest = path;
    while let Some(start) = rest.find('{') {
        let inner = &rest[start + 1..];
        let mut depth = 1;
        let end = inner
            .char_indices()
            .find(|(_, c)| {
                depth += match c {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                depth == 0
            })
            .map_or(inner.len(), |(i, _)| i);
        let name = inner[..end].split(':').next().unwrap_or_default().trim();
        names.insert(name.trim_start_matches(['*', '+']));
        rest = &inner[end..];
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_a_template_are_read_without_their_expressions() {
        let names: Vec<_> = template_parameters("/a/{id}/b/{code:[a-z]{2}}.{ext}").into_iter().collect();
        assert_eq!(names, ["code", "ext", "id"]);
    }
}

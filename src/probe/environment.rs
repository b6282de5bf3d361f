//! Whether the service is the one that the suite is for: a wrong environment makes a run inconclusive, not every oracle broken.

use std::collections::{BTreeMap, BTreeSet};

use super::job::Job;
use crate::types::evidence::EvidenceId;
use crate::types::oracle::Check;
use crate::types::outcome::{Expected, Outcome, RunVerdict};

/// Operations that must all miss before the environment is suspected.
const OPERATIONS: usize = 3;

/// Where nothing of what only reads has held, on several operations, and nearly all of it for the same status: what that looks like.
pub fn suspicion(jobs: &[&Job], outcomes: &[&Outcome]) -> Option<String> {
    let judged: Vec<&Outcome> = outcomes.iter().copied().filter(|outcome| is_judged(outcome)).collect();
    let operations: BTreeSet<_> = judged.iter().flat_map(|outcome| &outcome.op_ids).collect();
    let held = judged.iter().any(|outcome| outcome.verdict == RunVerdict::Held);
    if held || operations.len() < OPERATIONS || judged.len() < jobs.len().div_ceil(2) {
        return None;
    }
    let mut statuses: BTreeMap<&str, usize> = BTreeMap::new();
    for status in judged.iter().filter_map(|outcome| unexpected_status(outcome)) {
        *statuses.entry(status).or_default() += 1;
    }
    let all: usize = statuses.values().sum();
    let (status, count) = statuses.into_iter().max_by_key(|(_, count)| *count)?;
    if count * 10 < all * 8 || count < OPERATIONS {
        return None;
    }
    let guess = match status {
        "401" | "403" => "is `[service] auth` missing, or another user's?",
        "404" | "405" => "is the base URL that of another service, or without a part of the path?",
        "502" | "503" | "504" => "is something between us and the service, or is the service not up yet?",
        _ => "is this the service that the suite is for?",
    };
    Some(format!(
        "nothing holds on any of the {} operations that were read, and {count} times {status} is why: {guess}",
        operations.len()
    ))
}

/// What is assumed and not so: every oracle that only reads and assumes it has missed, on at least two operations.
pub fn untrue<'a>(jobs: &[&'a Job], outcomes: &[&Outcome]) -> BTreeMap<&'a EvidenceId, String> {
    let mut seen: BTreeMap<&EvidenceId, (bool, BTreeSet<String>, &str)> = BTreeMap::new();
    for (job, outcome) in jobs.iter().zip(outcomes).filter(|(job, outcome)| !job.writes && is_judged(outcome)) {
        for assumption in &job.assumes {
            let (missed, operations, what) =
                seen.entry(&assumption.evidence).or_insert((true, BTreeSet::new(), assumption.what.as_str()));
            *missed &= outcome.verdict != RunVerdict::Held;
            *what = assumption.what.as_str();
            operations.extend(outcome.op_ids.iter().map(ToString::to_string));
        }
    }
    let untrue = seen.into_iter().filter(|(_, (missed, operations, _))| *missed && operations.len() > 1);
    untrue
        .map(|(id, (_, operations, what))| {
            (id, format!("it assumes: {what}; none of the {} operations that read it shows that", operations.len()))
        })
        .collect()
}

fn is_judged(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, RunVerdict::Held | RunVerdict::Broken | RunVerdict::Refuted)
}

/// The status that was seen where another one was expected.
fn unexpected_status(outcome: &Outcome) -> Option<&str> {
    outcome.misses.iter().find_map(|miss| match &miss.expected {
        Expected::Assertion { check: Check::Status { .. }, .. } => Some(miss.seen.as_str()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::types::oracle::Oracle;
    use crate::types::outcome::Miss;

    fn job(path: &str, assumes: &[&str]) -> Job {
        let assumes: Vec<_> =
            assumes.iter().map(|id| json!({"what": format!("record {id}"), "evidence": id})).collect();
        let oracle: Oracle = serde_json::from_value(json!({
            "o_id": path, "op_id": format!("GET {path}"), "test_id": path, "description": "", "strategy": "fv", "as": "anonymous",
            "input": {}, "assertions": [{"type": "status", "expected": 200}], "effect": "reads", "assumes": assumes, "evidence": [],
            "rationale": "", "origin": {"engine": "rules", "model": null, "challenger": "skipped"},
            "confirmation": {"state": "confirmed", "runs": 2},
        }))
        .unwrap();
        Job::of_oracle(&oracle)
    }

    fn outcome(job: &Job, seen: Option<&str>) -> Outcome {
        let mut outcome = job.without_run(RunVerdict::Held, "");
        if let Some(seen) = seen {
            outcome.verdict = RunVerdict::Broken;
            let expected = Expected::Assertion { index: 0, check: job.steps[0].assertions[0].check.clone() };
            outcome.misses = vec![Miss { step: 0, expected, at: String::new(), seen: seen.to_owned() }];
        }
        outcome
    }

    fn of(outcomes: &[Outcome]) -> Vec<&Outcome> {
        outcomes.iter().collect()
    }

    #[test]
    fn one_answer_of_every_operation_is_suspicious() {
        let jobs: Vec<Job> = ["/a", "/b", "/c"].map(|path| job(path, &[])).into();
        let jobs: Vec<&Job> = jobs.iter().collect();
        let all = |seen: [Option<&str>; 3]| -> Vec<Outcome> {
            jobs.iter().zip(seen).map(|(job, seen)| outcome(job, seen)).collect()
        };
        assert!(suspicion(&jobs, &of(&all([Some("404"); 3]))).unwrap().contains("base URL"));
        assert_eq!(suspicion(&jobs, &of(&all([Some("404"), Some("404"), None]))), None);
        assert_eq!(suspicion(&jobs, &of(&all([Some("404"), Some("404"), Some("500")]))), None);
        assert_eq!(suspicion(&jobs[..2], &of(&all([Some("404"); 3]))[..2]), None);
    }

    #[test]
    fn an_assumption_is_untrue_where_nothing_that_reads_it_holds() {
        let jobs: Vec<Job> = vec![job("/a", &["e:1"]), job("/b", &["e:1", "e:2"]), job("/c", &["e:2"])];
        let jobs: Vec<&Job> = jobs.iter().collect();
        let outcomes = vec![outcome(jobs[0], Some("404")), outcome(jobs[1], Some("404")), outcome(jobs[2], None)];
        let untrue: Vec<String> = untrue(&jobs, &of(&outcomes)).into_values().collect();
        assert_eq!(untrue, ["it assumes: record e:1; none of the 2 operations that read it shows that"]);
    }
}

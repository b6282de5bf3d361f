//! Detects a wrong environment (another service, other data, missing credentials), so that its run is inconclusive
//! instead of breaking every oracle.

use std::collections::{BTreeMap, BTreeSet};

use crate::job::{Job, UNASKED};
use mastor_types::OpId;
use mastor_types::results::outcome::{Answer, Expected, Miss, Outcome, RunVerdict};
use mastor_types::suite::assertion::{Check, FieldOp};
use mastor_types::suite::evidence::EvidenceId;
use mastor_types::suite::given::{Given, Read};
use mastor_types::suite::oracle::Oracle;

/// Minimum number of operations that must all miss before the environment is suspected.
const OPERATIONS: usize = 3;

/// Describes a suspected cause where no read-only oracle held on several operations, and most missed with the same
/// status.
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

/// Whether every answer was 404 although several operations expect success; returns the numbers of answers and
/// operations. Such answers probably come from something in front of the service.
pub fn unserved(oracles: &[Oracle], answers: &BTreeMap<String, Vec<Answer>>) -> Option<(usize, usize)> {
    let all = || answers.values().flatten();
    let expects_success =
        |oracle: &&Oracle| answers.contains_key(&oracle.o_id) && oracle.statuses().iter().all(|status| *status < 400);
    let operations: BTreeSet<&OpId> = oracles.iter().filter(expects_success).map(|oracle| &oracle.op_id).collect();
    (operations.len() >= OPERATIONS && all().all(|answer| answer.status == 404))
        .then(|| (all().count(), operations.len()))
}

/// Evidence of data that seems to be missing: all read-only oracles that need it missed, on at least two operations.
pub fn untrue<'a>(jobs: &[&'a Job], outcomes: &[&Outcome]) -> BTreeMap<&'a EvidenceId, String> {
    let mut seen: BTreeMap<&EvidenceId, (bool, BTreeSet<String>, String)> = BTreeMap::new();
    for (job, outcome) in jobs.iter().zip(outcomes).filter(|(job, outcome)| !job.writes && is_judged(outcome)) {
        for given in &job.given {
            let (missed, operations, what) =
                seen.entry(&given.evidence).or_insert((true, BTreeSet::new(), String::new()));
            *missed &= outcome.verdict != RunVerdict::Held;
            *what = given.what();
            operations.extend(outcome.op_ids.iter().map(ToString::to_string));
        }
    }
    let untrue = seen.into_iter().filter(|(_, (missed, operations, _))| *missed && operations.len() > 1);
    untrue
        .map(|(id, (_, operations, what))| {
            (id, format!("it needs {what}; none of the {} operations that read it shows that", operations.len()))
        })
        .collect()
}

/// The distinct requests that check whether needed data exists, each with that data.
pub fn reads<'a>(jobs: impl IntoIterator<Item = &'a Job>) -> BTreeMap<String, (&'a Given, &'a Read)> {
    let all = jobs.into_iter().flat_map(|job| &job.given);
    all.filter_map(|given| given.read.as_ref().map(|read| (read.id(), (given, read)))).collect()
}

/// Evidence of seed data that the service does not have: all requests that check it, on at least two operations, show
/// no such record or another one. If one shows its record, or fails otherwise, the code is judged instead.
pub fn missing_seeds<'a>(
    reads: &BTreeMap<String, (&'a Given, &'a Read)>,
    outcomes: &BTreeMap<String, Outcome>,
) -> BTreeMap<&'a EvidenceId, String> {
    let mut all: BTreeMap<&EvidenceId, Vec<SeedCheck<'_>>> = BTreeMap::new();
    for (id, (given, read)) in reads {
        let shown = outcomes.get(id).and_then(|outcome| outcome.misses.iter().find_map(denial));
        all.entry(&given.evidence).or_default().push(SeedCheck { given, read, shown });
    }
    all.into_iter().filter_map(|(id, looks)| Some((id, wrong_seeds(&looks)?))).collect()
}

/// A request that checked needed data.
struct SeedCheck<'a> {
    given: &'a Given,
    read: &'a Read,
    /// What it showed, if that contradicts the data.
    shown: Option<String>,
}

/// The reason, where all requests on at least two operations contradict their records.
fn wrong_seeds(looks: &[SeedCheck<'_>]) -> Option<String> {
    let operations: BTreeSet<_> = looks.iter().map(|look| &look.read.op_id).collect();
    if operations.len() < 2 || looks.iter().any(|look| look.shown.is_none()) {
        return None;
    }
    let first = looks.first()?;
    Some(format!(
        "the service does not stand on its seeds: none of the {} records that are given is as it should be, such as {} ({} shows {})",
        looks.len(),
        first.given.what(),
        first.read.op_id,
        first.shown.as_deref().unwrap_or_default(),
    ))
}

/// What was seen, if it shows that a record is missing or another one.
fn denial(miss: &Miss) -> Option<String> {
    let Expected::Assertion { check, .. } = &miss.expected else { return None };
    match check {
        Check::Status { .. } => matches!(miss.seen.as_str(), "204" | "404" | "410").then(|| miss.seen.clone()),
        // Another value counts; a missing field is the code's responsibility.
        Check::Field { path, op: FieldOp::Equals, .. } => {
            let value: Option<serde_json::Value> = serde_json::from_str(&miss.seen).ok();
            value.filter(|value| !value.is_null()).map(|value| format!("{path} {value}"))
        }
        _ => None,
    }
}

fn is_judged(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, RunVerdict::Held | RunVerdict::Broken | RunVerdict::Refuted)
        || outcome.reason.as_deref() == Some(UNASKED)
}

/// The status seen where another one was expected.
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
    use mastor_types::results::outcome::Miss;
    use mastor_types::suite::oracle::Oracle;

    fn job(path: &str, assumes: &[&str]) -> Job {
        let assumes: Vec<_> = assumes.iter().map(|id| json!({"row": format!("record {id}"), "evidence": id})).collect();
        let oracle: Oracle = serde_json::from_value(json!({
            "o_id": path, "op_id": format!("GET {path}"), "test_id": path, "description": "", "strategy": "fv", "as": "anonymous",
            "input": {}, "assertions": [{"type": "status", "expected": 200}], "effect": "reads", "given": assumes, "evidence": [],
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
    fn seeds_are_denied_by_all_of_several_reads_and_not_by_one() {
        let read = |path: &str, field: &str| -> Given {
            serde_json::from_value(json!({"row": format!("the record of {path}"), "evidence": "e:seed", "read": {
                "op_id": format!("GET {path}"), "as": "anonymous", "input": {},
                "assertions": [{"type": "status", "expected": 200}, {"type": "field", "path": field, "op": "equals", "expected": "x"}]}}))
            .unwrap()
        };
        let assumes = [read("/a/{id}", "name"), read("/b/{id}", "title")];
        let jobs: Vec<Job> = assumes.iter().map(|one| Job { given: vec![one.clone()], ..job("/c", &[]) }).collect();
        let asked = reads(&jobs);
        let miss = |index: usize, given: &Given, seen: &str| {
            let read = given.read.as_ref().unwrap();
            let mut outcome = Job::of_read(read).without_run(RunVerdict::Refuted, "");
            let expected = Expected::Assertion { index, check: read.assertions[index].check.clone() };
            outcome.misses = vec![Miss { step: 0, expected, at: String::new(), seen: seen.to_owned() }];
            (read.id(), outcome)
        };
        let of = |first: &str, (index, second): (usize, &str)| {
            let outcomes = [miss(0, &assumes[0], first), miss(index, &assumes[1], second)].into();
            missing_seeds(&asked, &outcomes).into_values().collect::<Vec<_>>()
        };
        assert!(of("404", (1, "\"y\""))[0].contains("none of the 2 records"));
        // Another status or a missing field is the code's responsibility; a single record proves nothing.
        assert_eq!(of("401", (0, "401")), [""; 0]);
        assert_eq!(of("404", (1, "nothing")), [""; 0]);
        let one = [
            miss(0, &assumes[0], "404"),
            (assumes[1].read.as_ref().unwrap().id(), jobs[0].without_run(RunVerdict::Held, "")),
        ];
        assert_eq!(missing_seeds(&asked, &one.into()).len(), 0);
    }

    #[test]
    fn an_assumption_is_untrue_where_nothing_that_reads_it_holds() {
        let jobs: Vec<Job> = vec![job("/a", &["e:1"]), job("/b", &["e:1", "e:2"]), job("/c", &["e:2"])];
        let jobs: Vec<&Job> = jobs.iter().collect();
        let outcomes = vec![outcome(jobs[0], Some("404")), outcome(jobs[1], Some("404")), outcome(jobs[2], None)];
        let untrue: Vec<String> = untrue(&jobs, &of(&outcomes)).into_values().collect();
        assert_eq!(untrue, ["it needs record e:1; none of the 2 operations that read it shows that"]);
    }
}

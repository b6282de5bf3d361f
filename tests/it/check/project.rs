//! A project with a hand-written suite.

use mastor::suite::format::{SequenceFile, SuiteFile, to_bytes};
use mastor::types::{Hash, OpId};
use serde_json::{Value, json};

use crate::support::Repo;

/// The author of an oracle, and whether it was confirmed.
#[derive(Clone, Copy)]
pub enum By {
    Confirmed,
    Candidate,
    Human,
}

/// The id of the oracle of this name.
pub fn id(name: &str) -> String {
    Hash::of(name.as_bytes()).short(16)
}

fn made(by: By) -> (Value, Value) {
    let engine = if matches!(by, By::Human) { "human" } else { "rules" };
    let confirmed = matches!(by, By::Confirmed);
    let confirmation =
        json!({"state": if confirmed { "confirmed" } else { "unconfirmed" }, "runs": if confirmed { 2 } else { 0 }});
    (json!({"engine": engine, "model": null, "challenger": "skipped"}), confirmation)
}

/// An oracle with an empty request and these assertions.
pub fn oracle(op: &str, name: &str, by: By, assertions: Value) -> Value {
    let (origin, confirmation) = made(by);
    json!({
        "o_id": id(name), "op_id": op, "test_id": name, "description": name, "strategy": "fv", "as": "anonymous", "input": {},
        "assertions": assertions, "effect": if op.starts_with("GET") { "reads" } else { "writes" }, "evidence": [], "rationale": "",
        "origin": origin, "confirmation": confirmation,
    })
}

/// The oracle with another user.
pub fn as_user(mut oracle: Value, user: &str) -> Value {
    oracle["as"] = json!(user);
    oracle
}

/// A sequence of these steps.
pub fn sequence(name: &str, by: By, steps: Value) -> Value {
    let (origin, confirmation) = made(by);
    json!({
        "s_id": id(name), "test_id": name, "description": name, "pattern": "identifier_flow", "effect": "writes", "steps": steps, "evidence": [],
        "origin": origin, "confirmation": confirmation,
    })
}

/// An assertion on the status.
pub fn status(code: u16) -> Value {
    json!({"type": "status", "expected": code})
}

/// An assertion that a field equals a value.
pub fn field(path: &str, expected: Value) -> Value {
    json!({"type": "field", "path": path, "op": "equals", "expected": expected})
}

/// A repository with these settings and this suite, committed.
pub fn project(settings: &str, oracles: &[Value], sequences: &[Value]) -> Repo {
    let mut repo = Repo::new().file("mastor.toml", format!("[api]\nname = \"unruly\"\nopenapi = false\n{settings}"));
    let mut by_op: Vec<(OpId, Vec<Value>)> = Vec::new();
    for oracle in oracles {
        let op_id = OpId::parse(oracle["op_id"].as_str().unwrap()).unwrap();
        match by_op.iter_mut().find(|(other, _)| *other == op_id) {
            Some((_, of_op)) => of_op.push(oracle.clone()),
            None => by_op.push((op_id, vec![oracle.clone()])),
        }
    }
    for (op_id, oracles) in by_op {
        let file: SuiteFile = serde_json::from_value(json!({
            "schema_version": 1,
            "context": {"op_id": op_id, "entry": null, "request_params": [], "request_params_pending": [], "response_schema_pending": [],
                "response_schema": {"success_status": null, "fields": [], "error_cases": []}, "evidence": {}},
            "oracles": oracles,
        }))
        .unwrap();
        repo = repo.file(&format!(".mastor/suite/{}.json", op_id.slug()), to_bytes(&file));
    }
    for sequence in sequences {
        let op_id = OpId::parse(sequence["steps"][0]["op_id"].as_str().unwrap()).unwrap();
        let file: SequenceFile = serde_json::from_value(json!({"schema_version": 1, "sequences": [sequence]})).unwrap();
        repo = repo.file(&format!(".mastor/suite/sequences/{}.json", op_id.slug()), to_bytes(&file));
    }
    repo.commit("The suite")
}

//! Replies written by hand for four operations of the example, as a strong model would give them (`tests/cassettes`):
//! all are usable at once, nothing of them is lost, and a study makes its tables from their recordings.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::example;
use super::faithful::{OPERATIONS, agent, cite, operation};
use super::runs::suite;
use crate::llm::server::{Received, Reply, Server};
use crate::support::Repo;

/// The replies of one engine's run, by agent and subject.
fn replies(engine: &str) -> BTreeMap<(String, String), Value> {
    let all: Value = serde_json::from_str(include_str!("../../cassettes/orders.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of_engine = all["replies"].as_array().unwrap().iter().filter(|one| one["engine"] == engine).cloned();
    of_engine.map(|one| ((text(&one["task"]), subject(&text(&one["subject"]))), one["reply"].clone())).collect()
}

/// Groups and classes by a short name.
fn subject(told: &str) -> String {
    let short = told.rsplit('.').next().filter(|class| class.ends_with("Controller"));
    short.map_or_else(|| if told.contains('→') { "a group".to_owned() } else { told.to_owned() }, str::to_owned)
}

/// The task and subject of a prompt, as the cassettes name them.
fn asked(received: &Received) -> (String, String) {
    let prompt = received.user();
    let subject = match agent(received) {
        "associations" => "all operations".to_owned(),
        "sequences" | "group review" | "group again" => "a group".to_owned(),
        "direct" if prompt.contains("QuoteController.java") => "QuoteController".to_owned(),
        "direct" => "CustomerController".to_owned(),
        _ => operation(prompt).to_owned(),
    };
    let task = prompt.lines().find_map(|line| line.strip_prefix("# Task: ")).unwrap_or("direct");
    (task.to_owned(), subject)
}

/// Puts the prompt's own citation for each `@File.java| text of the line`.
fn placed(value: &Value, prompt: &str) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('@').and_then(|cited| cited.split_once("| ")) {
            Some((file, line)) => Value::from(cite(prompt, file, line)),
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(|one| placed(one, prompt)).collect(),
        Value::Object(members) => members.iter().map(|(name, one)| (name.clone(), placed(one, prompt))).collect(),
        other => other.clone(),
    }
}

/// An endpoint that replies from the cassettes of one engine.
fn server(engine: &str) -> Server {
    let replies = replies(engine);
    Server::start(move |received| {
        let asked = asked(received);
        let reply = replies.get(&asked).unwrap_or_else(|| panic!("no reply for {asked:?}"));
        Reply::json(&placed(reply, received.user()))
    })
}

fn generate<'a>(engine: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["generate", "--engine", engine, "--format", "json", "--slices", "off"];
    all.extend(OPERATIONS);
    all.extend(more);
    all
}

/// Names of the oracles that the replies of an engine propose, by operation; those that are replaced are left out.
fn proposed(engine: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    let mut replaced = Vec::new();
    for ((task, subject), reply) in replies(engine) {
        if !task.contains("oracles") && task != "improve some oracles" {
            continue;
        }
        for one in reply["oracles"].as_array().into_iter().flatten() {
            names.push((subject.clone(), one["test_id"].as_str().unwrap().to_owned()));
            replaced.extend(one["replaces"].as_str().map(|name| (subject.clone(), name.to_owned())));
        }
    }
    names.retain(|one| !replaced.contains(one));
    names
}

#[test]
fn all_replies_are_usable_at_once_and_no_oracle_of_them_is_lost() {
    for engine in ["agents", "hybrid"] {
        let server = server(engine);
        let repo = example(&server, "");
        let told = repo.run(generate(engine, &[])).ends(0).json();
        let agents = &told["agents"];
        assert_eq!(agents["replies"]["at_once"], server.count(), "{engine}: {agents:#}");
        assert_eq!((&agents["dropped"], &agents["failed"]), (&json!([]), &json!([])), "{engine}");
        assert_eq!(agents["contradicted"], 0, "{engine}");
        let suites: BTreeMap<&str, Value> = OPERATIONS.iter().map(|op| (*op, suite(&repo, op))).collect();
        for (op, name) in proposed(engine) {
            let oracles = suites[op.as_str()]["oracles"].as_array().unwrap();
            assert!(oracles.iter().any(|oracle| oracle["test_id"] == name.as_str()), "{engine}: {op} {name}");
        }
        if engine == "agents" {
            // Eight cases of refusal were extracted, several by the same line.
            let cases = suites["GET /quotes"]["context"]["response_schema"]["error_cases"].as_array().unwrap();
            assert_eq!(cases.len(), 8, "{cases:#?}");
        }
    }
}

#[test]
fn a_study_makes_its_tables_from_recorded_replies() {
    let repo = Repo::example();
    let mut configurations = String::new();
    for (name, engine, more) in [
        ("direct", "direct", ""),
        ("agents", "agents", ""),
        ("no-challenger", "agents", "challenger = false\n"),
        ("no-multi-op", "agents", "multi-op = false\n"),
        ("hybrid", "hybrid", ""),
    ] {
        configurations.push_str(&format!(
            "[[configuration]]\nname = \"{name}\"\nengine = \"{engine}\"\nreplay = \"{engine}\"\n{more}[configuration.model.primary]\n\
             base-url = \"http://127.0.0.1:9/v1\"\nmodel = \"by-hand\"\n"
        ));
    }
    let folder = Repo::bare_folder();
    for engine in ["direct", "agents", "hybrid"] {
        let server = server(engine);
        let tape = folder.path().join(engine);
        let settings = format!("[model.primary]\nbase-url = \"{}\"\nmodel = \"by-hand\"\n", server.base_url);
        let recorded = Repo::example().file("mastor.toml", settings).commit("A model");
        recorded.run(generate(engine, &["--record", tape.to_str().unwrap()])).ends(0);
    }
    let operations: Vec<String> = OPERATIONS.iter().map(|op| format!("\"{op}\"")).collect();
    let repo = repo.file("note.txt", "studied").commit("A note");
    let study = format!(
        "out = \"tables\"\n[[project]]\nname = \"orders\"\npath = \"{}\"\noperations = [{}]\n[[configuration]]\nname = \"rules\"\nengine = \"rules\"\n{configurations}",
        repo.path().display(),
        operations.join(", ")
    );
    let folder = folder.file("study.toml", study);
    folder.run(["study", "study.toml"]).ends(0);
    let told: Value = serde_json::from_str(&folder.read("tables/study.json")).unwrap();
    let rows = told["rows"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["configuration"] == name).unwrap();
    for one in rows {
        assert_eq!((&one["operations"], &one["error"]), (&4.into(), &Value::Null), "{one:#}");
        assert!(one["oracles"].as_u64().unwrap() > 30, "{one:#}");
    }
    let count = |name: &str, what: &str| row(name)[what].as_u64().unwrap();
    assert_eq!((count("rules", "by_agents"), count("no-multi-op", "sequences")), (0, 0));
    assert!(count("agents", "by_agents") > count("no-challenger", "by_agents"), "hints add what was missing");
    assert!(count("hybrid", "oracles") > count("rules", "oracles"));
    assert!(count("agents", "sequences") > 0 && row("agents")["usage"]["calls"].as_u64().unwrap() > 10);
}

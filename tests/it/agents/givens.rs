//! Oracles of agents that say what calls give: run in slices, with stubs.

use serde_json::{Value, json};

use super::faithful::{agent, cite};
use super::runs::{oracle, suite};
use crate::exports::without;
use crate::llm::server::{Received, Reply, Server};
use crate::slices::fixture;
use crate::support::Repo;

const FIND: &str = "com.example.notes.NoteRows#findById(Long)";

/// A model that says what the repository gives: once rightly, once with another answer than the handler's, and once for a
/// call that was not listed.
fn gives(received: &Received) -> Reply {
    let prompt = received.user();
    let note = |test_id: &str, call: &str, text: &str, expected: &str| {
        json!({"test_id": test_id, "strategy": "fv", "input": {"path": {"id": "7"}},
            "given": [{"call": call, "at": "get().text", "value": {"is": text}}, {"call": call, "at": "get().hidden", "value": {"is": false}}],
            "assertions": [{"type": "status", "expected": 200}, {"type": "field", "path": "text", "op": "equals", "expected": expected}],
            "evidence": [cite(prompt, "NoteService.java", "return note;")], "rationale": "The note is given back as it was found."})
    };
    Reply::json(&match agent(received) {
        "oracles" => {
            assert!(prompt.lines().any(|line| line == FIND), "the call is listed: {prompt}");
            json!({"oracles": [
                note("fv_text", FIND, "agenda", "agenda"),
                note("fv_other_text", FIND, "minutes", "MINUTES"),
                note("fv_unlisted", "com.example.notes.Mailer#send", "a", "a"),
            ]})
        }
        "review" => json!({"hints": []}),
        "extraction" => json!({}),
        "associations" => json!({"groups": []}),
        other => panic!("{other} was not expected"),
    })
}

#[test]
fn what_agents_say_that_calls_give_is_run_with_stubs() {
    if without("maven") {
        return;
    }
    let server = Server::start(gives);
    let settings =
        format!("[model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\n[ci]\nslices = \"on\"\n", server.base_url);
    let repo = Repo::new().folder(&fixture(), "").file("mastor.toml", settings).commit("Notes");
    let mut command = repo.mastor(["generate", "GET /notes/{id}", "--format", "json"]);
    command.env("HOME", std::env::var("HOME").unwrap()).env_remove("MASTOR_SLICES");
    let told: Value = serde_json::from_slice(&command.assert().success().get_output().stdout).unwrap();
    let dropped = told["agents"]["dropped"].to_string();
    assert!(dropped.contains("gives for a call that was not listed"), "{dropped}");
    let made = suite(&repo, "GET /notes/{id}");
    let right = oracle(&made, "fv_text").unwrap_or_else(|| panic!("{made:#}"));
    assert_eq!(right["confirmation"]["by_slice"], true, "{right:#}");
    let stub = &right["given"][0]["stub"];
    assert_eq!(stub["when"], "NoteRows.findById its text is \"agenda\", its hidden is false");
    assert_eq!(stub["calls"], json!([FIND]));
    // What the handler answers otherwise is refuted, and said.
    assert_eq!(oracle(&made, "fv_other_text"), None::<&Value>);
    let notes = told["operations"][0]["notes"].to_string();
    assert!(notes.contains("fv_other_text was refuted in a slice"), "{notes}");
}

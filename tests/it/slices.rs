//! `mastor slice`: oracles that rest on stubs, run on the project's own handlers in a real JVM, with the project built by Maven.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::exports::without;
use crate::support::{Ran, Repo};

const SERVICE: &str = "src/main/java/com/example/notes/NoteService.java";

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spring-stubbed")
}

/// Runs `mastor` where Maven finds what this machine has.
fn run(repo: &Repo, arguments: &[&str]) -> Ran {
    let mut command = repo.mastor(arguments.iter().copied());
    let output = command.env("HOME", std::env::var("HOME").unwrap()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// A service that cannot start by itself, with its suite.
fn with_suite() -> Repo {
    let repo = Repo::new().folder(&fixture(), "").commit("Notes");
    repo.run(["generate", "--all", "--no-service"]).ends(0);
    repo.commit("Suite")
}

fn verdicts(sliced: &Value, op_id: &str) -> Vec<String> {
    let of = sliced["slices"].as_array().unwrap().iter().filter(|one| one["op_id"] == op_id);
    of.map(|one| format!("{} {}", one["test_id"].as_str().unwrap(), one["verdict"].as_str().unwrap())).collect()
}

#[test]
fn handlers_run_without_the_service_and_a_planted_break_is_seen() {
    if without("maven") {
        return;
    }
    let repo = with_suite();
    let sliced = run(&repo, &["slice", "--format", "json"]).ends(0).json();
    let operations: Vec<&str> =
        sliced["operations"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(operations, ["DELETE /notes/{id}", "GET /notes", "GET /notes/{id}", "POST /notes"], "{sliced:#}");
    assert_eq!((&sliced["counts"]["refuted"], &sliced["counts"]["inconclusive"]), (&0.into(), &0.into()), "{sliced:#}");
    // What is given decides: the same request finds a note, or none.
    assert!(verdicts(&sliced, "GET /notes/{id}").len() > 2, "{sliced:#}");
    let schema = repo.json(["schema", "slices"]);
    let errors: Vec<String> =
        jsonschema::draft202012::new(&schema).unwrap().iter_errors(&sliced).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(!repo.read(".mastor/out/slices.json").contains("seconds"));

    // A check that is gone is seen without database and mail server, and nothing else is.
    let broken = repo.edit(SERVICE, "if (note.isHidden()) {", "if (note == null) {").commit("Show all");
    let text = run(&broken, &["slice"]).ends(0).out;
    let refuted: Vec<&str> = text.lines().filter(|line| line.starts_with("refuted")).collect();
    assert!(
        !refuted.is_empty() && refuted.iter().all(|line| line.contains("/notes/{id}") && line.contains("seen 20")),
        "{text}"
    );
    // Beside what it was before it is told with what is given.
    let between = run(&broken, &["slice", "--since", "HEAD~1", "--format", "json"]).ends(1).json();
    let changes: Vec<String> = between["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {} {}", one["op_id"], one["what"], one["given"]))
        .collect();
    let told = |op_id: &str, what: &str| {
        changes.iter().any(|one| one.contains(op_id) && one.contains(what) && one.contains("note.hidden"))
    };
    assert!(
        told("GET /notes/{id}", "status: 404 → 200") && told("DELETE /notes/{id}", "status: 404 → 204"),
        "{changes:#?}"
    );
    assert_eq!(changes.len(), 2, "{changes:#?}");
    // Of one operation alone.
    let one = run(&broken, &["slice", "GET /notes", "--format", "json"]).ends(0).json();
    assert!(one["slices"].as_array().unwrap().iter().all(|one| one["op_id"] == "GET /notes"), "{one:#}");
}

#[test]
fn what_keeps_slices_from_running_is_said() {
    // A name that fits nothing is said before anything is built.
    let asked = with_suite().run(["slice", "GET /note"]).ends(2).err;
    assert!(asked.contains("no operation is named GET /note"), "{asked}");
    // Without a suite there is nothing to run.
    let repo = Repo::new().folder(&fixture(), "").commit("Notes");
    assert!(repo.run(["slice"]).ends(3).err.contains("generate --all"));
    if without("maven") {
        return;
    }
    // Code that does not compile.
    let broken = with_suite().edit(SERVICE, "rows.delete(byId(id));", "rows.delete(id);").commit("Broken");
    let ran = run(&broken, &["slice"]).ends(4);
    assert!(ran.err.contains("NoteService.java"), "{}", ran.err);
}

//! The time budget of a run, and a service that is not required to start: the report names what was not run and keeps what was found without it.

use serde_json::Value;

use crate::follow::{CODE, tickets};
use crate::support::Repo;

/// A suite on `main`, and a branch that changes the effect of closing a ticket.
fn archived(settings: impl Fn(&str) -> String) -> Repo {
    let repo = tickets();
    repo.run(["generate", "--all"]).ends(0);
    let before = repo.read("mastor.toml");
    let repo = repo.file("mastor.toml", settings(&before)).commit("The suite").branch("archive");
    repo.edit("server.py", "CLOSED = \"CLOSED\"", "CLOSED = \"ARCHIVED\"")
        .edit(CODE, "ticket.title(), \"CLOSED\"", "ticket.title(), \"ARCHIVED\"")
        .commit("Archive what is closed")
}

fn notes(report: &Value) -> String {
    report["notes"].as_array().unwrap().iter().map(|note| format!("{}\n", note.as_str().unwrap())).collect()
}

fn kinds(report: &Value) -> Vec<&str> {
    report["changes"].as_array().unwrap().iter().map(|change| change["kind"].as_str().unwrap()).collect()
}

#[test]
fn what_the_time_does_not_suffice_for_is_left_and_named() {
    let slow = |text: &str| text.replace("start = \"exec", "start = \"sleep 8; exec") + "[ci]\nwithin = \"3s\"\n";
    let repo = archived(slow);
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    let told = notes(&report);
    assert!(told.contains("the head was not run: the time budget of 3 s is spent"), "{told}");
    assert_eq!(kinds(&report), ["derived"], "{report:#}");
    assert!(report["seconds"].as_f64().unwrap() < 20.0, "{}", report["seconds"]);

    // The SARIF report is exported to the given folder.
    repo.run(["export", "sarif", "--dir", "out"]).ends(0).says(&["out/sarif/report.sarif"]);
    assert_eq!(repo.read("out/sarif/report.sarif"), repo.read(".mastor/out/report.sarif"));
    tickets().run(["export", "sarif"]).ends(2).says(&["is no report", "`mastor ci` writes one"]);
    // `--strict` turns unfinished work into an exit code. A flag overrides the file, and a sufficient budget leaves nothing out.
    repo.run(["ci", "--since", "main", "--strict"]).ends(6);
    let enough = repo.edit("mastor.toml", "sleep 8; ", "").commit("Start at once");
    let report = enough.run(["ci", "--since", "main", "--within", "5m", "--strict", "--format", "json"]).ends(1).json();
    assert!(!notes(&report).contains("time budget"), "{}", notes(&report));
    assert!(kinds(&report).contains(&"seen"), "{report:#}");
    enough.run(["ci", "--since", "main", "--within", "soon"]).ends(2).says(&["`soon` is no time limit"]);
    enough.run(["config", "show"]).ends(0).says(&["ci.within = \"3s\""]);
}

#[test]
fn operations_that_are_not_begun_in_time_are_undecided() {
    let repo = archived(|text| text.to_owned());
    let report =
        repo.run(["ci", "--since", "main", "--no-service", "--within", "1ms", "--format", "json"]).ends(0).json();
    let compared = report["compared"].as_array().unwrap();
    assert!(!compared.is_empty() && compared.iter().all(|one| one["state"] == "undecided"), "{compared:#?}");
    assert!(compared[0]["stopped"].to_string().contains("the time budget of 0 s is spent"), "{compared:#?}");
    assert!(notes(&report).contains("no new oracles were made of"), "{}", notes(&report));
}

/// A build may write files that make the work tree differ from the head; the service still starts in the folder where it was built. A failed build is not
/// retried.
#[test]
fn the_head_starts_where_it_was_built_ahead() {
    let built = |text: &str| {
        text.replace("start = \"exec", "build = \"echo yes > built.txt\"\nstart = \"grep -q yes built.txt && exec")
    };
    let repo = archived(built);
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    assert!(kinds(&report).contains(&"seen"), "{report:#}");
    assert_eq!(repo.read("built.txt"), "yes\n");

    let fails = "build = \"if [ -d .git ]; then echo run >> .git/builds; exit 1; fi\"";
    let repo = archived(|text| text.replace("start = \"exec", &format!("{fails}\nstart = \"exec")));
    std::fs::remove_file(repo.path().join(".git/builds")).ok();
    repo.run(["ci", "--since", "main"]).ends(4).says(&["nothing was run: the build of head"]);
    assert_eq!(repo.read(".git/builds"), "run\n");
}

#[test]
fn a_service_that_need_not_start_fails_a_run_only_where_the_base_starts() {
    let broken = |text: &str| text.replace("start = \"exec", "required = false\nstart = \"exit 3; exec");
    let repo = archived(broken);
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert!(notes(&report).contains("nothing was run, and the base does not start either"), "{}", notes(&report));
    assert_eq!(kinds(&report), ["derived"], "{report:#}");
    // Here the base starts, so the head is at fault.
    let repo = archived(|text| text.replace("start = \"exec", "required = false\nstart = \"exec"));
    let repo = repo.edit("mastor.toml", "start = \"exec", "start = \"exit 3; exec").commit("It does not start");
    repo.run(["ci", "--since", "main"]).ends(4);
}

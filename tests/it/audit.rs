//! `audit`: runs the oracles that `ci` leaves out, reports missed changes with the command that reproduces them, and keeps a history.

use serde_json::{Value, json};

use crate::check::project::{By, field, oracle, project, status};
use crate::check::unruly::Unruly;
use crate::generate::with_suite;
use crate::support::Repo;

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";
const ROUTES: &str = "src/main/java/a/Routes.java";

/// A suite for an operation that the change does not reach, and a change of another operation.
fn unreached(expected: u64) -> Repo {
    let oracles = [oracle("GET /fine", "fine", By::Confirmed, json!([status(200), field("id", json!(expected))]))];
    project("", &oracles, &[])
        .file(
            ROUTES,
            "package a; import org.springframework.web.bind.annotation.*; @RestController class Routes {
            @GetMapping(\"/fine\") Object fine() { return Outside.ask(); }
            @GetMapping(\"/other\") String other() { return \"one\"; } }",
        )
        .commit("Serve")
        .branch("feature")
        .edit(ROUTES, "\"one\"", "\"two\"")
        .commit("Answer otherwise")
}

#[test]
fn what_ci_left_out_and_answers_otherwise_is_told_with_how_to_see_it_again() {
    let service = Unruly::start();
    let repo = unreached(2);
    let base = repo.git(["rev-parse", "main"]);
    let head = repo.git(["rev-parse", "HEAD"]);
    let url = service.url.as_str();
    // `ci` runs only the oracles that the change reaches.
    let report = repo.run(["ci", "--since", "main", "--base-url", url, "--format", "json"]).json();
    assert_eq!(report["plan"]["counts"]["inherited"], 1, "{}", report["plan"]);
    assert!(!report["check"].to_string().contains("GET /fine"), "{}", report["check"]);
    let told = repo.run(["audit", "--since", "main", "--base-url", url]).ends(1);
    let again = format!("git switch --detach {head} && mastor audit --since {base}");
    told.says(&[
        "1 behaviour change missed",
        "1 of 2 operations left out",
        "GET /fine",
        &again,
        "mastor replay",
        "mastor why",
    ]);
    let object: Value = serde_json::from_str(&repo.read(".mastor/out/audit.json")).unwrap();
    let schema = repo.json(["schema", "audit"]);
    assert!(jsonschema::is_valid(&schema, &object), "{object:#}");
    assert_eq!((&object["left_out"], &object["oracles"]), (&json!(1), &json!(1)));
    assert_eq!(object["missed"][0]["op_id"], "GET /fine");
    assert!(repo.read(".mastor/out/audit.md").contains("`GET /fine`"));
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    repo.run(["audit", "--history"]).ends(0).says(&["1 audit since", "1 change missed, in 1 audit", "GET /fine"]);
}

#[test]
fn what_holds_is_run_and_nothing_was_missed() {
    let service = Unruly::start();
    let repo = unreached(1);
    let url = service.url.as_str();
    repo.run(["audit", "--since", "main", "--base-url", url])
        .ends(0)
        .says(&["nothing was missed in 1 operation", "1 committed oracle run"]);
    assert!(service.asked("GET /fine") > 0);
    // Without the service, there is no verdict, and the history marks the audit as incomplete.
    repo.run(["audit", "--since", "main", "--base-url", "http://127.0.0.1:9"]).ends(4);
    repo.run(["audit", "--history"]).ends(0).says(&["2 audits since", "not to the end"]);
}

#[test]
fn an_audit_goes_on_where_the_last_one_ended() {
    let repo = with_suite().edit(ZONES, "country.length() != 2", "country.length() != 3").commit("Change");
    let ran = repo.run(["audit"]).ends(0);
    ran.says(&[
        "first parent of the head",
        "14 of 15 operations left out",
        "compared by their code alone",
        "nothing was missed",
    ]);
    let first = repo.git(["rev-parse", "HEAD"]);
    let repo = repo.file("NOTES.md", "a note").commit("Take a note");
    let object = repo.run(["audit", "--format", "json"]).ends(0).json();
    assert_eq!(object["since"]["merge_base"], first.as_str());
    assert_eq!(object["left_out"], 15);
    assert_eq!(object["history"].as_array().unwrap().len(), 2);
    // HEAD compared with itself: no input differs, so all operations are left out.
    repo.run(["audit", "--since", "HEAD"]).ends(0).says(&["15 of 15 operations left out"]);
}

//! `ci` and `accept`: the verdict on a change, its exit code, and the way back to green.

use serde_json::Value;

use crate::generate::with_suite;
use crate::support::Repo;

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

/// A branch on which an unknown country is answered with another status than in the committed suite.
fn changed() -> Repo {
    with_suite()
        .branch("feature")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .commit("Answer otherwise")
}

#[track_caller]
fn assert_fits(repo: &Repo, name: &str, object: &Value) {
    let schema = repo.json(["schema", name]);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(object).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}

#[test]
fn an_unaccepted_change_is_red_until_it_is_accepted() {
    let repo = changed();
    let ran = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1);
    let report = ran.json();
    assert_fits(&repo, "report", &report);
    assert_eq!(report["exit"]["code"], 1);
    assert_eq!(report["level"], "derived");
    let change = &report["changes"][0];
    assert_eq!(change["op_id"], "GET /shipping/zones/{country}");
    assert_eq!(change["accepted"], false);
    assert_eq!(repo.git(["status", "--porcelain"]), "", "ci writes into the tracked tree");
    assert!(repo.read(".mastor/out/report.md").contains("GET /shipping/zones/"));
    let file: Value = serde_json::from_str(&repo.read(".mastor/out/report.json")).unwrap();
    assert_fits(&repo, "report", &file);
    assert_fits(&repo, "proposals", &serde_json::from_str(&repo.read(".mastor/out/proposed.json")).unwrap());

    repo.run(["ci", "--since", "main", "--fail-on", "never"]).ends(0);
    repo.run(["ci", "--since", "main", "--fail-on", "stale"]).ends(1);

    repo.run(["accept", "--all"]).ends(0);
    let repo = repo.commit("Accept it");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(report["changes"][0]["accepted"], true, "{}", report["changes"]);
    repo.run(["ci", "--since", "main", "--fail-on", "stale"]).ends(0);
}

#[test]
fn without_a_suite_the_report_only_tells() {
    let repo = Repo::example()
        .branch("feature")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .commit("Answer otherwise");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(report["changes"][0]["op_id"], "GET /shipping/zones/{country}");
    assert_eq!(report["generate"]["totals"]["oracles"], 0, "nobody asked for a suite");
    repo.run(["ci", "--since", "main"]).ends(0).says(&["generate --all"]);
    // With a suite, oracles of affected operations are regenerated.
    repo.run(["generate", "--all"]).ends(0);
    let with = repo.run(["ci", "--since", "main", "--format", "json"]).json();
    assert_ne!(with["generate"]["totals"]["oracles"], 0);
}

#[test]
fn a_stale_suite_fails_only_where_asked() {
    let repo = with_suite()
        .branch("feature")
        .edit(ZONES, "Zone zone = zones.find(country);", "var zone = zones.find(country);")
        .commit("Say var");
    repo.run(["ci", "--since", "main"]).ends(0);
    repo.run(["ci", "--since", "main", "--fail-on", "stale"]).ends(1);
}

#[test]
fn nothing_relevant_is_nothing_to_do() {
    let repo = with_suite().branch("feature").edit("README.md", "#", "##").commit("Prose");
    let report = repo.json(["ci", "--since", "main", "--format", "json"]);
    assert_fits(&repo, "report", &report);
    assert_eq!(report["plan"]["counts"]["inherited"], 15);
    assert_eq!(report["changes"], Value::Array(vec![]));
}

#[test]
fn a_removed_operation_is_a_change() {
    let repo = with_suite()
        .branch("feature")
        .edit(ZONES, "@GetMapping(\"/zones/{country}\")", "")
        .edit("openapi.yaml", "  /shipping/zones/{country}:\n", "  /gone/{country}:\n")
        .commit("Remove it");
    let ran = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1);
    let changes = ran.json()["changes"].to_string();
    assert!(changes.contains("GET /shipping/zones/{country}"), "{changes}");
    repo.run(["accept", "--all"]).ends(0);
    let repo = repo.commit("Accept it");
    repo.run(["ci", "--since", "main"]).ends(0);
}

#[test]
fn proposals_of_another_head_are_refused() {
    let repo = changed();
    repo.run(["ci", "--since", "main"]).ends(1);
    let artifact = repo.read(".mastor/out/proposed.json");
    let repo = repo
        .edit(ZONES, "return ResponseEntity.noContent().build();", "return ResponseEntity.accepted().build();")
        .commit("And otherwise again")
        .file("../artifact/proposed.json", artifact);
    repo.run(["accept", "--all", "--from", "../artifact"]).ends(2).says(&["another head"]);
    repo.run(["accept", "--all", "--from", "../nowhere"]).ends(2);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}

#[test]
fn a_proposal_is_taken_by_a_prefix_of_its_id() {
    let repo = changed();
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let id = report["changes"][0]["o_id"].as_str().unwrap()[..8].to_owned();
    repo.run(["explain", &id]).ends(0);
    repo.run(["accept", "ffffffff"]).ends(2);
    repo.run(["accept", &id]).ends(0).says(&["accepted"]);
}

#[test]
fn the_job_summary_carries_the_report() {
    let repo = changed();
    let summary = repo.path().join("../summary.md");
    let mut command = repo.mastor(["ci", "--since", "main"]);
    assert_eq!(command.env("GITHUB_STEP_SUMMARY", &summary).output().unwrap().status.code(), Some(1));
    assert!(std::fs::read_to_string(summary).unwrap().starts_with("### mastor:"));
}

/// The path of a settings file, whatever its name, selects one of several services.
#[test]
fn one_service_of_several_is_named_by_its_settings() {
    let code = |name: &str| {
        format!(
            "package {name}; import org.springframework.web.bind.annotation.*;\n\
             @RestController class A {{ @GetMapping(\"/{name}\") String x() {{ return \"x\"; }} }}"
        )
    };
    let repo = Repo::new()
        .file("one/mastor.toml", "[api]\nname = \"one\"\n")
        .file("one/src/main/java/one/A.java", code("one"))
        .file("two/nightly.toml", "[api]\nname = \"two\"\n[ci]\nfail-on = \"never\"\n")
        .file("two/src/main/java/two/A.java", code("two"))
        .commit("Two services");
    let named = ["--config", "two/nightly.toml"];
    let operations = repo.json(named.into_iter().chain(["operations", "--format", "json"]));
    let file = operations["operations"][0]["entry"]["file"].as_str();
    assert_eq!((file, &operations["services"]), (Some("two/src/main/java/two/A.java"), &Value::Null), "{operations}");
    repo.run(named.into_iter().chain(["generate", "--all"])).ends(0);
    assert!(repo.path().join("two/.mastor/suite").is_dir() && !repo.path().join("one/.mastor").exists());
    let repo = repo.commit("The suite").branch("y");
    let repo = repo.edit("two/src/main/java/two/A.java", "return \"x\"", "return \"y\"").commit("Answer otherwise");
    let ci = |more: &[&str]| repo.run(named.into_iter().chain(["ci", "--since", "main"]).chain(more.iter().copied()));
    ci(&[]).ends(0).says(&["GET /two", "1 behaviour change"]);
    ci(&["--fail-on", "unaccepted"]).ends(1);
    repo.run(["--config", "two/mastor.toml", "operations"]).ends(2).says(&["two/mastor.toml", "from its root"]);
}

#[test]
fn several_services_make_one_report() {
    let one = |word: &str| {
        format!(
            "package {word}; import org.springframework.web.bind.annotation.*;\n\
             @RestController class A {{ @GetMapping(\"/{word}\") String x(@RequestParam int n) {{\n\
             if (n > 3) {{ throw new IllegalStateException(); }} return \"{word}\"; }} }}"
        )
    };
    let repo = Repo::new()
        .file("one/mastor.toml", "[api]\nname = \"one\"\n")
        .file("one/src/main/java/one/A.java", one("one"))
        .file("two/mastor.toml", "[api]\nname = \"two\"\n")
        .file("two/src/main/java/two/A.java", one("two"))
        .commit("Two services");
    let operations = repo.json(["operations", "--format", "json"]);
    let names: Vec<&str> =
        operations["services"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["one", "two"]);
    repo.run(["generate", "--all"]).ends(0);
    assert!(repo.path().join("one/.mastor/suite").is_dir() && repo.path().join("two/.mastor/suite").is_dir());
    let repo =
        repo.commit("Suites").branch("feature").edit("one/src/main/java/one/A.java", "n > 3", "n > 4").commit("4");
    let ran = repo.run(["ci", "--since", "main", "--fail-on", "never", "--format", "json"]).ends(0);
    let report = ran.json();
    assert_fits(&repo, "report", &report);
    let counts: Vec<&Value> =
        report["services"].as_array().unwrap().iter().map(|s| &s["plan"]["counts"]["affected"]).collect();
    assert_eq!(counts, [1, 0]);
    assert!(repo.path().join(".mastor/out/report.json").is_file());
    assert_eq!(repo.git(["status", "--porcelain"]), "");
}

const CUSTOMERS: &str = "src/main/java/com/example/orders/customer/DefaultCustomerService.java";

#[test]
fn an_effect_that_only_a_later_read_shows_is_told() {
    let repo = with_suite().branch("feature").edit(CUSTOMERS, "customers.delete(customer);", "").commit("Keep them");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let changes = report["changes"].as_array().unwrap();
    let after = |change: &&Value| change["s_id"].is_string() && change["what"].as_str().unwrap().contains(" after ");
    let change = changes.iter().find(after).unwrap_or_else(|| panic!("{changes:#?}"));
    assert_eq!(change["op_id"], "DELETE /customers/{id}");
    assert_eq!((&change["before"], &change["after"]), (&"404".into(), &"200".into()));
    repo.run(["accept", "--all"]).ends(0);
    let repo = repo.commit("Accept it");
    repo.run(["ci", "--since", "main"]).ends(0);
}

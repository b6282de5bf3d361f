//! `mastor strength`: mutants of the bundled example, made by PITest and run against the exported tests.

use crate::check::project::id;
use crate::exports::{logins, without};
use crate::generate::with_suite;
use crate::slices;
use crate::support::{Ran, Repo};

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

/// Runs `mastor` with this machine's Maven repository.
fn run(repo: &Repo, arguments: &[&str]) -> Ran {
    let mut command = repo.mastor(arguments.iter().copied());
    let output = command.env("HOME", std::env::var("HOME").unwrap()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

#[test]
fn mutants_of_what_changed_meet_the_exported_tests() {
    if without("maven") {
        return;
    }
    // A refactoring, so that the suite holds.
    let repo = with_suite()
        .branch("feature")
        .edit(ZONES, "country.length() != 2", "country.length() < 2 || country.length() > 2")
        .commit("Say it otherwise");
    let asked = ["strength", "--since", "main", "--alone", "2", "--format", "json"];
    let measured = run(&repo, &asked).ends(0).json();
    let totals = &measured["totals"];
    let count = |name: &str| totals[name].as_u64().unwrap();
    assert!((5..30).contains(&count("mutants")) && count("killed") >= 5, "{measured:#}");
    assert_eq!(
        count("mutants"),
        count("killed") + count("survived") + count("not_covered") + count("start_up"),
        "{measured:#}"
    );
    let names = |list: &str| -> Vec<&str> {
        measured[list].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
    };
    assert_eq!(names("operations"), ["GET /shipping/zones/{country}"]);
    assert_eq!(names("classes"), ["com.example.orders.shipping.ShippingController"]);
    for survivor in measured["survivors"].as_array().unwrap() {
        assert_eq!(survivor["file"], ZONES);
        assert!(!survivor["code"].as_str().unwrap().is_empty(), "{survivor}");
    }
    assert!(measured["tests"]["run"].as_u64().unwrap() > 100, "{measured:#}");
    assert_eq!(measured["alone"], serde_json::json!({"run": 2, "otherwise": []}));
    let schema = repo.json(["schema", "strength"]);
    let errors: Vec<String> = jsonschema::draft202012::new(&schema)
        .unwrap()
        .iter_errors(&measured)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let written = repo.read(".mastor/out/strength.json");
    assert!(!written.contains("seconds"), "{written}");

    // Results are cached: a second run gives the same result without running mutants.
    let again = run(&repo, &asked).ends(0).json();
    assert_eq!((&again["totals"], &again["survivors"]), (totals, &measured["survivors"]));
    assert_eq!(repo.read(".mastor/out/strength.json"), written);

    // Report and page show a measurement only for exactly the measured change.
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(&report["strength"]["totals"], totals);
    assert!(repo.read(".mastor/out/report.md").contains("strength where the change is: "));
    repo.run(["export", "html"]).ends(0);
    assert!(repo.read(".mastor/out/export/html/index.html").contains("\"strength\":\""));
    let repo = repo.edit(ZONES, "country.length() < 2 ||", "country.length() <= 1 ||").commit("And again");
    assert!(repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json().get("strength").is_none());
}

#[test]
fn a_branch_that_no_test_takes_is_named_and_fed_back() {
    if without("maven") {
        return;
    }
    // Remove the oracles with a country of another length.
    let repo = with_suite();
    let files = repo.git(["ls-files", ".mastor/suite"]);
    let file = files.lines().find(|path| path.contains("get-shipping-zones-country-")).unwrap();
    let mut suite: serde_json::Value = serde_json::from_str(&repo.read(file)).unwrap();
    let oracles = suite["oracles"].as_array_mut().unwrap();
    let asked = oracles.len();
    oracles.retain(|oracle| oracle["input"]["path"]["country"].as_str().unwrap().len() == 2);
    let left = asked - oracles.len();
    assert!(left >= 2 && !oracles.is_empty(), "{left} of {asked}");
    let repo = repo
        .file(file, serde_json::to_string(&suite).unwrap())
        .commit("Ask less")
        .branch("feature")
        .edit(ZONES, "country.length() != 2", "country.length() < 2 || country.length() > 2")
        .commit("Say it otherwise");
    let line = 1 + repo.read(ZONES).lines().position(|line| line.contains("country.length() > 2")).unwrap();
    let asked = ["strength", "--since", "main", "--feed", "--no-observe", "--alone", "0", "--format", "json"];
    let fed = run(&repo, &asked).ends(0).says(&["and 1 line with branches that no test takes"]);
    let measured = fed.json();
    let branches = &measured["branches"];
    assert_eq!((&branches["branches"], &branches["taken"]), (&6.into(), &4.into()), "{branches:#}");
    let untaken = serde_json::json!([{
        "file": ZONES, "line": line, "code": "if (country.length() < 2 || country.length() > 2) {", "taken": 2, "branches": 4,
        "operations": ["GET /shipping/zones/{country}"],
    }]);
    assert_eq!(branches["untaken"], untaken);
    let schema = repo.json(["schema", "strength"]);
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&measured), "{measured:#}");

    let repo = repo.commit("What was fed");
    let text = run(&repo, &["strength", "--since", "main", "--feed", "--no-observe", "--alone", "0"]).ends(0).out;
    assert!(text.contains("6 branches: 6 taken by tests, 0 by none (JaCoCo 0.8.15)"), "{text}");
}

#[test]
fn the_tests_of_users_who_log_in_meet_mutants_too() {
    if without("maven") {
        return;
    }
    const NOTES: &str = "src/main/java/com/acme/notes/Notes.java";
    let repo = logins::notes()
        .branch("feature")
        .edit(NOTES, "text.length() > LONGEST", "LONGEST < text.length()")
        .commit("Say it otherwise");
    let mut command = repo.mastor(["strength", "--since", "main", "--alone", "2", "--format", "json"]);
    command.env("HOME", std::env::var("HOME").unwrap()).env("ADA_PASSWORD", logins::PASSWORD);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let measured: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let left_out: Vec<&str> =
        measured["tests"]["left_out"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(left_out, [id("get_by-cookie_2")], "{measured:#}");
    assert_eq!(measured["tests"]["run"], 28, "{measured:#}");
    assert!(measured["totals"]["killed"].as_u64() >= Some(2), "{measured:#}");
    assert_eq!(measured["alone"], serde_json::json!({"run": 2, "otherwise": []}));
}

const VISITS: &str = "package com.example.notes;
import java.util.ArrayList; import java.util.List; import java.util.Map; import org.springframework.web.bind.annotation.*;
@RestController public class VisitController {
  private static int all; private final List<String> seen = new ArrayList<>();
  @GetMapping(\"/visits\") public Map<String, Integer> visits() { seen.add(\"x\"); all++; return Map.of(\"all\", all, \"seen\", seen.size()); } }";

#[test]
fn mutants_meet_what_holds_in_slices_where_no_service_starts() {
    if without("maven") {
        return;
    }
    const LOMBOK: &str = "<dependency><groupId>org.projectlombok</groupId><artifactId>lombok</artifactId><version>1.18.38</version></dependency>";
    const NOTE: &str = "src/main/java/com/example/notes/Note.java";
    let repo = Repo::new()
        .folder(&slices::fixture(), "")
        .edit("pom.xml", "  <dependencies>\n", &format!("  <dependencies>\n{LOMBOK}\n"))
        .edit(
            NOTE,
            "    private boolean hidden;\n",
            "    private boolean hidden;\n    @lombok.Getter @lombok.Setter private String colour;\n",
        )
        .file("src/main/java/com/example/notes/VisitController.java", VISITS)
        // PITest skips generated code that Lombok marks, so the mark is switched off.
        .file("lombok.config", "config.stopBubbling = true\nlombok.addLombokGeneratedAnnotation = false\n")
        .commit("Notes");
    run(&repo, &["generate", "--all", "--slices", "on"]).ends(0);
    let repo = repo.commit("Suite");
    // The service needs a database, so mutants run in slices.
    let ran = run(&repo, &["strength", "--alone", "2", "--format", "json"]).ends(0);
    let measured = ran.says(&["slices are measured in place of the application"]).json();
    let totals = &measured["totals"];
    let names: Vec<&str> =
        measured["operations"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["DELETE /notes/{id}", "GET /notes", "GET /notes/{id}", "GET /visits", "POST /notes"],
        "{measured:#}"
    );
    // Each test starts with fresh stub values, recorded calls, and in-memory state of beans and classes.
    assert!(
        totals["killed"].as_u64().unwrap() >= 20 && totals["strict_score"].as_f64().unwrap() >= 90.0,
        "{measured:#}"
    );
    let why = |one: &serde_json::Value| one["why"] == "it rests on what the framework hands over";
    assert!(measured["tests"]["left_out"].as_array().unwrap().iter().all(why), "{measured:#}");
    assert!(totals["generated"].as_u64() >= Some(1), "{measured:#}");
    assert_eq!(measured["alone"], serde_json::json!({"run": 2, "otherwise": []}));
    let schema = repo.json(["schema", "strength"]);
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&measured), "{measured:#}");
}

#[test]
fn what_is_missing_is_said() {
    Repo::example().run(["strength"]).ends(3).says(&["no suite is committed", "mastor generate --all"]);
    let repo = with_suite();
    let mut command = repo.mastor(["strength"]);
    let output = command.env("JAVA_HOME", repo.path().join("nowhere")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("there is no `javac`") && said.contains("install a JDK 11 or later"), "{said}");
    let nothing = run(&repo, &["strength", "--since", "main"]);
    nothing.ends(0).says(&["there is nothing to mutate", "0 mutants"]);
}

#[test]
fn without_a_jvm_the_interpreter_runs_mutants_of_our_own() {
    let repo = with_suite();
    let asked = ["strength", "--fast", "--format", "json"];
    let measured = repo.run(asked).ends(0).json();
    let totals = &measured["totals"];
    let count = |name: &str| totals[name].as_u64().unwrap_or(0);
    assert_eq!(measured["approximate"], true);
    assert!(measured["mutants_by"].as_str().unwrap().contains("approximation"), "{measured:#}");
    assert!(count("mutants") > 190 && count("killed") > 160 && count("survived") >= 5, "{totals:#}");
    let parts = ["killed", "survived", "not_covered", "start_up", "undecided"];
    assert_eq!(count("mutants"), parts.into_iter().map(count).sum::<u64>(), "{totals:#}");
    let schema = repo.json(["schema", "strength"]);
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&measured), "{measured:#}");
    for survivor in measured["survivors"].as_array().unwrap().iter().filter(|one| one["outcome"] == "survived") {
        assert!(survivor["nearest"]["test_id"].is_string() && survivor["line"].as_u64() > Some(0), "{survivor:#}");
    }
    let text = repo.run(["strength", "--fast"]).ends(0).out;
    assert!(text.contains("an approximation: the interpreter ran the mutants, not a JVM"), "{text}");
    assert_eq!(repo.run(asked).ends(0).json()["totals"], *totals, "the same in every run");

    // With `--since`, only changed members are measured.
    let repo = repo
        .branch("feature")
        .edit(ZONES, "country.length() != 2", "country.length() < 2 || country.length() > 2")
        .commit("Say it otherwise");
    let changed = repo.run(["strength", "--fast", "--since", "main", "--format", "json"]).ends(0).json();
    let classes = changed["classes"].as_array().unwrap();
    assert_eq!(classes.len(), 1, "{changed:#}");
    assert!(changed["totals"]["mutants"].as_u64() < totals["mutants"].as_u64());
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(report["strength"]["totals"], changed["totals"]);
    assert!(repo.read(".mastor/out/report.md").contains("(an approximation)"));
}

#[test]
fn ci_measures_what_changed_where_the_settings_say_so() {
    let repo = with_suite()
        .file("mastor.toml", "[ci]\nstrength = \"fast\"\n")
        .commit("Measure in CI")
        .branch("feature")
        .edit(ZONES, "country.length() != 2", "country.length() < 2 || country.length() > 2")
        .commit("Say it otherwise");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(report["strength"]["approximate"], true, "{report:#}");
    assert!(report["strength"]["totals"]["killed"].as_u64() >= Some(5), "{report:#}");
    let schema = repo.json(["schema", "report"]);
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&report));
    let text = repo.read(".mastor/out/report.md");
    assert!(text.contains("strength where the change is: ") && text.contains(" % of "), "{text}");
    let shown = repo.run(["config", "show"]).ends(0).out;
    assert!(shown.lines().any(|line| line.contains("ci.strength") && line.contains("fast")), "{shown}");
    let repo = repo.edit("mastor.toml", "strength = \"fast\"", "strength = \"quick\"");
    repo.run(["config", "show"]).ends(2).says(&["`true`, `false` or \"fast\""]);
}

#[test]
fn what_survived_is_fed_back_and_killed() {
    let repo = with_suite();
    let measure = || repo.run(["strength", "--fast", "--format", "json"]).ends(0).json()["totals"].clone();
    let before = measure();
    let fed = repo.run(["strength", "--fast", "--feed"]).ends(0);
    fed.says(&["mutants fed back", "oracles added"]);
    let after = measure();
    let number = |totals: &serde_json::Value, name: &str| totals[name].as_u64().unwrap();
    assert!(number(&after, "killed") >= number(&before, "killed") + 8, "{before:#} {after:#}");
    assert!(number(&after, "survived") + 5 <= number(&before, "survived"), "{before:#} {after:#}");
    let files = repo.git(["ls-files", ".mastor/suite"]);
    let file = files.lines().find(|path| path.contains("get-orders-transitions-")).unwrap();
    let transitions = repo.read(file);
    assert!(transitions.contains("It tells a mutant that survived the suite (src/main/java/"), "{transitions}");
    // Existing oracles stay unchanged.
    for file in files.lines().filter(|path| !path.contains("/sequences/")) {
        let oracles = |text: &str| -> Vec<serde_json::Value> {
            let read: serde_json::Value = serde_json::from_str(text).unwrap();
            read["oracles"].as_array().cloned().unwrap_or_default()
        };
        let (old, new) = (oracles(&repo.git(["show", &format!("HEAD:{file}")])), oracles(&repo.read(file)));
        for oracle in old {
            assert!(new.contains(&oracle), "{file}: {oracle:#}");
        }
    }
}

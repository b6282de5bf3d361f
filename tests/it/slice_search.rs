//! Search in slices: finds successful answers and decides undecided comparisons by calling the project's own handlers in a real JVM.

use serde_json::Value;

use crate::exports::without;
use crate::slices::{fixture, run};
use crate::support::Repo;

const REPORTS: &str = "src/main/java/com/example/notes/Reports.java";

/// Handlers whose answers depend on unfollowed code: a date in a custom format, a row whose type only a cast shows, a taken name, a file.
const HANDLERS: &str = r#"package com.example.notes;

import java.math.BigInteger;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

@RestController
public class Reports {
    private final Ledger ledger;

    public Reports(Ledger ledger) {
        this.ledger = ledger;
    }

    @PostMapping("/reports")
    public Map<String, Object> add(@RequestBody Map<String, String> body) {
        LocalDate day = LocalDate.parse(body.get("day"), DateTimeFormatter.ofPattern("dd/MM/uuuu"));
        if (ledger.isTaken(body.get("title"))) {
            throw new ResponseStatusException(HttpStatus.CONFLICT);
        }
        BigInteger number = (BigInteger) ledger.single("select max(number) from report");
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("number", number.add(BigInteger.ONE));
        report.put("title", StringUtils.capitalize(body.get("title")));
        report.put("day", day.toString());
        return report;
    }

    @PostMapping("/reports/{id}/files")
    public Map<String, Object> upload(@PathVariable("id") Long id, @RequestParam("file") MultipartFile file) {
        Map<String, Object> stored = new LinkedHashMap<>();
        stored.put("id", id);
        stored.put("bytes", file.getSize());
        stored.put("name", StringUtils.trimWhitespace(file.getName()));
        return stored;
    }
}
"#;

const LEDGER: &str = "package com.example.notes;\n\n/** Rows that a database keeps. */\npublic interface Ledger {\n    Object \
                      single(String query);\n\n    boolean isTaken(String title);\n}\n";

fn service() -> Repo {
    let repo = Repo::new().folder(&fixture(), "").file(REPORTS, HANDLERS);
    repo.file("src/main/java/com/example/notes/Ledger.java", LEDGER).commit("Reports")
}

/// The suite file of an operation.
fn suite_of(repo: &Repo, op_id: &str) -> Value {
    let files = std::fs::read_dir(repo.path().join(".mastor/suite")).unwrap();
    let read =
        |file: std::fs::DirEntry| -> Value { serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap() };
    let mut suites = files.map(|file| read(file.unwrap()));
    suites.find(|suite| suite["context"]["op_id"] == op_id).unwrap()
}

/// The oracles of an operation: name, status, whether it held in a slice, and its stubs.
fn oracles(repo: &Repo, op_id: &str) -> Vec<String> {
    let suite = suite_of(repo, op_id);
    let told = |one: &Value| {
        let given = one["given"].as_array().into_iter().flatten().map(|given| given["stub"]["when"].as_str().unwrap());
        let given: Vec<&str> = given.collect();
        let held = one["confirmation"]["by_slice"] == true;
        format!("{} {} {held}: {}", one["test_id"], one["assertions"][0]["expected"], given.join(" and "))
            .replace('"', "")
    };
    suite["oracles"].as_array().unwrap().iter().map(told).collect()
}

#[test]
fn what_no_oracle_answers_well_is_searched_and_what_is_undecided_is_parted() {
    if without("maven") {
        return;
    }
    let repo = service();
    let made =
        run(&repo, &["generate", "POST /reports", "POST /reports/{id}/files", "--slices", "on", "--format", "json"]);
    let made = made.ends(0).json();
    let slices = &made["slices"];
    assert_eq!((&slices["searched"], &slices["found"]), (&2.into(), &2.into()), "{made:#}");
    let schema = repo.json(["schema", "suite"]);
    let suite = suite_of(&repo, "POST /reports");
    let errors = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<String> = errors.iter_errors(&suite).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let all = oracles(&repo, "POST /reports");
    let seen = "fv_200_seen 200 true: Ledger.isTaken is false and Ledger.single is 1";
    assert!(all.iter().any(|one| one == seen), "{all:#?}");
    assert!(all.iter().any(|one| one.starts_with("fi_409_seen 409 true: Ledger.isTaken is true")), "{all:#?}");
    let all = oracles(&repo, "POST /reports/{id}/files");
    assert!(all.iter().any(|one| one == "fv_200_seen 200 true: "), "{all:#?}");
    // The found oracles hold in the next run, so nothing is searched again.
    let repo = repo.commit("Suite");
    let again = run(&repo, &["generate", "--all", "--slices", "on", "--format", "json"]).ends(0).json();
    assert_eq!(again["slices"]["searched"], 0, "{again:#}");

    // The broken head's answers are not learnt: there is no search, and the suite stays.
    let repo = repo.commit("All").branch("broken");
    let repo = repo.edit(REPORTS, "report.put(\"number\", number.add(BigInteger.ONE));", "").commit("Lose a field");
    let before = suite_of(&repo, "POST /reports");
    let broken = run(&repo, &["generate", "POST /reports", "--slices", "on", "--format", "json"]).ends(0).json();
    assert_eq!(broken["slices"]["searched"], 0, "{broken:#}");
    let seen = |suite: &Value| {
        let all = suite["oracles"].as_array().unwrap().iter().map(|one| one["test_id"].as_str().unwrap().to_owned());
        all.filter(|name| name.ends_with("_seen")).collect::<Vec<String>>()
    };
    assert_eq!(seen(&suite_of(&repo, "POST /reports")), seen(&before));

    // Two library methods cannot be compared by their code, but their results can.
    let repo = repo.file("notes.txt", "").commit("Broken").branch("main").branch("feature").edit(
        REPORTS,
        "StringUtils.capitalize",
        "StringUtils.uncapitalize",
    );
    let repo = repo.edit(REPORTS, "StringUtils.trimWhitespace", "StringUtils.trimLeadingWhitespace");
    let repo = repo.commit("Small letters");
    let states = |slices: &str| {
        let ran = run(&repo, &["ci", "--since", "main", "--slices", slices, "--format", "json"]);
        let report = ran.json();
        let compared = report["compared"].as_array().unwrap().iter();
        let states = compared.map(|one| format!("{} {}", one["op_id"], one["state"]).replace('"', ""));
        (states.collect::<Vec<_>>(), report)
    };
    assert_eq!(states("off").0, ["POST /reports undecided", "POST /reports/{id}/files undecided"]);
    let (states, report) = states("on");
    assert_eq!(states, ["POST /reports changed", "POST /reports/{id}/files undecided"], "{report:#}");
    let [change] = report["changes"].as_array().unwrap().as_slice() else { panic!("{:#}", report["changes"]) };
    assert_eq!((&change["kind"], &change["op_id"]), (&"slice".into(), &"POST /reports".into()));
    assert!(change["what"].as_str().unwrap().contains("title"), "{change:#}");
    assert_eq!(change["given"], serde_json::json!(["Ledger.isTaken is false"]), "{change:#}");
    let asked = &change["witness"]["input"]["body"]["json"];
    assert_eq!(asked, &serde_json::json!({"day": "01/01/2020", "title": "title"}), "{change:#}");
    let slices = &report["generate"]["slices"];
    assert_eq!((&slices["undecided"], &slices["parted"]), (&2.into(), &1.into()), "{slices:#}");
    let text = repo.read(".mastor/out/report.md");
    assert!(text.contains("seen in a slice, on base and head"), "{text}");
    assert!(
        text.contains("Request: `POST /reports, body {") && text.contains("Given: `Ledger.isTaken is false`"),
        "{text}"
    );
}

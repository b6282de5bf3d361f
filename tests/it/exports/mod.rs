//! Runs the exports with the tools that they are made for: every oracle gets the expected verdict.
//!
//! A tool that is missing is a failure, unless `MASTOR_TEST_WITHOUT=newman,maven` names it. `tests/tools.sh` installs what is needed.

mod any_order;
mod arrives;
mod equal;
mod in_jvm;
mod inert;
pub mod logins;
mod openapi;
mod operators;
mod own_templates;
mod page;
pub mod runners;
pub mod stub;
pub mod suite;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mastor::publish::exports::html::{self, PageContext};
use mastor::publish::exports::{junit, postman, readable};
use mastor::publish::{Export, Exported};
use serde_json::Value;

use suite::Cases;

/// Whether `MASTOR_TEST_WITHOUT` names this tool.
#[expect(clippy::print_stdout, reason = "what is left out is named where the tests run")]
pub fn without(tool: &str) -> bool {
    let named = std::env::var("MASTOR_TEST_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == tool);
    if named {
        println!("left out: everything that {tool} would run (MASTOR_TEST_WITHOUT)");
    }
    named
}

fn run(tool: &str, command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| {
        panic!("cannot run {tool} ({error}): run tests/tools.sh, or name it in MASTOR_TEST_WITHOUT")
    })
}

fn write(exported: &Exported, dir: &Path) {
    for (path, bytes) in &exported.files {
        let file = dir.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
}

fn export(cases: &Cases) -> Export<'_> {
    Export::of("orders", "", &cases.suite)
}

/// Deviations from the expected verdicts, one for each oracle.
fn differences(expected: &BTreeMap<String, bool>, seen: &BTreeMap<String, Result<(), String>>) -> Vec<String> {
    let mut out = Vec::new();
    for (name, holds) in expected {
        match (holds, seen.get(name)) {
            (_, None) => out.push(format!("{name}: did not run")),
            (true, Some(Err(why))) => out.push(format!("{name}: broken: {why}")),
            (false, Some(Ok(()))) => out.push(format!("{name}: held")),
            _ => {}
        }
    }
    out.extend(
        seen.keys().filter(|name| !expected.contains_key(*name)).map(|name| format!("{name}: nobody asked for it")),
    );
    out
}

#[test]
fn every_oracle_comes_to_its_verdict_as_a_junit_test() {
    if without("maven") {
        return;
    }
    let cases = Cases::all();
    let exported = junit::junit(&export(&cases)).unwrap();
    assert_eq!(exported.left_out, vec![]);
    let dir = tempfile::Builder::new().prefix("mastor-junit-").tempdir().unwrap();
    write(&exported, dir.path());
    let output = run(
        "maven",
        crate::support::maven()
            .args(["-B", "-q", "-o", "test"])
            .current_dir(dir.path())
            .env("MASTOR_BASE_URL", stub::start())
            .env("MASTOR_USER_ADMIN_USER_AUTHORIZATION", "Bearer t"),
    );
    let reports = dir.path().join("target/surefire-reports");
    assert!(reports.is_dir(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut seen = BTreeMap::new();
    for entry in std::fs::read_dir(reports).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "xml") {
            test_cases(&std::fs::read_to_string(path).unwrap(), &mut seen);
        }
    }
    assert_eq!(differences(&cases.expected, &seen), Vec::<String>::new());
}

/// Reads the test cases of a JUnit report.
fn test_cases(xml: &str, seen: &mut BTreeMap<String, Result<(), String>>) {
    for case in xml.split("<testcase ").skip(1) {
        let name = case.split("name=\"").nth(1).unwrap().split(['"', '(']).next().unwrap();
        let case = case.split("</testcase>").next().unwrap().split("<system-").next().unwrap();
        let broken = case.contains("<failure") || case.contains("<error") || case.contains("<skipped");
        seen.insert(name.to_owned(), if broken { Err(case.chars().take(600).collect()) } else { Ok(()) });
    }
}

/// The folder into which `tests/tools.sh` installs, or the one that `MASTOR_TOOLS` names.
pub fn tools() -> PathBuf {
    std::env::var_os("MASTOR_TOOLS").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools"), PathBuf::from)
}

/// Path of newman, as `tests/tools.sh` installs it.
fn newman() -> PathBuf {
    tools().join("node_modules/.bin/newman")
}

#[test]
fn every_oracle_comes_to_its_verdict_as_a_postman_request() {
    if without("newman") {
        return;
    }
    let cases = Cases::all();
    let exported = postman::postman(&export(&cases)).unwrap();
    let dir = tempfile::Builder::new().prefix("mastor-postman-").tempdir().unwrap();
    write(&exported, dir.path());
    let output = run(
        "newman",
        Command::new(newman())
            .args([
                "run",
                "collection.json",
                "-e",
                "environment.json",
                "--reporters",
                "json",
                "--reporter-json-export",
                "out.json",
            ])
            .args(["--env-var", &format!("baseUrl={}", stub::start())])
            .args(["--env-var", "MASTOR_USER_ADMIN_USER_AUTHORIZATION=Bearer t"])
            .current_dir(dir.path()),
    );
    let out = std::fs::read(dir.path().join("out.json")).unwrap_or_else(|_| {
        panic!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    });
    let seen = executions(&serde_json::from_slice(&out).unwrap(), &cases);
    let mut expected = cases.expected.clone();
    let left_out: Vec<String> = exported.left_out.iter().map(|item| by_id(&cases, &item.id)).collect();
    assert_eq!(left_out, ["base64_bytes", "text_that_is_templated"]);
    expected.retain(|name, _| !left_out.contains(name));
    assert_eq!(differences(&expected, &seen), Vec::<String>::new());
}

/// The name of the oracle or sequence of this id.
fn by_id(cases: &Cases, id: &str) -> String {
    cases.expected.keys().find(|name| mastor::types::Hash::of(name.as_bytes()).short(16) == id).unwrap().clone()
}

/// The verdict of each oracle: broken where one of its checks or scripts failed.
fn executions(report: &Value, cases: &Cases) -> BTreeMap<String, Result<(), String>> {
    let mut seen: BTreeMap<String, Result<(), String>> = BTreeMap::new();
    for execution in report["run"]["executions"].as_array().unwrap() {
        let name = execution["item"]["name"].as_str().unwrap();
        let id = name.rsplit_once('[').unwrap().1.trim_end_matches(']');
        let checks = execution["assertions"].as_array().cloned().unwrap_or_default();
        let failed =
            checks.iter().find(|check| !check["error"].is_null()).map(|check| check["error"]["message"].to_string());
        let script = execution["testScript"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|s| !s["error"].is_null())
            .map(Value::to_string);
        let verdict = match failed.or(script) {
            Some(why) => Err(why),
            None if checks.is_empty() => Err("no check ran".to_owned()),
            None => Ok(()),
        };
        let slot = seen.entry(by_id(cases, id)).or_insert(Ok(()));
        if slot.is_ok() {
            *slot = verdict;
        }
    }
    seen
}

#[test]
fn exports_are_the_same_on_every_run_and_name_every_oracle() {
    let cases = Cases::all();
    let page = |export: &Export<'_>| html::html(export, &PageContext::default());
    for make in [&junit::junit as &dyn Fn(&Export<'_>) -> _, &postman::postman, &readable::readable, &page] {
        let exported = make(&export(&cases)).unwrap();
        assert_eq!(exported, make(&export(&cases)).unwrap());
        let text: String = exported.files.values().map(|bytes| String::from_utf8_lossy(bytes)).collect();
        for oracle in cases.suite.operations.values().flat_map(|o| &o.oracles) {
            assert!(text.contains(&oracle.o_id), "{} is missing", oracle.test_id);
        }
        for sequence in cases.suite.sequences.values().flatten() {
            assert!(text.contains(&sequence.s_id), "{} is missing", sequence.test_id);
        }
    }
}

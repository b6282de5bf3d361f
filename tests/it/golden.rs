//! Golden suites: contexts, oracles and sequences of every fixture, and the reports of the example's changes, byte for byte. A refactoring of mastor
//! changes none of them; a fix updates them in its own commit (`MASTOR_BLESS=1 cargo nextest run golden`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::generate::with_suite;
use crate::support::Repo;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a text with the committed one, or writes it if `MASTOR_BLESS` is set.
fn golden(name: &str, text: &str) {
    let path = root().join("tests/golden").join(name);
    if std::env::var_os("MASTOR_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    if known == text {
        return;
    }
    let (mut at, mut section) = (0, "");
    for (n, (was, is)) in known.lines().zip(text.lines()).enumerate() {
        section = if is.starts_with("=== ") { is } else { section };
        at = n + 1;
        if was != is {
            panic!("{name}, line {at} ({section}):\n- {was}\n+ {is}");
        }
    }
    panic!(
        "{name} has {} lines where {} were, and parts behind line {at}",
        text.lines().count(),
        known.lines().count()
    );
}

/// The files of a suite, concatenated.
fn suite(repo: &Repo) -> String {
    let listed = repo.git(["ls-files", "-co", "--exclude-standard", ".mastor/suite"]);
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    listed.lines().for_each(|path| _ = files.insert(path, repo.read(path)));
    files.into_iter().fold(String::new(), |mut out, (path, text)| {
        writeln!(out, "=== {path}\n{}", text.trim_end()).unwrap();
        out
    })
}

fn of_fixture(name: &str, folder: &Path) {
    // Other tests cover runs with a service.
    let repo = Repo::new().folder(folder, "").commit(name);
    repo.run(["generate", "--all", "--no-service"]).ends(0);
    golden(&format!("{name}.txt"), &suite(&repo));
}

/// Removes values that differ from run to run.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !matches!(key.as_str(), "seconds" | "service_seconds" | "artifacts" | "usage"));
            map.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn every_fixture_has_the_suite_that_it_had() {
    let fixtures = root().join("tests/fixtures");
    let mut names: Vec<String> = std::fs::read_dir(&fixtures)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("corpus"))
        .collect();
    names.sort();
    assert!(names.len() > 12, "{names:?}");
    names.iter().for_each(|name| of_fixture(name, &fixtures.join(name)));
}

#[test]
fn the_example_has_the_suite_and_the_reports_that_it_had() {
    of_fixture("orders", &root().join("examples/orders"));
    let changes = root().join("examples/orders-changes");
    for change in ["1-meant", "2-unmeant", "3-refactoring"] {
        let repo =
            with_suite().branch("feature").folder(&changes.join(change), "").remove("message.txt").commit(change);
        let ran = repo.run(["ci", "--since", "main", "--format", "json"]);
        let mut report = ran.json();
        without_times(&mut report);
        golden(&format!("orders-{change}.json"), &format!("{:#}\n", report));
    }
}

//! The HTML page in a browser: search, filters, navigation and details, in both themes, on a narrow screen and without scripts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use mastor::publish::exports::html::{self, PageContext};
use serde::Deserialize;
use serde_json::{Value, json};

use super::suite::{Cases, HOSTILE};
use super::{export, without};
use crate::generate::with_suite;
use crate::tools;

/// The result of inspecting one page.
#[derive(Deserialize)]
pub struct Seen {
    /// Defects.
    pub faults: Vec<String>,
    /// The visible text of opened details.
    pub text: String,
    /// The visible text without scripts.
    pub listed: String,
}

/// Inspects every page of a folder and opens `open` oracles; `None` if `MASTOR_TEST_WITHOUT` names the browser.
pub fn look(folder: &Path, open: usize) -> Option<BTreeMap<String, Seen>> {
    if without("browser") {
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/browser/page.mjs");
    let mut browser = Command::new("node");
    browser.arg(script).arg(folder).arg(tools::folder().join("browser")).env("MASTOR_OPEN", open.to_string());
    // The folder for screenshots, if one is wanted.
    browser.args(std::env::var_os("MASTOR_PICTURES").map(PathBuf::from));
    let output = browser.output().unwrap();
    assert!(output.status.success(), "run tests/tools.sh?\n{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// The values of all data scripts of a page, in order; each must contain JSON only.
pub fn data(page: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for script in page.split("<script").skip(1) {
        let (head, body) = script.split_once('>').unwrap();
        let (body, _) = body.split_once("</script>").unwrap();
        if head.contains("application/json") {
            assert!(!body.contains(['<', '>', '&']));
            found.push(serde_json::from_str(body).unwrap());
        }
    }
    found
}

#[test]
fn the_page_of_the_example_works_as_a_reader_works_it() {
    let repo = with_suite();
    let broken = first_oracle(&repo);
    let failing = json!({ "step": 1, "op_id": "GET /quotes", "as": "anonymous", "expected": "status is 200", "seen": "500",
        "answer": { "status": 500, "headers": [], "body": "<b>oops</b>", "cut": false },
        "requests": ["curl -sS 'http://127.0.0.1:1/quotes'"], "evidence": [], "replay": format!("mastor replay {broken}") });
    let check = json!({ "schema_version": 1, "command": "check", "base_url": "http://127.0.0.1:1", "counts": {}, "unsteady": 0,
        "oracles": [{ "id": broken, "op_ids": ["GET /quotes"], "test_id": "x", "verdict": "broken", "failure": failing }] });
    let repo = repo.file(".mastor/out/check.json", check.to_string());
    repo.run(["export", "html"]).ends(0);
    let folder = tempfile::tempdir().unwrap();
    let page = repo.read(".mastor/out/export/html/index.html");
    let data = data(&page);
    assert_eq!(data.len(), 1 + 15 + 2);
    let sources = data.last().unwrap().as_array().unwrap();
    assert!(sources.iter().any(|s| s["file"].as_str().is_some_and(|f| f.ends_with("QuoteController.java"))));
    assert!(sources.iter().all(|source| source["note"].is_null() && source["text"].is_string()), "{sources:#?}");
    std::fs::write(folder.path().join("example.html"), &page).unwrap();
    let Some(seen) = look(folder.path(), 30) else { return };
    let Seen { faults, text, listed } = &seen["example"];
    assert!(faults.is_empty(), "{faults:#?}");
    for wanted in
        ["@PostMapping", "derived", "Not verified", "What is asked", "Evidence:", "$id is taken from id of the body"]
    {
        assert!(text.contains(wanted), "lost {wanted:?}");
    }
    for wanted in ["GET /quotes", "QuoteController#quote(int,long,String)", "Sequences"] {
        assert!(listed.contains(wanted), "without a script, lost {wanted:?}");
    }
}

/// The id of the first oracle of `GET /quotes`.
fn first_oracle(repo: &crate::support::Repo) -> String {
    let listed = repo.git(["ls-files", ".mastor/suite"]);
    let path = listed.lines().find(|path| path.contains("get-quotes")).unwrap();
    let file: Value = serde_json::from_str(&repo.read(path)).unwrap();
    file["oracles"][0]["o_id"].as_str().unwrap().to_owned()
}

#[test]
fn all_that_an_oracle_can_say_is_on_the_page() {
    let cases = Cases::all();
    let exported =
        html::html(&export(&cases), &PageContext { revision: HOSTILE.to_owned(), ..PageContext::default() }).unwrap();
    let page = String::from_utf8(exported.files["index.html"].clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cases.html"), &page).unwrap();
    let oracles: usize =
        data(&page)[0]["operations"].as_array().unwrap().iter().map(|o| o["oracles"].as_array().unwrap().len()).sum();
    assert_eq!(oracles, cases.suite.oracle_count());
    let Some(seen) = look(folder.path(), 200) else { return };
    assert!(seen["cases"].faults.is_empty(), "{:#?}", seen["cases"].faults);
    for wanted in [
        "a form",
        "multipart/form-data",
        "as admin user",
        "has exactly the keys",
        "none: a person wrote it",
        "x%2Fy",
        "$tail",
    ] {
        assert!(seen["cases"].text.contains(wanted), "lost {wanted:?}");
    }
}

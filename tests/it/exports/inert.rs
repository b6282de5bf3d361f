//! Ten thousand hostile texts as input, expectation and description: HTML page and Markdown stay intact and contain every text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mastor::publish::Export;
use mastor::publish::exports::html::{self, PageContext};
use mastor::publish::exports::readable;
use mastor::suite::{OperationSuite, Suite};
use mastor::types::{Hash, OpId};
use serde_json::{Value, json};

use super::page::{data, look};
use crate::comment::looks::{self, Form, hostile};

const TEXTS: usize = 10_000;
const OPERATIONS: usize = 10;

/// Parts that hostile texts are composed of.
const PARTS: [&str; 40] = [
    "\"",
    "'",
    "\\",
    "\\\\",
    "\\u000a",
    "\\u0022",
    "\\ud800",
    "\\udfff\\ud800",
    "*/",
    "/*",
    "//",
    "${x}",
    "#{x}",
    "{{x}}",
    "{% raw %}",
    "</script>",
    "<script>alert(1)</script>",
    "<!--",
    "-->",
    "]]>",
    "<img src=x onerror=alert(1)>",
    "&lt;",
    "&#x3c;",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{feff}",
    "|",
    "`",
    "```",
    "[a](javascript:alert(1))",
    "\u{5d0}",
    "\u{1f600}",
];

/// The fixed hostile texts, one of a megabyte, and pseudo-random ones; the same on every run.
pub fn texts() -> Vec<String> {
    let mut all: Vec<String> = hostile().into_iter().map(|(_, text)| text).collect();
    all.push("<b>\u{202e}\"|`".repeat(130_000));
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    while all.len() < TEXTS {
        let mut text = String::new();
        for _ in 0..1 + next(7) {
            text.push_str(PARTS[next(PARTS.len())]);
            let _ = write!(text, "{}", ["", " ", "a", "7", "é"][next(5)]);
        }
        all.push(text);
    }
    all
}

/// An oracle for each text, with the text in every text field, and a sequence for each text that is not pseudo-random.
pub fn suite(texts: &[String]) -> Suite {
    let mut suite = Suite::default();
    let origin = json!({"engine": "human", "model": null, "challenger": "skipped"});
    for (n, text) in texts.iter().enumerate() {
        let op = format!("POST /h{}/{{id}}", n % OPERATIONS);
        let field = |op: &str| json!({"type": "field", "path": text, "op": op, "expected": text});
        let input = json!({"path": {"id": text}, "query": [["q", text], [text, "v"]], "headers": [["X-A", text]], "cookies": [["c", text]],
            "body": if n % 2 == 0 { json!({"json": {text: [text]}}) } else { json!({"text": text, "media_type": text}) }});
        let observed = json!({"type": "header", "name": text, "op": "equals", "expected": text, "source": "observed"});
        let oracle = json!({"o_id": Hash::of(format!("{n}").as_bytes()).short(16), "op_id": op, "test_id": format!("h_{n}"), "description": text,
            "strategy": "fv", "as": text, "input": input, "assertions": [field("equals"), field("matches"), observed], "effect": "reads", "evidence": [],
            "rationale": text, "origin": {"engine": "human", "model": text, "challenger": "skipped"},
            "confirmation": {"state": "unconfirmed", "runs": 0, "quarantined": [{"path": text, "why": text}]}});
        let op_id = OpId::parse(&op).unwrap();
        let context = || {
            let pending = json!([{"status": 401, "oas_claim": null, "reason": text}]);
            serde_json::from_value(json!({"op_id": op, "entry": {"class": text, "method": text}, "request_params": [], "evidence": {},
                "response_schema": {"success_status": 200, "fields": [], "error_cases": []}, "request_params_pending": [], "response_schema_pending": pending}))
            .unwrap()
        };
        let operation = suite.operations.entry(op_id.clone()).or_insert_with(|| OperationSuite::new(context(), vec![]));
        operation.oracles.push(serde_json::from_value(oracle).unwrap());
        if n < hostile().len() {
            let step = |binds: Value| json!({"op_id": op, "as": text, "input": input, "captures": {text: format!("body:{text}")}, "binds": binds, "assertions": [field("equals")]});
            let sequence = json!({"s_id": Hash::of(format!("s{n}").as_bytes()).short(16), "test_id": format!("s_{n}"), "description": text, "pattern": "identifier_flow",
                "effect": "writes", "steps": [step(json!({})), step(json!({"path.id": format!("$captures.{text}")}))], "evidence": [], "origin": origin,
                "confirmation": {"state": "unconfirmed", "runs": 0}});
            suite.sequences.entry(op_id).or_default().push(serde_json::from_value(sequence).unwrap());
        }
    }
    suite
}

/// Whether a renderer shows a text unchanged: nothing in it is hidden, moved, collapsed or truncated.
fn is_shown(text: &str) -> bool {
    let plain = |c: char| {
        c == '\u{2192}'
            || ('\u{20}'..'\u{7f}').contains(&c)
            || ('\u{a1}'..'\u{ad}').contains(&c)
            || ('\u{ae}'..'\u{300}').contains(&c)
    };
    text.chars().all(plain) && text.chars().count() < 110 && !text.trim().is_empty() && !text.contains("  ")
}

#[test]
fn the_page_holds_every_text_and_runs_none() {
    let texts = texts();
    let suite = suite(&texts);
    let beside = PageContext { revision: texts[3].clone(), ..PageContext::default() };
    let exported = html::html(&Export::of(&texts[3], "", &suite), &beside).unwrap();
    let page = String::from_utf8(exported.files["index.html"].clone()).unwrap();
    let data = data(&page);
    assert_eq!(data.len(), 1 + OPERATIONS + 2);
    assert_eq!(page.matches("<script").count(), data.len() + 1);
    let rows = data[0]["operations"].as_array().unwrap();
    let mut missing = Vec::new();
    for (n, text) in texts.iter().enumerate().filter(|(_, text)| text.chars().count() < 300) {
        let at = rows.iter().position(|row| row["path"] == format!("/h{}/{{id}}", n % OPERATIONS)).unwrap();
        let list = rows[at]["oracles"].as_array().unwrap();
        let place = list.iter().position(|row| row[1] == format!("h_{n}")).unwrap();
        let detail = &data[1 + at]["oracles"][place];
        // An empty field path means the whole body.
        let subject = if text.is_empty() { "body" } else { text };
        if list[place][2] != **text || detail["because"] != **text || detail["expects"][0]["subject"] != *subject {
            missing.push(text);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hostile.html"), &page).unwrap();
    let Some(seen) = look(folder.path(), 60) else { return };
    assert!(seen["hostile"].faults.is_empty(), "{:#?}", seen["hostile"].faults);
    let lost: Vec<&String> =
        texts.iter().take(30).filter(|text| is_shown(text) && !seen["hostile"].text.contains(text.trim())).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn markdown_shows_every_text_and_follows_none() {
    let texts = texts();
    let suite = suite(&texts);
    let exported = readable::readable(&Export::of(&texts[3], "", &suite)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in &exported.files {
        std::fs::write(folder.path().join(path.replace('/', "_")), bytes).unwrap();
    }
    let Some(seen) = looks::look(folder.path(), Form::Pages) else { return };
    let mut wrong: Vec<String> = Vec::new();
    let mut read: BTreeMap<usize, String> = BTreeMap::new();
    for (name, page) in &seen {
        wrong.extend(page.faults.iter().map(|fault| format!("{name}: {fault}")));
        // These characters, which break up links and keep words in order, are invisible.
        let text = page.text.replace(['\u{200b}', '\u{200e}'], "");
        for n in 0..OPERATIONS {
            if name.starts_with(&format!("operations_post-h{n}-")) {
                read.insert(n, text.clone());
            }
        }
    }
    assert_eq!(read.len(), OPERATIONS);
    let lost = |(n, text): &(usize, &String)| is_shown(text) && !read[&(n % OPERATIONS)].contains(text.trim());
    wrong.extend(texts.iter().enumerate().filter(lost).map(|(_, text)| format!("lost {text:?}")));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

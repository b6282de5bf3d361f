//! A brief: everything that the agents are told about one operation, as plain data that the pipeline prepares.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::RangeInclusive;

use serde_json::Value;

use mastor_types::OpId;
use mastor_types::suite::assertion::{BodyOp, Check, FieldOp};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::{Evidence, EvidenceId};
use mastor_types::suite::oracle::{Effect, Oracle};
use mastor_types::suite::source_context::{Entry, SourceContext};

/// Gaps longer than this many lines are marked in the text. Shorter ones show in the line numbers alone, since most
/// omitted lines are blank.
const GAP: u32 = 4;

/// One operation with all information that a model may receive.
#[derive(Debug, Clone)]
pub struct Brief {
    /// The operation.
    pub op_id: OpId,
    /// The entry method.
    pub entry: Entry,
    /// The operation in the OpenAPI document; `None` where it is undocumented.
    pub document: Option<Value>,
    /// The code that determines its behaviour.
    pub bundle: Bundle,
    /// Facts and oracles of the rules engine; `None` where the agents work alone.
    pub derived: Option<Derived>,
    /// Whether a request of it may change state.
    pub effect: Effect,
    /// Users that a request may be sent as, beside `anonymous`.
    pub users: Vec<String>,
    /// Assumptions under derived oracles that the model is asked about: each is asked once in a run.
    pub assumptions: Vec<Assumption>,
    /// Calls that leave the project's code, as `com.acme.Rows#find`, whose results an oracle may give itself; empty where no
    /// slice can be made.
    pub calls: BTreeSet<String>,
    /// Surviving mutants of the operation, one a line.
    pub survivors: Vec<String>,
    /// Lines with branches that no test takes.
    pub branches: Vec<String>,
}

/// What the rules engine derived about an operation.
#[derive(Debug, Clone)]
pub struct Derived {
    /// The source context, which the agents receive as verified input.
    pub context: SourceContext,
    /// The oracles.
    pub oracles: Vec<Oracle>,
    /// Successes of which rules know the status alone; they become oracles only if agents say more.
    pub open: Vec<Oracle>,
}

impl Derived {
    /// Whether the context is complete, so that the source extraction agent need not be asked.
    pub fn is_whole(&self) -> bool {
        let context = &self.context;
        let schema = &context.response_schema;
        let decided = context.request_params_pending.is_empty() && schema.success_status.is_some();
        let has_conditions = schema.error_cases.iter().all(|case| !case.condition.is_empty());
        // A status that only the document claims does not make the code's facts incomplete.
        let pending = context.response_schema_pending.iter().any(|pending| pending.oas_claim.is_none());
        decided && has_conditions && !pending && self.knows_body()
    }

    /// Whether the members of a good answer are known, or it has none.
    fn knows_body(&self) -> bool {
        let schema = &self.context.response_schema;
        let has_none = schema.success_status.is_none_or(|status| status == 204 || status >= 300);
        let says = |check: &Check| match check {
            Check::Body { op, .. } => *op == BodyOp::Empty,
            Check::Field { path, op, .. } => {
                path.is_empty() && matches!(op, FieldOp::Equals | FieldOp::Type | FieldOp::Keys)
            }
            _ => false,
        };
        let is_good = |oracle: &&Oracle| oracle.statuses().iter().all(|status| *status < 300);
        let good = self.oracles.iter().filter(is_good);
        has_none || !schema.fields.is_empty() || good.flat_map(|oracle| &oracle.assertions).any(|one| says(&one.check))
    }
}

/// The code of one operation: its closure and global context.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    /// Files shared by many operations, the most shared first, then the operation's own.
    pub files: Vec<BundleFile>,
    /// Files that are excluded by the patterns of `never-send`.
    pub withheld: Vec<String>,
    /// The framework with its release, where releases differ and it is known.
    pub release: Option<String>,
}

/// One file of a bundle. Irrelevant lines are left out, which shows in the line numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleFile {
    /// Path from the repository's root.
    pub path: String,
    /// Number (from 1) and text of each line, in order.
    pub lines: Vec<(u32, String)>,
    /// Citable code with its line ranges.
    pub cites: Vec<Cite>,
    /// Whether every bundle with this file contains the same lines of it.
    pub shared: bool,
}

/// A range of lines that can be cited.
#[derive(Debug, Clone, PartialEq)]
pub struct Cite {
    /// The line range.
    pub lines: RangeInclusive<u32>,
    /// The citation.
    pub evidence: Evidence,
}

impl BundleFile {
    /// Approximate size of its text in bytes.
    pub fn bytes(&self) -> usize {
        self.lines.iter().map(|(_, text)| text.len() + 6).sum::<usize>() + self.path.len() + 16
    }

    /// The numbers of the lines that decide what is answered: of Java conditions, jumps, results, annotations and the
    /// heads of members, each to the end of its statement; of other files all.
    fn deciding(&self) -> BTreeSet<u32> {
        if !self.path.ends_with(".java") {
            return self.lines.iter().map(|(number, _)| *number).collect();
        }
        let mut found = BTreeSet::new();
        // The parentheses that are open at the end of a line that decides.
        let mut open = 0_i32;
        for (number, text) in &self.lines {
            let code = text.trim();
            if open <= 0 && !decides(code) {
                continue;
            }
            found.insert(*number);
            open = open.max(0) + depth(code);
        }
        found
    }
}

impl Bundle {
    /// The text to send: each file has a label and each line a number, so that the content of a file cannot imitate the
    /// format.
    pub fn text(&self) -> String {
        let mut out = self.release.as_ref().map(|release| format!("Built with {release}.\n\n")).unwrap_or_default();
        for (n, file) in self.files.iter().enumerate().filter(|(_, file)| !file.lines.is_empty()) {
            let _ = writeln!(out, "=== F{} {}", n + 1, file.path);
            let mut last = None;
            // A closing brace alone says nothing that the indentation does not say.
            for (number, text) in file.lines.iter().filter(|(_, text)| text.trim() != "}") {
                if last.is_some_and(|last: u32| last + GAP < *number) {
                    out.push_str("…\n");
                }
                last = Some(*number);
                let _ = writeln!(out, "{number}| {text}");
            }
            out.push('\n');
        }
        out
    }

    /// Approximate size of the text in bytes.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(BundleFile::bytes).sum()
    }

    /// Parses `F2:41` or `F2:41-44` to a file and its first line; `None` where the bundle has no such file.
    fn place(&self, text: &str) -> Option<(&BundleFile, u32)> {
        let (file, line) = text.trim().strip_prefix('F')?.split_once(':')?;
        let file = self.files.get(file.trim().parse::<usize>().ok()?.checked_sub(1)?)?;
        let line = line.split(['-', ',']).next()?.trim().trim_start_matches('L');
        Some((file, line.parse().ok()?))
    }

    /// The smallest citable code around the line that `F2:41` names, if any.
    pub fn cite(&self, text: &str) -> Option<&Evidence> {
        let (file, line) = self.place(text)?;
        let around = file.cites.iter().filter(|cite| cite.lines.contains(&line));
        around.min_by_key(|cite| cite.lines.end() - cite.lines.start()).map(|cite| &cite.evidence)
    }

    /// Path and line that `F2:41` names, if the bundle contains that line.
    pub fn shown(&self, text: &str) -> Option<(&str, u32)> {
        let (file, line) = self.place(text)?;
        file.lines.iter().any(|(number, _)| *number == line).then_some((file.path.as_str(), line))
    }

    /// The citation with this id.
    pub fn by_id(&self, id: &str) -> Option<&Evidence> {
        self.files.iter().flat_map(|file| &file.cites).map(|cite| &cite.evidence).find(|e| e.id().as_str() == id)
    }

    /// The bundle reduced to what a reviewer needs: the lines of these citations, and every line that decides what is
    /// answered, so that a condition which nothing cites is seen too. Files keep their labels.
    pub fn excerpts(&self, ids: &[EvidenceId]) -> Self {
        let cited = |cite: &&Cite| ids.contains(&cite.evidence.id());
        let one = |file: &BundleFile| {
            let ranges: Vec<_> = file.cites.iter().filter(cited).map(|cite| cite.lines.clone()).collect();
            let deciding = file.deciding();
            let is_kept = |line: &u32| deciding.contains(line) || ranges.iter().any(|range| range.contains(line));
            let kept = file.lines.iter().filter(|(line, _)| is_kept(line));
            BundleFile { lines: kept.cloned().collect(), ..file.clone() }
        };
        Self { files: self.files.iter().map(one).collect(), release: self.release.clone(), withheld: Vec::new() }
    }

    /// The lines of several bundles that decide what their operations answer, and calls that may change state, each file
    /// once, with its seeds; at most `room` bytes, from the first bundle on.
    pub fn deciding(bundles: &[&Self], room: usize) -> Self {
        let mut all: Vec<BundleFile> = Vec::new();
        for file in bundles.iter().flat_map(|bundle| &bundle.files) {
            let deciding = file.deciding();
            // Calls, and the steps of a chain of them.
            let acts = |text: &str| text.ends_with(");") || text.starts_with('.');
            let says = |line: u32, text: &str| deciding.contains(&line) || acts(text.trim());
            let lines = file.lines.iter().filter(|(line, text)| says(*line, text)).cloned();
            match all.iter_mut().find(|other| other.path == file.path) {
                Some(other) => {
                    other.lines.extend(lines);
                    other.lines.sort();
                    other.lines.dedup();
                }
                None => all.push(BundleFile { lines: lines.collect(), cites: Vec::new(), ..file.clone() }),
            }
        }
        let mut left = room;
        let mut files = Vec::new();
        for file in all.into_iter().filter(|file| !file.lines.is_empty()) {
            let Some(rest) = left.checked_sub(file.bytes()) else { continue };
            left = rest;
            files.push(file);
        }
        Self { files, release: bundles.iter().find_map(|bundle| bundle.release.clone()), withheld: Vec::new() }
    }

    /// The text with `F2:41` in place of each fact's id that this bundle can show.
    pub fn with_lines(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (n, file) in self.files.iter().enumerate() {
            for cite in &file.cites {
                let id = cite.evidence.id();
                if text.contains(id.as_str()) {
                    text = text.replace(id.as_str(), &format!("F{}:{}", n + 1, cite.lines.start()));
                }
            }
        }
        text
    }

    /// Splits the bundle into parts of at most `room` bytes; a file is split by lines only where it exceeds a part.
    pub fn split(&self, room: usize) -> Vec<Self> {
        let room = room.max(1024);
        let mut parts: Vec<Self> = Vec::new();
        let mut current = Self::default();
        let mut used = 0;
        for file in &self.files {
            for piece in pieces(file, room) {
                if used + piece.bytes() > room && !current.files.is_empty() {
                    parts.push(std::mem::take(&mut current));
                    used = 0;
                }
                used += piece.bytes();
                current.files.push(piece);
            }
        }
        if !current.files.is_empty() || parts.is_empty() {
            parts.push(current);
        }
        for part in &mut parts {
            part.release.clone_from(&self.release);
        }
        parts
    }
}

/// Words that a line of Java begins with, or holds, where it decides what is answered.
const BEGINS: &[&str] =
    &["if", "}", "else", "for", "while", "do", "switch", "case", "default", "try", "catch", "throw", "return", "@"];
const HOLDS: &[&str] = &[" ? ", "->", "orElse", "throw ", "addHeader", ".header(", "setStatus", "sendError"];

/// Whether a line of Java decides what is answered, or begins a member.
fn decides(code: &str) -> bool {
    let begins = |word: &str| {
        let rest = code.strip_prefix(word);
        rest.is_some_and(|rest| word == "@" || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let heads = (code.ends_with('{') && code != "{") || code.contains("static final ") || is_constant(code);
    (code != "}" && BEGINS.iter().any(|word| begins(word))) || heads || HOLDS.iter().any(|word| code.contains(word))
}

/// Whether a line declares an enum constant: `OPEN("open"),`.
fn is_constant(code: &str) -> bool {
    let name = code.split(['(', ',', ';']).next().unwrap_or_default();
    let is_name = name.len() > 1 && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    is_name && code.ends_with([',', ';', ')'])
}

/// How many more parentheses a line opens than it closes, outside of texts.
fn depth(code: &str) -> i32 {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for c in code.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Splits a file into pieces of at most `room` bytes; a longer line forms its own piece.
fn pieces(file: &BundleFile, room: usize) -> Vec<BundleFile> {
    if file.bytes() <= room {
        return vec![file.clone()];
    }
    let empty = || BundleFile { lines: Vec::new(), shared: false, ..file.clone() };
    let mut out = vec![empty()];
    for line in &file.lines {
        let full = out.last().is_some_and(|last| !last.lines.is_empty() && last.bytes() + line.1.len() + 6 > room);
        if full {
            out.push(empty());
        }
        if let Some(last) = out.last_mut() {
            last.lines.push(line.clone());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::Hash;

    fn evidence(symbol: &str) -> Evidence {
        Evidence { symbol: symbol.to_owned(), tokens_sha256: Hash::of(symbol.as_bytes()) }
    }

    fn bundle() -> Bundle {
        let lines = [(1, "class A {"), (2, "  int y;"), (13, "  int x() {"), (14, "    return 1;"), (15, "  }")];
        let file = BundleFile {
            path: "A.java".to_owned(),
            lines: lines.map(|(n, text)| (n, text.to_owned())).to_vec(),
            cites: vec![
                Cite { lines: 1..=19, evidence: evidence("A") },
                Cite { lines: 13..=15, evidence: evidence("A#x()") },
            ],
            shared: false,
        };
        Bundle { files: vec![file], ..Bundle::default() }
    }

    #[test]
    fn lines_stand_behind_their_numbers_and_what_is_left_out_shows() {
        assert_eq!(
            bundle().text(),
            "=== F1 A.java\n1| class A {\n2|   int y;\n…\n13|   int x() {\n14|     return 1;\n\n"
        );
    }

    #[test]
    fn a_citation_names_the_innermost_thing_on_its_line() {
        let bundle = bundle();
        assert_eq!(bundle.cite("F1:14").map(|e| e.symbol.as_str()), Some("A#x()"));
        assert_eq!(bundle.cite("F1:14-15").map(|e| e.symbol.as_str()), Some("A#x()"));
        assert_eq!(bundle.cite("F1:1").map(|e| e.symbol.as_str()), Some("A"));
        for wrong in ["F2:1", "F0:1", "F1:99", "A.java:4", "../etc/passwd:1", "F1", ""] {
            assert_eq!(bundle.cite(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_reviewer_sees_what_is_cited_and_every_condition_under_the_same_labels() {
        let code = "class B {\n  int n(int a) {\n    int b = a + 1;\n    log(b);\n    if (a > 7\n        || b == f(\")\")) {\n      throw new Bad();\n    }\n    note();\n    return b;\n  }";
        let lines = (1..).zip(code.lines()).map(|(n, text)| (n, text.to_owned())).collect();
        let other = BundleFile { path: "B.java".to_owned(), lines, cites: Vec::new(), shared: false };
        let mut both = bundle();
        both.files.insert(0, BundleFile { path: "C.java".to_owned(), lines: Vec::new(), ..other.clone() });
        both.files.push(other);
        let seen = both.excerpts(&[evidence("A#x()").id()]);
        let text = seen.text();
        assert!(text.starts_with("=== F2 A.java\n1| class A {\n…\n13|   int x() {\n14|     return 1;\n"), "{text}");
        let numbers: Vec<u32> = seen.files[2].lines.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 2, 5, 6, 7, 10], "{text}");
        assert!(seen.cite("F2:14").is_some());
        let id = evidence("A#x()").id();
        assert_eq!(both.with_lines(&format!("by {} and e:none", id.as_str())), "by F2:13 and e:none");
        let joint = Bundle::deciding(&[&both, &both], 10_000);
        assert_eq!(joint.text().matches("a > 7").count(), 1);
        assert!(Bundle::deciding(&[&both], 10).files.is_empty());
    }

    #[test]
    fn a_bundle_that_is_too_large_is_split_and_loses_no_line() {
        let mut file = bundle().files.remove(0);
        file.lines = (1..=400).map(|n| (n, "    int value = compute();".to_owned())).collect();
        let bundle = Bundle { files: vec![file.clone(), file], ..Bundle::default() };
        let parts = bundle.split(4000);
        assert!(parts.len() >= 6, "{}", parts.len());
        assert!(parts.iter().all(|part| part.bytes() <= 4200));
        let lines: usize = parts.iter().flat_map(|part| &part.files).map(|file| file.lines.len()).sum();
        assert_eq!(lines, 800);
    }
}

//! A brief: everything that the agents are told about one operation, as plain data that the pipeline prepares.

use std::fmt::Write;
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::types::OpId;
use crate::types::evidence::{Evidence, EvidenceId};
use crate::types::oracle::{Effect, Oracle};
use crate::types::source_context::{Entry, SourceContext};

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
}

impl Derived {
    /// Whether the context is complete, so that the source extraction agent need not be asked.
    pub fn is_whole(&self) -> bool {
        let context = &self.context;
        let schema = &context.response_schema;
        let decided = context.request_params_pending.is_empty() && schema.success_status.is_some();
        // A status that only the document claims does not make the code's facts incomplete.
        decided && context.response_schema_pending.iter().all(|pending| pending.oas_claim.is_some())
    }
}

/// The code of one operation: its closure and global context.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    /// Files shared by many operations, the most shared first, then the operation's own.
    pub files: Vec<BundleFile>,
    /// Files that are excluded by the patterns of `never-send`.
    pub withheld: Vec<String>,
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
}

impl Bundle {
    /// The text to send: each file has a label and each line a number, so that the content of a file cannot imitate the
    /// format.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (n, file) in self.files.iter().enumerate() {
            let _ = writeln!(out, "=== F{} {}", n + 1, file.path);
            let mut last = None;
            for (number, text) in &file.lines {
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

    /// The bundle reduced to the lines of these citations.
    pub fn excerpts(&self, ids: &[EvidenceId]) -> Self {
        let cited = |cite: &&Cite| ids.contains(&cite.evidence.id());
        let one = |file: &BundleFile| {
            let ranges: Vec<_> = file.cites.iter().filter(cited).map(|cite| cite.lines.clone()).collect();
            let kept = file.lines.iter().filter(|(line, _)| ranges.iter().any(|range| range.contains(line)));
            BundleFile { lines: kept.cloned().collect(), ..file.clone() }
        };
        Self { files: self.files.iter().map(one).filter(|file| !file.lines.is_empty()).collect(), withheld: Vec::new() }
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
        parts
    }
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
    use crate::types::Hash;

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
        Bundle { files: vec![file], withheld: Vec::new() }
    }

    #[test]
    fn lines_stand_behind_their_numbers_and_what_is_left_out_shows() {
        assert_eq!(
            bundle().text(),
            "=== F1 A.java\n1| class A {\n2|   int y;\n…\n13|   int x() {\n14|     return 1;\n15|   }\n\n"
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
    fn a_bundle_that_is_too_large_is_split_and_loses_no_line() {
        let mut file = bundle().files.remove(0);
        file.lines = (1..=400).map(|n| (n, "    int value = compute();".to_owned())).collect();
        let bundle = Bundle { files: vec![file.clone(), file], withheld: Vec::new() };
        let parts = bundle.split(4000);
        assert!(parts.len() >= 6, "{}", parts.len());
        assert!(parts.iter().all(|part| part.bytes() <= 4200));
        let lines: usize = parts.iter().flat_map(|part| &part.files).map(|file| file.lines.len()).sum();
        assert_eq!(lines, 800);
    }
}

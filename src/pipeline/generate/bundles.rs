//! Bundles: the code that decides how an operation behaves, selected by its manifest and put together for a model.
//!
//! Files that many operations share come first, most shared first, with the same bytes in each bundle, so that a
//! provider's prefix cache is used (MASTOR paper, section 4.3). If an operation needs little of a file, only its own
//! lines are taken, at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::pipeline::generate::inert;
use mastor_agents::{Bundle, BundleFile, Cite};
use mastor_extract::Analysis;
use mastor_java::syntax::tokens::Tokens;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::manifest::InputClass;
use mastor_types::suite::evidence::Evidence;

/// Statements on one table that are shown, at most; the number of further ones is stated.
const SEEDS: usize = 40;
/// A file is shared if an operation needs at least one half of what all operations need of it.
const PART: usize = 2;

/// The lines and citations that one operation needs of a file.
#[derive(Default, Clone)]
struct Needed {
    lines: BTreeSet<u32>,
    cites: Vec<Cite>,
    /// Lines that only declare a class without supertypes and annotations.
    shells: BTreeSet<u32>,
}

/// The bundles of a revision.
pub struct Bundles<'a> {
    analysis: &'a Analysis,
    needed: BTreeMap<OpId, BTreeMap<String, Needed>>,
    /// The lines of each file that any operation needs, and the number of operations for which the file is shared.
    all: BTreeMap<String, (BTreeSet<u32>, usize)>,
    /// The lines of each file, without comments.
    texts: BTreeMap<String, Vec<String>>,
    never: GlobSet,
}

impl<'a> Bundles<'a> {
    /// The bundles of every operation that has an entry; files that match a pattern of `never` are withheld.
    ///
    /// # Errors
    /// Exit 2 for an invalid pattern.
    pub fn new(analysis: &'a Analysis, never: &[String]) -> Result<Self, Failure> {
        let never = patterns(never)?;
        let mut bundles =
            Self { analysis, needed: BTreeMap::new(), all: BTreeMap::new(), texts: BTreeMap::new(), never };
        for operation in analysis.operations.iter().filter(|operation| operation.entry.is_some()) {
            bundles.read(&operation.op_id);
        }
        let mut shared: BTreeMap<String, usize> = BTreeMap::new();
        for files in bundles.needed.values() {
            for (path, needed) in files {
                *shared.entry(path.clone()).or_default() += usize::from(bundles.is_shared(path, needed));
            }
        }
        for (path, (_, count)) in &mut bundles.all {
            *count = shared.get(path).copied().unwrap_or_default();
        }
        Ok(bundles)
    }

    /// The bundle of an operation.
    pub fn of(&self, op_id: &OpId) -> Bundle {
        let mut bundle = Bundle::default();
        let Some(files) = self.needed.get(op_id) else { return bundle };
        let mut order: Vec<(bool, usize, &String, &Needed)> = Vec::new();
        for (path, needed) in files {
            if self.never.is_match(path) {
                bundle.withheld.push(path.clone());
                continue;
            }
            let shared = self.is_shared(path, needed);
            let count = self.all.get(path).map_or(0, |(_, count)| *count);
            order.push((!shared, if shared { usize::MAX - count } else { 0 }, path, needed));
        }
        order.sort_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)));
        // The last file, one of the operation's own if it has any, tells which module of the build it belongs to.
        let near = order.last().map(|(_, _, path, _)| path.as_str()).unwrap_or_default();
        let boot = self.analysis.surface.build.boot(near);
        bundle.release = boot.map(|(major, minor)| format!("Spring Boot {major}.{minor}"));
        bundle.files = order.into_iter().filter_map(|(own, _, path, needed)| self.file(path, needed, !own)).collect();
        bundle
    }

    /// Bytes of the whole files of an operation's closure: the size of a prompt with uncut files.
    pub fn whole_files(&self, op_id: &OpId) -> usize {
        let files = self.needed.get(op_id).into_iter().flat_map(BTreeMap::keys);
        files.filter_map(|path| self.analysis.surface.tree.text(path).ok()).map(|text| text.text.len()).sum()
    }

    fn is_shared(&self, path: &str, needed: &Needed) -> bool {
        let all = self.all.get(path).map_or(0, |(lines, _)| self.bytes(path, lines));
        self.bytes(path, &needed.lines) * PART >= all
    }

    fn bytes(&self, path: &str, lines: &BTreeSet<u32>) -> usize {
        let Some(text) = self.texts.get(path) else { return 0 };
        lines.iter().filter_map(|line| text.get(*line as usize - 1)).map(|line| line.len() + 6).sum()
    }

    fn file(&self, path: &str, needed: &Needed, shared: bool) -> Option<BundleFile> {
        let text = self.texts.get(path)?;
        let all = self.all.get(path).map(|(lines, _)| lines).filter(|_| shared);
        let lines = all.unwrap_or(&needed.lines).iter().filter_map(|line| {
            let text = text.get(*line as usize - 1)?.trim_end();
            (!text.is_empty()).then(|| (*line, text.to_owned()))
        });
        let lines: Vec<(u32, String)> = lines.collect();
        (!lines.is_empty()).then(|| BundleFile { path: path.to_owned(), lines, cites: needed.cites.clone(), shared })
    }

    /// Reads the files that the manifest of an operation names.
    fn read(&mut self, op_id: &OpId) {
        let Some(manifest) = self.analysis.manifest(op_id) else { return };
        let mut files: BTreeMap<String, Needed> = BTreeMap::new();
        for (input, _, _) in manifest.iter().filter(|(_, class, _)| *class == InputClass::Code) {
            match input.strip_prefix("global:") {
                Some(global) => self.read_global(global, &mut files),
                None => self.read_java(input, &mut files),
            }
        }
        files.retain(|_, needed| !needed.lines.is_subset(&needed.shells));
        for (path, needed) in &files {
            self.all.entry(path.clone()).or_default().0.extend(&needed.lines);
        }
        self.needed.insert(op_id.clone(), files);
    }

    fn read_java(&mut self, input: &str, files: &mut BTreeMap<String, Needed>) {
        let analysis = self.analysis;
        let project = &analysis.surface.project;
        let mut is_shell = false;
        let (path, lines) = if let Some(member) = project.by_symbol(input) {
            if inert::is_inert(project.member(member)) {
                return;
            }
            let span = project.member(member).span;
            (project.path_of(member.ty).to_owned(), span.line..=span.end_line)
        } else if let Some(ty) = project.by_fqn(input) {
            let facts = project.ty(ty);
            is_shell = inert::is_shell(facts);
            (project.path_of(ty).to_owned(), facts.span.line..=facts.name_span.end_line)
        } else {
            return;
        };
        self.load(&path, true);
        need(files, &path, lines.clone(), self.analysis, input);
        if let Some(needed) = files.get_mut(&path).filter(|_| is_shell) {
            needed.shells.extend(lines);
        }
    }

    /// Reads a global input: seeds by table, properties by key, any other file whole.
    fn read_global(&mut self, global: &str, files: &mut BTreeMap<String, Needed>) {
        let (path, table, key) = match (global.split_once(" table "), global.split_once('#')) {
            (Some((path, table)), _) => (path, Some(table), None),
            (None, Some((path, key))) => (path, None, Some(key)),
            (None, None) => (global, None, None),
        };
        if self.analysis.surface.resources.text(path).is_none() {
            return;
        }
        self.load(path, false);
        let text = self.texts.get(path).cloned().unwrap_or_default();
        let ranges = match (table, key) {
            (Some(table), _) => self.seeds(path, &text, table),
            (None, Some(key)) => keyed(&text, key),
            (None, None) => vec![1..=u32::try_from(text.len()).unwrap_or(u32::MAX)],
        };
        for range in ranges {
            need(files, path, range, self.analysis, path);
        }
    }

    /// The statements that name a table, up to [`SEEDS`]; one line in place of the others states their number.
    fn seeds(&mut self, path: &str, text: &[String], table: &str) -> Vec<RangeInclusive<u32>> {
        let mut ranges = statements(text, table);
        if let Some(next) = ranges.get(SEEDS).map(|range| *range.start()) {
            let more = format!("-- and {} more statements that name {table}", ranges.len() - SEEDS);
            if let Some(line) = self.texts.get_mut(path).and_then(|lines| lines.get_mut(next as usize - 1)) {
                *line = more;
            }
            ranges.truncate(SEEDS);
            ranges.push(next..=next);
        }
        ranges
    }

    fn load(&mut self, path: &str, java: bool) {
        if self.texts.contains_key(path) {
            return;
        }
        let Ok(text) = self.analysis.surface.tree.text(path) else { return };
        let text =
            if java { inert::without_documentation(&Tokens::of(&text.text).without_comments()) } else { text.text };
        self.texts.insert(path.to_owned(), text.lines().map(str::to_owned).collect());
    }
}

/// The patterns of files that are never sent.
///
/// # Errors
/// Exit 2 for an invalid pattern.
pub fn patterns(never: &[String]) -> Result<GlobSet, Failure> {
    let wrong = |e: globset::Error| Failure::new(Exit::Usage, format!("redact.never-send: {e}"));
    let mut globs = GlobSetBuilder::new();
    for pattern in never {
        globs.add(Glob::new(pattern).map_err(wrong)?);
    }
    globs.build().map_err(wrong)
}

fn need(
    files: &mut BTreeMap<String, Needed>,
    path: &str,
    lines: RangeInclusive<u32>,
    analysis: &Analysis,
    symbol: &str,
) {
    let Some(tokens_sha256) = analysis.resolve(symbol) else { return };
    let needed = files.entry(path.to_owned()).or_default();
    needed.lines.extend(lines.clone());
    needed.cites.push(Cite { lines, evidence: Evidence { symbol: symbol.to_owned(), tokens_sha256 } });
}

/// The line ranges of the statements of a script that name a table.
fn statements(text: &[String], table: &str) -> Vec<RangeInclusive<u32>> {
    let mut out = Vec::new();
    let (mut from, mut names) = (1, false);
    for (number, line) in (1..).zip(text) {
        let lower = line.to_ascii_lowercase();
        names |= lower.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == table.to_ascii_lowercase());
        if line.trim_end().ends_with(';') || line.trim().is_empty() {
            if names {
                out.push(from..=number);
            }
            (from, names) = (number + 1, false);
        }
    }
    let last = u32::try_from(text.len()).unwrap_or(u32::MAX);
    if names && from <= last {
        out.push(from..=last);
    }
    out
}

/// The lines of a property: those whose key is `key` or its last part.
fn keyed(text: &[String], key: &str) -> Vec<RangeInclusive<u32>> {
    let last = key.rsplit('.').next().unwrap_or(key);
    let holds = |line: &&String| {
        let before = line.split(['=', ':']).next().unwrap_or_default().trim().trim_start_matches("- ");
        before == key || before == last
    };
    (1..).zip(text).filter(|(_, line)| holds(line)).map(|(number, _)| number..=number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_script_only_statements_of_the_table_are_taken() {
        let text: Vec<String> = [
            "create table orders(",
            "  id int);",
            "insert into items values (1);",
            "INSERT INTO orders",
            "VALUES (1);",
        ]
        .map(str::to_owned)
        .to_vec();
        assert_eq!(statements(&text, "orders"), [1..=2, 4..=5]);
        assert_eq!(statements(&text, "order"), []);
    }

    #[test]
    fn a_property_is_found_flat_and_nested() {
        let text: Vec<String> = ["a.b=1", "limit: 3", "  b: 2"].map(str::to_owned).to_vec();
        assert_eq!(keyed(&text, "a.b"), [1..=1, 3..=3]);
    }
}

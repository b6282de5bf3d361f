//! The layer test: reads `src/` and fails if a file imports what its folder may not, or breaks another house rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Folders and files of the ground, which import neither knowledge nor stages.
const GROUND: [&str; 7] = ["revision", "suite", "store", "template", "env", "spawn", "sql"];
/// Folders of knowledge, which import knowledge and ground.
const KNOWLEDGE: [&str; 5] = ["java", "runtime", "frameworks", "openapi", "llm"];
/// Stages, which import knowledge, ground and settings, and never one another.
const STAGES: [&str; 7] = ["extract", "derive", "agents", "normalise", "probe", "publish", "strength"];
/// Folders and files of the package `mastor` itself; every other folder is the package `mastor-…` of its name.
const OWN: [&str; 3] = ["cli", "commands", "pipeline"];
/// The only folder that may import two stages.
const PIPELINE: &str = "pipeline";
/// The crate's root, which lists all modules and so is not checked for imports.
const ROOT: &str = "lib.rs";

/// Crate and API names that may occur only in these gateway files or folders.
const GATEWAYS: [(&str, &[&str]); 10] = [
    ("git2", &["revision/git.rs"]),
    ("tree_sitter", &["java/syntax/tree.rs"]),
    ("tree_sitter_java", &["java/syntax/tree.rs"]),
    ("reqwest", &["llm/http.rs", "probe/http.rs", "publish/github/api.rs", "publish/gitlab/api.rs"]),
    ("octocrab", &["publish/github/api.rs"]),
    ("sqlparser", &["sql/"]),
    ("process::Command", &["spawn/process.rs"]),
    ("std::env", &["env/lib.rs", "main.rs"]),
    ("println", &["publish/terminal/console.rs"]),
    ("eprintln", &["publish/terminal/console.rs"]),
];

/// Longest `lib.rs` and `mod.rs`, and longest `main.rs`, in lines.
const MOD_LINES: usize = 120;
const MAIN_LINES: usize = 60;

/// Source texts by path below `src/`.
type Sources = BTreeMap<String, String>;

#[test]
fn the_house_is_in_order() {
    let mut sources = Sources::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    assert!(sources.len() > 10, "src/ was not read");
    let found = breaches(&sources);
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn read(dir: &Path, prefix: &str, sources: &mut Sources) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{name}/"), sources);
        } else if name.ends_with(".rs") && entry.file_name() != "build.rs" {
            sources.insert(name, std::fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// All breaches, one line each.
fn breaches(sources: &Sources) -> Vec<String> {
    let code: BTreeMap<&str, Vec<String>> = sources
        .iter()
        .map(|(path, text)| (path.as_str(), from_root(path, without_visibility(without_tests(tokens(text))))))
        .collect();
    let mut found = Vec::new();
    for (path, text) in sources {
        found.extend(shape(path, text, &code[path.as_str()]).into_iter().map(|what| format!("{path}: {what}")));
    }
    let edges = edges(&code);
    for (from, to) in &edges {
        if let Some(what) = layer_breach(from, to) {
            found.push(format!("{from}: {what} (imports {to})"));
        }
    }
    for from in code.keys().filter(|from| room(from) != PIPELINE && **from != ROOT) {
        let stages: BTreeSet<&str> = edges.iter().filter(|(file, _)| file == from).map(|(_, to)| room(to)).collect();
        let stages: Vec<&str> = stages.into_iter().filter(|room| STAGES.contains(room)).collect();
        if stages.len() > 1 && !STAGES.contains(&room(from)) {
            found.push(format!("{from}: only {PIPELINE} knows two stages (knows {})", stages.join(", ")));
        }
    }
    found.extend(cycles(&edges).into_iter().map(|cycle| format!("import cycle: {}", cycle.join(" -> "))));
    found
}

/// The breaches of one file by itself.
fn shape(path: &str, text: &str, code: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    if !text.starts_with("//! ") {
        found.push("does not open with `//!` and a sentence".to_owned());
    }
    let lines = text.lines().count();
    for (name, limit) in [("lib.rs", MOD_LINES), ("mod.rs", MOD_LINES), ("main.rs", MAIN_LINES)] {
        if path.rsplit('/').next() == Some(name) && lines > limit {
            found.push(format!("{lines} lines, more than {limit}"));
        }
    }
    if holds(code, "#[allow") || holds(code, "#![allow") {
        found.push("`allow` instead of `expect` with a reason".to_owned());
    }
    for (word, files) in GATEWAYS {
        let is_gateway = |file: &&str| *file == path || file.ends_with('/') && path.starts_with(*file);
        if holds(code, word) && !files.iter().any(is_gateway) {
            found.push(format!("`{word}` belongs in {}", files.join(" or ")));
        }
    }
    found
}

fn holds(code: &[String], phrase: &str) -> bool {
    let phrase = tokens(phrase);
    code.windows(phrase.len()).any(|window| window == phrase.as_slice())
        || used_paths(code).iter().any(|path| path.windows(phrase.len().div_ceil(2)).any(|part| joined(part) == phrase))
}

/// The tokens of a path.
fn joined(path: &[String]) -> Vec<String> {
    tokens(&path.join("::"))
}

/// The room of a file: its top-level folder, or its own name if it is in none.
fn room(path: &str) -> &str {
    path.split_once('/').map_or_else(|| path.trim_end_matches(".rs"), |(room, _)| room)
}

fn layer_breach(from: &str, to: &str) -> Option<String> {
    let (source, target) = (room(from), room(to));
    if source == target || from == ROOT {
        return None;
    }
    let allowed = match source {
        "types" => false,
        _ if GROUND.contains(&source) => target == "types" || GROUND.contains(&target),
        _ if KNOWLEDGE.contains(&source) => {
            target == "types" || GROUND.contains(&target) || KNOWLEDGE.contains(&target)
        }
        "config" => target == "types" || GROUND.contains(&target),
        _ if STAGES.contains(&source) => {
            matches!(target, "types" | "config") || GROUND.contains(&target) || KNOWLEDGE.contains(&target)
        }
        _ => true,
    };
    (!allowed).then(|| format!("`{source}` may not know `{target}`"))
}

/// The imports between files. A name that a `mod.rs` or `lib.rs` re-exports leads to the file that defines it.
fn edges(code: &BTreeMap<&str, Vec<String>>) -> BTreeSet<(String, String)> {
    let modules: BTreeMap<Vec<String>, &str> = code.keys().map(|path| (module(path), *path)).collect();
    let mut edges = BTreeSet::new();
    for (file, tokens) in code {
        let own = module(file);
        for path in used_paths(tokens) {
            let Some(absolute) = absolute(&own, &path, &modules) else { continue };
            let Some(target) = target(&absolute, &modules, code, 0) else { continue };
            // A `mod.rs` or `lib.rs` that re-exports names of its own children does not import them.
            let passes_on = (file.ends_with("/mod.rs") || file.ends_with("/lib.rs"))
                && absolute.starts_with(&own)
                && is_passed_on(tokens, &absolute, &own);
            if target != *file && !passes_on {
                edges.insert(((*file).to_owned(), target.to_owned()));
            }
        }
    }
    edges
}

/// Whether a `mod.rs` or `lib.rs` re-exports `path` by `pub use`.
fn is_passed_on(tokens: &[String], path: &[String], own: &[String]) -> bool {
    let relative = &path[own.len()..];
    public_uses(tokens).iter().any(|used| {
        let used = used.strip_prefix(&["self".to_owned()]).unwrap_or(used);
        used == relative || (used.starts_with(&["crate".to_owned()]) && used[1..] == *path)
    })
}

/// The module of a file: `a::b` for `a/b.rs` and `a/b/mod.rs`, `a` for `a/lib.rs`.
fn module(file: &str) -> Vec<String> {
    let name = file.trim_end_matches(".rs");
    let name = name.strip_suffix("/mod").or_else(|| name.strip_suffix("/lib")).unwrap_or(name);
    if name == "lib" {
        return vec![];
    }
    name.split('/').map(str::to_owned).collect()
}

/// The absolute path of one that begins with `crate`, `self`, `super`, the library's name or a child module.
fn absolute(own: &[String], path: &[String], modules: &BTreeMap<Vec<String>, &str>) -> Option<Vec<String>> {
    let mut base = own.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" | "mastor" => {
            base.clear();
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        child => {
            let named = [own, &[child.to_owned()]].concat();
            if path.len() < 2 || !modules.contains_key(&named) {
                return None;
            }
        }
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

/// The file that defines an absolute path.
fn target<'a>(
    path: &[String],
    modules: &BTreeMap<Vec<String>, &'a str>,
    code: &BTreeMap<&str, Vec<String>>,
    depth: usize,
) -> Option<&'a str> {
    let length = (0..=path.len()).rev().find(|length| modules.contains_key(&path[..*length]))?;
    let file = modules[&path[..length]];
    if length == 0 && path.len() > 1 {
        return None;
    }
    let Some(name) = path.get(length).filter(|_| depth < 5) else { return Some(file) };
    for used in public_uses(&code[file]) {
        if used.last() == Some(name) || used.last().is_some_and(|last| last == "*") {
            let Some(mut next) = absolute(&path[..length], &used, modules) else { continue };
            if next.last().is_some_and(|last| last == "*") {
                next.pop();
            }
            if next != path {
                return target(&next, modules, code, depth + 1).or(Some(file));
            }
        }
    }
    Some(file)
}

/// A shortest cycle through each file that is on one; each cycle is returned once.
fn cycles(edges: &BTreeSet<(String, String)>) -> Vec<Vec<&str>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let mut found: Vec<Vec<&str>> = Vec::new();
    for start in next.keys() {
        if found.iter().any(|cycle| cycle.contains(start)) {
            continue;
        }
        // Breadth first, so that the found cycle is a shortest one.
        let mut came: BTreeMap<&str, &str> = BTreeMap::new();
        let mut waiting = std::collections::VecDeque::from([*start]);
        while let Some(at) = waiting.pop_front() {
            for to in next.get(at).into_iter().flatten().copied() {
                if !came.contains_key(to) {
                    came.insert(to, at);
                    waiting.push_back(to);
                }
            }
        }
        if came.contains_key(start) {
            let mut cycle = vec![*start, came[start]];
            while cycle[cycle.len() - 1] != *start {
                cycle.push(came[cycle[cycle.len() - 1]]);
            }
            cycle.reverse();
            found.push(cycle);
        }
    }
    found
}

/// The tokens of a source without comments and white space. String literals become empty, so that their text does not count as code.
fn tokens(source: &str) -> Vec<String> {
    let chars: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        at += match rest {
            ['/', '/', ..] => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => block_comment(rest),
            ['"', ..] => literal(rest, &mut tokens),
            ['r' | 'b' | 'c', ..] if raw_or_byte(rest).is_some() => {
                tokens.push("\"\"".to_owned());
                raw_or_byte(rest).unwrap_or(1)
            }
            ['\'', '\\', ..] => 4 + rest[3..].iter().position(|c| *c == '\'').unwrap_or(0),
            ['\'', _, '\'', ..] => 3,
            [c, ..] if c.is_alphanumeric() || *c == '_' => {
                let length = rest.iter().position(|c| !c.is_alphanumeric() && *c != '_').unwrap_or(rest.len());
                tokens.push(rest[..length].iter().collect());
                length
            }
            [':', ':', ..] => {
                tokens.push("::".to_owned());
                2
            }
            [c, ..] => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                1
            }
            [] => 1,
        };
    }
    tokens
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn literal(rest: &[char], tokens: &mut Vec<String>) -> usize {
    tokens.push("\"\"".to_owned());
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The length of a raw, byte or C string literal; `None` if the letter begins a word.
fn raw_or_byte(rest: &[char]) -> Option<usize> {
    let prefix = rest.iter().take_while(|c| matches!(c, 'r' | 'b' | 'c')).count();
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    let raw = rest[..prefix].contains(&'r');
    let open = prefix + hashes;
    if prefix > 2 || (hashes > 0 && !raw) || rest.get(open) != Some(&'"') {
        return None;
    }
    if !raw {
        return Some(prefix + literal(&rest[open..], &mut Vec::new()));
    }
    let ends =
        |at: &usize| rest[*at] == '"' && rest[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
    Some((open + 1..rest.len()).find(ends)? + hashes + 1)
}

/// The tokens without items under `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let mark: Vec<String> = ["#", "[", "cfg", "(", "test", ")", "]"].map(str::to_owned).into();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].starts_with(&mark) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0_i32;
        while at < tokens.len() {
            match tokens[at].as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 && matches!(tokens[at - 1].as_str(), "}" | ";") {
                break;
            }
        }
    }
    kept
}

/// The tokens without `pub(in crate::room)`, because visibility is not an import.
fn without_visibility(tokens: Vec<String>) -> Vec<String> {
    let mark: Vec<String> = ["pub", "(", "in"].map(str::to_owned).into();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].starts_with(&mark) {
            at += tokens[at..].iter().position(|token| token == ")").map_or(mark.len(), |end| end + 1);
            continue;
        }
        kept.push(tokens[at].clone());
        at += 1;
    }
    kept
}

/// The tokens with paths that begin at `src/`: `mastor_java::a`, and `crate::a` within `java/`, become `crate::java::a`.
fn from_root(path: &str, tokens: Vec<String>) -> Vec<String> {
    let own = room(path);
    let is_package = !OWN.contains(&own) && path.contains('/');
    let mut whole = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let goes_on = tokens.get(at + 1).is_some_and(|next| next == "::");
        match token.strip_prefix("mastor_") {
            Some(room) => whole.extend(["crate", "::", room].map(str::to_owned)),
            None if token == "crate" && is_package && goes_on => whole.extend(["crate", "::", own].map(str::to_owned)),
            None => whole.push(token.clone()),
        }
    }
    whole
}

/// Every path in `use` declarations and code, written out in full.
fn used_paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let begins = is_word(&tokens[at]) && (at == 0 || tokens[at - 1] != "::");
        if tokens[at] == "use" {
            at = tree(tokens, at + 1, &[], &mut paths);
        } else if begins && tokens.get(at + 1).is_some_and(|token| token == "::") {
            at = tree(tokens, at, &[], &mut paths);
        } else {
            at += 1;
        }
    }
    paths
}

/// The paths in `pub use` declarations of any visibility.
fn public_uses(tokens: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at] == "use") {
        let before = tokens[..at].last().map_or("", String::as_str);
        if before == "pub" || (before == ")" && tokens[..at].iter().rev().take(6).any(|token| token == "pub")) {
            tree(tokens, at + 1, &[], &mut paths);
        }
    }
    paths
}

/// Reads one path, or a tree of paths in braces, from index `at`; returns the index after it.
fn tree(tokens: &[String], mut at: usize, prefix: &[String], paths: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    if tokens.get(at).is_some_and(|token| token == "::") {
        at += 1;
    }
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    let next = tree(tokens, at, &path, paths);
                    at = next.max(at + 1);
                    if tokens.get(at).is_some_and(|token| token == ",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            Some(token) if is_word(token) || token == "*" => {
                if token != "self" || path.is_empty() {
                    path.push(token.to_owned());
                }
                at += 1;
            }
            _ => break,
        }
        if tokens.get(at).is_none_or(|token| token != "::") {
            break;
        }
        at += 1;
    }
    if path.len() > prefix.len() || !prefix.is_empty() {
        paths.push(path);
    }
    if tokens.get(at).is_some_and(|token| token == "as") { at + 2 } else { at }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The breaches of small source texts, to which an opening line is added.
fn of(files: &[(&str, &str)]) -> Vec<String> {
    let sources = files.iter().map(|(path, text)| ((*path).to_owned(), format!("//! It.\n{text}")));
    breaches(&sources.collect())
}

#[test]
fn what_is_allowed_is_no_breach() {
    let found = of(&[
        ("lib.rs", "pub mod pipeline; pub use mastor_types as types; pub use mastor_java as java;"),
        ("pipeline.rs", "pub mod ci; pub use ci::ci;"),
        ("pipeline/ci.rs", "use mastor_extract::plan; use mastor_derive::rules; pub(in crate::pipeline) fn ci() {}"),
        ("types/lib.rs", "pub mod hash; pub use hash::Hash;"),
        ("types/hash.rs", "pub struct Hash;"),
        ("revision/git.rs", "use git2::Oid; use mastor_types::Hash;"),
        ("java/lib.rs", "pub mod syntax;"),
        ("java/syntax/tree.rs", "use tree_sitter::Parser; use mastor_revision::git;"),
        ("extract/plan.rs", "use mastor_java::syntax; use mastor_config::Settings; use mastor_types::Hash;"),
        ("derive/rules.rs", "// println!(\"{}\")\n fn f() -> &'static str { \"use mastor_extract::plan; git2\" }"),
        ("config/lib.rs", "pub struct Settings;"),
        ("publish/terminal/console.rs", "fn f() { println!(\"{}\", 1) }"),
    ]);
    assert_eq!(found, [] as [&str; 0]);
}

#[test]
fn a_layer_that_knows_too_much_is_found_however_it_is_written() {
    let wrong = [
        ("types/a.rs", "use mastor_store::Cache;"),
        ("store/a.rs", "use mastor_java::facts::Facts;"),
        ("java/a.rs", "fn f() { mastor_extract::plan::run() }"),
        ("extract/a.rs", "use mastor_types::Hash; use mastor_derive::{self as derive, rules};"),
        ("derive/a.rs", "use mastor_extract::plan as other;"),
        ("store/b.rs", "use mastor::pipeline::run;"),
        ("cli.rs", "use mastor_extract::plan; use mastor_derive::rules;"),
    ];
    for (path, text) in wrong {
        let rest =
            ["store/lib.rs", "java/facts.rs", "extract/plan.rs", "derive/rules.rs", "types/lib.rs", "pipeline.rs"];
        let files: Vec<_> = rest.iter().map(|path| (*path, "")).chain([(path, text)]).collect();
        let found = of(&files);
        assert!(found.len() == 1 && found[0].starts_with(path), "{path}: {found:?}");
    }
}

#[test]
fn a_gateway_is_one_file() {
    let wrong = [
        "use git2::Repository;",
        "fn f() -> git2::Oid {}",
        "use tree_sitter::Node;",
        "use std::process::Command;",
        "use std::process::{Command, ExitCode};",
        "fn f() { std::process::Command::new(\"\") }",
        "fn f() { std::env::var(\"\") }",
        "use std::{env, fs};",
        "fn f() { println!() }",
        "fn f() { eprintln!() }",
    ];
    for text in wrong {
        let found = of(&[("suite/x.rs", text)]);
        assert!(!found.is_empty() && found.iter().all(|found| found.contains("belongs in")), "{text}: {found:?}");
    }
    assert_eq!(of(&[("suite/x.rs", "use std::process::ExitCode; fn f() { env!(\"X\") }")]), [] as [&str; 0]);
}

#[test]
fn tests_may_use_what_they_like() {
    let text = "fn f() {} #[cfg(test)] mod tests { use mastor_extract::plan; fn g() { println!(); } }";
    assert_eq!(of(&[("store/x.rs", text), ("extract/plan.rs", "")]), [] as [&str; 0]);
    let after = format!("{text} fn h() {{ println!() }}");
    assert_eq!(of(&[("store/x.rs", &after), ("extract/plan.rs", "")]).len(), 1);
}

#[test]
fn a_cycle_between_files_is_found_once() {
    let found = of(&[
        ("java/lib.rs", "pub mod a; pub mod b; pub mod c; pub use b::B;"),
        ("java/a.rs", "use super::B;"),
        ("java/b.rs", "use crate::c::C;"),
        ("java/c.rs", "use super::a;"),
    ]);
    assert_eq!(found, ["import cycle: java/a.rs -> java/b.rs -> java/c.rs -> java/a.rs"]);
    let found = of(&[("java/lib.rs", "pub mod a; fn f() { a::run() } pub struct M;"), ("java/a.rs", "use super::M;")]);
    assert_eq!(found, ["import cycle: java/a.rs -> java/lib.rs -> java/a.rs"]);
}

#[test]
fn the_shape_of_a_file_is_looked_at() {
    let long = "\n".repeat(MOD_LINES);
    let main = "\n".repeat(MAIN_LINES);
    assert_eq!(of(&[("java/lib.rs", &long)]), ["java/lib.rs: 121 lines, more than 120"]);
    assert_eq!(of(&[("main.rs", &main)]), ["main.rs: 61 lines, more than 60"]);
    assert_eq!(of(&[("store/a.rs", "#[allow(dead_code)] fn f() {}")]).len(), 1);
    assert_eq!(of(&[("store/a.rs", "#![allow(dead_code)] fn f() {}")]).len(), 1);
    let bare = Sources::from([("store/a.rs".to_owned(), "fn f() {}".to_owned())]);
    assert_eq!(breaches(&bare), ["store/a.rs: does not open with `//!` and a sentence"]);
}

#[test]
fn texts_and_comments_are_no_code() {
    assert_eq!(
        tokens("a /* b /* c */ */ \"d\\\"e\" r#\"f\"g\"# b\"h\" 'i' '\\'' 'j k::l // m"),
        ["a", "\"\"", "\"\"", "\"\"", "'", "j", "k", "::", "l"]
    );
}

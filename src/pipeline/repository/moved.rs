//! Classes that moved to another package or got another name: the base is compared as if they had been called so before, so
//! that a move alone is no difference.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::moves::{Moves, moves, package, simple, top_level};
use mastor_java::project::index::Project;
use mastor_revision::SourceTree;

/// The package declaration of a Java file.
static PACKAGE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?m)^\s*package\s+[\w.]+\s*;").ok());

/// Texts and comments, or names with their qualifiers and with the dot before them.
static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let apart = r#"(?s:""".*?"""|/\*.*?\*/)|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"#;
    Regex::new(&format!(r"{apart}|(?:\.\s*)?{NAME}(?:\s*\.\s*{NAME})*")).ok()
});

/// Names with their qualifiers.
static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!(r"{NAME}(?:\s*\.\s*{NAME})*")).ok());

/// Code that reads the name of a class.
static NAME_READ: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\bclass(?:\(\))?\s*\.\s*get(?:Simple|Canonical|Type)?Name\(|getClass\(\)\s*\.\s*get\w*Name\(").ok()
});

const NAME: &str = r"[A-Za-z_$][\w$]*";

/// The base's tree with the sources of moved classes, and of classes that name them, changed to the packages of the head;
/// `None` if no class moved. Line numbers stay.
pub(super) fn with_moved_classes(old: &Project, new: &Project, tree: &SourceTree) -> Option<SourceTree> {
    let moves = moves(old, new, || reads_names(old, tree));
    if moves.is_empty() {
        return None;
    }
    let left_from: BTreeSet<&str> = moves.keys().map(|name| package(name)).collect();
    // The classes that stay in a package from which others moved.
    let mut staying: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for ty in top_level(old).filter(|ty| left_from.contains(old.package_of(*ty)) && !moves.contains_key(old.fqn(*ty))) {
        staying.entry(old.package_of(ty)).or_default().insert(&old.ty(ty).name);
    }
    let mut changed = Vec::new();
    for file in old.files() {
        let facts = &old.file(file).facts;
        let path = &old.file(file).path;
        let own: Vec<&String> = old.types_of(file).filter_map(|ty| moves.get(old.fqn(ty))).collect();
        let sees = |from: &str| {
            facts.package == from || facts.imports.iter().any(|one| one.wildcard && !one.is_static && one.path == from)
        };
        let is_named = |name: &str| facts.type_words.iter().any(|word| word.split('.').next() == Some(name));
        // What the file saw without naming a package, and sees no more.
        let mut imports: BTreeSet<String> = moves
            .iter()
            .filter(|(was, _)| sees(package(was)) && is_named(simple(was)))
            .map(|(_, is)| is.clone())
            .collect();
        if !own.is_empty() {
            let siblings = staying.get(facts.package.as_str()).into_iter().flatten().filter(|name| is_named(name));
            imports.extend(siblings.map(|name| format!("{}.{name}", facts.package)));
        }
        // Classes with another name that the file can name without a package.
        let renamed: BTreeMap<&str, &str> = moves
            .iter()
            .map(|(was, is)| (was, simple(was), simple(is)))
            .filter(|(_, was, is)| was != is && is_named(was))
            .filter(|(full, was, _)| {
                let imported = facts.imports.iter().find(|one| !one.wildcard && simple(&one.path) == *was);
                let is_shadowed = old.types_of(file).any(|ty| old.ty(ty).name == *was && old.fqn(ty) != full.as_str());
                !is_shadowed && imported.map_or_else(|| sees(package(full)), |one| one.path == **full)
            })
            .map(|(_, was, is)| (was, is))
            .collect();
        let Ok(text) = tree.text(path) else { continue };
        let is_left = own.is_empty() && imports.is_empty() && renamed.is_empty();
        if is_left && !moves.keys().any(|was| text.text.contains(was.as_str())) {
            continue;
        }
        let to = own.first().map_or(facts.package.as_str(), |name| package(name));
        let named = renamed_within(&text.text, &moves, &renamed)?;
        changed.push((path.clone(), in_package(&named, to, &imports)?));
    }
    changed.extend(statements(tree, &moves));
    Some(tree.with(changed))
}

/// XML files that name moved classes (mapped statements, beans), with the classes by their new names.
fn statements(tree: &SourceTree, moves: &Moves) -> Vec<(String, String)> {
    let files = tree.files().map(|entry| entry.path.as_str()).filter(|path| path.ends_with(".xml"));
    let renamed = files.filter_map(|path| {
        let text = tree.text(path).ok()?;
        let names = |was: &&String| text.text.contains(was.as_str());
        moves.keys().find(names)?;
        Some((path.to_owned(), in_full(&text.text, moves)?))
    });
    renamed.collect()
}

/// Whether code reads the name of a class, for something else than a log.
fn reads_names(project: &Project, tree: &SourceTree) -> bool {
    let reads =
        |line: &str| NAME_READ.as_ref().is_none_or(|read| read.is_match(line)) && !line.to_lowercase().contains("log");
    let mut texts = project.files().filter_map(|file| tree.text(&project.file(file).path).ok());
    texts.any(|text| text.text.lines().any(reads))
}

/// A source text with the moved classes by their new names: by their full names everywhere, by these simple names in code
/// alone.
fn renamed_within(text: &str, moves: &Moves, renamed: &BTreeMap<&str, &str>) -> Option<String> {
    let named = PARTS.as_ref()?.replace_all(text, |found: &Captures<'_>| {
        let written = &found[0];
        let first = written.split(|one: char| one == '.' || one.is_whitespace()).next().unwrap_or(written);
        match renamed.get(first) {
            Some(is) => format!("{is}{}", &written[first.len()..]),
            None => in_full(written, moves).unwrap_or_else(|| written.to_owned()),
        }
    });
    Some(named.into_owned())
}

/// A text with the moved classes by their new full names.
fn in_full(text: &str, moves: &Moves) -> Option<String> {
    let named = NAMES.as_ref()?.replace_all(text, |found: &Captures<'_>| {
        let written = &found[0];
        let plain: String = written.split_whitespace().collect();
        let moved = moves.iter().find(|(was, _)| {
            plain.strip_prefix(was.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        moved.map_or_else(|| written.to_owned(), |(was, is)| format!("{is}{}", &plain[was.len()..]))
    });
    Some(named.into_owned())
}

/// A source text in this package, with further imports on the line of the package.
fn in_package(text: &str, package: &str, imports: &BTreeSet<String>) -> Option<String> {
    let imports: String = imports.iter().map(|name| format!(" import {name};")).collect();
    let declared = PACKAGE.as_ref()?.replace(text, |found: &Captures<'_>| {
        let lines = "\n".repeat(found[0].matches('\n').count());
        format!("{lines}package {package};{imports}")
    });
    Some(declared.into_owned())
}

//! Classes that moved to another package: the base is compared as if they had been there before, so that a move alone is no
//! difference.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::java::ir::facts::Value;
use crate::java::ir::ids::TypeId;
use crate::java::project::index::Project;
use crate::revision::SourceTree;

/// The package declaration of a Java file.
static PACKAGE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?m)^\s*package\s+[\w.]+\s*;").ok());

/// Names with their qualifiers.
static NAMES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*").ok());

/// The classes that moved between two revisions: for each full name in the base, the full name in the head.
type Moves = BTreeMap<String, String>;

/// The base's tree with the sources of moved classes, and of classes that name them, changed to the packages of the head;
/// `None` if no class moved. Line numbers stay.
pub(super) fn with_moved_classes(old: &Project, new: &Project, tree: &SourceTree) -> Option<SourceTree> {
    let moves = moves(old, new);
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
        let Ok(text) = tree.text(path) else { continue };
        if own.is_empty() && imports.is_empty() && !moves.keys().any(|was| text.text.contains(was.as_str())) {
            continue;
        }
        let to = own.first().map_or(facts.package.as_str(), |name| package(name));
        changed.push((path.clone(), rewritten(&text.text, to, &imports, &moves)?));
    }
    Some(tree.with(changed))
}

/// A source text in this package, with further imports on the line of the package, and with the moved classes by their new
/// names.
fn rewritten(text: &str, package: &str, imports: &BTreeSet<String>, moves: &Moves) -> Option<String> {
    let named = NAMES.as_ref()?.replace_all(text, |found: &Captures<'_>| {
        let written = &found[0];
        let plain: String = written.split_whitespace().collect();
        let moved = moves.iter().find(|(was, _)| {
            plain.strip_prefix(was.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        match moved {
            Some((was, is)) => format!("{is}{}", &plain[was.len()..]),
            None => written.to_owned(),
        }
    });
    let imports: String = imports.iter().map(|name| format!(" import {name};")).collect();
    let declared = PACKAGE.as_ref()?.replace(&named, |found: &Captures<'_>| {
        let lines = "\n".repeat(found[0].matches('\n').count());
        format!("{lines}package {package};{imports}")
    });
    Some(declared.into_owned())
}

/// The classes that only base has under their full name, and only head under another package, if the name is unique on both
/// sides and most members are the same.
fn moves(old: &Project, new: &Project) -> Moves {
    let only = |side: &Project, other: &Project| -> BTreeMap<String, Vec<TypeId>> {
        let mut found: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
        for ty in top_level(side).filter(|ty| other.by_fqn_all(side.fqn(*ty)).is_empty()) {
            found.entry(side.ty(ty).name.clone()).or_default().push(ty);
        }
        found
    };
    let (gone, come) = (only(old, new), only(new, old));
    let named = named_packages(old).union(&named_packages(new)).cloned().collect::<BTreeSet<String>>();
    let covers = |named: &str, package: &str| {
        package.strip_prefix(named).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    // What an annotation says of a package may hold for only one of two packages.
    let decides = |was: &str, is: &str| named.iter().any(|one| covers(one, was) != covers(one, is));
    let pairs = gone.iter().filter_map(|(name, was)| match (was.as_slice(), come.get(name)?.as_slice()) {
        ([was], [is]) if is_same(old, *was, new, *is) && !decides(old.package_of(*was), new.package_of(*is)) => {
            Some((old.fqn(*was).to_owned(), new.fqn(*is).to_owned()))
        }
        _ => None,
    });
    pairs.collect()
}

/// The packages that texts of annotations name: of component scans, advice, pointcuts.
fn named_packages(project: &Project) -> BTreeSet<String> {
    let types = project.types().map(|ty| project.ty(ty));
    let annotations =
        types.flat_map(|ty| ty.annotations.iter().chain(ty.members.iter().flat_map(|member| &member.annotations)));
    let texts = annotations.flat_map(|one| &one.args).flat_map(|(_, value)| strings(value));
    let mut found = BTreeSet::new();
    for text in texts {
        let names = NAMES.iter().flat_map(|names| names.find_iter(text));
        found.extend(names.map(|name| name.as_str().to_owned()).filter(|name| name.contains('.')));
    }
    found
}

/// The texts in an annotation's value.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::Str(text) => vec![text.as_str()],
        Value::Array(all) => all.iter().flat_map(strings).collect(),
        Value::Annotation(inner) => inner.args.iter().flat_map(|(_, value)| strings(value)).collect(),
        Value::Binary(_, left, right) => [strings(left), strings(right)].concat(),
        _ => Vec::new(),
    }
}

/// Whether two classes are of one kind and have most members in common, by signature.
fn is_same(old: &Project, was: TypeId, new: &Project, is: TypeId) -> bool {
    let signatures = |project: &Project, ty: TypeId| -> BTreeSet<String> {
        project.members(ty).map(|member| project.member(member).signature()).collect()
    };
    let (before, after) = (signatures(old, was), signatures(new, is));
    let common = before.intersection(&after).count();
    old.ty(was).kind == new.ty(is).kind && common * 2 >= before.len().max(after.len())
}

/// The classes of a project's own files that are in no other class.
fn top_level(project: &Project) -> impl Iterator<Item = TypeId> + '_ {
    project.types().filter(|ty| project.outer(*ty).is_none() && project.origin(*ty).is_none())
}

fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn package(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(package, _)| package)
}

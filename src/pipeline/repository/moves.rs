//! Which classes moved between two revisions: to another package, or to another name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, TypeFacts, Value};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// The classes that moved between two revisions: for each full name in the base, the full name in the head.
pub(super) type Moves = BTreeMap<String, String>;

/// Names with their qualifiers, in the text of an annotation.
static NAMES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*").ok());

/// Annotations of what is stored or written under the name of a class.
const STORED: [&str; 7] = ["Entity", "Table", "Document", "RedisHash", "Node", "XmlRootElement", "JsonRootName"];

/// The classes that moved: those that only base has under their full name, and only head under another one.
///
/// `reads_names` tells whether code of the base reads the names of classes: then none has merely another name.
pub(super) fn moves(old: &Project, new: &Project, reads_names: impl FnOnce() -> bool) -> Moves {
    let mut found = to_other_packages(old, new);
    let renamed = to_other_names(old, new, &found);
    if !renamed.is_empty() && !reads_names() {
        found.extend(renamed);
    }
    found
}

/// The classes that one revision has under their full name and the other one has not, by what `key` tells of them.
fn only<K: Ord>(side: &Project, other: &Project, key: impl Fn(TypeId) -> K) -> BTreeMap<K, Vec<TypeId>> {
    let mut found: BTreeMap<K, Vec<TypeId>> = BTreeMap::new();
    for ty in top_level(side).filter(|ty| other.by_fqn_all(side.fqn(*ty)).is_empty()) {
        found.entry(key(ty)).or_default().push(ty);
    }
    found
}

/// The classes that are in another package, if their name is unique on both sides and most members are the same.
fn to_other_packages(old: &Project, new: &Project) -> Moves {
    let named = |side: &Project, other: &Project| only(side, other, |ty| side.ty(ty).name.clone());
    let (gone, come) = (named(old, new), named(new, old));
    let decides = named_packages_decide(old, new);
    let pairs = gone.iter().filter_map(|(name, was)| match (was.as_slice(), come.get(name)?.as_slice()) {
        ([was], [is]) if is_same(old, *was, new, *is) && !decides(old.package_of(*was), new.package_of(*is)) => {
            Some((old.fqn(*was).to_owned(), new.fqn(*is).to_owned()))
        }
        _ => None,
    });
    pairs.collect()
}

/// The classes that have another name, beside those that are found already: each is the one most like the other, and nothing
/// that a client can notice depends on the name.
fn to_other_names(old: &Project, new: &Project, found: &Moves) -> Moves {
    let is_found = |name: &str| found.contains_key(name) || found.values().any(|is| is == name);
    let left = |side: &Project, other: &Project| -> Vec<TypeId> {
        let all = only(side, other, |_| ()).into_values().flatten();
        all.filter(|ty| !is_found(side.fqn(*ty))).collect()
    };
    let (gone, come) = (left(old, new), left(new, old));
    if gone.is_empty() || come.is_empty() {
        return Moves::new();
    }
    let decides = named_packages_decide(old, new);
    let texts: BTreeSet<&str> = [old, new].into_iter().flat_map(texts).collect();
    // Names that mean something else in the base already.
    let imports = old.files().flat_map(|file| &old.file(file).facts.imports).map(|one| simple(&one.path));
    let known: BTreeSet<&str> = old.types().map(|ty| old.ty(ty).name.as_str()).chain(imports).collect();
    let likeness = |was: TypeId, is: TypeId| likeness(old.ty(was), new.ty(is));
    let pairs = gone.iter().filter_map(|was| {
        let is = most_like(&come, |is| likeness(*was, is))?;
        let back = most_like(&gone, |other| likeness(other, is))?;
        let is_free = [(old, *was), (new, is)].into_iter().all(|(side, ty)| !is_known_by_name(side, ty, &texts));
        let is_new = !known.contains(new.ty(is).name.as_str());
        let is_move = back == *was && is_free && is_new && !decides(old.package_of(*was), new.package_of(is));
        is_move.then(|| (old.fqn(*was).to_owned(), new.fqn(is).to_owned()))
    });
    pairs.collect()
}

/// The only class that is most like another one, if half of what the two have is common.
fn most_like(of: &[TypeId], likeness: impl Fn(TypeId) -> usize) -> Option<TypeId> {
    let best = of.iter().copied().max_by_key(|one| likeness(*one))?;
    let is_only = of.iter().all(|one| *one == best || likeness(*one) < likeness(best));
    (is_only && likeness(best) >= 50).then_some(best)
}

/// How much two classes have in common, in percent: names of members with the number of their parameters.
fn likeness(was: &TypeFacts, is: &TypeFacts) -> usize {
    let members = |ty: &TypeFacts| -> BTreeSet<(String, usize)> {
        let named = |one: &MemberFacts| if one.kind == MemberKind::Constructor { "" } else { &one.name }.to_owned();
        ty.members.iter().map(|one| (named(one), one.params.len())).collect()
    };
    let (before, after) = (members(was), members(is));
    if was.kind != is.kind {
        return 0;
    }
    (before.intersection(&after).count() * 100).checked_div(before.union(&after).count()).unwrap_or(0)
}

/// Whether something may depend on the name of a class: a table or a link that is called after it, a subclass that JSON names,
/// or a bean that a text names.
fn is_known_by_name(project: &Project, ty: TypeId, texts: &BTreeSet<&str>) -> bool {
    let facts = project.ty(ty);
    let says = |one: TypeId, names: &[&str]| {
        project.ty(one).annotations.iter().any(|annotation| names.contains(&annotation.simple()))
    };
    let is_stored = says(ty, &STORED) || is_of_repository(project, &facts.name);
    let mut above = std::iter::once(ty).chain(project.all_supers(ty));
    let is_written = above.any(|one| says(one, &["JsonTypeInfo"]));
    let is_linked = || {
        project.files().map(|file| &project.file(file).facts).any(|file| {
            file.type_words.binary_search(&facts.name).is_ok()
                && file.imports.iter().any(|one| one.path.starts_with("org.springframework.hateoas"))
        })
    };
    let mut letters = facts.name.chars();
    let bean: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let is_named = || texts.iter().any(|text| text.split(|one: char| !one.is_alphanumeric()).any(|word| word == bean));
    is_stored || is_written || is_linked() || is_named()
}

/// Whether a repository interface of the project holds objects of a class.
fn is_of_repository(project: &Project, name: &str) -> bool {
    let declared = project.types().flat_map(|ty| project.ty(ty).implements.iter());
    let mut repositories =
        declared.filter(|above| above.simple().ends_with("Repository") || above.simple().ends_with("Dao"));
    repositories.any(|above| above.args.first().is_some_and(|one| one.simple() == name))
}

/// The texts in the code and the annotations of a project.
fn texts(project: &Project) -> impl Iterator<Item = &str> {
    let members = project.types().flat_map(|ty| project.ty(ty).members.iter());
    members.flat_map(|one| one.literals.iter().map(String::as_str)).chain(of_annotations(project))
}

/// Whether what an annotation says of packages holds for a class in its package of only one revision. A list of packages that
/// follows the move holds for it in both.
fn named_packages_decide(old: &Project, new: &Project) -> impl Fn(&str, &str) -> bool {
    let (before, after) = (named_packages(old), named_packages(new));
    let covers = |named: Option<&BTreeSet<String>>, package: &str| {
        named
            .into_iter()
            .flatten()
            .any(|one| package.strip_prefix(one.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    move |was: &str, is: &str| {
        before.keys().chain(after.keys()).any(|place| covers(before.get(place), was) != covers(after.get(place), is))
    }
}

/// The texts in the annotations of a project.
fn of_annotations(project: &Project) -> impl Iterator<Item = &str> {
    let all = project.types().flat_map(|ty| annotations(project.ty(ty)));
    all.flat_map(|one| &one.args).flat_map(|(_, value)| strings(value))
}

/// The annotations of a class and of its members.
fn annotations(ty: &TypeFacts) -> impl Iterator<Item = &Annotation> {
    ty.annotations.iter().chain(ty.members.iter().flat_map(|member| &member.annotations))
}

/// The packages that texts of annotations name (of component scans, advice, pointcuts), by the place of the annotation: its
/// class and its own name.
fn named_packages(project: &Project) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut found: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for ty in project.types().map(|ty| project.ty(ty)) {
        for one in annotations(ty) {
            let texts = one.args.iter().flat_map(|(_, value)| strings(value));
            let names = texts.flat_map(|text| NAMES.iter().flat_map(|names| names.find_iter(text)));
            let named: Vec<String> =
                names.map(|name| name.as_str().to_owned()).filter(|one| one.contains('.')).collect();
            if !named.is_empty() {
                found.entry((ty.name.clone(), one.simple().to_owned())).or_default().extend(named);
            }
        }
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
pub(super) fn top_level(project: &Project) -> impl Iterator<Item = TypeId> + '_ {
    project.types().filter(|ty| project.outer(*ty).is_none() && project.origin(*ty).is_none())
}

pub(super) fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

pub(super) fn package(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(package, _)| package)
}

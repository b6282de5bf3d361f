//! Main code that no operation reaches: which code refers to it, and whether code that runs outside of operations leads
//! to it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::library_meanings::LibraryMeanings;
use crate::linked::reach::Reach;
use crate::walks::walk::leads_to;
use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_java::project::languages::other_language;
use mastor_revision::SourceTree;
use mastor_types::Hash;
use mastor_types::manifest::{Changed, Input};
use mastor_types::places::IndexSet;
use mastor_types::results::plan::Unreached;

/// Largest number of referrers that are named for one member.
const NAMED: usize = 5;

/// Annotations that do not make a framework run the member.
const INERT: [&str; 10] = [
    "Override",
    "Deprecated",
    "SuppressWarnings",
    "SafeVarargs",
    "FunctionalInterface",
    "Nullable",
    "NonNull",
    "Nonnull",
    "NotNull",
    "VisibleForTesting",
];

/// A member of main code, or the header of a type, that no operation reaches.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UnreachedInput {
    /// The name that it would have as an input of a manifest.
    pub name: String,
    /// The hash that it would have there.
    pub hash: Hash,
    /// `file#member`.
    pub place: String,
    /// Why it runs although no operation reaches it, if it does, and some of the members that refer to it.
    pub referred_by: Vec<String>,
    /// Whether code that runs outside of operations leads to it.
    pub from_running: bool,
}

/// Every member that is not `reached` (numbers), and every type without a reached member. `entries` serve requests that
/// are not operations; files of the `tree` in other languages may run what they name.
pub fn unreached(
    tree: &SourceTree,
    (reach, meanings): (&Reach<'_>, &LibraryMeanings),
    reached: &IndexSet,
    entries: &BTreeSet<MemberId>,
) -> Vec<UnreachedInput> {
    let project = reach.resolver.project();
    let all = project.types().flat_map(|ty| project.members(ty));
    let rest: Vec<MemberId> = all.filter(|member| !reached.has(reach.resolver.dense(*member) as u32)).collect();
    let unread = Unread::of(tree, project.opaque());
    let runs: Vec<Option<String>> = rest
        .par_iter()
        .map(|member| match entries.contains(member) {
            true => Some("an entry that is no operation".to_owned()),
            false => runs(reach, *member, reached).or_else(|| unread.names(project, *member)),
        })
        .collect();
    let edges: Vec<Vec<MemberId>> = rest.par_iter().map(|member| targets(reach, *member)).collect();
    let index: BTreeMap<MemberId, usize> = rest.iter().enumerate().map(|(at, member)| (*member, at)).collect();
    let mut referrers: Vec<Vec<usize>> = vec![Vec::new(); rest.len()];
    for (from, targets) in edges.iter().enumerate() {
        for to in targets.iter().filter_map(|to| index.get(to)).filter(|to| **to != from) {
            referrers[*to].push(from);
        }
    }
    let mut is_running: Vec<bool> = runs.iter().map(Option::is_some).collect();
    let mut open: Vec<usize> = (0..rest.len()).filter(|at| is_running[*at]).collect();
    while let Some(at) = open.pop() {
        for to in edges[at].iter().filter_map(|to| index.get(to)) {
            if !std::mem::replace(&mut is_running[*to], true) {
                open.push(*to);
            }
        }
    }
    let running_types: BTreeSet<TypeId> = (0..rest.len()).filter(|at| is_running[*at]).map(|at| rest[at].ty).collect();
    let named = |at: usize| {
        let by = referrers[at].iter().map(|from| match &runs[*from] {
            Some(how) => format!("{} ({how})", project.symbol(rest[*from])),
            None => project.symbol(rest[*from]),
        });
        let mut by: Vec<String> = by.collect();
        by.sort();
        by.dedup();
        by.truncate(NAMED);
        by.splice(0..0, runs[at].clone());
        by
    };
    let place = |ty: TypeId| format!("{}#{}", project.shown(ty, 1).0, project.ty(ty).name);
    let member = |(at, id): (usize, &MemberId)| UnreachedInput {
        name: project.symbol(*id),
        hash: meanings.of_member(project, *id),
        place: format!("{}.{}", place(id.ty), project.member(*id).signature()),
        referred_by: named(at),
        from_running: is_running[at],
    };
    let head = |ty: TypeId| UnreachedInput {
        name: project.fqn(ty).to_owned(),
        hash: meanings.of_type(project, ty),
        place: place(ty),
        referred_by: how_type_runs(reach, ty).into_iter().collect(),
        from_running: running_types.contains(&ty) || how_type_runs(reach, ty).is_some(),
    };
    let is_unreached = |ty: &TypeId| project.members(*ty).all(|member| index.contains_key(&member));
    let heads = project.types().filter(is_unreached).map(head);
    rest.iter().enumerate().map(member).chain(heads).collect()
}

/// The names in source files of other languages, which are not read: what they name, they may run.
struct Unread(FxHashMap<String, String>);

impl Unread {
    fn of(tree: &SourceTree, files: &[String]) -> Self {
        let mut names = FxHashMap::default();
        for file in files.iter().filter(|file| other_language(file).is_some()) {
            let Ok(text) = tree.text(file) else { continue };
            for name in text.text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()) {
                if !names.contains_key(name) {
                    names.insert(name.to_owned(), file.clone());
                }
            }
        }
        Self(names)
    }

    /// The file that names a member's class and, for a method or a field that is not an accessor, the member.
    fn names(&self, project: &Project, member: MemberId) -> Option<String> {
        let facts = project.member(member);
        let file = self.0.get(&project.ty(member.ty).name)?;
        let accessor = ["get", "set", "is"].iter().any(|start| facts.name.starts_with(start));
        let is_named = facts.kind == MemberKind::Constructor || accessor || self.0.contains_key(&facts.name);
        is_named.then(|| format!("named in {file}, which is not read"))
    }
}

/// All members that a member leads to, whatever objects exist.
fn targets(reach: &Reach<'_>, id: MemberId) -> Vec<MemberId> {
    let mut found = Vec::new();
    leads_to(reach, id, true, &mut |member| found.push(member));
    found.sort_unstable();
    found.dedup();
    found
}

/// Why a member runs although no operation reaches it; `None` if it does not.
fn runs(reach: &Reach<'_>, id: MemberId, reached: &IndexSet) -> Option<String> {
    let project = reach.resolver.project();
    let member = project.member(id);
    if let Some(annotation) = member.annotations.iter().find(|one| !INERT.contains(&one.simple())) {
        return Some(format!("annotated @{}", annotation.simple()));
    }
    if member.name == "main" && member.kind == MemberKind::Method && member.modifiers.has(Modifiers::STATIC) {
        return Some("a main method".to_owned());
    }
    if project.overridden(id).into_iter().any(|above| reached.has(reach.resolver.dense(above) as u32)) {
        return Some("overrides what an operation calls".to_owned());
    }
    let facets = reach.facets(id.ty);
    if facets.callbacks.contains(&id) && !facets.implicit.contains(&id) {
        return Some("overrides a method that a library calls".to_owned());
    }
    let is_made_with = member.kind != MemberKind::Method || facets.after.contains(&id);
    (is_made_with && reach.injection.managed(id.ty)).then(|| "runs when the container makes the bean".to_owned())
}

/// The annotation by which a library or a container finds a type.
fn how_type_runs(reach: &Reach<'_>, ty: TypeId) -> Option<String> {
    let facts = reach.resolver.project().ty(ty);
    let annotation = facts.annotations.iter().find(|one| !INERT.contains(&one.simple()));
    annotation.map(|annotation| format!("annotated @{}", annotation.simple()))
}

/// One revision: the inputs of its operations, sorted by name, and the code that none of them reaches.
pub type Side<'s> = (&'s [Input], &'s [UnreachedInput]);

/// Differences between two revisions that no operation reaches in either.
pub fn changed(old: Side<'_>, new: Side<'_>) -> Vec<Unreached> {
    let (of_old, of_new) = (by_name(old.1), by_name(new.1));
    let mut found: Vec<Unreached> = Vec::new();
    let note = |one: &UnreachedInput, change| Unreached {
        input: one.place.clone(),
        change,
        referred_by: one.referred_by.clone(),
        from_running: one.from_running,
    };
    for (name, own) in &of_new {
        let Some(first) = own.first().filter(|_| !is_input(old.0, name)) else { continue };
        match of_old.get(name) {
            None => found.push(note(first, Changed::Added)),
            Some(before) if hashes(before) != hashes(own) => {
                let running = own.iter().find(|one| one.from_running).unwrap_or(first);
                found.push(note(running, Changed::Changed));
            }
            Some(_) => {}
        }
    }
    let gone = of_old.iter().filter(|(name, _)| !of_new.contains_key(*name) && !is_input(new.0, name));
    found.extend(
        gone.filter(|(name, _)| !is_input(old.0, name))
            .filter_map(|(_, own)| Some(note(own.first()?, Changed::Removed))),
    );
    found.sort();
    found.dedup();
    found
}

fn by_name(list: &[UnreachedInput]) -> BTreeMap<&str, Vec<&UnreachedInput>> {
    let mut all: BTreeMap<&str, Vec<&UnreachedInput>> = BTreeMap::new();
    list.iter().for_each(|one| all.entry(&one.name).or_default().push(one));
    all
}

/// The hashes of the inputs with one name, sorted: several modules may declare it.
fn hashes(list: &[&UnreachedInput]) -> BTreeSet<Hash> {
    list.iter().map(|one| one.hash).collect()
}

/// Whether an operation has an input with this name.
pub fn is_input(inputs: &[Input], name: &str) -> bool {
    inputs.binary_search_by(|(known, ..)| (**known).cmp(name)).is_ok()
}

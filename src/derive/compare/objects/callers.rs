//! Callers of a method: whether only code calls it, or also a framework or library by its name, and the operations
//! whose code calls it.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::handed::{calls_around, handed, is_around};
use crate::compare::sides::reach::successors;
use crate::compare::sides::side::Side;
use mastor_frameworks::code::stereotypes::is_component;
use mastor_frameworks::endpoint::Returns;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeFacts};
use mastor_java::ir::ids::{FileId, MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Maximum number of callers, direct and indirect, that are followed.
const MOST: usize = 60;

/// Annotations that do not make a framework call the method.
const ASIDE: &[&str] = &[
    "Deprecated",
    "Override",
    "PermitAll",
    "PostAuthorize",
    "PreAuthorize",
    "RolesAllowed",
    "Secured",
    "SuppressWarnings",
    "Transactional",
];

/// Methods that the JVM calls.
const OF_JVM: &[&str] = &["finalize", "main", "run"];

/// Whether a method that both revisions have runs for other operations only: code calls it, but neither this operation
/// nor the code around its handler reaches it. False for an operation that renders a page, since the page may call it.
pub(in crate::compare) fn is_called_for_others((old, new): (&Side<'_>, &Side<'_>), symbol: &str) -> bool {
    [old, new].into_iter().all(|side| {
        let endpoint = side.bench.subject.endpoint;
        let is_of_others = |id| {
            let is_run = handed(side).members.contains(&id) || is_around(side, id);
            let is_no_entry = || entries(side, id).as_ref().as_ref().is_some_and(|all| !all.contains(&endpoint.entry));
            !is_run && (may_only_code_call(side, id) || is_no_entry())
        };
        endpoint.returns != Returns::View && side.member(symbol).is_some_and(is_of_others)
    })
}

/// Whether only code that names a method can call it, and neither the operation's code nor the code around its handler
/// calls a method of this name on an object of unknown class.
fn may_only_code_call(side: &Side<'_>, method: MemberId) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(method);
    let is_said = || {
        let types: Vec<&TypeFacts> = naming(side, &facts.name)
            .iter()
            .flat_map(|file| project.types_of(*file))
            .map(|ty| project.ty(ty))
            .collect();
        let members = types.iter().flat_map(|ty| &ty.members);
        let mut all = types.iter().flat_map(|ty| &ty.annotations).chain(members.flat_map(annotations));
        all.any(|one| says(one, &facts.name))
    };
    facts.kind == MemberKind::Method
        && is_called_by_code(project, method)
        && !handed(side).hands.unresolved.contains(&facts.name)
        && !calls_around(side).contains(&facts.name)
        && !*side.revision.said.get(method, || Arc::new(is_said()))
}

/// The annotations of a member and its parameters.
fn annotations(facts: &MemberFacts) -> impl Iterator<Item = &Annotation> {
    facts.annotations.iter().chain(facts.params.iter().flat_map(|one| &one.annotations))
}

/// Whether an annotation's arguments contain a name.
fn says(one: &Annotation, name: &str) -> bool {
    format!("{:?}", one.args).contains(name)
}

/// The entries of the operations whose code reaches a method; `None` if something else may call it: a framework, a
/// library, or code with an unknown receiver class.
fn entries(side: &Side<'_>, method: MemberId) -> Arc<Option<BTreeSet<MemberId>>> {
    side.revision.entries.get(method, || Arc::new(read_entries(side, method)))
}

fn read_entries(side: &Side<'_>, method: MemberId) -> Option<BTreeSet<MemberId>> {
    let subject = side.bench.subject;
    let served: BTreeSet<MemberId> = subject.endpoints.iter().map(|endpoint| endpoint.entry).collect();
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![method]);
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if seen.len() > MOST {
            return None;
        }
        if served.contains(&at) {
            found.insert(at);
        } else if is_called_by_others(subject.project, at) {
            return None;
        }
        open.extend(callers(side, at)?);
    }
    Some(found)
}

/// The members that satisfy `is_top` and through which alone code reaches a method; `None` if something else may call it.
pub(in crate::compare) fn reached_through(
    side: &Side<'_>,
    method: MemberId,
    is_top: impl Fn(MemberId) -> bool,
) -> Option<BTreeSet<MemberId>> {
    let project = side.bench.subject.project;
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![method]);
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if is_top(at) {
            found.insert(at);
            continue;
        }
        let is_private = project.member(at).modifiers.has(Modifiers::PRIVATE);
        if seen.len() > MOST || !is_private && is_called_by_others(project, at) {
            return None;
        }
        let callers = callers(side, at)?;
        if callers.is_empty() {
            return None;
        }
        open.extend(callers);
    }
    Some(found)
}

/// The members whose code calls a method; `None` if an annotation names it, or code calls a method of this name on an
/// object of unknown class.
fn callers(side: &Side<'_>, method: MemberId) -> Option<Vec<MemberId>> {
    let project = side.bench.subject.project;
    let name = &project.member(method).name;
    let mut found = Vec::new();
    for ty in naming(side, name).iter().flat_map(|file| project.types_of(*file)) {
        if project.ty(ty).annotations.iter().any(|one| says(one, name)) {
            return None;
        }
        for member in project.members(ty) {
            let facts = project.member(member);
            if annotations(facts).any(|one| says(one, name)) || side.hands(member).unresolved.contains(name) {
                return None;
            }
            if successors(side, member).contains(&method) {
                found.push(member);
            }
        }
    }
    Some(found)
}

/// The files whose text contains the name of a method as a word.
fn naming<'s>(side: &'s Side<'_>, name: &str) -> &'s [FileId] {
    let project = side.bench.subject.project;
    let all = side.revision.naming.get_or_init(|| {
        let members = project.types().flat_map(|ty| project.members(ty)).map(|id| project.member(id));
        let methods = members.filter(|facts| facts.kind == MemberKind::Method);
        let mut found: FxHashMap<String, Vec<FileId>> = methods.map(|facts| (facts.name.clone(), Vec::new())).collect();
        for file in project.files() {
            let text = project.text(file).unwrap_or_default();
            for word in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$')) {
                if let Some(files) = found.get_mut(word)
                    && files.last() != Some(&file)
                {
                    files.push(file);
                }
            }
        }
        found
    });
    all.get(name).map(Vec::as_slice).unwrap_or_default()
}

/// Whether a framework, a library or the JVM may call a method, judged by its name, its annotations, and the supertypes
/// and subtypes of its class.
fn is_called_by_others(project: &Project, method: MemberId) -> bool {
    let facts = project.member(method);
    let is_below_library = |ty| {
        let mut above = project.library_supers(ty).into_iter();
        above.any(|name| !["java.lang.Object", "java.io.Serializable"].contains(&name))
    };
    facts.kind != MemberKind::Method
        || !facts.annotations.iter().all(|one| ASIDE.contains(&one.simple()))
        || OF_JVM.contains(&facts.name.as_str())
        // Libraries do not look up the properties of beans by name.
        || is_called_by_name(facts) && !(is_accessor(facts) && is_component(project, method.ty))
        || is_below_library(method.ty)
        || project.all_subtypes(method.ty).into_iter().any(is_below_library)
}

/// Whether only code that names a method can call it: it overrides nothing, nothing overrides it, and it is not a
/// property of an object that is read or written.
pub(in crate::compare) fn is_called_by_code(project: &Project, id: MemberId) -> bool {
    let facts = project.member(id);
    if !facts.annotations.is_empty() {
        return false;
    }
    if facts.modifiers.has(Modifiers::PRIVATE) || facts.modifiers.has(Modifiers::STATIC) {
        return true;
    }
    !is_called_by_name(facts) && stands_alone(project, id)
}

/// Whether libraries call methods with this name: accessors, and methods of `Object`, `Comparable` and `AutoCloseable`.
pub(in crate::compare) fn is_called_by_name(facts: &MemberFacts) -> bool {
    is_accessor(facts) || ["equals", "hashCode", "toString", "compareTo", "close"].contains(&facts.name.as_str())
}

/// Whether a type has no direct library supertype that declares methods.
pub(in crate::compare) fn has_no_library_above(project: &Project, ty: TypeId) -> bool {
    let is_own = |named: &Named| named.project().is_some() || named.library() == Some("java.io.Serializable");
    project.supers(ty).iter().all(|above| is_own(&above.named))
}

/// Whether a method has the form of an accessor, by which libraries find properties.
pub(in crate::compare) fn is_accessor(facts: &MemberFacts) -> bool {
    let starts = |all: &[&str]| all.iter().any(|start| facts.name.starts_with(start));
    match facts.params.len() {
        0 => starts(&["get", "is"]),
        1 => starts(&["set", "with", "add"]),
        _ => false,
    }
}

/// Whether a method overrides nothing, and nothing overrides it.
pub(in crate::compare) fn stands_alone(project: &Project, id: MemberId) -> bool {
    let name = &project.member(id).name;
    let supers = project.all_supers(id.ty);
    !supers.iter().any(|above| project.members(*above).any(|one| project.member(one).name == *name))
        && has_no_library_above(project, id.ty)
        && project.all_subtypes(id.ty).is_empty()
}

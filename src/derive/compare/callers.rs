//! Callers: which operations a method is called for, where nothing but code calls it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::reach::successors;
use super::side::Side;
use crate::frameworks::stereotypes::is_component;
use crate::java::facts::{MemberFacts, MemberKind};
use crate::java::ids::MemberId;
use crate::java::project::Project;

/// Members that are looked at on the way to the operations, at most.
const MOST: usize = 60;

/// Annotations for which no framework calls a method by itself.
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

/// Starts of names by which libraries find what to call on objects that hold data.
const BY_NAME: &[&str] = &["add", "get", "is", "set", "with"];

/// Methods that Java itself calls.
const OF_OBJECTS: &[&str] = &["close", "compareTo", "equals", "finalize", "hashCode", "main", "run", "toString"];

/// The entries of the operations whose code leads to a method; `None` where something else may call it: a framework, a library, code that names no class.
pub(super) fn entries(side: &Side<'_>, method: MemberId) -> Option<Arc<BTreeSet<MemberId>>> {
    Option::clone(&side.revision.entries.get(method, || Arc::new(read_entries(side, method).map(Arc::new))))
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
        } else if !is_called_by_code_alone(subject.project, at) {
            return None;
        }
        open.extend(callers(side, at)?);
    }
    Some(found)
}

/// The members whose code calls a method; `None` where code may call it that does not say the class.
fn callers(side: &Side<'_>, method: MemberId) -> Option<Vec<MemberId>> {
    let project = side.bench.subject.project;
    let name = &project.member(method).name;
    let mut found = Vec::new();
    for file in project.files() {
        if !project.text(file).is_some_and(|text| text.contains(name.as_str())) {
            continue;
        }
        for member in project.types_of(file).flat_map(|ty| project.members(ty)) {
            // An expression in an annotation, or a name that reflection takes.
            let annotations = &project.member(member).annotations;
            if annotations.iter().any(|one| format!("{:?}", one.args).contains(name.as_str()))
                || side.hands(member).unresolved.contains(name)
            {
                return None;
            }
            if successors(side, member).contains(&method) {
                found.push(member);
            }
        }
    }
    Some(found)
}

/// Whether no framework and no library calls a method by itself, as far as its name, its annotations and the classes above and below it tell.
fn is_called_by_code_alone(project: &Project, method: MemberId) -> bool {
    let facts: &MemberFacts = project.member(method);
    let is_plain = |ty| {
        let mut above = project.library_supers(ty).into_iter();
        above.all(|name| ["java.lang.Object", "java.io.Serializable"].contains(&name))
    };
    let starts = |start: &&str| {
        facts.name.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_uppercase))
    };
    facts.kind == MemberKind::Method
        && facts.annotations.iter().all(|one| ASIDE.contains(&one.simple()))
        && !OF_OBJECTS.contains(&facts.name.as_str())
        && (is_component(project, method.ty) || !BY_NAME.iter().any(starts))
        && is_plain(method.ty)
        && project.all_subtypes(method.ty).into_iter().all(is_plain)
}

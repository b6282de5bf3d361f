//! Hidden handlers: methods without a known route, on classes below a type whose source is not in the project. That
//! type may route to them: an interface that the build generates from a document which cannot be read, or one of a
//! library.

use std::collections::BTreeSet;

use mastor_frameworks::Endpoint;
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;
use mastor_types::suite::source_context::Entry;

/// Package prefixes of types that never route to a method of a project.
const KNOWN: [&str; 24] = [
    "java.",
    "javax.",
    "jakarta.",
    "org.springframework.",
    "org.hibernate.",
    "org.apache.",
    "org.slf4j.",
    "org.aspectj.",
    "org.mapstruct.",
    "org.glassfish.",
    "org.eclipse.",
    "lombok.",
    "com.fasterxml.",
    "com.google.",
    "com.zaxxer.",
    "com.sun.",
    "io.swagger.",
    "io.dropwizard.",
    "io.micrometer.",
    "io.micronaut.",
    "io.quarkus.",
    "io.jsonwebtoken.",
    "reactor.",
    "kotlin.",
];

/// The hidden handlers of a revision, as class and method name, sorted.
pub fn hidden(project: &Project, endpoints: &[Endpoint]) -> Vec<Entry> {
    let mut found = Vec::new();
    let served: BTreeSet<MemberId> = endpoints.iter().map(|endpoint| endpoint.entry).collect();
    for ty in project.types().filter(|ty| is_below_open(project, *ty)) {
        for member in project.members(ty) {
            let facts = project.member(member);
            let is_open = facts.kind == MemberKind::Method
                && !facts.modifiers.has(Modifiers::PRIVATE)
                && !facts.modifiers.has(Modifiers::STATIC);
            if is_open && !served.contains(&member) {
                found.push(Entry { class: project.fqn(ty).to_owned(), method: facts.name.clone() });
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether an entry of another revision may be one of these handlers. Only the class is compared: the interface may
/// prescribe another name and other parameters now.
pub fn is_hidden(hidden: &[Entry], entry: &Entry) -> bool {
    hidden.iter().any(|one| one.class == entry.class)
}

fn is_below_open(project: &Project, ty: TypeId) -> bool {
    let facts = project.ty(ty);
    let is_open = |named: &Named| match named {
        Named::Library(name) | Named::Unknown(name) => !KNOWN.iter().any(|start| name.starts_with(start)),
        _ => false,
    };
    facts.kind == TypeKind::Class
        && std::iter::once(ty)
            .chain(project.all_supers(ty))
            .any(|above| project.supers(above).iter().any(|above| is_open(&above.named)))
}

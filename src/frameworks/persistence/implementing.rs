//! Custom implementations of repository methods.

use mastor_java::ir::facts::{Modifiers, TypeKind};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// Classes that implement methods of a repository: by the name of the interface, or of one that it extends (Spring
/// Data, "Custom Repository Implementations").
pub fn implementations(project: &Project, repository: TypeId) -> Vec<TypeId> {
    let mut found = Vec::new();
    for interface in std::iter::once(repository).chain(project.all_supers(repository)) {
        let named = project.by_simple(&format!("{}Impl", project.ty(interface).name));
        let plain = |ty: &&TypeId| {
            let facts = project.ty(**ty);
            facts.kind == TypeKind::Class && !facts.modifiers.has(Modifiers::ABSTRACT)
        };
        found.extend(named.iter().filter(plain).copied());
    }
    found.sort();
    found.dedup();
    found
}

//! The import closure of a file: every file that it can name, the files that those can name, and the implementations of
//! their types.

use std::collections::BTreeSet;

use mastor_java::ir::ids::{FileId, TypeId};
use mastor_java::project::index::Project;

/// The files that a file depends on, itself included: through explicit, wildcard and static imports, the same package,
/// fully qualified names, supertypes, and the subtypes of each of their types.
pub fn import_closure(project: &Project, entry: FileId) -> BTreeSet<FileId> {
    let mut found = BTreeSet::from([entry]);
    let mut queue = vec![entry];
    while let Some(file) = queue.pop() {
        for next in leads_to(project, file) {
            if found.insert(next) {
                queue.push(next);
            }
        }
    }
    found
}

fn leads_to(project: &Project, file: FileId) -> BTreeSet<FileId> {
    let facts = &project.file(file).facts;
    let mut found = BTreeSet::new();
    let mut add = |ty: TypeId| found.insert(project.file_of(ty));
    for ty in project.types_of(file) {
        for near in project.all_supers(ty).into_iter().chain(project.all_subtypes(ty)) {
            add(near);
        }
    }
    for import in &facts.imports {
        let owner = if import.is_static && !import.wildcard {
            import.path.rsplit_once('.').map(|(owner, _)| owner)
        } else {
            None
        };
        for path in [Some(import.path.as_str()), owner].into_iter().flatten() {
            for ty in project.by_fqn_all(path) {
                add(*ty);
            }
        }
    }
    // Names mean the same in every type of a file, except for inherited names, which come from the supertypes' own
    // files.
    let scopes: Vec<TypeId> = project.types_of(file).filter(|ty| project.ty(*ty).outer.is_none()).collect();
    for word in &facts.type_words {
        for scope in &scopes {
            if let Some(ty) = project.resolve(*scope, word).project() {
                add(ty);
            }
        }
    }
    found
}

//! Edges from the document: types that it names by their full name, in extensions that generators copy into code, such
//! as field annotations, base classes and imports.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::operations::Surface;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::injection::{EdgeSource, ExtraEdges};
use mastor_java::project::index::Project;
use mastor_openapi as openapi;

/// Adds edges from each entry to the members of the types that its operation's part of the document names.
pub fn add(surface: &Surface, edges: &mut ExtraEdges) {
    let Some(document) = &surface.document else { return };
    let project = &surface.project;
    let found: Vec<(MemberId, BTreeSet<TypeId>)> = surface
        .matches
        .par_iter()
        .filter_map(|operation| {
            let endpoint = surface.endpoint(operation)?;
            let described = document.operations.get(operation.operation?)?;
            let part = openapi::operation_part(document, described);
            Some((endpoint.entry, named(project, &String::from_utf8_lossy(&part))))
        })
        .collect();
    for (entry, types) in found {
        let members = types.into_iter().flat_map(|ty| project.members(ty));
        edges.add(EdgeSource::Member(entry), members, "named in the document, in an extension for generated code");
    }
}

/// Types of the project whose full name occurs in a text.
fn named(project: &Project, text: &str) -> BTreeSet<TypeId> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '$')));
    let dotted: BTreeSet<&str> = words.filter(|word| word.contains('.')).collect();
    dotted.into_iter().flat_map(|word| project.by_fqn_all(word.trim_matches('.'))).copied().collect()
}

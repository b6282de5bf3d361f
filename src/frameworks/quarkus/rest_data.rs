//! Resources that REST Data with Panache makes of interfaces (Quarkus guides, "Generating Jakarta REST resources with
//! Panache"). Their routes are found; how they answer is not modelled.

use super::record::REST_DATA;
use crate::code::annotations::find;
use crate::endpoint::Endpoint;
use crate::jax_rs::application::Applications;
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::facts::{MemberKind, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::Method;

/// Interfaces that resources are made of, with the place of the entity among their type arguments.
const RESOURCES: [(&str, usize); 4] = [
    ("PanacheEntityResource", 0),
    ("PanacheRepositoryResource", 1),
    ("PanacheMongoEntityResource", 0),
    ("PanacheMongoRepositoryResource", 1),
];
const PROPERTIES: &str = "io.quarkus.rest.data.panache.ResourceProperties";
const METHOD_PROPERTIES: &str = "io.quarkus.rest.data.panache.MethodProperties";

/// The methods of such an interface, with what serves them below its path.
const METHODS: [(&str, Method, &str); 6] = [
    ("list", Method::Get, ""),
    ("count", Method::Get, "count"),
    ("get", Method::Get, "{id}"),
    ("add", Method::Post, ""),
    ("update", Method::Put, "{id}"),
    ("delete", Method::Delete, "{id}"),
];

/// All routes of such interfaces.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    let project = inputs.project;
    let applications = Applications::read(inputs);
    for ty in project.types().filter(|ty| project.ty(*ty).kind == TypeKind::Interface) {
        let Some(entity) = entity_of(inputs, ty) else { continue };
        // A resource without methods of its own is shown by a field of its entity.
        let field = project.members(entity).find(|member| project.member(*member).kind == MemberKind::Field);
        let Some(anchor) = field else { continue };
        let (context_path, mut files) = applications.context_path(inputs, ty);
        let (prefix, by) = applications.prefix(inputs, ty);
        files.extend(by);
        let own = paths::join(&prefix, &path_of(inputs, ty));
        for (name, method, below) in METHODS {
            let declared = project.members(ty).find(|member| project.member(*member).name == name);
            let (exposed, path) = exposed(inputs, declared);
            if !exposed {
                continue;
            }
            let path = paths::join(&own, path.as_deref().unwrap_or(below));
            let entry = declared.unwrap_or(anchor);
            let place = (context_path.clone(), files.clone());
            routes.endpoints.push(endpoint(inputs, ty, (entry, anchor), (method, &path), place));
        }
    }
    routes
}

fn entity_of(inputs: &Inputs<'_>, ty: TypeId) -> Option<TypeId> {
    let project = inputs.project;
    project.supers(ty).iter().find_map(|above| {
        let simple = above.named.library()?.rsplit('.').next()?;
        let (_, at) = RESOURCES.iter().find(|(name, _)| *name == simple)?;
        project.resolve(ty, &above.args.get(*at)?.name).project()
    })
}

/// The path of a resource: by `@ResourceProperties`, else its name without the ending, with dashes.
fn path_of(inputs: &Inputs<'_>, ty: TypeId) -> String {
    let facts = inputs.project.ty(ty);
    let said = find(inputs.project, ty, &facts.annotations, &[PROPERTIES])
        .and_then(|found| found.string(inputs.project, &["path"]));
    said.unwrap_or_else(|| {
        let name = facts.name.strip_suffix("Resource").or_else(|| facts.name.strip_suffix("Controller"));
        hyphenated(name.unwrap_or(&facts.name))
    })
}

/// Whether a method is exposed, and its own path.
fn exposed(inputs: &Inputs<'_>, declared: Option<MemberId>) -> (bool, Option<String>) {
    let found = declared.and_then(|member| {
        find(inputs.project, member.ty, &inputs.project.member(member).annotations, &[METHOD_PROPERTIES])
    });
    let Some(found) = found else { return (true, None) };
    let exposed = found.flag(inputs.project, "exposed").unwrap_or(true);
    (exposed, found.string(inputs.project, &["path"]))
}

/// `SmallPlants` as `small-plants`.
pub fn hyphenated(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if at > 0 && c.is_uppercase() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn endpoint(
    inputs: &Inputs<'_>,
    ty: TypeId,
    (entry, anchor): (MemberId, MemberId),
    (method, path): (Method, &str),
    (context_path, rests_on_files): (String, Vec<String>),
) -> Endpoint {
    let all = inputs.project.members(ty).chain(inputs.project.members(anchor.ty));
    let how = format!("REST Data with Panache makes a resource of {}", inputs.project.fqn(ty));
    Endpoint {
        context_path,
        rests_on: all.filter(|member| *member != entry).collect(),
        rests_on_files,
        ..Endpoint::undeclared((method, path), (entry, ty), Framework(&REST_DATA), inputs.place(entry), how)
    }
}

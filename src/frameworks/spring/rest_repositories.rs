//! Repositories that Spring Data REST exports: collection, item and search resources of each.

use super::prefix::context_path;
use super::records::DATA_REST;
use crate::code::annotations::find;
use crate::endpoint::Endpoint;
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;
use mastor_types::Method;

/// Repository interfaces of Spring Data, by simple name.
const REPOSITORIES: [&str; 12] = [
    "Repository",
    "CrudRepository",
    "ListCrudRepository",
    "PagingAndSortingRepository",
    "ListPagingAndSortingRepository",
    "JpaRepository",
    "MongoRepository",
    "JpaRepositoryImplementation",
    "CassandraRepository",
    "Neo4jRepository",
    "ElasticsearchRepository",
    "KeyValueRepository",
];

/// `@RepositoryRestResource` and its older name.
const EXPORTED: [&str; 2] = [
    "org.springframework.data.rest.core.annotation.RepositoryRestResource",
    "org.springframework.data.rest.core.annotation.RestResource",
];

/// Resources of exported repositories; empty without Spring Data REST.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    if inputs.build.uses("spring-boot-starter-data-rest").or_else(|| inputs.build.uses("spring-data-rest")).is_none() {
        return routes;
    }
    for ty in inputs.project.types() {
        if inputs.project.ty(ty).kind == TypeKind::Interface
            && let Some(entity) = entity_of(inputs.project, ty)
        {
            repository(inputs, ty, entity, &mut routes);
        }
    }
    routes
}

/// The domain type of a repository interface.
pub fn entity_of(project: &Project, ty: TypeId) -> Option<TypeId> {
    let mut seen = vec![ty];
    let mut next = 0;
    while let Some(id) = seen.get(next).copied() {
        for above in project.supers(id) {
            match &above.named {
                Named::Library(name) | Named::Unknown(name)
                    if REPOSITORIES.contains(&name.rsplit('.').next().unwrap_or(name)) =>
                {
                    let argument = above.args.first()?;
                    return match project.resolve(id, &argument.name) {
                        Named::Project(entity) => Some(entity),
                        _ => None,
                    };
                }
                Named::Project(above) if !seen.contains(above) => seen.push(*above),
                _ => {}
            }
        }
        next += 1;
    }
    None
}

fn repository(inputs: &Inputs<'_>, ty: TypeId, entity: TypeId, routes: &mut Routes) {
    let project = inputs.project;
    let exported = find(project, ty, &project.ty(ty).annotations, &EXPORTED);
    let default = project.ty(ty).modifiers.has(Modifiers::PUBLIC);
    let is_exported = exported.as_ref().map_or(default, |found| found.flag(project, "exported").unwrap_or(true));
    if !is_exported {
        return;
    }
    let Some(anchor) = project.members(entity).find(|member| project.member(*member).kind == MemberKind::Field) else {
        return;
    };
    let path =
        exported.and_then(|found| found.string(project, &["path"])).unwrap_or_else(|| plural(&project.ty(entity).name));
    let near = project.path_of(ty);
    let (mut context, mut files) = context_path(inputs, near);
    if let Some(base) = inputs.properties.get(near, "spring.data.rest.base-path") {
        context = paths::join(&context, &base.value);
        files.push(format!("{}#{}", base.file, base.key));
    }
    let collection = paths::join("", &path);
    let item = paths::join(&collection, "{id}");
    let resources = [
        (Method::Get, &collection, "findAll"),
        (Method::Post, &collection, "save"),
        (Method::Get, &item, "findById"),
        (Method::Put, &item, "save"),
        (Method::Patch, &item, "save"),
        (Method::Delete, &item, "deleteById"),
    ];
    let at = At { ty, anchor, context, files };
    for (method, path, name) in resources {
        let own = project.members(ty).find(|member| project.member(*member).name == name);
        let hidden = own.is_some_and(|member| {
            find(project, ty, &project.member(member).annotations, &EXPORTED)
                .and_then(|found| found.flag(project, "exported"))
                == Some(false)
        });
        if !hidden {
            routes.endpoints.push(at.endpoint(inputs, method, path, own));
        }
    }
    for member in project.members(ty) {
        let facts = project.member(member);
        if facts.kind == MemberKind::Method
            && (facts.name.starts_with("find")
                || facts.name.starts_with("count")
                || facts.name.starts_with("exists")
                || facts.name.starts_with("get"))
        {
            if matches!(facts.name.as_str(), "findAll" | "findById" | "findOne") {
                continue;
            }
            let found = find(project, ty, &facts.annotations, &EXPORTED);
            if found.as_ref().and_then(|found| found.flag(project, "exported")) == Some(false) {
                continue;
            }
            let name = found.and_then(|found| found.string(project, &["path"])).unwrap_or_else(|| facts.name.clone());
            let path = paths::join(&paths::join(&collection, "search"), &name);
            routes.endpoints.push(at.endpoint(inputs, Method::Get, &path, Some(member)));
        }
    }
}

struct At {
    ty: TypeId,
    anchor: MemberId,
    context: String,
    files: Vec<String>,
}

impl At {
    fn endpoint(&self, inputs: &Inputs<'_>, method: Method, path: &str, own: Option<MemberId>) -> Endpoint {
        let entry = own.unwrap_or(self.anchor);
        let all = inputs.project.members(self.ty).chain(inputs.project.members(self.anchor.ty));
        let how = format!("Spring Data REST exports the repository {}", inputs.project.fqn(self.ty));
        let place = inputs.place(entry);
        Endpoint {
            context_path: self.context.clone(),
            rests_on: all.filter(|member| *member != entry).collect(),
            rests_on_files: self.files.clone(),
            ..Endpoint::undeclared((method, path), (entry, self.ty), Framework(&DATA_REST), place, how)
        }
    }
}

/// The framework's plural of a type name, for regular forms.
fn plural(name: &str) -> String {
    let mut chars = name.chars();
    let name: String = chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect();
    let vowel_before_y = name.len() > 1 && name[..name.len() - 1].ends_with(['a', 'e', 'i', 'o', 'u']);
    if name.ends_with('y') && !vowel_before_y {
        format!("{}ies", &name[..name.len() - 1])
    } else if ["s", "x", "z", "ch", "sh"].iter().any(|end| name.ends_with(end)) {
        format!("{name}es")
    } else if name == "person" {
        "people".to_owned()
    } else {
        format!("{name}s")
    }
}

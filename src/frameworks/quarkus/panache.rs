//! Panache over Hibernate ORM: its entities and repositories, and the base class of entities with a key.

use crate::code::annotations::imports_of;
use crate::routing::Inputs;
use mastor_java::build::origin::Origin;
use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;
use mastor_java::project::made::GeneratedSource;
use mastor_types::Warning;

/// The package of Panache over Hibernate ORM.
const PACKAGE: &str = "io.quarkus.hibernate.orm.panache";
/// Simple names of its repositories; the first type argument is the entity.
const REPOSITORIES: [&str; 2] = ["PanacheRepository", "PanacheRepositoryBase"];

/// The base class of entities without a key of their own.
fn base() -> String {
    format!("{PACKAGE}.PanacheEntityBase")
}

/// Whether a class is an entity of Panache: it inherits Panache's methods.
pub fn is_entity(project: &Project, ty: TypeId) -> bool {
    project.library_supers(ty).contains(&base().as_str())
}

/// Whether a full name is that of a repository.
fn is_repository(name: &str) -> bool {
    name.strip_prefix(PACKAGE).and_then(|rest| rest.strip_prefix('.')).is_some_and(|rest| REPOSITORIES.contains(&rest))
}

/// The entity of a repository class.
pub fn entity_of(project: &Project, ty: TypeId) -> Option<TypeId> {
    if project.ty(ty).kind != TypeKind::Class {
        return None;
    }
    std::iter::once(ty).chain(project.all_supers(ty)).find_map(|above| {
        let repository = project.supers(above).iter().find(|one| match &one.named {
            Named::Library(name) => is_repository(name),
            // By its full name or a wildcard import, since the package has a class that is made.
            Named::Unknown(name) => {
                let imports = imports_of(project, above);
                is_repository(name)
                    || imports.iter().any(|import| import.wildcard && is_repository(&format!("{}.{name}", import.path)))
            }
            _ => false,
        })?;
        project.resolve(above, &repository.args.first()?.name).project()
    })
}

/// The class `PanacheEntity`, for each module with entities that extend it: it has the key that they inherit (the guide's
/// section "Defining your entity").
pub fn made(inputs: &Inputs<'_>) -> (Vec<GeneratedSource>, Vec<Warning>) {
    let project = inputs.project;
    let name = format!("{PACKAGE}.PanacheEntity");
    let mut found: Vec<GeneratedSource> = Vec::new();
    for ty in project.types() {
        let extends = |named: &Named| named.library() == Some(name.as_str());
        if !project.supers(ty).iter().any(|above| extends(&above.named)) {
            continue;
        }
        let file = project.path_of(ty);
        let dir = inputs.build.module_of(file).map(|module| module.dir.clone()).filter(|dir| !dir.is_empty());
        let folder = dir.map_or_else(String::new, |dir| format!("{dir}/"));
        let path = format!("{folder}target/generated-sources/quarkus/{}.java", name.replace('.', "/"));
        if found.iter().any(|one| one.path == path) {
            continue;
        }
        let facts = project.ty(ty);
        let imports = &project.file(project.file_of(ty)).facts.imports;
        let is_old = imports.iter().any(|import| import.path.starts_with("javax.persistence"));
        let text = source(if is_old { "javax" } else { "jakarta" });
        let symbol = project.fqn(ty).to_owned();
        let origin = Origin { symbol, tokens: facts.header, file: file.to_owned(), line: facts.name_span.line };
        found.push(GeneratedSource { path, text, origin });
    }
    (found, Vec::new())
}

fn source(package: &str) -> String {
    format!(
        "package {PACKAGE};
import {base};
import {package}.persistence.GeneratedValue;
import {package}.persistence.Id;
import {package}.persistence.MappedSuperclass;
@MappedSuperclass
public abstract class PanacheEntity extends PanacheEntityBase {{
  @Id @GeneratedValue public Long id;
}}
",
        base = base()
    )
}

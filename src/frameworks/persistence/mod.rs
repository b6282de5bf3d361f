//! Persistence: the entities and repositories of a project, and the content of its database after the service has
//! started.
//!
//! Comes in: a project with its scripts, changelogs and start-up code. Goes out: entities, repositories, tables, and
//! initial rows as far as they are known. Never here: a row that a request writes, or a connection to a database.

mod documents;
pub mod entities;
mod hierarchies;
mod implementing;
pub mod initial;
pub mod liquibase;
pub mod numbering;
mod sql_declared;
pub mod sql_run;
mod starters;
mod texts;

use std::collections::BTreeSet;

use super::context::startup::stored_by;
use super::quarkus::panache;
use super::spring::rest_repositories::entity_of;
use implementing::implementations;
use initial::Files;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::stores::data::Stores;
use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ids::TypeId;
use starters::{fills, starters};

/// The stores of a revision.
pub fn stores(files: &Files<'_>) -> Stores {
    let project = files.project;
    let mut entities = entities::entities(project);
    hierarchies::join(project, &mut entities);
    let mut stores = Stores::default();
    let by_sql = ["spring-boot-starter-jdbc", "spring-boot-starter-data-jdbc", "spring-jdbc"];
    if entities.is_empty() && !by_sql.iter().any(|name| files.uses(name)) {
        return stores;
    }
    let clocked = |ty| project.members(ty).any(|member| has(&project.member(member).annotations, &["Scheduled"]));
    // A data source that the project creates itself may be filled by its code.
    let makes = |ty| {
        project.members(ty).any(|member| {
            let facts = project.member(member);
            let made = facts.ty.as_ref().map(|ty| ty.simple()).unwrap_or_default();
            has(&facts.annotations, &["Bean"])
                && (made.ends_with("DataSource") || made.ends_with("DataSourceInitializer"))
        })
    };
    stores.fills_by_code = project.types().any(|ty| fills(project, ty) || clocked(ty) || makes(ty));
    match files.database() {
        Ok((database, sources)) => {
            (stores.tables, stores.open, stores.has_schema) = (database.tables, database.open, database.has_schema);
            stores.sources = sources;
            stores.is_made = files.makes_tables();
            stores.alters = files.alters_tables();
        }
        Err(why) => stores.open = Some(why),
    }
    // Entities that start-up code may store: their rows are unknown unless that code is followed.
    let seeded: BTreeSet<TypeId> =
        project.types().filter(|ty| fills(project, *ty)).flat_map(|ty| stored_by(project, ty)).collect();
    stores.starters = starters(project, &entities);
    let followed: BTreeSet<TypeId> = stores.starters.iter().flat_map(|starter| starter.entities.clone()).collect();
    for ty in seeded {
        if let Some(entity) = entities.get(&ty).filter(|entity| !followed.contains(&entity.ty)) {
            let table = stores.tables.entry(entity.table.clone()).or_default();
            table.open = Some(format!("code fills the store of {} when the service starts", entity.name));
        }
    }
    for ty in project.types().filter(|ty| project.ty(*ty).kind == TypeKind::Interface) {
        if let Some(entity) = entity_of(project, ty)
            && let Some(entity) = entities.get(&entity)
        {
            stores.repositories.insert(ty, entity.ty);
            stores.implementations.insert(ty, implementations(project, ty));
        }
    }
    for ty in project.types() {
        let entity = panache::entity_of(project, ty).or_else(|| panache::is_entity(project, ty).then_some(ty));
        if let Some(entity) = entity.filter(|entity| entities.contains_key(entity)) {
            stores.panache.insert(ty, entity);
        }
    }
    let jakarta = |ty: &TypeId| {
        let imports = &project.file(project.file_of(*ty)).facts.imports;
        imports.iter().any(|import| import.path.starts_with("jakarta.persistence"))
    };
    stores.goes_on = numbering::goes_on(files);
    stores.texts = texts::compared(files, &entities);
    stores.by_column = numbering::by_column(files);
    numbering::number(&mut stores.tables, &entities, stores.by_column);
    stores.is_jakarta = entities.keys().any(jakarta);
    stores.validates = files.validates();
    stores.entities = entities;
    stores
}

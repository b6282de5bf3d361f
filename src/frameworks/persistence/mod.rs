//! Persistence: entities and repositories of a project, and what its database holds when the service has started.

pub mod entities;
pub mod initial;
pub mod sql_run;

use std::collections::BTreeSet;

use super::context::startup::{runs_at_start, stored_by};
use super::spring::rest_repositories::entity_of;
use crate::java::facts::TypeKind;
use crate::java::ids::TypeId;
use crate::java::interpret::stores::data::Stores;
use initial::Files;

/// The stores of a revision.
pub fn stores(files: &Files<'_>) -> Stores {
    let project = files.project;
    let entities = entities::entities(project);
    let mut stores = Stores::default();
    if entities.is_empty() {
        return stores;
    }
    match files.database() {
        Ok((database, sources)) => {
            (stores.tables, stores.open, stores.has_schema) = (database.tables, database.open, database.has_schema);
            stores.sources = sources;
        }
        Err(why) => stores.open = Some(why),
    }
    // What code stores at the start is not known here.
    let seeded: BTreeSet<TypeId> =
        project.types().filter(|ty| runs_at_start(project, *ty)).flat_map(|ty| stored_by(project, ty)).collect();
    for ty in seeded {
        if let Some(entity) = entities.get(&ty) {
            let table = stores.tables.entry(entity.table.clone()).or_default();
            table.open = Some(format!("code fills the store of {} when the service starts", entity.name));
        }
    }
    for ty in project.types().filter(|ty| project.ty(*ty).kind == TypeKind::Interface) {
        if let Some(entity) = entity_of(project, ty)
            && let Some(entity) = entities.get(&entity).filter(|entity| !entity.is_document)
        {
            stores.repositories.insert(ty, entity.ty);
        }
    }
    let jakarta = |ty: &TypeId| {
        let imports = &project.file(project.file_of(*ty)).facts.imports;
        imports.iter().any(|import| import.path.starts_with("jakarta.persistence"))
    };
    stores.is_jakarta = entities.keys().any(jakarta);
    stores.entities = entities;
    stores
}

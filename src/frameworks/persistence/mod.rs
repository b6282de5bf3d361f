//! Persistence: entities and repositories of a project, and what its database holds when the service has started.

pub mod entities;
mod implementing;
pub mod initial;
pub mod numbering;
pub mod sql_run;

use std::collections::{BTreeMap, BTreeSet};

use super::context::startup::{runs_at_start, stored_by};
use super::spring::rest_repositories::entity_of;
use crate::java::facts::{MemberKind, TypeKind};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::objects::has;
use crate::java::interpret::stores::data::{Entity, Starter, Stores};
use crate::java::project::Project;
use implementing::implementations;
use initial::Files;

/// Methods that are called when an object is made, or when the service has started.
const STARTS: [&str; 3] = ["PostConstruct", "EventListener", "Startup"];
/// Methods of interfaces by which the framework calls what runs at the start.
const RUNS: [&str; 4] = ["run", "afterPropertiesSet", "afterSingletonsInstantiated", "onApplicationEvent"];

/// Whether a type holds code that may fill stores when the service starts.
fn fills(project: &Project, ty: TypeId) -> bool {
    let made = |member: MemberId| {
        let facts = project.member(member);
        has(&facts.annotations, &["PostConstruct"]) || (facts.name == "afterPropertiesSet" && facts.params.is_empty())
    };
    runs_at_start(project, ty) || project.members(ty).any(made)
}

/// The code that fills stores at the start, where it is plain which runs.
fn starters(project: &Project, entities: &BTreeMap<TypeId, Entity>) -> Vec<Starter> {
    let mut out = Vec::new();
    for ty in project.types().filter(|ty| fills(project, *ty)) {
        let facts = project.ty(ty);
        let stored: Vec<TypeId> = stored_by(project, ty).into_iter().filter(|ty| entities.contains_key(ty)).collect();
        let conditional = [
            "Profile",
            "Conditional",
            "ConditionalOnProperty",
            "ConditionalOnMissingBean",
            "ConditionalOnExpression",
            "Order",
        ];
        if stored.is_empty() || has(&facts.annotations, &conditional) || facts.kind != TypeKind::Class {
            continue;
        }
        let supers = project.library_supers(ty);
        let is_runner = supers.iter().any(|name| !name.starts_with("java."));
        let mut methods = Vec::new();
        let mut odd = false;
        for member in project.members(ty) {
            let of = project.member(member);
            if of.kind != MemberKind::Method {
                continue;
            }
            let returns = of.ty.as_ref().map(|ty| ty.simple()).unwrap_or_default();
            let is_factory =
                has(&of.annotations, &["Bean"]) && matches!(returns, "CommandLineRunner" | "ApplicationRunner");
            let runs = has(&of.annotations, &STARTS) || (is_runner && RUNS.contains(&of.name.as_str()));
            if is_factory || runs {
                odd |= has(&of.annotations, &conditional) || has(&of.annotations, &["Async"]);
                methods.push(Starter { ty, method: member, is_factory, entities: stored.clone() });
            }
        }
        if !odd && methods.len() == 1 {
            out.append(&mut methods);
        }
    }
    out
}

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
            stores.is_made = files.makes_tables();
            stores.alters = files.alters_tables();
        }
        Err(why) => stores.open = Some(why),
    }
    // What code stores at the start is not known here.
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
    let jakarta = |ty: &TypeId| {
        let imports = &project.file(project.file_of(*ty)).facts.imports;
        imports.iter().any(|import| import.path.starts_with("jakarta.persistence"))
    };
    stores.goes_on = numbering::goes_on(files);
    stores.by_column = numbering::by_column(files);
    stores.is_jakarta = entities.keys().any(jakarta);
    stores.validates = files.validates();
    stores.entities = entities;
    stores
}

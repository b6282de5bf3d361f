//! Hierarchies of entities: which tables contain their rows, and the column that distinguishes the classes of one table
//! (JPA, "Entity Inheritance Mapping Strategies").

use std::collections::BTreeMap;

use super::entities::{arg, text};
use mastor_java::interpret::stores::data::{Entity, Keys, Strategy, plain};
use mastor_java::ir::facts::{TypeKind, Value as Arg};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// Annotations of hierarchies that are not followed.
const ODD: &[&str] =
    &["DiscriminatorFormula", "DiscriminatorOptions", "PrimaryKeyJoinColumn", "PrimaryKeyJoinColumns", "Polymorphism"];

/// The default discriminator column.
const TOLD_BY: &str = "DTYPE";

/// Sets the hierarchy of each entity. If one class of a hierarchy cannot be followed, none of them can.
pub(super) fn join(project: &Project, entities: &mut BTreeMap<TypeId, Entity>) {
    let mut roots: BTreeMap<TypeId, Vec<TypeId>> = BTreeMap::new();
    for ty in entities.keys() {
        let mut above = project.all_supers(*ty).into_iter().filter(|above| entities.contains_key(above));
        let root = above.next_back().unwrap_or(*ty);
        roots.entry(root).or_default().push(*ty);
    }
    for (root, members) in roots.into_iter().filter(|(_, members)| members.len() > 1) {
        let why = members
            .iter()
            .find_map(|ty| entities.get(ty)?.open.clone())
            .or_else(|| odd(project, entities, root, &members));
        let strategy = strategy(project, root);
        let table = entities.get(&root).map(|root| root.table.clone()).unwrap_or_default();
        let column = plain(&of(project, root, "DiscriminatorColumn", "name").unwrap_or_else(|| TOLD_BY.to_owned()));
        for ty in &members {
            let Some(entity) = entities.get_mut(ty) else { continue };
            entity.root = root;
            let below = project.all_subtypes(*ty);
            entity.kin = members.iter().copied().filter(|one| one == ty || below.contains(one)).collect();
            entity.strategy = strategy;
            entity.open = why.clone();
            if strategy == Strategy::Single {
                entity.table.clone_from(&table);
                let value = of(project, *ty, "DiscriminatorValue", "value").unwrap_or_else(|| entity.name.clone());
                entity.told_by = Some((column.clone(), value));
            }
        }
    }
}

/// Why a hierarchy is not followed.
fn odd(project: &Project, entities: &BTreeMap<TypeId, Entity>, root: TypeId, members: &[TypeId]) -> Option<String> {
    let name = &project.ty(root).name;
    for ty in members {
        let facts = project.ty(*ty);
        if let Some(odd) = facts.annotations.iter().find(|annotation| ODD.contains(&annotation.simple())) {
            return Some(format!("@{} of {}", odd.simple(), facts.name));
        }
        let entity = entities.get(ty)?;
        if entity.is_document {
            return Some(format!("documents inherit from {name}"));
        }
        if entity.keys == Keys::Shared || !entity.parts.is_empty() {
            return Some(format!("keys of the hierarchy of {name} are those of other rows, or of several values"));
        }
        // Fields of a class between two entities are stored with each class below it.
        let between = project.all_supers(*ty).into_iter().take_while(|above| *above != root);
        let is_between = |above: &TypeId| project.ty(*above).kind == TypeKind::Class && !entities.contains_key(above);
        if *ty != root && between.into_iter().any(|above| is_between(&above)) {
            return Some(format!("a class between entities of the hierarchy of {name}"));
        }
    }
    let odd_column = arg(&project.ty(root).annotations, "DiscriminatorColumn", "discriminatorType");
    let is_text = odd_column.is_none_or(|kind| matches!(kind, Arg::Name(name) if name.ends_with("STRING")));
    (!is_text).then(|| format!("classes of the hierarchy of {name} are told apart by a number"))
}

/// The inheritance strategy: only the annotation of the root class counts (Hibernate, `InheritanceState`).
fn strategy(project: &Project, root: TypeId) -> Strategy {
    match arg(&project.ty(root).annotations, "Inheritance", "strategy") {
        Some(Arg::Name(name)) if name.ends_with("JOINED") => Strategy::Joined,
        Some(Arg::Name(name)) if name.ends_with("TABLE_PER_CLASS") => Strategy::Each,
        _ => Strategy::Single,
    }
}

fn of(project: &Project, ty: TypeId, annotation: &str, name: &str) -> Option<String> {
    text(project, ty, arg(&project.ty(ty).annotations, annotation, name))
}

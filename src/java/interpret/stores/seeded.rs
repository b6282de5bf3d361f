//! Initial rows with their entity classes; for a hierarchy, the rows of all its tables (JPA, "Entity Inheritance
//! Mapping Strategies").

use std::borrow::Cow;

use serde_json::Value as Json;

use super::data::{Cell, Entity, Row, Stores, Strategy, Table};
use crate::interpret::library::base::support::{Answer, open};

/// A row with the entity of its class.
pub type Seeded<'s> = (&'s Entity, Cow<'s, Row>);

/// A table that no script mentions.
pub static EMPTY: Table = Table {
    columns: Vec::new(),
    rows: Vec::new(),
    open: None,
    references: Vec::new(),
    yielding: Vec::new(),
    together: Vec::new(),
    counted: 0,
    is_numbered: false,
    restarts: None,
};

/// The table with this name.
pub fn table_of<'s>(stores: &'s Stores, name: &str) -> Answer<&'s Table> {
    match stores.tables.get(name) {
        Some(Table { open: Some(why), .. }) => open(why),
        Some(table) => Ok(table),
        None => match &stores.open {
            Some(why) => open(why),
            None => Ok(&EMPTY),
        },
    }
}

/// The rows of a root entity and its subclasses.
pub fn seeded<'s>(stores: &'s Stores, root: &'s Entity) -> Answer<Vec<Seeded<'s>>> {
    if !root.has_kin() {
        let rows = &table_of(stores, &root.table)?.rows;
        return Ok(rows.iter().map(|row| (root, Cow::Borrowed(row))).collect());
    }
    let kin: Vec<&Entity> = root.kin.iter().filter_map(|ty| stores.entities.get(ty)).collect();
    match root.strategy {
        Strategy::Single => told_apart(stores, root, &kin),
        Strategy::Each => {
            let mut all = Vec::new();
            for one in kin {
                let rows = &table_of(stores, &one.table)?.rows;
                all.extend(rows.iter().map(|row| (one, Cow::Borrowed(row))));
            }
            Ok(all)
        }
        Strategy::Joined => joined(stores, root, &kin),
    }
}

/// The rows of a shared table, each with the class that its discriminator column names.
fn told_apart<'s>(stores: &'s Stores, root: &Entity, kin: &[&'s Entity]) -> Answer<Vec<Seeded<'s>>> {
    let is_of = |one: &Entity, row: &Row| {
        let told = one.told_by.as_ref();
        told.is_some_and(
            |(column, value)| matches!(row.get(column), Some(Cell::Value(Json::String(own))) if own == value),
        )
    };
    let mut all = Vec::new();
    for row in &table_of(stores, &root.table)?.rows {
        let Some(own) = kin.iter().find(|one| is_of(one, row)) else { return open("of which class a row is") };
        all.push((*own, Cow::Borrowed(row)));
    }
    Ok(all)
}

/// The rows of the root table, each joined with the rows of the same key in the subclass tables. The class is the
/// most derived one with a row.
fn joined<'s>(stores: &'s Stores, root: &'s Entity, kin: &[&'s Entity]) -> Answer<Vec<Seeded<'s>>> {
    let Some(key) = root.field_of(root.id) else { return open("a key that is not plain") };
    let mut all = Vec::new();
    for row in &table_of(stores, &root.table)?.rows {
        let Some(wanted @ Cell::Value(_)) = row.get(key) else { return open("a row without a key") };
        let (mut own, mut whole) = (root, row.clone());
        for one in kin.iter().filter(|one| one.ty != root.ty) {
            let Some(part) = table_of(stores, &one.table)?.rows.iter().find(|part| part.get(key) == Some(wanted))
            else {
                continue;
            };
            whole.extend(part.iter().map(|(column, cell)| (column.clone(), cell.clone())));
            match (own.kin.contains(&one.ty), one.kin.contains(&own.ty)) {
                (true, _) => own = one,
                (_, true) => {}
                _ => return open("of which class a row is"),
            }
        }
        all.push((own, Cow::Owned(whole)));
    }
    Ok(all)
}

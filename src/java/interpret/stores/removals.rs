//! Deletes rows with their cascades; refused if another row refers to one of them.

use super::data::{Entity, Mapped, Mapping, OnDelete, Stores};
use super::keys::SEVERAL;
use super::refusals::PARTED;
use super::state::StoreOperation;
use super::writes::VIOLATED;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open, throw};
use crate::interpret::values::value::{ObjId, Value};
use crate::ir::ids::TypeId;

impl<'p> Machine<'p> {
    /// Deletes a row with its cascades; refused if another row refers to it.
    pub fn remove_row(&mut self, entity: &'p Entity, row: ObjId) -> Answer<()> {
        let is_first = self.store.removing.is_empty();
        if is_first {
            let mut together = Vec::new();
            self.gather_removed(entity, row, &mut together)?;
            self.store.removing = together;
        }
        let removed = self.remove_one(entity, row);
        if is_first {
            self.store.removing.clear();
        }
        removed
    }

    /// Collects a row and the rows that are deleted with it.
    fn gather_removed(&mut self, entity: &'p Entity, row: ObjId, together: &mut Vec<ObjId>) -> Answer<()> {
        let entity = self.own_entity(entity, row);
        let Some(stores) = self.stores() else { return Ok(()) };
        self.step()?;
        if together.contains(&row) {
            return Ok(());
        }
        together.push(row);
        for field in &entity.fields {
            let Some(target) = removed_with(field).and_then(|target| stores.entities.get(&target)) else { continue };
            for item in self.referred_by(row, field)? {
                if let Value::Ref(id) = item
                    && self.store.is_row(target, id)
                {
                    self.gather_removed(target, id, together)?;
                }
            }
        }
        Ok(())
    }

    fn remove_one(&mut self, entity: &'p Entity, row: ObjId) -> Answer<()> {
        let entity = self.own_entity(entity, row);
        let Some(stores) = self.stores() else { return Ok(()) };
        self.step()?;
        let mut held = self.store.rows.get(&entity.root).into_iter().flatten();
        let is_new = held.any(|held| held.object == row && held.at.is_none());
        for field in &entity.fields {
            let Some(target) = removed_with(field).and_then(|target| stores.entities.get(&target)) else { continue };
            let items = self.referred_by(row, field)?;
            if matches!(field.mapping, Mapping::One { .. }) {
                self.drop_row(entity, row);
            }
            for item in items {
                let Value::Ref(id) = item else { return open("what a row refers to is not known") };
                if self.store.is_row(target, id) {
                    self.remove_one(target, id)?;
                }
            }
        }
        self.drop_row(entity, row);
        self.referred(stores, entity, row, is_new)
    }

    /// The values that a field of a row refers to; empty if it is null.
    fn referred_by(&mut self, row: ObjId, field: &Mapped) -> Answer<Vec<Value>> {
        let value = self.read_member(&Value::Ref(row), field.member)?;
        Ok(match self.given_items(&value) {
            Some(items) => items,
            None if value.is_null() => Vec::new(),
            None => vec![value],
        })
    }

    /// The rows of exactly this entity class that may refer to a row; only known rows can refer to a new one.
    fn rows_for(&mut self, entity: &'p Entity, is_new: bool) -> Answer<Vec<ObjId>> {
        let mut rows = match is_new {
            true => self.known_rows(entity.ty)?.0,
            false => self.rows_of(entity.ty)?,
        };
        rows.retain(|row| self.own_entity(entity, *row).ty == entity.ty);
        Ok(rows)
    }

    fn drop_row(&mut self, entity: &Entity, row: ObjId) {
        let Some(rows) = self.store.rows.get_mut(&entity.root) else { return };
        let before = rows.len();
        rows.retain(|held| held.object != row);
        if rows.len() < before {
            self.store.deeds.push(StoreOperation::Removed { entity: entity.ty, row });
        }
    }

    /// Applies the foreign keys to a deleted row: refuses the delete, or deletes the rows that refer to it, as the schema says.
    fn referred(&mut self, stores: &'p Stores, entity: &'p Entity, row: ObjId, is_new: bool) -> Answer<()> {
        if stores.is_parted(entity) {
            return open(PARTED);
        }
        for other in stores.entities.values() {
            for field in &other.fields {
                let points = match &field.mapping {
                    Mapping::One { target, .. } | Mapping::ManyIn { target, .. } => is_seen_as(stores, entity, *target),
                    _ => false,
                };
                if !points {
                    continue;
                }
                for held in self.rows_for(other, is_new)? {
                    let value = self.read_member(&Value::Ref(held), field.member)?;
                    let refers = match &value {
                        Value::Ref(id) if *id == row => true,
                        value => self
                            .given_items(value)
                            .is_some_and(|items| items.iter().any(|item| matches!(item, Value::Ref(id) if *id == row))),
                    };
                    if !refers {
                        continue;
                    }
                    // The order of deletion is up to the store, so it is unknown whether the delete is refused.
                    if self.store.removing.contains(&held) {
                        return open("rows that are removed together refer to one another");
                    }
                    let yields = match &field.mapping {
                        Mapping::One { column, .. } => yields(stores, entity, &other.table, column),
                        // The entry of the join table would be deleted, which changes the other row's collection.
                        Mapping::ManyIn { table, own, .. } | Mapping::ManyIn { table, other: own, .. }
                            if yields(stores, entity, table, own) != OnDelete::Refuses =>
                        {
                            OnDelete::Changes
                        }
                        _ => OnDelete::Refuses,
                    };
                    match yields {
                        OnDelete::Refuses => return Err(throw(self, VIOLATED)),
                        OnDelete::Changes => return open("the database changes what refers to a row that is removed"),
                        OnDelete::Goes => {
                            self.step()?;
                            self.drop_row(other, held);
                            self.referred(stores, other, held, is_new)?;
                        }
                    }
                }
            }
        }
        // Foreign keys whose column is stored in a plain field, not in a reference.
        let Some(table) = stores.tables.get(&entity.table) else { return Ok(()) };
        if table.references.is_empty() {
            return Ok(());
        }
        let Some(id) = entity.single() else { return open(SEVERAL) };
        let own = self.read_member(&Value::Ref(row), id)?;
        for (column, from) in &table.references {
            for holder in stores.entities.values().filter(|other| other.table == *from) {
                let is_kept =
                    |field: &&Mapped| matches!(&field.mapping, Mapping::Basic { column: own, .. } if own == column);
                let Some(plain) = holder.fields.iter().find(is_kept) else { continue };
                for held in self.rows_for(holder, is_new)? {
                    let value = self.read_member(&Value::Ref(held), plain.member)?;
                    if !value.is_null() && self.same_in_store(&value, &own)? {
                        return Err(throw(self, VIOLATED));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether an entity is another one or a subclass of it.
fn is_seen_as(stores: &Stores, entity: &Entity, other: TypeId) -> bool {
    other == entity.ty || stores.entities.get(&other).is_some_and(|other| other.kin.contains(&entity.ty))
}

/// The action on rows of a table that refer through a column to a deleted row.
fn yields(stores: &Stores, entity: &Entity, table: &str, column: &str) -> OnDelete {
    let found = stores.tables.get(&entity.table).into_iter().flat_map(|table| &table.yielding);
    let mut own = found.filter(|(by, from, _)| by == column && from == table);
    own.next().map_or(OnDelete::Refuses, |(.., yields)| *yields)
}

/// The entity whose rows are deleted together with a row because of this field.
fn removed_with(field: &Mapped) -> Option<TypeId> {
    match &field.mapping {
        Mapping::ManyBy { target, cascade, orphans, .. } => (cascade.remove || *orphans).then_some(*target),
        Mapping::One { target, cascade, .. }
        | Mapping::OneBy { target, cascade, .. }
        | Mapping::ManyIn { target, cascade, .. } => cascade.remove.then_some(*target),
        _ => None,
    }
}

//! Writes: inserts and changes of rows, and their state at the end of a request.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{Cell, Entity, KeyGenerator, Keys, Mapping, Stores};
use super::keys::SEVERAL;
use super::seeded::EMPTY;
use super::state::{StoreOperation, StoreState, StoredRow};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, Fail, open, throw};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::ids::TypeId;

/// Spring's exception for a violated constraint of the store.
pub const VIOLATED: &str = "org.springframework.dao.DataIntegrityViolationException";

impl<'p> Machine<'p> {
    /// Saves an object: inserts it if it is new, else updates its row. Returns the object of the row.
    pub fn save_row(&mut self, entity: &'p Entity, object: ObjId) -> Answer<ObjId> {
        let entity = self.own_entity(entity, object);
        if let Some(why) = &entity.open {
            return open(why);
        }
        let (rows, all) = self.known_rows(entity.root)?;
        if rows.contains(&object) {
            self.check(entity, object)?;
            self.cascade_save(entity, object)?;
            self.store.saved.insert(object);
            self.store.deeds.push(StoreOperation::Changed { entity: entity.ty, row: object });
            return Ok(object);
        }
        if matches!(self.object(object).kind, Kind::Escaped(_)) {
            return open("what is saved is not known");
        }
        if !entity.parts.is_empty() {
            return self.save_by_parts(entity, object, &rows, all);
        }
        let key = self.read_member(&Value::Ref(object), entity.id)?;
        let is_new = match &key {
            Value::Scalar(Scalar::Null) => true,
            Value::Scalar(number) => {
                matches!(self.field_type(entity.id), Type::Prim(prim) if prim.zero() == *number && prim != Prim::Bool)
            }
            Value::Symbol(symbol) if symbol.term.is_key() => false,
            _ => return open("the key of what is saved is not known"),
        };
        if is_new {
            if entity.keys == Keys::Assigned {
                return Err(throw(self, "org.springframework.orm.jpa.JpaSystemException"));
            }
            return self.insert_row(entity, object);
        }
        for row in rows {
            let own = self.read_member(&Value::Ref(row), entity.id)?;
            if self.same_in_store(&own, &key)? {
                return self.overwrite(entity, row, object);
            }
        }
        match entity.keys {
            _ if entity.is_document => self.insert_row(entity, object),
            _ if !all => open("whether a row of this key is there"),
            Keys::Generated => open("a row with a key that the store has not made"),
            Keys::Assigned | Keys::Shared => {
                // `merge` stores a copy of its argument.
                let copy = self.object(object).clone();
                let copy = self.allocate(copy);
                self.insert_row(entity, copy)
            }
        }
    }

    /// Saves an object with a composite key: it is always merged (Spring Data, `AbstractEntityInformation.isNew`).
    fn save_by_parts(&mut self, entity: &'p Entity, object: ObjId, rows: &[ObjId], all: bool) -> Answer<ObjId> {
        let key = self.key_values(entity, object)?;
        if !key.iter().all(|value| matches!(value, Value::Scalar(_)) && !value.is_null()) {
            return open("the key of what is saved is not known");
        }
        for row in rows {
            if self.has_key(entity, *row, &key)? {
                return self.overwrite(entity, *row, object);
            }
        }
        if !all {
            return open("whether a row of this key is there");
        }
        let copy = self.object(object).clone();
        let copy = self.allocate(copy);
        self.insert_row(entity, copy)
    }

    /// Makes read-only fields unknown, since another field with the same column determines their value.
    pub(super) fn leave_read_only(&mut self, entity: &'p Entity, row: ObjId) -> Answer<()> {
        for field in entity.fields.iter().filter(|field| field.is_read_only) {
            if !self.read_member(&Value::Ref(row), field.member)?.is_null() {
                return open("a column that two fields keep");
            }
            let declared = self.field_type(field.member);
            let unknown = Value::unknown("what a column that another field keeps refers to", declared);
            self.object_mut(row).fields.insert(field.member, unknown);
        }
        Ok(())
    }

    /// Inserts an object as a new row.
    pub fn insert_row(&mut self, entity: &'p Entity, object: ObjId) -> Answer<ObjId> {
        if let Err(Fail::Open(why)) = self.rows_of(entity.ty) {
            self.store.partial.insert(entity.root, why.to_string());
        }
        let is_new = !entity.is_document || self.read_member(&Value::Ref(object), entity.id)?.is_null();
        for (when, callback) in &entity.callbacks {
            if *when == "PrePersist" {
                self.invoke(*callback, Some(Value::Ref(object)), Vec::new())?;
            }
        }
        let declared = self.field_type(entity.id);
        match entity.keys {
            Keys::Generated if !is_new => {}
            Keys::Generated if self.may_be_taken(entity) => {
                return open("whether the number of a new row is taken by one that a script inserts");
            }
            Keys::Generated => {
                let key = self.make_key(entity, &declared);
                self.object_mut(object).fields.insert(entity.id, key);
            }
            Keys::Shared => {
                let of = entity.fields.iter().find(|field| matches!(field.mapping, Mapping::One { .. }));
                if let Some(of) = of
                    && let Value::Ref(other) = self.read_member(&Value::Ref(object), of.member)?
                    && let Some(key) = self.key_of(other)?
                {
                    self.object_mut(object).fields.insert(entity.id, key);
                }
            }
            Keys::Assigned => {}
        }
        self.leave_read_only(entity, object)?;
        self.store.rows.entry(entity.root).or_default().push(StoredRow { object, at: None, kept: None });
        self.check(entity, object)?;
        self.cascade_save(entity, object)?;
        self.store.saved.insert(object);
        if entity.is_document {
            let at = self.store.rows.get(&entity.root).map(Vec::len).unwrap_or_default();
            self.keep_row(entity.root, at.saturating_sub(1));
        }
        self.store.deeds.push(StoreOperation::Inserted { entity: entity.ty, row: object });
        Ok(object)
    }

    /// Whether a generated number may equal the explicit number of a row that a script inserted.
    fn may_be_taken(&self, entity: &Entity) -> bool {
        let Some(stores) = self.stores() else { return false };
        if entity.is_document || !stores.tables_of(entity).any(|name| stores.tables.contains_key(name)) {
            return false;
        }
        let table = stores.tables.get(&entity.table).unwrap_or(&EMPTY);
        let Some(column) = entity.field_of(entity.id) else { return false };
        let by_column = match entity.numbered {
            KeyGenerator::Column => true,
            KeyGenerator::Sequence => false,
            KeyGenerator::Open => stores.by_column,
        };
        let is_counted = table.column(column).is_some_and(|column| column.is_counted);
        if (by_column || is_counted) && stores.goes_on || is_counted && !table.is_numbered {
            return false;
        }
        // Rows with generated numbers in scripts have used up numbers too.
        let counted = if is_counted { table.rows.len() } else { 0 };
        let made = i64::try_from(self.store.keys.saturating_add(counted)).unwrap_or(i64::MAX);
        let from = table.restarts.filter(|_| by_column || is_counted).unwrap_or(1);
        let numbers = from..=from.saturating_add(made);
        let mut rows =
            stores.tables_of(entity).filter_map(|name| stores.tables.get(name)).flat_map(|table| &table.rows);
        rows.any(|row| match row.get(column) {
            Some(Cell::Value(number)) => number.as_i64().is_some_and(|number| numbers.contains(&number)),
            _ => false,
        })
    }

    /// The key of an entity object.
    pub fn key_of(&mut self, object: ObjId) -> Answer<Option<Value>> {
        let ClassRef::Project(ty) = self.object(object).class else { return Ok(None) };
        let Some(entity) = self.stores().and_then(|stores| stores.entities.get(&ty)) else { return Ok(None) };
        let Some(id) = entity.single() else { return open(SEVERAL) };
        Ok(Some(self.read_member(&Value::Ref(object), id)?))
    }

    /// Saves referenced rows if saving cascades to them; refuses references to unsaved objects.
    pub(super) fn cascade_save(&mut self, entity: &'p Entity, object: ObjId) -> Answer<()> {
        let Some(stores) = self.stores() else { return Ok(()) };
        for field in entity.fields.iter().filter(|field| !field.is_read_only) {
            let (target, cascade) = match &field.mapping {
                Mapping::One { target, cascade, .. }
                | Mapping::OneBy { target, cascade, .. }
                | Mapping::ManyBy { target, cascade, .. }
                | Mapping::ManyIn { target, cascade, .. } => (target, *cascade),
                _ => continue,
            };
            let Some(target) = stores.entities.get(target) else { continue };
            let value = self.read_member(&Value::Ref(object), field.member)?;
            let items = match (&field.mapping, &value) {
                (_, value) if value.is_null() => continue,
                (Mapping::One { .. } | Mapping::OneBy { .. }, value) => vec![value.clone()],
                (_, value) => match self.given_items(value) {
                    Some(items) => items,
                    None => return open("a collection of a row is not known"),
                },
            };
            for item in items {
                let Value::Ref(id) = item else { return open("what a row refers to is not known") };
                if self.known_rows(target.ty)?.0.contains(&id) {
                    continue;
                }
                let inverse = matches!(field.mapping, Mapping::OneBy { .. } | Mapping::ManyBy { .. });
                match self.row_like(target, id)? {
                    Some(_) => {}
                    None if cascade.persist || cascade.merge => {
                        self.save_row(target, id)?;
                    }
                    None if inverse => {}
                    None => {
                        let key = self.read_member(&Value::Ref(id), target.id)?;
                        if !key.is_null() {
                            self.asked(target, target.id, &key, 0);
                        }
                        let class = match key.is_null() {
                            true => "org.springframework.dao.InvalidDataAccessApiUsageException",
                            false => VIOLATED,
                        };
                        return Err(throw(self, class));
                    }
                }
            }
        }
        Ok(())
    }

    /// The row with the same key as an object that is not a row.
    pub(super) fn row_like(&mut self, entity: &'p Entity, object: ObjId) -> Answer<Option<ObjId>> {
        let key = self.key_values(entity, object)?;
        if key.iter().any(Value::is_null) {
            return Ok(None);
        }
        let (rows, all) = self.known_rows(entity.ty)?;
        for row in rows {
            if self.has_key(entity, row, &key)? {
                return Ok(Some(row));
            }
        }
        if all { Ok(None) } else { open("whether a row of this key is there") }
    }

    /// Restores the rows from before a failed request.
    pub fn roll_back(&mut self, before: &StoreState) {
        for held in before.rows.values().flatten() {
            if let Some(kept) = &held.kept {
                let object = self.object_mut(held.object);
                object.fields = kept.fields.clone();
                object.kind = kept.kind.clone();
            }
        }
        // A failed request does not undo changes of documents, unless these have transactions.
        let documents: BTreeSet<TypeId> = self
            .stores()
            .into_iter()
            .flat_map(|stores| stores.entities.values())
            .filter(|entity| entity.is_document)
            .map(|entity| entity.ty)
            .collect();
        let wrote = self.store.deeds.get(before.deeds.len()..).unwrap_or_default().iter().any(|deed| {
            matches!(deed, StoreOperation::Inserted { entity, .. } | StoreOperation::Changed { entity, .. }
                | StoreOperation::Removed { entity, .. } | StoreOperation::Emptied { entity } if documents.contains(entity))
        });
        if wrote {
            self.forget_documents("a request that failed had changed documents");
        }
        for (entity, rows) in before.rows.iter().filter(|(entity, _)| !documents.contains(entity)) {
            self.store.rows.insert(*entity, rows.clone());
        }
        // Tables first accessed by this request still have their initial rows.
        let fresh: Vec<TypeId> = self
            .store
            .rows
            .keys()
            .filter(|ty| !before.rows.contains_key(ty) && !documents.contains(ty))
            .copied()
            .collect();
        for entity in fresh {
            self.store.rows.remove(&entity);
        }
        self.store.saved.clear();
    }

    /// Ends a request: discards unsaved changes, and rebuilds inverse collections.
    pub fn end_request(&mut self) -> Answer<()> {
        let Some(stores) = self.stores() else { return Ok(()) };
        let transactional = self.members.iter().any(|member| {
            let of = self.project.member(*member);
            let at = |annotations: &[crate::ir::facts::Annotation]| {
                annotations
                    .iter()
                    .find(|a| a.simple() == "Transactional")
                    .map(|a| matches!(a.arg("readOnly"), Some(crate::ir::facts::Value::Bool(true))))
            };
            at(&of.annotations).or_else(|| at(&self.project.ty(member.ty).annotations)) == Some(false)
        });
        let entities: Vec<TypeId> = self.store.rows.keys().copied().collect();
        for ty in &entities {
            let transactional = transactional && stores.entities.get(ty).is_some_and(|entity| !entity.is_document);
            let rows = self.store.rows.get(ty).cloned().unwrap_or_default();
            for (at, held) in rows.iter().enumerate() {
                let saved = self.store.saved.contains(&held.object);
                if let Some(kept) = held.kept.clone().filter(|_| !transactional && !saved) {
                    let object = self.object_mut(held.object);
                    object.fields = kept.fields.clone();
                    object.kind = kept.kind.clone();
                }
                if matches!(self.object(held.object).kind, Kind::Escaped(_)) {
                    return open("a row was handed to code that is not followed");
                }
                let own = match &self.object(held.object).class {
                    ClassRef::Project(own) => stores.entities.get(own),
                    ClassRef::Library(_) => None,
                };
                if let Some(entity) = own {
                    self.refer_to_rows(entity, held.object)?;
                }
                self.keep_row(*ty, at);
            }
        }
        for ty in entities {
            let kin = stores.entities.get(&ty).map(|entity| entity.kin.as_slice()).unwrap_or_default();
            for entity in kin.iter().filter_map(|ty| stores.entities.get(ty)) {
                self.read_anew(stores, entity)?;
            }
            let count = self.store.rows.get(&ty).map(Vec::len).unwrap_or_default();
            (0..count).for_each(|at| self.keep_row(ty, at));
        }
        self.store.saved.clear();
        Ok(())
    }

    /// Rebuilds the collections and inverse references that the references of other rows determine.
    fn read_anew(&mut self, stores: &'p Stores, entity: &'p Entity) -> Answer<()> {
        let (mut rows, _) = self.known_rows(entity.ty)?;
        rows.retain(|row| self.own_entity(entity, *row).ty == entity.ty);
        for field in &entity.fields {
            let (Mapping::ManyBy { target, by, .. } | Mapping::OneBy { target, by, .. }) = &field.mapping else {
                continue;
            };
            let back = stores.entities.get(target).and_then(|other| other.field(by));
            let Some(back) = back.map(|back| back.member) else { continue };
            let (others, _) = self.known_rows(*target)?;
            let mut by_row: BTreeMap<ObjId, Vec<ObjId>> = BTreeMap::new();
            for other in others {
                if let Value::Ref(row) = self.read_member(&Value::Ref(other), back)? {
                    by_row.entry(row).or_default().push(other);
                }
            }
            let declared = self.field_type(field.member);
            for row in &rows {
                let found = by_row.remove(row).unwrap_or_default();
                let value = match &field.mapping {
                    Mapping::OneBy { .. } => found.first().map_or(Value::NULL, |other| Value::Ref(*other)),
                    _ => self.with_its_order(|machine| machine.collection(&declared, found, field.order.as_ref()))?,
                };
                self.object_mut(*row).fields.insert(field.member, value);
            }
        }
        Ok(())
    }
}

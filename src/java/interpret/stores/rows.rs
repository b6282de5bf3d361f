//! Rows as objects of their entity's class, created with their references when a table is first accessed.

use std::rc::Rc;

use serde_json::Value as Json;

use super::data::{Cell, Entity, Keys, Mapping, Row, Starter, StartupKeys, Stores, Texts};
use super::seeded::{seeded, table_of};
use super::state::{CHOSEN, StoredRow};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::contents::{Contents, contents};
use crate::interpret::library::base::support::{Answer, Fail, compare_scalars, open};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{Input, InputPlace, Term};
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::ids::TypeId;

/// Maximum number of rows per table.
const MOST: usize = 600;

impl<'p> Machine<'p> {
    /// The stores of the project, if this run follows them.
    pub fn stores(&self) -> Option<&'p Stores> {
        self.cx.wiring.stores()
    }

    /// The rows of an entity, in insertion order.
    pub fn rows_of(&mut self, entity: TypeId) -> Answer<Vec<ObjId>> {
        let Some(stores) = self.stores() else { return open("what the store holds is not known") };
        self.start(stores)?;
        self.load(stores, entity)?;
        Ok(self.held_rows(entity))
    }

    /// The rows of an entity and its subclasses that currently exist on the path.
    fn held_rows(&self, entity: TypeId) -> Vec<ObjId> {
        let Some(stores) = self.stores() else { return Vec::new() };
        let rows = self.store.rows.get(&stores.root(entity)).into_iter().flatten().map(|row| row.object);
        match stores.entities.get(&entity) {
            Some(entity) if entity.root != entity.ty => rows.filter(|row| self.is_kin(entity, *row)).collect(),
            _ => rows.collect(),
        }
    }

    /// Whether an object's class is the entity's class or a subclass entity.
    pub(super) fn is_kin(&self, entity: &Entity, object: ObjId) -> bool {
        matches!(&self.object(object).class, ClassRef::Project(ty) if entity.kin.contains(ty))
    }

    /// The entity of an object's run-time class, if that is this entity or a subclass; else this entity.
    pub(super) fn own_entity(&self, entity: &'p Entity, object: ObjId) -> &'p Entity {
        match &self.object(object).class {
            ClassRef::Project(ty) if entity.kin.contains(ty) => {
                self.stores().and_then(|stores| stores.entities.get(ty)).unwrap_or(entity)
            }
            _ => entity,
        }
    }

    /// The known rows of an entity, and whether these are all.
    pub fn known_rows(&mut self, entity: TypeId) -> Answer<(Vec<ObjId>, bool)> {
        match self.rows_of(entity) {
            Ok(rows) => Ok((rows, true)),
            Err(Fail::Open(_)) => Ok((self.held_rows(entity), false)),
            Err(stop) => Err(stop),
        }
    }

    /// Runs the startup code. If it cannot be followed, the rows that it may have stored are unknown.
    fn start(&mut self, stores: &'p Stores) -> Answer<()> {
        if std::mem::replace(&mut self.store.is_started, true) {
            return Ok(());
        }
        for starter in &stores.starters {
            let doubts = std::mem::take(&mut self.doubts);
            self.store.is_starting = true;
            let frames = std::mem::take(&mut self.frames);
            let done = self.quietly(|machine| {
                machine.doubts.clear();
                let run = machine.run_starter(starter)?;
                Ok(run && machine.doubts.is_empty())
            })?;
            self.frames = frames;
            self.store.is_starting = false;
            self.doubts = doubts;
            for entity in &starter.entities {
                let root = stores.root(*entity);
                match done {
                    Some(true) => {
                        let count = self.store.rows.get(&root).map(Vec::len).unwrap_or_default();
                        (0..count).for_each(|at| self.keep_row(root, at));
                    }
                    _ => {
                        let why = "code that runs when the service starts is not followed";
                        self.store.partial.insert(root, why.to_owned());
                        self.store.rows.remove(&root);
                    }
                }
            }
        }
        self.store.deeds.clear();
        self.store.saved.clear();
        self.store.is_unordered = false;
        Ok(())
    }

    fn run_starter(&mut self, starter: &Starter) -> Eval<bool> {
        let this = Value::Ref(self.bean(starter.ty)?);
        let params = self.project.member(starter.method).params.clone();
        let mut args = Vec::new();
        for param in &params {
            let declared = self.type_of(starter.ty, &param.ty);
            args.push(match starter.is_factory {
                true => self.injected(&declared, &param.name, &param.annotations)?,
                false => Value::unknowable("how the service is started", declared),
            });
        }
        let made = self.invoke(starter.method, Some(this), args)?;
        if starter.is_factory {
            let none = self.array(Vec::new(), Type::Str);
            self.call_method(made, "run", vec![none])?;
        }
        Ok(true)
    }

    fn load(&mut self, stores: &'p Stores, ty: TypeId) -> Answer<()> {
        let ty = stores.root(ty);
        if let Some(why) = self.store.partial.get(&ty) {
            return open(why);
        }
        if self.store.rows.contains_key(&ty) {
            return Ok(());
        }
        let Some(entity) = stores.entities.get(&ty) else { return open("no entity") };
        if let Some(why) = &entity.open {
            return open(why);
        }
        if entity.is_document {
            return open(super::documents::collections::UNSEEN);
        }
        let rows = seeded(stores, entity)?;
        if rows.len() > MOST {
            return open("there are many rows");
        }
        let mut held = Vec::new();
        for (at, (entity, row)) in rows.iter().enumerate() {
            let class = Type::Class(ClassRef::Project(entity.ty), Vec::new());
            let made = self.quietly(|machine| machine.construct_type(&class, Vec::new()))?;
            let Some(Value::Ref(object)) = made else { return open("an entity could not be made") };
            for field in &entity.fields {
                let Mapping::Basic { column, ordinal } = &field.mapping else { continue };
                let declared = self.field_type(field.member);
                let cell = row.get(column).unwrap_or(&Cell::Null);
                let value = self.cell_value(cell, &declared, *ordinal)?;
                self.object_mut(object).fields.insert(field.member, value);
            }
            held.push(StoredRow { object, at: Some(at), kept: None });
        }
        self.store.rows.insert(ty, held.clone());
        // Collections are built after all references are set, since sets call `hashCode` and `equals` of their
        // elements.
        let is_outer = self.store.loading.is_empty();
        self.store.loading.push(ty);
        for ((entity, row), held) in rows.iter().zip(&held) {
            for field in entity.fields.iter().filter(|field| matches!(field.mapping, Mapping::One { .. })) {
                self.relate(stores, entity, row, field, held.object)?;
            }
        }
        if is_outer {
            let mut at = 0;
            while let Some(ty) = self.store.loading.get(at).copied() {
                at += 1;
                self.gather_rows(stores, ty)?;
            }
            self.store.loading.clear();
        }
        Ok(())
    }

    /// Fills the collections and inverse references of an entity's rows.
    fn gather_rows(&mut self, stores: &'p Stores, ty: TypeId) -> Answer<()> {
        let Some(entity) = stores.entities.get(&ty) else { return Ok(()) };
        let rows = seeded(stores, entity)?;
        let held: Vec<StoredRow> = self.store.rows.get(&ty).cloned().unwrap_or_default();
        for ((entity, row), held) in rows.iter().zip(&held) {
            let plain =
                |mapping: &Mapping| matches!(mapping, Mapping::Basic { .. } | Mapping::Transient | Mapping::One { .. });
            for field in entity.fields.iter().filter(|field| !plain(&field.mapping)) {
                self.relate(stores, entity, row, field, held.object)?;
            }
        }
        for at in 0..held.len() {
            self.keep_row(ty, at);
        }
        Ok(())
    }

    fn relate(
        &mut self,
        stores: &'p Stores,
        entity: &'p Entity,
        row: &Row,
        field: &super::data::Mapped,
        object: ObjId,
    ) -> Answer<()> {
        let declared = self.field_type(field.member);
        let related = self.with_its_order(|machine| machine.related(stores, entity, row, field, &declared));
        let value = match related {
            Ok(value) => value,
            Err(Fail::Open(why)) => Value::unknown(&why, declared),
            Err(stop) => return Err(stop),
        };
        self.object_mut(object).fields.insert(field.member, value);
        Ok(())
    }

    /// Records a row's current state as the stored state; the entity is the root of its hierarchy.
    pub fn keep_row(&mut self, entity: TypeId, at: usize) {
        let Some(object) = self.store.rows.get(&entity).and_then(|rows| rows.get(at)).map(|row| row.object) else {
            return;
        };
        let kept = Rc::new(self.object(object).clone());
        if let Some(row) = self.store.rows.get_mut(&entity).and_then(|rows| rows.get_mut(at)) {
            row.kept = Some(kept);
        }
    }

    /// The value of a field that refers to other rows.
    fn related(
        &mut self,
        stores: &'p Stores,
        entity: &'p Entity,
        row: &Row,
        field: &super::data::Mapped,
        declared: &Type,
    ) -> Answer {
        let own = entity.single().and_then(|id| row.get(entity.field_of(id)?));
        match &field.mapping {
            Mapping::One { target, column, .. } => {
                let wanted = match row.get(column) {
                    None if entity.keys == Keys::Shared => own,
                    given => given,
                };
                match wanted {
                    None | Some(Cell::Null) => Ok(Value::NULL),
                    Some(Cell::Unknown) => open("what a row refers to is not known"),
                    Some(cell) => {
                        let found = self.rows_where(stores, *target, None, cell)?;
                        Ok(found.first().map_or(Value::NULL, |object| Value::Ref(*object)))
                    }
                }
            }
            Mapping::OneBy { target, by, .. } => {
                let Some(own) = own else { return open("a row without a key") };
                let found = self.rows_where(stores, *target, Some(by), own)?;
                Ok(found.first().map_or(Value::NULL, |object| Value::Ref(*object)))
            }
            Mapping::ManyBy { target, by, .. } => {
                let Some(own) = own else { return open("a row without a key") };
                let found = self.rows_where(stores, *target, Some(by), own)?;
                self.collection(declared, found, field.order.as_ref())
            }
            Mapping::ManyIn { target, table, own: here, other, .. } => {
                let Some(own) = own else { return open("a row without a key") };
                let found = self.paired(stores, *target, (table, here, other), own)?;
                self.collection(declared, found, field.order.as_ref())
            }
            Mapping::ManyInBy { target, by } => {
                let Some(own) = own else { return open("a row without a key") };
                let back = stores.entities.get(target).and_then(|entity| entity.field(by));
                let Some(Mapping::ManyIn { table, own: there, other: here, .. }) = back.map(|field| &field.mapping)
                else {
                    return open("a relation is not understood");
                };
                let found = self.paired(stores, *target, (table, here, there), own)?;
                self.collection(declared, found, field.order.as_ref())
            }
            _ => open("how a field is kept is not modelled"),
        }
    }

    /// Rows of an entity by the value of its key, or of the column of a reference.
    fn rows_where(&mut self, stores: &'p Stores, ty: TypeId, by: Option<&str>, wanted: &Cell) -> Answer<Vec<ObjId>> {
        let Some(entity) = stores.entities.get(&ty) else { return open("a relation to what is no entity") };
        self.load(stores, ty)?;
        let column = match by {
            None => entity.single().and_then(|id| entity.field_of(id)),
            Some(by) => match entity.field(by).map(|field| &field.mapping) {
                Some(Mapping::One { column, .. }) => Some(column.as_str()),
                _ => None,
            },
        };
        let Some(column) = column else { return open("a relation is not understood") };
        let Some(root) = stores.entities.get(&entity.root) else { return open("no entity") };
        let fallback = entity.field_of(entity.id).filter(|_| entity.keys == Keys::Shared);
        let mut found = Vec::new();
        for (at, (_, row)) in
            seeded(stores, root)?.iter().enumerate().filter(|(_, (own, _))| entity.kin.contains(&own.ty))
        {
            let cell = row.get(column).or_else(|| row.get(fallback?));
            match cell {
                Some(Cell::Unknown) => return open("what a row refers to is not known"),
                Some(cell) if cell == wanted => {
                    let rows = self.store.rows.get(&entity.root).into_iter().flatten();
                    found.extend(rows.filter(|held| held.at == Some(at)).map(|held| held.object));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn paired(
        &mut self,
        stores: &'p Stores,
        target: TypeId,
        (table, here, there): (&str, &str, &str),
        own: &Cell,
    ) -> Answer<Vec<ObjId>> {
        let pairs = table_of(stores, table)?;
        let mut found = Vec::new();
        for pair in &pairs.rows {
            if pair.get(here) == Some(own)
                && let Some(other) = pair.get(there)
            {
                found.extend(self.rows_where(stores, target, None, other)?);
            }
        }
        Ok(found)
    }

    /// Builds a field's value from other rows. If the store chose their order, the value is marked, so that only code that reads the field
    /// depends on it.
    pub(super) fn with_its_order(&mut self, make: impl FnOnce(&mut Self) -> Answer) -> Answer {
        let before = std::mem::take(&mut self.store.is_unordered);
        let made = make(self);
        let is_chosen = std::mem::replace(&mut self.store.is_unordered, before);
        if is_chosen && let Ok(Value::Ref(id)) = &made {
            self.object_mut(*id).parts.insert(CHOSEN, Value::bool(true));
        }
        made
    }

    /// A collection of rows in the declared type of a field or method.
    pub fn collection(&mut self, declared: &Type, rows: Vec<ObjId>, order: Option<&(String, bool)>) -> Answer {
        let mut rows = rows;
        if let Some((name, down)) = order {
            self.sort_rows(&mut rows, std::slice::from_ref(&(name.clone(), *down)))?;
        } else if rows.len() > 1 {
            self.store.is_unordered = true;
        }
        let items: Vec<Value> = rows.into_iter().map(Value::Ref).collect();
        let list = Object::new(ClassRef::library("java.util.ArrayList"), Kind::List { items, fixed: false });
        let list = Value::Ref(self.allocate(list));
        let set = match declared.library() {
            Some("java.util.Set") if order.is_some() => "java.util.LinkedHashSet",
            Some("java.util.Set") => "java.util.HashSet",
            Some("java.util.SortedSet") => "java.util.TreeSet",
            Some("java.util.Map" | "java.util.SortedMap") => return open("rows as a map"),
            _ => return Ok(list),
        };
        let made = self.quietly(|machine| machine.call_library(set, "<init>", None, vec![list.clone()]))?;
        let Some(Value::Ref(id)) = made else { return open("a set of rows could not be made") };
        if set == "java.util.HashSet" && !matches!(contents(&self.heap, id), Some(Contents::Set(_))) {
            // The hashes differ between runs, so the iteration order is unknown.
            self.store.is_unordered = true;
            let made =
                self.quietly(|machine| machine.call_library("java.util.LinkedHashSet", "<init>", None, vec![list]))?;
            return made.map_or_else(|| open("a set of rows could not be made"), Ok);
        }
        Ok(Value::Ref(id))
    }

    /// Sorts rows by the values of fields.
    pub fn sort_rows(&mut self, rows: &mut [ObjId], by: &[(String, bool)]) -> Answer<()> {
        let mut keyed: Vec<(Vec<Value>, ObjId)> = Vec::new();
        for row in rows.iter() {
            let mut keys = Vec::new();
            for (path, _) in by {
                let path: Vec<String> = path.split('.').map(str::to_owned).collect();
                keys.push(self.path_value(*row, &path)?);
            }
            keyed.push((keys, *row));
        }
        let exactly = self.stores().is_none_or(|stores| stores.texts == Texts::Exactly);
        let mut failed = false;
        let mut tie = false;
        keyed.sort_by(|(a, _), (b, _)| {
            for ((x, y), (_, down)) in a.iter().zip(b).zip(by) {
                let order = match (x.scalar(), y.scalar()) {
                    (Some(x), Some(y)) if x == y => 0,
                    (Some(Scalar::Str(x)), Some(Scalar::Str(y))) if !exactly && !is_ordered_alike(&x.text, &y.text) => {
                        failed = true;
                        0
                    }
                    (Some(x), Some(y)) => compare_scalars(x, y).unwrap_or_else(|| {
                        failed = true;
                        0
                    }),
                    _ => {
                        failed = true;
                        0
                    }
                };
                if order != 0 {
                    let order = order.cmp(&0);
                    return if *down { order.reverse() } else { order };
                }
            }
            tie = true;
            std::cmp::Ordering::Equal
        });
        if failed {
            return open("an order of rows is not known");
        }
        self.store.is_unordered |= tie;
        for (place, (_, row)) in rows.iter_mut().zip(keyed) {
            *place = row;
        }
        Ok(())
    }

    /// Converts a cell to the type of a field.
    fn cell_value(&mut self, cell: &Cell, declared: &Type, ordinal: bool) -> Answer {
        let json = match cell {
            Cell::Null => {
                return Ok(match declared {
                    Type::Prim(_) => Value::unknowable("a field without a value in the store", declared.clone()),
                    _ => Value::NULL,
                });
            }
            Cell::Unknown => return Ok(Value::unknowable("what a script computes", declared.clone())),
            Cell::Value(json) => json,
        };
        let written = match json {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        let value = match declared {
            Type::Str => Some(self.fresh_text(&written)),
            Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool) => match written.to_ascii_lowercase().as_str() {
                "true" | "t" | "1" | "y" => Some(Value::bool(true)),
                "false" | "f" | "0" | "n" => Some(Value::bool(false)),
                _ => None,
            },
            Type::Prim(prim) | Type::Boxed(prim) => number(&written, *prim).map(Value::Scalar),
            Type::Class(ClassRef::Project(ty), _) => {
                let constants = self.enum_constants(*ty);
                let found = match json {
                    Json::Number(place) if ordinal => {
                        place.as_u64().and_then(|at| constants.get(usize::try_from(at).ok()?)).cloned()
                    }
                    _ => constants.iter().find(|name| ***name == *written).cloned(),
                };
                found.map(|name| Value::Scalar(Scalar::Enum(ClassRef::Project(*ty), name)))
            }
            Type::Class(ClassRef::Library(fqn), _) => {
                let fqn = fqn.to_string();
                self.written_value(&fqn, &written)?
            }
            _ => None,
        };
        Ok(value.unwrap_or_else(|| Value::unknowable("how a value is read from the store", declared.clone())))
    }

    fn written_value(&mut self, fqn: &str, written: &str) -> Eval<Option<Value>> {
        let (name, text) = match fqn {
            "java.math.BigDecimal" | "java.math.BigInteger" => ("<init>", written.to_owned()),
            "java.time.LocalDate" => ("parse", written.get(..10).unwrap_or(written).to_owned()),
            "java.time.LocalDateTime" => {
                let text = written.replacen(' ', "T", 1);
                ("parse", if text.len() == 10 { format!("{text}T00:00:00") } else { text })
            }
            "java.time.LocalTime" => ("parse", written.to_owned()),
            "java.util.UUID" => ("fromString", written.to_owned()),
            _ => return Ok(None),
        };
        let text = self.fresh_text(&text);
        let fqn = fqn.to_owned();
        let made = self.quietly(|machine| machine.call_library(&fqn, name, None, vec![text]))?;
        Ok(made.filter(|value| matches!(value, Value::Ref(_))))
    }

    /// The numeric key of a row inserted while the service starts, if the tables were empty before.
    fn count_key(&mut self, entity: &Entity, declared: &Type) -> Option<Value> {
        let (Type::Prim(prim) | Type::Boxed(prim)) = declared else { return None };
        let stores = self.stores()?;
        let is_fresh = |name: &str| stores.tables.get(name).is_none_or(|table| table.rows.is_empty());
        let counter = match entity.counting {
            StartupKeys::Table if stores.tables_of(entity).all(is_fresh) => Some(entity.root),
            StartupKeys::Shared if stores.tables.values().all(|table| table.rows.is_empty()) => None,
            _ => return None,
        };
        let number = self.store.counters.entry(counter).or_default();
        *number += 1;
        number_of(*number, *prim).map(Value::Scalar)
    }

    /// A new generated key, which equals only itself.
    pub fn make_key(&mut self, entity: &Entity, declared: &Type) -> Value {
        if self.store.is_starting
            && let Some(key) = self.count_key(entity, declared)
        {
            return key;
        }
        self.store.keys += 1;
        let name = format!("{}#{}", entity.name, self.store.keys);
        Value::symbol(Term::Input(Input::new(InputPlace::Store, &name)), declared.clone(), false)
    }
}

fn number_of(value: i64, prim: Prim) -> Option<Scalar> {
    number(&value.to_string(), prim)
}

/// A number of this type.
fn number(text: &str, prim: Prim) -> Option<Scalar> {
    Some(match prim {
        Prim::Byte => Scalar::Byte(text.parse().ok()?),
        Prim::Short => Scalar::Short(text.parse().ok()?),
        Prim::Int => Scalar::Int(text.parse().ok()?),
        Prim::Long => Scalar::Long(text.parse().ok()?),
        Prim::Float => Scalar::Float(text.parse().ok()?),
        Prim::Double => Scalar::Double(text.parse().ok()?),
        Prim::Bool | Prim::Char => return None,
    })
}

/// Whether two texts have the same order by code points and by language rules.
fn is_ordered_alike(x: &str, y: &str) -> bool {
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_plain(x) && is_plain(y) && x.cmp(y) == x.to_lowercase().cmp(&y.to_lowercase())
}

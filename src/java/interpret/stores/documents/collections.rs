//! The documents that a path knows, by collection: inserts, finds, replaces and removes them.

use std::rc::Rc;

use super::filters::Filter;
use super::kept::CopyKind;
use super::object_ids;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, Fail, native, open, throw};
use crate::interpret::stores::data::{Entity, Keys};
use crate::interpret::stores::state::{StoreOperation, StoredRow};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::ids::TypeId;

/// The reason why the result of a query is unknown: it may include documents that the path did not write.
pub const UNSEEN: &str = "the documents that are there from the start";

/// How a document is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveMode {
    /// Inserted: an existing document with the same key is an error.
    New,
    /// Inserted, or replacing the document with the same key.
    Either,
}

/// The documents of a path that a filter matches.
pub struct MatchingDocuments {
    /// The known documents, in insertion order.
    pub rows: Vec<ObjId>,
    /// Whether these are all.
    pub all: bool,
}

impl<'p> Machine<'p> {
    /// Makes the documents of all classes unknown, since code that is not followed may have changed them.
    pub fn forget_documents(&mut self, why: &str) {
        let Some(stores) = self.stores() else { return };
        for entity in stores.entities.values().filter(|entity| entity.is_document) {
            self.forget_rows(entity, why);
        }
    }

    fn forget_rows(&mut self, entity: &Entity, why: &str) {
        self.store.rows.remove(&entity.ty);
        self.store.partial.insert(entity.ty, why.to_owned());
        self.store.lost.insert(entity.ty);
    }

    /// Whether the driver's codec stores the documents of a class.
    pub fn is_by_codec(&self, ty: TypeId) -> bool {
        self.store.collections.get(&ty).is_some_and(|(_, by_codec)| *by_codec)
    }

    /// Records the collection of a class. A class in two collections, or two classes in one, is not modelled.
    pub fn in_collection(&mut self, entity: &'p Entity, name: &str, by_codec: bool) -> Answer<()> {
        let own = (Rc::from(name), by_codec);
        let held = self.store.collections.get(&entity.ty).cloned();
        // Collection names of the driver have the name of their database as a prefix.
        let ends = |of: &str, with: &str| of == with || of.ends_with(&format!(".{with}"));
        let same = |other: &str| ends(other, name) || ends(name, other);
        let mut others = self.store.collections.iter().filter(|(ty, (other, _))| **ty != entity.ty && same(other));
        if held.is_some_and(|held| held != own) || others.next().is_some() {
            self.forget_documents("documents of several classes, or in several collections");
            return open("documents of several classes, or in several collections");
        }
        if let Some(why) = &entity.open {
            return open(why);
        }
        self.store.collections.insert(entity.ty, own);
        Ok(())
    }

    /// A document as the code receives it: a new copy each time.
    pub fn read_document(&mut self, row: ObjId) -> Answer<ObjId> {
        let ClassRef::Project(ty) = self.object(row).class else { return Ok(row) };
        let entity = self.stores().and_then(|stores| stores.entities.get(&ty)).filter(|one| one.is_document);
        if entity.is_none_or(|entity| !self.store.is_row(entity, row)) {
            return Ok(row);
        }
        let by_codec = self.is_by_codec(ty);
        self.document_copy(row, CopyKind { reads: true, by_codec })
    }

    /// The documents that a filter matches.
    pub fn documents(&mut self, entity: &'p Entity, filter: &Filter) -> Answer<MatchingDocuments> {
        let (rows, mut all) = self.known_rows(entity.ty)?;
        let mut found = Vec::new();
        for row in rows {
            if self.is_met_by(entity, row, filter)? {
                found.push(row);
            }
        }
        let id = entity.field_name(entity.id).unwrap_or("_id");
        if let Some(key) = filter.key(id) {
            let name = object_ids::digits(self, key).unwrap_or_else(|| key.clone());
            self.asked(entity, entity.id, &name, found.len());
            // A key that this path generated exists, unless the path removed it.
            let own = matches!(&name, Value::Symbol(symbol) if symbol.term.is_key());
            all = all || !found.is_empty() || own && !self.store.lost.contains(&entity.ty);
        } else {
            self.store.deeds.push(StoreOperation::Listed { entity: entity.ty });
        }
        Ok(MatchingDocuments { rows: found, all })
    }

    /// Saves an object as a document. An object without a key gets a generated one.
    pub fn keep_document(&mut self, entity: &'p Entity, object: ObjId, keep: SaveMode) -> Answer<ObjId> {
        if let Some(why) = &entity.open {
            return open(why);
        }
        if matches!(self.object(object).kind, Kind::Escaped(_)) {
            return open("what is saved is not known");
        }
        if entity.fields.iter().any(|field| field.is_unique) {
            return open("whether a value is there already");
        }
        let by_codec = self.is_by_codec(entity.ty);
        if !by_codec {
            self.check(entity, object)?;
        }
        let (rows, all) = self.known_rows(entity.ty)?;
        let key = self.read_member(&Value::Ref(object), entity.id)?;
        if key.is_null() {
            let made = self.made_key(entity, by_codec)?;
            self.object_mut(object).fields.insert(entity.id, made);
            return self.add_document(entity, object, all, by_codec);
        }
        let digits = object_ids::digits(self, &key);
        match digits.as_ref().unwrap_or(&key) {
            Value::Scalar(Scalar::Str(text)) => {
                let is_id = text.text.len() == 24 && text.text.bytes().all(|byte| byte.is_ascii_hexdigit());
                if is_id && text.text.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    return open("the key of what is saved is read in another form");
                }
            }
            Value::Scalar(number) if matches!(self.field_type(entity.id), Type::Prim(prim) if prim.zero() == *number) =>
            {
                return open("whether a key of nought is one");
            }
            Value::Scalar(_) | Value::Ref(_) => {}
            Value::Symbol(symbol) if symbol.term.is_key() => {}
            _ => return open("the key of what is saved is not known"),
        }
        for row in rows {
            let own = self.read_member(&Value::Ref(row), entity.id)?;
            if self.same_kept(&own, &key)? {
                if keep == SaveMode::New {
                    let class = if by_codec {
                        "com.mongodb.MongoWriteException"
                    } else {
                        "org.springframework.dao.DuplicateKeyException"
                    };
                    return Err(throw(self, class));
                }
                return self.put_document(entity, row, object, by_codec);
            }
        }
        let is_fresh =
            matches!(digits.as_ref().unwrap_or(&key), Value::Symbol(_)) && !self.store.lost.contains(&entity.ty);
        if keep == SaveMode::New && !all && !is_fresh {
            return open("whether a document of this key is there");
        }
        self.add_document(entity, object, all, by_codec)
    }

    fn made_key(&mut self, entity: &'p Entity, by_codec: bool) -> Answer {
        let declared = self.field_type(entity.id);
        match (&declared, entity.keys) {
            (Type::Class(ClassRef::Library(fqn), _), _) if **fqn == *object_ids::FQN => {
                let key = self.make_key(entity, &Type::Str);
                Ok(native(self, object_ids::FQN, object_ids::ObjectId(key)))
            }
            (Type::Str, Keys::Generated) if !by_codec => Ok(self.make_key(entity, &declared)),
            _ => open("a key that the store does not make"),
        }
    }

    fn add_document(&mut self, entity: &'p Entity, object: ObjId, all: bool, by_codec: bool) -> Answer<ObjId> {
        let row = self.document_copy(object, CopyKind { reads: false, by_codec })?;
        if !all {
            self.store.partial.entry(entity.ty).or_insert_with(|| UNSEEN.to_owned());
        }
        let rows = self.store.rows.entry(entity.ty).or_default();
        rows.push(StoredRow { object: row, at: None, kept: None });
        let at = rows.len() - 1;
        self.keep_row(entity.ty, at);
        self.store.deeds.push(StoreOperation::Inserted { entity: entity.ty, row });
        Ok(row)
    }

    /// Replaces a document by an object.
    pub fn put_document(&mut self, entity: &'p Entity, row: ObjId, object: ObjId, by_codec: bool) -> Answer<ObjId> {
        let copy = self.document_copy(object, CopyKind { reads: false, by_codec })?;
        let rows = self.store.rows.entry(entity.ty).or_default();
        let Some(at) = rows.iter().position(|held| held.object == row) else { return open("a document that is gone") };
        rows[at].object = copy;
        self.keep_row(entity.ty, at);
        self.store.deeds.push(StoreOperation::Changed { entity: entity.ty, row: copy });
        Ok(copy)
    }

    /// Removes all documents of a class; from then on, all of its documents are known.
    pub fn empty_documents(&mut self, entity: &'p Entity) -> Answer<()> {
        let (rows, _) = self.known_rows(entity.ty)?;
        for row in rows {
            self.store.deeds.push(StoreOperation::Removed { entity: entity.ty, row });
        }
        self.store.partial.remove(&entity.ty);
        self.store.lost.remove(&entity.ty);
        self.store.rows.insert(entity.ty, Vec::new());
        self.store.deeds.push(StoreOperation::Emptied { entity: entity.ty });
        Ok(())
    }

    /// Removes the documents that a filter matches; returns their number, if known.
    pub fn remove_documents(&mut self, entity: &'p Entity, filter: &Filter, only_one: bool) -> Answer<Option<usize>> {
        if filter.is_all() && !only_one {
            let (rows, all) = self.known_rows(entity.ty)?;
            self.empty_documents(entity)?;
            return Ok(all.then_some(rows.len()));
        }
        let found = self.followed(entity, filter)?;
        if only_one && (found.rows.len() > 1 || !found.all && !found.rows.is_empty()) {
            self.forget_rows(entity, "which document is removed is not known");
            return open("which document is removed is not known");
        }
        for row in &found.rows {
            self.remove_row(entity, *row)?;
        }
        Ok(found.all.then_some(found.rows.len()))
    }

    /// The documents that a filter matches, for a change. If the filter is open, any document may have changed.
    pub fn followed(&mut self, entity: &'p Entity, filter: &Filter) -> Answer<MatchingDocuments> {
        let found = self.documents(entity, filter);
        if let Err(Fail::Open(why)) = &found {
            let why = why.to_string();
            self.forget_rows(entity, &why);
        }
        found
    }
}

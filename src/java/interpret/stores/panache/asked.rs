//! Methods of Panache's entities and repositories.

use super::query::Query;
use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::library::base::support::{Answer, Fail, open, reference, spread};
use crate::interpret::library::functions::optional;
use crate::interpret::stores::answers::OPTIONAL;
use crate::interpret::stores::data::{Entity, Stores};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{ObjId, Type, Value};
use crate::ir::ids::TypeId;

/// Annotations under which a method runs in a transaction.
const TRANSACTIONAL: &[&str] = &["Transactional"];

/// What the names of methods that change rows begin with.
const CHANGING: &[&str] = &["delete", "persist", "update"];

impl<'p> Machine<'p> {
    /// A method that a class has from Panache, on an entity or repository, or statically of an entity; `None` if the
    /// class has nothing of Panache.
    pub fn call_panache(
        &mut self,
        ty: TypeId,
        receiver: Option<&Value>,
        (name, args): (&str, &[Value]),
        result: &Type,
    ) -> Option<Eval> {
        if self.is_opaque() {
            return None;
        }
        let stores = self.stores()?;
        let entity = stores.entities.get(stores.panache.get(&ty)?)?;
        let own = receiver.and_then(reference).filter(|id| self.is_kin(entity, *id));
        let exit = self.exit;
        let what = format!("{}.{name}", self.simple_name(ty));
        let before = self.effects.len();
        let answer = match &entity.open {
            Some(why) => open(why),
            None => self.ask_panache(stores, entity, own, (name, args))?,
        };
        Some(match self.by_hibernate(answer) {
            Ok(value) => {
                self.models.insert("panache");
                self.exit = exit;
                Ok(value)
            }
            Err(Fail::Stop(stop)) => Err(stop),
            Err(Fail::Open(why)) => {
                self.effects.truncate(before);
                // Rows that it may have changed are not known to later reads.
                if CHANGING.iter().any(|begin| name.starts_with(begin)) {
                    self.doubt(&format!("what {what} changes is not followed"));
                }
                let mut given = args.to_vec();
                given.extend(receiver.cloned());
                self.unknown_call(&format!("{what}: {why}"), &given, result.clone())
            }
        })
    }

    fn ask_panache(
        &mut self,
        stores: &'p Stores,
        entity: &'p Entity,
        own: Option<ObjId>,
        (name, args): (&str, &[Value]),
    ) -> Option<Answer> {
        let query = |machine: &Self, args: &[Value]| match Query::read(machine, entity, args) {
            Some(query) => Ok(query),
            None => open("a query that is not known"),
        };
        if let Some(id) = own
            && let Some(answer) = self.of_row(stores, id, name, args)
        {
            return Some(answer);
        }
        self.effects.push(format!("{}.{name}", self.simple_name(entity.ty)).into());
        Some(match (name, args) {
            ("flush", []) => Ok(Value::NULL),
            ("persist" | "persistAndFlush", several) => self.persist_all(stores, several),
            ("delete", [Value::Ref(id)]) if self.is_kin(entity, *id) => self.of_row(stores, *id, "delete", &[])?,
            ("isPersistent", [Value::Ref(id)]) => self.of_row(stores, *id, "isPersistent", &[])?,
            ("findById" | "findByIdOptional" | "deleteById", [key]) => self.by_key_of_panache(entity, name, key),
            ("findAll", args) if args.len() < 2 => query(self, args).map(|query| self.panache_object(query)),
            ("listAll" | "streamAll", args) if args.len() < 2 => {
                let how = if name == "listAll" { "list" } else { "stream" };
                query(self, args).and_then(|query| self.give_query(stores, &query, how))
            }
            ("find", [_, ..]) => query(self, args).map(|query| self.panache_object(query)),
            ("list" | "stream", [_, ..]) => query(self, args).and_then(|query| self.give_query(stores, &query, name)),
            ("count", _) => query(self, args).and_then(|query| self.give_query(stores, &query, "count")),
            ("delete", [_, ..]) | ("deleteAll", []) => {
                let query = query(self, args);
                self.may_write().and(query).and_then(|query| self.delete_query(stores, &query))
            }
            ("update", _) => open("an update by a query"),
            ("getEntityManager", []) => {
                let package = if stores.is_jakarta { "jakarta" } else { "javax" };
                Ok(self.modelled(&format!("{package}.persistence.EntityManager"), &[]))
            }
            _ => return None,
        })
    }

    /// A method of one row, or of an object that is to be one.
    fn of_row(&mut self, stores: &'p Stores, id: ObjId, name: &str, args: &[Value]) -> Option<Answer> {
        Some(match (name, args) {
            ("persist" | "persistAndFlush", []) => self.may_write().and_then(|()| self.persisted(stores, id)),
            ("delete", []) => self.may_write().and_then(|()| self.removed(stores, id)),
            ("isPersistent", []) => self.contains(stores, id),
            ("flush", []) => Ok(Value::NULL),
            _ => return None,
        })
    }

    /// Persists the objects of a call: one, several, or those of a collection.
    fn persist_all(&mut self, stores: &'p Stores, several: &[Value]) -> Answer {
        self.may_write()?;
        let all = match several {
            [only] => self.given_items(only).unwrap_or_else(|| several.to_vec()),
            several => several.iter().flat_map(|one| spread(self, std::slice::from_ref(one))).collect(),
        };
        for one in all {
            let Some(id) = reference(&one) else { return open("what is kept is not known") };
            self.persisted(stores, id)?;
        }
        Ok(Value::NULL)
    }

    fn by_key_of_panache(&mut self, entity: &'p Entity, name: &str, key: &Value) -> Answer {
        if entity.single().is_none() {
            return open("the key is made of several values");
        }
        if key.is_null() {
            return open("how a key that is null is refused");
        }
        if name == "deleteById" {
            self.may_write()?;
        }
        let found = self.find_key(entity, key)?;
        match (name, found) {
            ("deleteById", Some(row)) => {
                self.remove_row(entity, row)?;
                Ok(Value::bool(true))
            }
            ("deleteById", None) => Ok(Value::bool(false)),
            ("findByIdOptional", found) => Ok(optional::of(self, OPTIONAL, found.map_or(Value::NULL, Value::Ref))),
            (_, found) => Ok(found.map_or(Value::NULL, Value::Ref)),
        }
    }

    /// Whether a transaction is under way: interceptors of Quarkus also run where an object calls its own method, so
    /// any method of the path may have begun it.
    fn may_write(&self) -> Answer<()> {
        let begins = self.frames.iter().any(|frame| {
            let member = frame.code.member;
            has(&self.project.member(member).annotations, TRANSACTIONAL)
                || has(&self.project.ty(member.ty).annotations, TRANSACTIONAL)
        });
        if begins { Ok(()) } else { open("whether a transaction is under way") }
    }

    /// What the models of rows throw for Spring is not what Hibernate throws when the transaction ends.
    fn by_hibernate(&self, answer: Answer) -> Answer {
        let is_foreign = match &answer {
            Err(Fail::Stop(Stop::Throw(thrown))) => {
                matches!(&thrown.class, Some(ClassRef::Library(fqn)) if fqn.starts_with("org.springframework."))
            }
            _ => false,
        };
        if is_foreign { open("how the database refuses a row") } else { answer }
    }
}

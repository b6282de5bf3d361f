//! `EntityManager`: finds, queries, persists, merges and removes rows on the same stores as repositories.

use super::data::{Entity, Keys, Stores};
use super::derived::Purpose;
use super::jpql;
use super::keys::SEVERAL;
use super::queries::Window;
use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, Fail, int, native, open, reference, text, throw};
use crate::interpret::library::functions::stream_state;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Native, ObjId, Type, Value};
use crate::ir::constant::Constant;
use crate::ir::facts::{Annotation, Modifiers, Value as Arg};

const QUERY: &str = "jakarta.persistence.TypedQuery";
const VIOLATED: &str = "org.springframework.dao.DataIntegrityViolationException";
const USAGE: &str = "org.springframework.dao.InvalidDataAccessApiUsageException";

/// Annotations of classes whose methods are transactional by default.
const MANAGED: &[&str] = &["Stateless", "Stateful"];

/// The part of a class name after the JPA package, `javax` or `jakarta`.
pub fn jpa_name(fqn: &str) -> Option<&str> {
    fqn.strip_prefix("javax.persistence.").or_else(|| fqn.strip_prefix("jakarta.persistence."))
}

/// A query under construction.
#[derive(Debug, Clone)]
struct Query {
    text: String,
    given: Vec<(String, Value)>,
    first: usize,
    most: Option<usize>,
}

impl Native for Query {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.given.iter().map(|(_, value)| value.clone()).collect()
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, name: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let receiver = reference(call.receiver?)?;
    let stores = machine.stores()?;
    match name {
        "EntityManager" => machine.manage(stores, call),
        "TypedQuery" | "Query" => machine.run_query(stores, receiver, call),
        _ => None,
    }
}

impl<'p> Machine<'p> {
    /// The injected `EntityManager`, if the stores are followed.
    pub fn entity_manager(&mut self, declared: &Type, annotations: &[Annotation]) -> Option<Value> {
        let fqn = declared.library().filter(|fqn| jpa_name(fqn) == Some("EntityManager"))?.to_owned();
        let stores = self.stores()?;
        let is_extended = annotations.iter().any(|annotation| annotation.arg("type").is_some());
        (!stores.entities.is_empty() && !is_extended).then(|| self.modelled(&fqn, &[]))
    }

    fn manage(&mut self, stores: &'p Stores, call: &LibraryCall<'_>) -> Option<Answer> {
        let of_class = |value: &Value| match value {
            Value::Class(Type::Class(ClassRef::Project(ty), _)) => stores.entities.get(ty),
            _ => None,
        };
        let exit = self.exit;
        let answer = match (call.name, call.args) {
            ("find", [class, key]) => {
                let entity = of_class(class)?;
                self.find(entity, key)
            }
            ("getReference", [class, key]) => match self.find(of_class(class)?, key) {
                Ok(found) if found.is_null() => open("a reference to a row that is not there"),
                found => found,
            },
            ("persist", [Value::Ref(object)]) => self.persist(stores, *object),
            ("merge", [Value::Ref(object)]) => self.merge(stores, *object),
            ("remove", [Value::Ref(object)]) => self.remove(stores, *object),
            ("contains", [Value::Ref(object)]) => self.contains(stores, *object),
            ("persist" | "merge" | "remove" | "contains", [object]) if object.is_null() => {
                match self.refused("java.lang.IllegalArgumentException", USAGE) {
                    Ok(fail) | Err(fail) => Err(fail),
                }
            }
            ("flush", []) => self.in_transaction().map(|()| Value::NULL),
            ("createQuery", [written] | [written, Value::Class(_)]) => {
                let text = text(written)?.to_owned();
                Ok(self.query(text))
            }
            ("createNamedQuery", [name] | [name, Value::Class(_)]) => {
                let name = text(name)?.to_owned();
                match self.named_query(stores, &name) {
                    Some(text) => Ok(self.query(text)),
                    None => open("a named query"),
                }
            }
            _ => return None,
        };
        if answer.is_ok() {
            self.exit = exit;
        }
        Some(answer)
    }

    fn query(&mut self, text: String) -> Value {
        native(self, QUERY, Query { text, given: Vec::new(), first: 0, most: None })
    }

    /// The text of a named query, from annotations of entities.
    fn named_query(&self, stores: &Stores, wanted: &str) -> Option<String> {
        let of = |ty, annotation: &Annotation, arg: &str| match self.project.eval(ty, annotation.arg(arg)?).value {
            Constant::Str(text) => Some(text),
            _ => None,
        };
        for ty in stores.entities.keys() {
            for annotation in &self.project.ty(*ty).annotations {
                let several = match (annotation.simple(), annotation.arg("value")) {
                    ("NamedQuery", _) => vec![annotation],
                    ("NamedQueries", Some(Arg::Annotation(one))) => vec![one],
                    ("NamedQueries", Some(Arg::Array(items))) => items
                        .iter()
                        .filter_map(|item| if let Arg::Annotation(one) = item { Some(one) } else { None })
                        .collect(),
                    _ => continue,
                };
                let found = several.into_iter().find(|one| of(*ty, one, "name").as_deref() == Some(wanted));
                if let Some(found) = found {
                    return of(*ty, found, "query");
                }
            }
        }
        None
    }

    /// Records an effect, so that a request counts as reading or writing.
    fn noted(&mut self, entity: &Entity, what: &str) {
        self.effects.push(format!("{}.{what}", self.simple_name(entity.ty)).into());
    }

    fn entity_of(&self, stores: &'p Stores, object: ObjId) -> Answer<&'p Entity> {
        let found = match self.object(object).class {
            ClassRef::Project(ty) => stores.entities.get(&ty),
            ClassRef::Library(_) => None,
        };
        match found {
            Some(Entity { open: Some(why), .. }) => open(why),
            Some(Entity { is_document: true, .. }) | None => open("what is no entity"),
            Some(entity) => Ok(entity),
        }
    }

    fn find(&mut self, entity: &'p Entity, key: &Value) -> Answer {
        if let Some(why) = &entity.open {
            return open(why);
        }
        if key.is_null() {
            return Err(self.refused("java.lang.IllegalArgumentException", USAGE)?);
        }
        let Some(id) = entity.single() else { return open(SEVERAL) };
        let declared = self.field_type(id);
        let fits = match (&declared, key) {
            (Type::Prim(own) | Type::Boxed(own), key) => key.prim() == Some(*own),
            (Type::Str, Value::Scalar(Scalar::Str(_))) => true,
            (_, Value::Ref(_) | Value::Symbol(_)) => true,
            _ => false,
        };
        if !fits {
            return open("a key of another type");
        }
        self.noted(entity, "find");
        Ok(self.find_key(entity, key)?.map_or(Value::NULL, Value::Ref))
    }

    fn is_unset(&self, entity: &Entity, key: &Value) -> bool {
        match (key, self.field_type(entity.id)) {
            (Value::Scalar(Scalar::Null), _) => true,
            (Value::Scalar(number), Type::Prim(prim)) => prim.zero() == *number && prim != Prim::Bool,
            _ => false,
        }
    }

    fn persist(&mut self, stores: &'p Stores, object: ObjId) -> Answer {
        self.entity_of(stores, object)?;
        self.in_transaction()?;
        self.persisted(stores, object)
    }

    /// Persists an object within a transaction.
    pub(super) fn persisted(&mut self, stores: &'p Stores, object: ObjId) -> Answer {
        let entity = self.entity_of(stores, object)?;
        self.noted(entity, "persist");
        if self.known_rows(entity.ty)?.0.contains(&object) {
            self.attached(object)?;
            self.save_row(entity, object)?;
            return Ok(Value::NULL);
        }
        let Some(id) = entity.single() else { return open(SEVERAL) };
        let key = self.read_member(&Value::Ref(object), id)?;
        match (entity.keys, self.is_unset(entity, &key)) {
            (Keys::Generated, true) => {}
            (Keys::Generated, false) if matches!(key, Value::Scalar(_)) => {
                return Err(self.failed("PersistenceException", USAGE)?);
            }
            (Keys::Assigned, false) if matches!(key, Value::Scalar(_)) => {
                if self.find_key(entity, &key)?.is_some() {
                    return Err(throw(self, VIOLATED));
                }
            }
            (Keys::Shared, _) => {}
            _ => return open("the key of what is kept is not known"),
        }
        self.insert_row(entity, object)?;
        Ok(Value::NULL)
    }

    fn merge(&mut self, stores: &'p Stores, object: ObjId) -> Answer {
        let entity = self.entity_of(stores, object)?;
        self.in_transaction()?;
        self.noted(entity, "merge");
        let key = self.read_member(&Value::Ref(object), entity.id)?;
        if self.is_unset(entity, &key) && entity.keys == Keys::Generated {
            // `merge` stores a copy of its argument.
            let copy = self.object(object).clone();
            let copy = self.allocate(copy);
            return self.insert_row(entity, copy).map(Value::Ref);
        }
        self.save_row(entity, object).map(Value::Ref)
    }

    fn remove(&mut self, stores: &'p Stores, object: ObjId) -> Answer {
        self.entity_of(stores, object)?;
        self.in_transaction()?;
        self.removed(stores, object)
    }

    /// Removes a row within a transaction.
    pub(super) fn removed(&mut self, stores: &'p Stores, object: ObjId) -> Answer {
        let entity = self.entity_of(stores, object)?;
        self.noted(entity, "remove");
        if !self.store.is_row(entity, object) {
            return open("what is no row is removed");
        }
        self.attached(object)?;
        self.remove_row(entity, object)?;
        Ok(Value::NULL)
    }

    pub(super) fn contains(&mut self, stores: &'p Stores, object: ObjId) -> Answer {
        let entity = self.entity_of(stores, object)?;
        let is_row = self.known_rows(entity.ty)?.0.contains(&object);
        Ok(Value::bool(is_row && self.attached(object).is_ok()))
    }

    /// Fails if no transaction is active, or leaves the result open if that is unknown.
    pub(super) fn in_transaction(&mut self) -> Answer<()> {
        match self.transaction() {
            Some(Some(_)) => Ok(()),
            Some(None) => Err(self.failed("TransactionRequiredException", USAGE)?),
            None => open("whether a transaction is under way"),
        }
    }

    /// The index of the outermost frame that runs in a transaction: a call from another object to a method with a transactional annotation.
    /// `Some(None)` if no transaction is active, `None` if that is unknown.
    pub(in crate::interpret) fn transaction(&self) -> Option<Option<usize>> {
        if self.store.is_starting {
            return None;
        }
        let mut caller: Option<ObjId> = None;
        for (at, frame) in self.frames.iter().enumerate() {
            let this = frame.this.as_ref().and_then(reference);
            let (member, class) = (self.project.member(frame.code.member), self.project.ty(frame.code.member.ty));
            let own = this.map(|id| self.object(id).class.clone());
            let concrete = own.and_then(|class| if let ClassRef::Project(ty) = class { Some(ty) } else { None });
            let mut annotated: Vec<&Annotation> = member.annotations.iter().chain(&class.annotations).collect();
            annotated.extend(concrete.into_iter().flat_map(|ty| &self.project.ty(ty).annotations));
            let managed = annotated.iter().any(|annotation| MANAGED.contains(&annotation.simple()));
            let transactional = annotated.iter().find(|annotation| annotation.simple() == "Transactional");
            let is_entered = this.is_some() && this != caller && !member.modifiers.has(Modifiers::PRIVATE);
            if let Some(annotation) = transactional.filter(|_| is_entered) {
                let plain = ["propagation", "value"].iter().all(|name| {
                    annotation.arg(name).is_none_or(|value| {
                        matches!(value, Arg::Name(name) if ["REQUIRED", "REQUIRES_NEW", "MANDATORY"].contains(&name.rsplit('.').next().unwrap_or_default()))
                    })
                });
                return plain.then_some(Some(at));
            }
            if managed && is_entered {
                return Some(Some(at));
            }
            caller = this;
        }
        Some(None)
    }

    /// Leaves the result open unless a row is certain to be attached to the persistence context. A row passed into the transaction is attached
    /// only if the session spans the request.
    fn attached(&self, object: ObjId) -> Answer<()> {
        if self.cx.wiring.keeps_session() {
            return Ok(());
        }
        let Some(Some(at)) = self.transaction() else { return open("whether a row is attached") };
        let Some(frame) = self.frames.get(at) else { return open("whether a row is attached") };
        let given = frame.slots.iter().take(frame.code.params.len());
        let handed = given.into_iter().any(|value| {
            matches!(value, Value::Ref(id) if *id == object)
                || self
                    .given_items(value)
                    .is_some_and(|items| items.iter().any(|item| matches!(item, Value::Ref(id) if *id == object)))
        });
        if handed { open("whether a row is attached") } else { Ok(()) }
    }

    /// A JPA exception; Spring translates it when it leaves a class with `@Repository`.
    fn failed(&mut self, native: &str, translated: &str) -> Answer<Fail> {
        let package = if self.stores().is_some_and(|stores| stores.is_jakarta) { "jakarta" } else { "javax" };
        self.refused(&format!("{package}.persistence.{native}"), translated)
    }

    fn refused(&mut self, native: &str, translated: &str) -> Answer<Fail> {
        let in_repository = self.frames.iter().any(|frame| {
            let this = frame.this.as_ref().and_then(reference).map(|id| &self.object(id).class);
            let concrete = this.and_then(|class| if let ClassRef::Project(ty) = class { Some(*ty) } else { None });
            concrete.is_some_and(|ty| has(&self.project.ty(ty).annotations, &["Repository"]))
        });
        match (in_repository, self.catching) {
            (false, _) => Ok(throw(self, native)),
            (true, 0) => Ok(throw(self, translated)),
            (true, _) => open("which exception is caught"),
        }
    }

    fn run_query(&mut self, stores: &'p Stores, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
        let query = self.native::<Query>(id)?.clone();
        let number = |value: &Value| usize::try_from(int(value)?).ok();
        match (call.name, call.args) {
            ("setParameter", [name, value]) => {
                let name = text(name).map(str::to_owned).or_else(|| int(name).map(|number| number.to_string()))?;
                self.native_mut::<Query>(id)?.given.push((name, value.clone()));
            }
            ("setMaxResults", [most]) => {
                let most = number(most)?;
                self.native_mut::<Query>(id)?.most = Some(most);
            }
            ("setFirstResult", [first]) => {
                let first = number(first)?;
                self.native_mut::<Query>(id)?.first = first;
            }
            ("setHint" | "setFlushMode", _) => {}
            ("getResultList" | "getSingleResult" | "getResultStream" | "executeUpdate", []) => {
                return Some(self.answer_query(stores, &query, call.name));
            }
            _ => return None,
        }
        call.receiver.cloned().map(Ok)
    }

    fn answer_query(&mut self, stores: &'p Stores, query: &Query, how: &str) -> Answer {
        let given = |name: &str| query.given.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        let Some(read) = jpql::query(stores, &query.text, &given) else { return open("a query that is not simple") };
        self.answer_read(stores, &read, Window { first: query.first, most: query.most }, how)
    }

    /// Runs a query. `how` is the method that runs it, which decides the form of the result.
    pub(super) fn answer_read(&mut self, stores: &'p Stores, read: &jpql::Query, window: Window, how: &str) -> Answer {
        let Some(entity) = stores.entities.get(&read.entity) else { return open("no entity") };
        let deletes = read.purpose == Purpose::Delete;
        if deletes != (how == "executeUpdate") {
            return open("a query of another kind");
        }
        if deletes {
            self.in_transaction()?;
        }
        self.models.insert("entity-manager");
        self.noted(entity, if deletes { "delete" } else { "find" });
        let (_, found) = self.found_by(stores, read, window)?;
        let items = match (read.purpose, &read.gives) {
            (Purpose::Delete, _) => {
                for row in &found {
                    self.delete_row(entity, *row)?;
                }
                return Ok(Value::int(i32::try_from(found.len()).unwrap_or(i32::MAX)));
            }
            (Purpose::Count, _) => vec![Value::Scalar(Scalar::Long(i64::try_from(found.len()).unwrap_or(i64::MAX)))],
            (_, Some(path)) => self.values_of(read, path, found)?,
            (_, None) => {
                self.store.is_unordered |= found.len() > 1 && read.order.is_empty();
                found.into_iter().map(Value::Ref).collect()
            }
        };
        match (how, items.as_slice()) {
            ("getResultList", _) => Ok(self.list_of(items)),
            ("getResultStream", _) => Ok(stream_state::of(self, items, None)),
            (_, [only]) => Ok(only.clone()),
            (_, []) => Err(self.failed("NoResultException", "org.springframework.dao.EmptyResultDataAccessException")?),
            _ => Err(self.failed(
                "NonUniqueResultException",
                "org.springframework.dao.IncorrectResultSizeDataAccessException",
            )?),
        }
    }

    /// Deletes a row by a JPQL statement, which does not cascade.
    pub(super) fn delete_row(&mut self, entity: &'p Entity, row: ObjId) -> Answer<()> {
        use super::data::Mapping;
        let entity = self.own_entity(entity, row);
        let goes_with = |mapping: &Mapping| match mapping {
            Mapping::Basic { .. } | Mapping::Transient | Mapping::OneBy { .. } | Mapping::ManyBy { .. } => false,
            Mapping::One { cascade, .. } => cascade.remove,
            _ => true,
        };
        let cascades = entity.fields.iter().any(|field| match &field.mapping {
            Mapping::ManyBy { cascade, orphans, .. } => cascade.remove || *orphans,
            Mapping::OneBy { cascade, .. } => cascade.remove,
            mapping => goes_with(mapping),
        });
        if cascades {
            return open("a statement deletes a row that others belong to");
        }
        self.remove_row(entity, row)
    }
}

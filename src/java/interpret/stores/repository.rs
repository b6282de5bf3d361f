//! Calls on repositories: their results and effects on the rows of their entity.

use std::rc::Rc;

use super::answers::OPTIONAL;
use super::data::{Entity, Stores};
use super::derived::{self, Query};
use super::documents::collections::SaveMode;
use super::documents::{self, object_ids};
use super::keys::SEVERAL;
use super::state::{LookupValue, StoreOperation};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::support::{Answer, Fail, open, throw};
use crate::interpret::library::frameworks::{pages, sorts};
use crate::interpret::library::functions::optional;
use crate::interpret::linking::code::{CallLink, On};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::facts::{Annotation, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

/// Model id.
const MODEL: &str = "repositories";

impl<'p> Machine<'p> {
    /// The bean of a repository, if its store is followed.
    pub fn repository(&mut self, ty: TypeId) -> Option<Value> {
        let ty = self.repository_behind(self.stores()?, ty)?;
        let key = (ty, Rc::from("repository"));
        if let Some(id) = self.singles.get(&key) {
            return Some(Value::Ref(*id));
        }
        let id = self.allocate(Object::new(ClassRef::Project(ty), Kind::Bean));
        self.singles.insert(key, id);
        Some(Value::Ref(id))
    }

    /// The repository that is injected for a type.
    fn repository_behind(&self, stores: &Stores, ty: TypeId) -> Option<TypeId> {
        if stores.repositories.contains_key(&ty) { Some(ty) } else { self.only_repository(stores, ty) }
    }

    /// Whether a repository call returns several rows or an `Optional`: such a result is never null, even if it is
    /// unknown (Spring Data, "Null Handling of Repository Methods").
    pub fn gives_rows(&self, ty: TypeId, name: &str, args: &[Value], link: &CallLink) -> bool {
        const NEVER_NULL: &[&str] = &[
            "java.lang.Iterable",
            "java.util.Collection",
            "java.util.List",
            "java.util.Set",
            "java.util.stream.Stream",
            OPTIONAL,
            "org.springframework.data.domain.Page",
            "org.springframework.data.domain.Slice",
        ];
        let Some(stores) = self.cx.wiring.declared_stores() else { return false };
        let Some(repository) = self.repository_behind(stores, ty) else { return false };
        let has_body = |method: &MemberId| self.project.member(*method).body.is_some();
        link.result.library().is_some_and(|fqn| NEVER_NULL.contains(&fqn))
            && !link.methods.iter().any(has_body)
            && self.implementing(stores, repository, name, args).is_empty()
    }

    /// Whether a call on a document repository certainly only reads, and returns a value whatever documents there are: a collection, a number or
    /// a boolean.
    pub fn surely_reads(&self, ty: TypeId, name: &str, args: &[Value], result: &Type) -> bool {
        const SEVERAL: &[&str] = &["java.util.List", "java.util.Collection", "java.util.Set", "java.lang.Iterable"];
        let Some(stores) = self.cx.wiring.declared_stores() else { return false };
        let Some(repository) = self.repository_behind(stores, ty) else { return false };
        let is_document = stores
            .repositories
            .get(&repository)
            .and_then(|entity| stores.entities.get(entity))
            .is_some_and(|entity| entity.is_document);
        let link =
            CallLink { on: On::Nothing, methods: Vec::new(), library: None, result: Type::Unknown, spread: None };
        let declared = self.declared(repository, name, args, &link);
        let is_query = declared.is_some_and(|method| self.query_of(method).is_some());
        let is_sure = |arg: &Value| match arg {
            Value::Scalar(scalar) => *scalar != Scalar::Null,
            Value::Ref(id) => !matches!(self.object(*id).kind, Kind::Escaped(_)),
            Value::Unknown(unknown) => unknown.present,
            _ => false,
        };
        let gives = match result {
            Type::Prim(Prim::Long | Prim::Int | Prim::Bool) | Type::Boxed(Prim::Long | Prim::Int | Prim::Bool) => true,
            other => other.library().is_some_and(|fqn| SEVERAL.contains(&fqn)),
        };
        is_document
            && gives
            && !is_query
            && self.is_read(declared, name)
            && args.iter().all(is_sure)
            && self.implementing(stores, repository, name, args).is_empty()
    }

    /// The unknown, non-null result of a call on a store; the call counts as an effect.
    pub fn rows_of_unknown(&mut self, why: &str, ty: Type) -> Value {
        self.unknowns.insert(Rc::from(why));
        self.effects.push(Rc::from(why));
        self.models.insert(MODEL);
        Value::unknowable(why, ty)
    }

    /// The single repository interface for a type, unless an active class of the project implements the type.
    fn only_repository(&self, stores: &Stores, ty: TypeId) -> Option<TypeId> {
        let below = self.project.all_subtypes(ty);
        let mut repositories = below.iter().copied().filter(|sub| stores.repositories.contains_key(sub));
        let (only, None) = (repositories.next()?, repositories.next()) else { return None };
        let mut classes = below.iter().filter(|sub| self.project.ty(**sub).kind == TypeKind::Class);
        let active = self.cx.wiring.property("${spring.profiles.active:default}")?;
        let is_off = |ty: &TypeId| {
            let profile = self.project.ty(*ty).annotations.iter().find(|a| a.simple() == "Profile");
            match profile.and_then(|profile| profile.arg("value")) {
                Some(crate::ir::facts::Value::Str(name)) => {
                    !name.contains(['!', '&', '|', '(']) && !active.split(',').any(|one| one.trim() == name)
                }
                _ => false,
            }
        };
        (classes.all(is_off) && !is_off(&only)).then_some(only)
    }

    /// Whether a type is a repository.
    pub fn is_repository(&self, ty: TypeId) -> bool {
        self.stores().is_some_and(|stores| stores.repositories.contains_key(&ty))
    }

    /// `repository.name(args)` for a method without code in the project.
    pub fn call_repository(&mut self, ty: TypeId, name: &str, args: Vec<Value>, link: &CallLink) -> Eval {
        self.step()?;
        let what = format!("{}.{name}", self.simple_name(ty));
        let declared = self.declared(ty, name, &args, link);
        let is_query = declared.is_some_and(|method| self.query_of(method).is_some());
        let own = self.stores().map(|stores| self.implementing(stores, ty, name, &args)).unwrap_or_default();
        match own.as_slice() {
            [] => {}
            [only] if !is_query => {
                let this = self.bean(only.ty)?;
                return self.invoke_with(*only, Some(Value::Ref(this)), args, link.spread);
            }
            _ if !is_query => {
                return self.unknown_call(&format!("{what}: which class implements it"), &args, link.result.clone());
            }
            _ => {}
        }
        let result = match declared {
            Some(method) => match self.project.member(method).ty.clone() {
                Some(written) => self.type_of(method.ty, &written),
                None => Type::Unknown,
            },
            None => link.result.clone(),
        };
        let before = self.effects.len();
        self.effects.push(Rc::from(what.as_str()));
        self.models.insert(MODEL);
        let exit = self.exit;
        let answer = self.ask(ty, name, &args, declared, &result);
        match answer {
            Ok(value) => {
                self.exit = exit;
                Ok(value)
            }
            Err(Fail::Stop(stop)) => Err(stop),
            Err(Fail::Open(why)) => {
                self.effects.truncate(before);
                if self.surely_reads(ty, name, &args, &result) {
                    return Ok(self.rows_of_unknown(&format!("{what}: {why}"), result));
                }
                if !self.is_read(declared, name) {
                    self.forget_documents("a repository changes documents in a way that is not followed");
                }
                self.unknown_call(&format!("{what}: {why}"), &args, result)
            }
        }
    }

    /// The `@Query` annotation of a method.
    fn query_of(&self, method: MemberId) -> Option<&'p Annotation> {
        self.project.member(method).annotations.iter().find(|a| a.simple() == "Query")
    }

    /// Methods of project classes that implement a repository method and take precedence over the built-in ones.
    fn implementing(&self, stores: &Stores, ty: TypeId, name: &str, args: &[Value]) -> Vec<MemberId> {
        let classes = stores.implementations.get(&ty).map(Vec::as_slice);
        let is_public = |method: &MemberId| {
            let modifiers = self.project.member(*method).modifiers;
            modifiers.has(Modifiers::PUBLIC) && !modifiers.has(Modifiers::STATIC)
        };
        let of = classes.unwrap_or_default().iter().flat_map(|class| self.methods_of(*class, name, args));
        let mut found: Vec<MemberId> = of.filter(is_public).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The declared method that a repository call selects.
    fn declared(&self, ty: TypeId, name: &str, args: &[Value], link: &CallLink) -> Option<MemberId> {
        let of_link = match link.methods.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        of_link.or_else(|| self.methods_of(ty, name, args).into_iter().next())
    }

    fn ask(&mut self, ty: TypeId, name: &str, args: &[Value], declared: Option<MemberId>, result: &Type) -> Answer {
        let Some(stores) = self.stores() else { return open("what the store holds is not known") };
        let entity = stores.repositories.get(&ty).and_then(|entity| stores.entities.get(entity));
        let Some(entity) = entity else { return open("no entity") };
        if let Some(method) = declared {
            let annotations = &self.project.member(method).annotations;
            if let Some(query) = self.query_of(method) {
                return self.written(stores, query, method, args, result);
            }
            if annotations.iter().any(|a| matches!(a.simple(), "NativeQuery" | "Procedure" | "Lock")) {
                return open("a query of another kind");
            }
        }
        if entity.is_document {
            self.in_collection(entity, &entity.table, false)?;
        }
        if let Some(answer) = self.basic(stores, entity, name, args, result) {
            return answer;
        }
        let page = args.last().and_then(|last| pages::request(self, last));
        let sort = match &page {
            Some(request) => Some(request.order.clone()),
            None => args.last().and_then(|last| sorts::orders_of(self, last)),
        };
        let own = if sort.is_some() { &args[..args.len() - 1] } else { args };
        match derived::query(stores, entity, name, own) {
            Some(query) if sort.as_ref().is_some_and(|sort| !sort.is_empty()) && !query.order.is_empty() => {
                open("two orders")
            }
            Some(_) if entity.is_document && !documents::repositories::is_alike(name) => {
                open("a query that documents understand otherwise")
            }
            Some(query) => {
                let order = sort.filter(|sort| !sort.is_empty()).unwrap_or(query.order);
                let part = args.last().zip(page);
                self.derived(entity, &Query { order, ..query }, part, result)
            }
            None => open("it is not understood"),
        }
    }

    /// All rows in the order that the call specifies.
    fn all_sorted(&mut self, entity: &'p Entity, order: &[(String, bool)], result: &Type) -> Answer {
        let mut rows = self.rows_of(entity.ty)?;
        self.store.deeds.push(StoreOperation::Listed { entity: entity.ty });
        match order {
            [] => self.store.is_unordered |= rows.len() > 1,
            order => self.sort_rows(&mut rows, order)?,
        }
        self.give_list(result, rows)
    }

    /// The built-in methods of every repository.
    fn basic(
        &mut self,
        stores: &'p Stores,
        entity: &'p Entity,
        name: &str,
        args: &[Value],
        result: &Type,
    ) -> Option<Answer> {
        let is_list = |machine: &Self, value: &Value| machine.given_items(value).is_some();
        Some(match (name, args) {
            ("findById" | "findOne" | "existsById" | "exists" | "getOne" | "getById" | "getReferenceById", [key])
                if self.is_key_of(entity, key) =>
            {
                self.by_key(entity, name, key, result)
            }
            ("findAll", []) => self.rows_of(entity.ty).and_then(|rows| {
                self.store.deeds.push(StoreOperation::Listed { entity: entity.ty });
                self.store.is_unordered |= rows.len() > 1;
                self.give_list(result, rows)
            }),
            ("findAll", [sort]) if sorts::orders_of(self, sort).is_some() => {
                let order = sorts::orders_of(self, sort).unwrap_or_default();
                self.all_sorted(entity, &order, result)
            }
            ("findAll", [pageable]) if pages::request(self, pageable).is_some() => {
                let request = pages::request(self, pageable)?;
                self.rows_of(entity.ty).and_then(|rows| {
                    self.store.deeds.push(StoreOperation::Listed { entity: entity.ty });
                    self.give_page(rows, &request.order, (pageable, &request), result)
                })
            }
            ("count", []) => self.rows_of(entity.ty).map(|rows| {
                self.store.deeds.push(StoreOperation::Listed { entity: entity.ty });
                Value::Scalar(Scalar::Long(rows.len() as i64))
            }),
            ("findAllById" | "findAll", [keys]) if is_list(self, keys) => self.all_by_keys(entity, keys, result),
            ("insert", [one]) if entity.is_document && !is_list(self, one) => match one {
                Value::Ref(id) => self.keep_document(entity, *id, SaveMode::New).map(|_| one.clone()),
                _ => open("what is saved is not known"),
            },
            ("save" | "saveAndFlush", [one]) if !is_list(self, one) => match one {
                Value::Ref(id) if entity.is_document => {
                    self.keep_document(entity, *id, SaveMode::Either).map(|_| one.clone())
                }
                Value::Ref(id) => self.save_row(entity, *id).map(Value::Ref),
                value if value.is_null() => Err(usage(self)),
                _ => open("what is saved is not known"),
            },
            ("saveAll" | "save" | "saveAllAndFlush", [several]) => self.save_all(entity, several),
            ("delete", [Value::Ref(id)]) if self.is_entity(entity, *id) => self.delete_one(entity, *id),
            ("delete" | "deleteById", [key]) if self.is_key_of(entity, key) => self.delete_by_key(stores, entity, key),
            ("deleteAll" | "deleteAllInBatch", []) => self.delete_rows(entity, None),
            ("deleteAll" | "deleteInBatch" | "deleteAllInBatch" | "delete", [several]) if is_list(self, several) => {
                match self.given_items(several) {
                    Some(items) => self.delete_rows(entity, Some(items)),
                    None => open("what is deleted is not known"),
                }
            }
            ("flush", []) => Ok(Value::NULL),
            _ => return None,
        })
    }

    fn is_entity(&self, entity: &Entity, id: ObjId) -> bool {
        self.is_kin(entity, id)
    }

    /// Whether a value can be a key: anything but an entity.
    fn is_key_of(&self, entity: &Entity, value: &Value) -> bool {
        match value {
            Value::Ref(id) => !self.is_entity(entity, *id) && self.given_items(value).is_none(),
            Value::Lambda(_) | Value::Class(_) => false,
            _ => true,
        }
    }

    /// Records the requested value, so that requests for other rows can be built.
    pub(super) fn asked(&mut self, entity: &Entity, field: MemberId, value: &Value, found: usize) {
        let value = match value {
            Value::Scalar(scalar) => scalar.to_java_string().map_or(LookupValue::Other, LookupValue::Text),
            Value::Symbol(symbol) => match &*symbol.term {
                crate::interpret::values::term::Term::Input(input) => LookupValue::Key(input.name.clone()),
                _ => LookupValue::Other,
            },
            _ => LookupValue::Other,
        };
        self.store.deeds.push(StoreOperation::Asked { entity: entity.ty, field, value, found });
    }

    pub(super) fn find_key(&mut self, entity: &'p Entity, key: &Value) -> Answer<Option<ObjId>> {
        let (rows, all) = self.known_rows(entity.ty)?;
        let values = self.given_key(entity, key)?;
        let mut found = None;
        for row in rows {
            if self.has_key(entity, row, &values)? {
                found = Some(row);
                break;
            }
        }
        match entity.parts.as_slice() {
            [] => {
                let name = object_ids::digits(self, key);
                self.asked(entity, entity.id, name.as_ref().unwrap_or(key), usize::from(found.is_some()));
            }
            parts => {
                for (part, value) in parts.iter().zip(&values) {
                    self.asked(entity, *part, value, usize::from(found.is_some()));
                }
            }
        }
        // A key that the store generated on this path exists, unless the path removed it.
        let name = object_ids::digits(self, key);
        let own = matches!(name.as_ref().unwrap_or(key), Value::Symbol(symbol) if symbol.term.is_key())
            && !self.store.lost.contains(&entity.ty);
        if found.is_none() && !all && !own {
            return open("whether a row of this key is there");
        }
        Ok(found)
    }

    fn by_key(&mut self, entity: &'p Entity, name: &str, key: &Value, result: &Type) -> Answer {
        if key.is_null() {
            return Err(usage(self));
        }
        let found = match self.find_key(entity, key)? {
            Some(row) if !name.starts_with("exists") => Some(self.read_document(row)?),
            found => found,
        };
        Ok(match (name, found) {
            ("existsById" | "exists", found) => Value::bool(found.is_some()),
            ("findById", found) if result.library().is_none_or(|fqn| fqn == OPTIONAL) && result.project().is_none() => {
                optional::of(self, OPTIONAL, found.map_or(Value::NULL, Value::Ref))
            }
            ("findById" | "findOne", found) => found.map_or(Value::NULL, Value::Ref),
            (_, Some(row)) => Value::Ref(row),
            (_, None) => return open("a reference to a row that is not there"),
        })
    }

    fn all_by_keys(&mut self, entity: &'p Entity, keys: &Value, result: &Type) -> Answer {
        let keys = self.given_items(keys).unwrap_or_default();
        let Some(id) = entity.single() else { return open(SEVERAL) };
        let mut found = Vec::new();
        for row in self.rows_of(entity.ty)? {
            let own = self.read_member(&Value::Ref(row), id)?;
            for key in &keys {
                if self.same_in_store(&own, key)? {
                    found.push(row);
                    break;
                }
            }
        }
        self.store.is_unordered |= found.len() > 1;
        self.give_list(result, found)
    }

    fn save_all(&mut self, entity: &'p Entity, several: &Value) -> Answer {
        let Some(items) = self.given_items(several) else { return open("what is saved is not known") };
        let mut saved = Vec::new();
        for item in items {
            let Value::Ref(id) = item else { return open("what is saved is not known") };
            saved.push(Value::Ref(match entity.is_document {
                true => self.keep_document(entity, id, SaveMode::Either).map(|_| id)?,
                false => self.save_row(entity, id)?,
            }));
        }
        Ok(self.list_of(saved))
    }

    pub(super) fn delete_one(&mut self, entity: &'p Entity, id: ObjId) -> Answer {
        if self.known_rows(entity.ty)?.0.contains(&id) {
            self.remove_row(entity, id)?;
            return Ok(Value::NULL);
        }
        let found = match entity.single() {
            Some(key) => match self.read_member(&Value::Ref(id), key)? {
                key if key.is_null() => None,
                key => self.find_key(entity, &key)?,
            },
            None => self.row_like(entity, id)?,
        };
        if let Some(row) = found {
            self.remove_row(entity, row)?;
        }
        Ok(Value::NULL)
    }

    fn delete_by_key(&mut self, stores: &Stores, entity: &'p Entity, key: &Value) -> Answer {
        if key.is_null() {
            return Err(usage(self));
        }
        match self.find_key(entity, key)? {
            Some(row) => self.remove_row(entity, row)?,
            // Later releases ignore a missing row.
            None if stores.is_jakarta || entity.is_document => {}
            None => return Err(throw(self, "org.springframework.dao.EmptyResultDataAccessException")),
        }
        Ok(Value::NULL)
    }

    fn delete_rows(&mut self, entity: &'p Entity, several: Option<Vec<Value>>) -> Answer {
        if entity.is_document {
            return self.delete_documents(entity, several);
        }
        let rows = match several {
            None => self.rows_of(entity.ty)?,
            Some(items) => {
                let ids = items.iter().map(|item| if let Value::Ref(id) = item { Some(*id) } else { None });
                let Some(ids) = ids.collect::<Option<Vec<ObjId>>>() else {
                    return open("what is deleted is not known");
                };
                ids
            }
        };
        for row in rows {
            if self.store.is_row(entity, row) {
                self.remove_row(entity, row)?;
            }
        }
        Ok(Value::NULL)
    }

    /// Runs a query derived from a method name.
    fn derived(
        &mut self,
        entity: &'p Entity,
        query: &derived::Query,
        part: Option<(&Value, pages::Request)>,
        result: &Type,
    ) -> Answer {
        let rows = self.rows_of(entity.ty)?;
        self.has_all_values(entity, &rows)?;
        let mut found = self.rows_that(rows, &query.test)?;
        for (path, value) in &query.asked {
            if let [name] = path.as_slice()
                && let Some(field) = entity.field(name)
            {
                self.asked(entity, field.member, value, found.len());
            }
        }
        if query.asked.is_empty() {
            self.store.deeds.push(StoreOperation::Listed { entity: entity.ty });
        }
        if let Some((pageable, request)) = &part {
            if query.most.is_some() || query.purpose != derived::Purpose::Find {
                return open("a part of a part");
            }
            return self.give_page(found, &query.order, (pageable, request), result);
        }
        if !query.order.is_empty() {
            self.sort_rows(&mut found, &query.order)?;
        }
        if let Some(most) = query.most {
            if query.order.is_empty() && found.len() > most {
                return open("which rows come first is not known");
            }
            found.truncate(most);
        }
        self.settle_query(entity, query.purpose, found, query.order.is_empty(), result)
    }
}

/// The exception of a repository for a null argument.
fn usage(machine: &mut Machine<'_>) -> Fail {
    throw(machine, "org.springframework.dao.InvalidDataAccessApiUsageException")
}

//! `MongoTemplate`: saves, finds, changes and removes documents in the collections that repositories use.

use super::collections::{MatchingDocuments, SaveMode, UNSEEN};
use super::filters::{Filter, Op};
use super::queries::{self, Asking};
use super::{results, updates};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, Fail, open, reference, text, throw};
use crate::interpret::stores::data::{Entity, Stores, plain};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{ObjId, Type, Value};

/// Model id.
const MODEL: &str = "mongo-template";

/// Methods that change nothing.
const READS: &[&str] =
    &["find", "exists", "count", "estimatedCount", "aggregate", "get", "collectionExists", "stream", "query"];

/// Whether a class is `MongoTemplate` or its interface.
fn is_template(fqn: &str) -> bool {
    let simple = fqn.strip_prefix("org.springframework.data.mongodb.core.");
    matches!(simple, Some("MongoTemplate" | "MongoOperations"))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if !is_template(call.fqn) {
        return None;
    }
    reference(call.receiver?)?;
    let stores = machine.stores()?;
    let before = machine.effects.len();
    let simple = call.fqn.rsplit('.').next().unwrap_or(call.fqn);
    machine.effects.push(format!("{simple}.{}", call.name).into());
    machine.models.insert(MODEL);
    let exit = machine.exit;
    let answer = machine.on_template(stores, call);
    match &answer {
        Some(Ok(_)) => machine.exit = exit,
        Some(Err(Fail::Stop(_))) => {}
        Some(Err(Fail::Open(_))) | None => {
            machine.effects.truncate(before);
            let is_read = READS.iter().any(|read| call.name.starts_with(read)) && !call.name.contains("And");
            if !is_read {
                machine.forget_documents("something is said to the database that is not followed");
            }
        }
    }
    answer
}

/// The target of an operation: a document class and a collection.
struct Target<'p> {
    entity: &'p Entity,
    collection: String,
}

impl<'p> Machine<'p> {
    /// The injected template object, if the stores are followed.
    pub fn mongo_template(&mut self, declared: &Type) -> Option<Value> {
        let fqn = declared.library().filter(|fqn| is_template(fqn))?.to_owned();
        self.stores()?;
        Some(self.modelled(&fqn, &[]))
    }

    /// The target for a class argument; without a named collection, the one of the class.
    fn target(&self, stores: &'p Stores, class: &Value, named: Option<&Value>) -> Option<Target<'p>> {
        let Value::Class(Type::Class(ClassRef::Project(ty), _)) = class else { return None };
        let entity = stores.entities.get(ty).filter(|entity| entity.is_document)?;
        let collection = match named {
            None => entity.table.clone(),
            // A name that equals the normalised name of the class's collection denotes it; any other name is kept as written.
            Some(name) => match text(name)? {
                name if plain(name) == entity.table => entity.table.clone(),
                name => name.to_owned(),
            },
        };
        Some(Target { entity, collection })
    }

    fn target_of(&self, stores: &'p Stores, object: &Value, named: Option<&Value>) -> Option<(Target<'p>, ObjId)> {
        let id = reference(object)?;
        let class = Value::Class(Type::Class(self.object(id).class.clone(), Vec::new()));
        Some((self.target(stores, &class, named)?, id))
    }

    fn on_template(&mut self, stores: &'p Stores, call: &LibraryCall<'_>) -> Option<Answer> {
        let (args, named) = match call.args {
            [head @ .., last] if text(last).is_some() && !head.is_empty() => (head, Some(last)),
            args => (args, None),
        };
        if call.args.iter().any(Value::is_null) {
            return Some(Err(throw(self, "java.lang.IllegalArgumentException")));
        }
        match (call.name, args) {
            ("save" | "insert", [object]) if self.given_items(object).is_none() => {
                let (target, id) = self.target_of(stores, object, named)?;
                Some(self.keep_by(&target, &[id], call.name).map(|()| object.clone()))
            }
            ("insert", [objects]) | ("insert", [objects, Value::Class(_)]) | ("insertAll", [objects]) => {
                let items = self.given_items(objects)?;
                let Some(first) = items.first() else { return Some(Ok(self.list_of(Vec::new()))) };
                let (target, _) = self.target_of(stores, first, named)?;
                let ids: Option<Vec<ObjId>> = items.iter().map(reference).collect();
                let ids = ids?;
                if ids.iter().any(|id| self.object(*id).class != ClassRef::Project(target.entity.ty)) {
                    return None;
                }
                Some(self.keep_by(&target, &ids, "insert").map(|()| self.list_of(items)))
            }
            ("remove", [object]) if !matches!(object, Value::Class(_)) && queries::query(self, object).is_none() => {
                let (target, id) = self.target_of(stores, object, named)?;
                Some(self.remove_by_key(&target, id))
            }
            ("dropCollection", [class]) => {
                let target = self.target(stores, class, named)?;
                Some(self.at_target(&target).and_then(|()| self.empty_documents(target.entity)).map(|()| Value::NULL))
            }
            ("findById", [key, class]) => {
                let target = self.target(stores, class, named)?;
                let filter = Filter::Field("_id".into(), Op::Is(key.clone()));
                Some(self.find_by(&target, &filter, &Asking::default(), "findOne"))
            }
            ("findAll" | "estimatedCount", [class]) => {
                let target = self.target(stores, class, named)?;
                let how = if call.name == "findAll" { "find" } else { "count" };
                Some(self.find_by(&target, &Filter::All(Vec::new()), &Asking::default(), how))
            }
            ("find" | "findOne" | "exists" | "count", [query, class]) => {
                let target = self.target(stores, class, named)?;
                let (filter, asking) = queries::query(self, query)?;
                Some(self.find_by(&target, &filter, &asking, call.name))
            }
            ("remove" | "findAllAndRemove" | "findAndRemove", [query, class]) => {
                let target = self.target(stores, class, named)?;
                let (filter, _) = queries::query(self, query).filter(|(_, asking)| is_plain(asking))?;
                Some(self.remove_by(&target, &filter, call.name))
            }
            ("updateFirst" | "updateMulti", [query, update, class]) => {
                let target = self.target(stores, class, named)?;
                let (filter, _) = queries::query(self, query).filter(|(_, asking)| is_plain(asking))?;
                let changes = self.native::<updates::Changes>(reference(update)?)?.0.clone();
                Some(self.change_by(&target, &filter, &changes, call.name == "updateFirst"))
            }
            ("upsert", [query, update, class]) => {
                let target = self.target(stores, class, named)?;
                let (filter, _) = queries::query(self, query).filter(|(_, asking)| is_plain(asking))?;
                let changes = self.native::<updates::Changes>(reference(update)?)?.0.clone();
                let found = self.at_target(&target).and_then(|()| self.documents(target.entity, &filter));
                match found {
                    Ok(found) if found.all && found.rows.len() == 1 => {
                        Some(self.change_by(&target, &filter, &changes, true))
                    }
                    // The document that an upsert would insert is not modelled.
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn at_target(&mut self, target: &Target<'p>) -> Answer<()> {
        self.in_collection(target.entity, &target.collection, false)
    }

    fn keep_by(&mut self, target: &Target<'p>, objects: &[ObjId], name: &str) -> Answer<()> {
        self.at_target(target)?;
        let keep = if name == "save" { SaveMode::Either } else { SaveMode::New };
        for object in objects {
            self.keep_document(target.entity, *object, keep)?;
        }
        Ok(())
    }

    fn remove_by_key(&mut self, target: &Target<'p>, object: ObjId) -> Answer {
        self.at_target(target)?;
        let key = self.read_member(&Value::Ref(object), target.entity.id)?;
        if key.is_null() {
            return open("what is removed has no key");
        }
        let filter = Filter::Field("_id".into(), Op::Is(key));
        let removed = self.remove_documents(target.entity, &filter, true)?;
        Ok(results::removed(self, removed))
    }

    fn remove_by(&mut self, target: &Target<'p>, filter: &Filter, name: &str) -> Answer {
        self.at_target(target)?;
        if name == "remove" {
            let removed = self.remove_documents(target.entity, filter, false)?;
            return Ok(results::removed(self, removed));
        }
        let found = self.followed(target.entity, filter)?;
        if !found.all || name == "findAndRemove" && found.rows.len() > 1 {
            return open(UNSEEN);
        }
        let given = self.read_all(&found.rows)?;
        for row in &found.rows {
            self.remove_row(target.entity, *row)?;
        }
        Ok(match name {
            "findAndRemove" => given.into_iter().next().unwrap_or(Value::NULL),
            _ => self.list_of(given),
        })
    }

    fn change_by(
        &mut self,
        target: &Target<'p>,
        filter: &Filter,
        changes: &[updates::Change],
        only_one: bool,
    ) -> Answer {
        self.at_target(target)?;
        let found = self.followed(target.entity, filter)?;
        if only_one && (found.rows.len() > 1 || !found.all && !found.rows.is_empty()) {
            return open("which document is changed is not known");
        }
        let mut modified = Some(0);
        for row in &found.rows {
            let is_other = self.change_document(target.entity, *row, changes)?;
            modified = modified.zip(is_other).map(|(count, is_other)| count + usize::from(is_other));
        }
        let matched = found.all.then_some(found.rows.len());
        Ok(results::changed(self, matched, modified.filter(|_| found.all)))
    }

    /// Copies of stored documents for the code.
    pub(super) fn read_all(&mut self, rows: &[ObjId]) -> Answer<Vec<Value>> {
        let mut given = Vec::new();
        for row in rows {
            given.push(Value::Ref(self.read_document(*row)?));
        }
        Ok(given)
    }

    fn find_by(&mut self, target: &Target<'p>, filter: &Filter, asking: &Asking, how: &str) -> Answer {
        self.at_target(target)?;
        let unseen = |machine: &mut Self, why: &str| {
            let ty = match how {
                "find" => Type::Class(
                    ClassRef::library("java.util.List"),
                    vec![Type::Class(ClassRef::Project(target.entity.ty), Vec::new())],
                ),
                "count" => Type::Prim(Prim::Long),
                "exists" => Type::Prim(Prim::Bool),
                _ => return open(why),
            };
            Ok(machine.rows_of_unknown(why, ty))
        };
        let found = match self.documents(target.entity, filter) {
            Ok(MatchingDocuments { rows, all: true }) => rows,
            Ok(_) => return unseen(self, UNSEEN),
            Err(Fail::Open(why)) => return unseen(self, &why),
            Err(stop) => return Err(stop),
        };
        let found = match self.window(target.entity, found, asking) {
            Ok(found) => found,
            Err(Fail::Open(why)) => return unseen(self, &why),
            Err(stop) => return Err(stop),
        };
        Ok(match how {
            "count" => Value::Scalar(Scalar::Long(i64::try_from(found.len()).unwrap_or(i64::MAX))),
            "exists" => Value::bool(!found.is_empty()),
            "findOne" if found.len() > 1 && asking.order.is_empty() => {
                return open("which document comes first is not known");
            }
            "findOne" => match found.first() {
                Some(row) => Value::Ref(self.read_document(*row)?),
                None => Value::NULL,
            },
            _ => {
                self.store.is_unordered |= found.len() > 1 && asking.order.is_empty();
                let given = self.read_all(&found)?;
                self.list_of(given)
            }
        })
    }

    /// Sorts documents, and applies skip and limit.
    pub(super) fn window(&mut self, entity: &Entity, found: Vec<ObjId>, asking: &Asking) -> Answer<Vec<ObjId>> {
        let mut found = found;
        let before = std::mem::take(&mut self.store.is_unordered);
        if !asking.order.is_empty() {
            let known = |name: &String| entity.fields.iter().any(|field| field.name == *name);
            if !asking.order.iter().all(|(name, _)| known(name)) {
                return open("an order of documents");
            }
            self.sort_rows(&mut found, &asking.order)?;
        }
        let ties = std::mem::replace(&mut self.store.is_unordered, before);
        self.store.is_unordered |= ties;
        let cut = asking.first > 0 || asking.most.is_some_and(|most| found.len() > most);
        if cut && found.len() > 1 && (asking.order.is_empty() || ties) {
            return open("which documents come first is not known");
        }
        found.drain(..asking.first.min(found.len()));
        found.truncate(asking.most.unwrap_or(usize::MAX));
        Ok(found)
    }
}

/// Whether a query consists only of a filter.
fn is_plain(asking: &Asking) -> bool {
    asking.order.is_empty() && asking.first == 0 && asking.most.is_none()
}

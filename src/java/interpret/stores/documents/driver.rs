//! The MongoDB driver: clients, databases, and collections of objects that a POJO codec stores through getters and
//! setters.

use std::rc::Rc;

use super::collections::{MatchingDocuments, SaveMode, UNSEEN};
use super::filters::Filter;
use super::filters_made::{Options, filter, order};
use super::queries::Asking;
use super::results;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, Fail, boolean, int, native, open, reference, spread, text};
use crate::interpret::stores::data::{Entity, Stores};
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::value::{Native, ObjId, Type, Value};
use crate::ir::ids::TypeId;

/// Model id.
const MODEL: &str = "mongo-driver";

/// Configuration classes that do not affect the results of queries.
const SETTINGS: &[&str] = &[
    "com.mongodb.MongoClientSettings",
    "com.mongodb.ConnectionString",
    "com.mongodb.TransactionOptions",
    "com.mongodb.ReadPreference",
    "com.mongodb.ReadConcern",
    "com.mongodb.WriteConcern",
    "com.mongodb.ServerApi",
];
const POJO: &str = "org.bson.codecs.pojo.PojoCodecProvider";
const REGISTRIES: &str = "org.bson.codecs.configuration.CodecRegistries";

/// A driver object.
#[derive(Debug, Clone)]
enum DriverObject {
    /// Settings and codec registries, with whether a POJO codec stores objects of any class.
    Settings { by_codec: bool },
    /// A client.
    Client { by_codec: bool },
    /// A database of a client.
    Database { name: Rc<str>, by_codec: bool },
    /// A collection of objects of a class.
    Collection { name: Rc<str>, class: TypeId, by_codec: bool },
    /// A query on a collection.
    Asked { of: Box<DriverObject>, filter: Filter, asking: Asking },
}

impl Native for DriverObject {
    native_state!();

    fn children(&self) -> Vec<Value> {
        match self {
            Self::Asked { filter, .. } => filter.values(),
            _ => Vec::new(),
        }
    }

    fn is_frozen(&self) -> bool {
        !matches!(self, Self::Asked { .. } | Self::Settings { .. })
    }
}

/// Models a library call.
pub fn call<'p>(machine: &mut Machine<'p>, call: &LibraryCall<'_>) -> Option<Answer> {
    let Some(receiver) = call.receiver else { return made(machine, call).map(Ok) };
    let id = reference(receiver)?;
    match machine.native::<DriverObject>(id)?.clone() {
        DriverObject::Settings { by_codec } => {
            let by_codec = match (call.name, call.args) {
                ("codecRegistry", [registry]) => settings(machine, registry)?,
                ("automatic", [wanted]) => boolean(wanted)?,
                ("conventions" | "register", _) => return None,
                _ => by_codec,
            };
            *machine.native_mut::<DriverObject>(id)? = DriverObject::Settings { by_codec };
            Some(Ok(receiver.clone()))
        }
        DriverObject::Client { by_codec } => match (call.name, call.args) {
            ("getDatabase", [name]) => {
                let database = DriverObject::Database { name: Rc::from(text(name)?), by_codec };
                Some(Ok(native(machine, "com.mongodb.client.MongoDatabase", database)))
            }
            _ => None,
        },
        DriverObject::Database { name, by_codec } => match (call.name, call.args) {
            ("withCodecRegistry", [registry]) => {
                let by_codec = settings(machine, registry)?;
                Some(Ok(native(machine, call.fqn, DriverObject::Database { name, by_codec })))
            }
            ("getCollection", [own, Value::Class(Type::Class(ClassRef::Project(class), _))]) => {
                let name = Rc::from(format!("{name}.{}", text(own)?));
                let collection = DriverObject::Collection { name, class: *class, by_codec };
                Some(Ok(native(machine, "com.mongodb.client.MongoCollection", collection)))
            }
            _ => None,
        },
        DriverObject::Collection { name, class, by_codec } => match (call.name, call.args) {
            ("withCodecRegistry", [registry]) => {
                let by_codec = settings(machine, registry)?;
                Some(Ok(native(machine, call.fqn, DriverObject::Collection { name, class, by_codec })))
            }
            _ => {
                let stores = machine.stores()?;
                noted(machine, call, |machine| machine.on_collection(stores, (&name, class, by_codec), call))
            }
        },
        DriverObject::Asked { of, filter, asking } => {
            let DriverObject::Collection { name, class, by_codec } = *of else { return None };
            let stores = machine.stores()?;
            let entity = machine.followed_class(stores, class, by_codec)?;
            noted(machine, call, |machine| machine.on_asked(id, (entity, &name), (&filter, asking), call))
        }
    }
}

fn noted<'p>(
    machine: &mut Machine<'p>,
    call: &LibraryCall<'_>,
    run: impl FnOnce(&mut Machine<'p>) -> Option<Answer>,
) -> Option<Answer> {
    let before = machine.effects.len();
    let simple = call.fqn.rsplit('.').next().unwrap_or(call.fqn);
    machine.effects.push(format!("{simple}.{}", call.name).into());
    machine.models.insert(MODEL);
    let exit = machine.exit;
    let answer = run(machine);
    match &answer {
        Some(Ok(_)) => machine.exit = exit,
        Some(Err(Fail::Stop(_))) => {}
        Some(Err(Fail::Open(_))) | None => {
            machine.effects.truncate(before);
            if !matches!(call.name, "find" | "first" | "into" | "countDocuments" | "estimatedDocumentCount") {
                machine.forget_documents("something is said to the database that is not followed");
            }
        }
    }
    answer
}

/// Whether settings include a POJO codec for all classes.
fn settings(machine: &Machine<'_>, value: &Value) -> Option<bool> {
    match machine.native::<DriverObject>(reference(value)?)? {
        DriverObject::Settings { by_codec } => Some(*by_codec),
        _ => None,
    }
}

fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Value> {
    let by_codec = match (call.fqn, call.name) {
        (REGISTRIES, "fromProviders" | "fromRegistries") => {
            let parts: Vec<Value> = spread(machine, call.args);
            let known: Option<Vec<bool>> = parts.iter().map(|part| settings(machine, part)).collect();
            known?.contains(&true)
        }
        (POJO, "builder") => false,
        ("com.mongodb.client.MongoClients", "create") => {
            let by_codec = match call.args {
                [] => false,
                [first, ..] => settings(machine, first).unwrap_or(false),
            };
            return Some(native(machine, "com.mongodb.client.MongoClient", DriverObject::Client { by_codec }));
        }
        (fqn, _) if SETTINGS.contains(&fqn) => false,
        _ => return None,
    };
    Some(native(machine, call.fqn, DriverObject::Settings { by_codec }))
}

impl<'p> Machine<'p> {
    /// The entity of a document class, if a POJO codec stores it.
    fn followed_class(&self, stores: &'p Stores, class: TypeId, by_codec: bool) -> Option<&'p Entity> {
        stores.entities.get(&class).filter(|entity| entity.is_document && by_codec)
    }

    fn on_collection(
        &mut self,
        stores: &'p Stores,
        (name, class, by_codec): (&Rc<str>, TypeId, bool),
        call: &LibraryCall<'_>,
    ) -> Option<Answer> {
        let entity = self.followed_class(stores, class, by_codec)?;
        if let Err(why) = self.in_collection(entity, name, true) {
            return Some(Err(why));
        }
        let filter_at = |machine: &Self, at: usize| match call.args.get(at) {
            None => Some(Filter::All(Vec::new())),
            Some(value) => filter(machine, value),
        };
        match (call.name, call.args) {
            ("insertOne", [object]) => {
                let id = self.of_class(object, class)?;
                Some(self.keep_document(entity, id, SaveMode::New).map(|_| results::changed(self, None, None)))
            }
            ("insertMany", [objects]) => {
                let items = self.given_items(objects)?;
                let ids: Option<Vec<ObjId>> = items.iter().map(|item| self.of_class(item, class)).collect();
                Some(self.insert_all(entity, &ids?))
            }
            ("find", [] | [_]) => {
                let filter = filter_at(self, 0)?;
                let of = Box::new(DriverObject::Collection { name: name.clone(), class, by_codec });
                let asked = DriverObject::Asked { of, filter, asking: Asking::default() };
                Some(Ok(native(self, "com.mongodb.client.FindIterable", asked)))
            }
            ("countDocuments", [] | [_]) | ("estimatedDocumentCount", []) => {
                let filter = filter_at(self, 0)?;
                Some(self.count_by(entity, &filter))
            }
            ("deleteOne" | "deleteMany", [_]) => {
                let filter = filter_at(self, 0)?;
                let removed = self.remove_documents(entity, &filter, call.name == "deleteOne");
                Some(removed.map(|removed| results::removed(self, removed)))
            }
            ("drop", []) => Some(self.empty_documents(entity).map(|()| Value::NULL)),
            ("replaceOne" | "findOneAndReplace", [_, object, rest @ ..]) => {
                let options = match rest {
                    [] => Options::default(),
                    [options] => *self.native::<Options>(reference(options)?)?,
                    _ => return None,
                };
                let (filter, id) = (filter_at(self, 0)?, self.of_class(object, class)?);
                if options.is_open {
                    return None;
                }
                Some(self.replace(entity, &filter, id, (call.name == "replaceOne", options.after)))
            }
            ("findOneAndDelete", [_]) => {
                let filter = filter_at(self, 0)?;
                Some(self.take_out(entity, &filter))
            }
            _ => None,
        }
    }

    fn of_class(&self, value: &Value, class: TypeId) -> Option<ObjId> {
        reference(value).filter(|id| self.object(*id).class == ClassRef::Project(class))
    }

    fn insert_all(&mut self, entity: &'p Entity, objects: &[ObjId]) -> Answer {
        for object in objects {
            self.keep_document(entity, *object, SaveMode::New)?;
        }
        Ok(results::changed(self, None, None))
    }

    fn count_by(&mut self, entity: &'p Entity, filter: &Filter) -> Answer {
        match self.documents(entity, filter) {
            Ok(MatchingDocuments { rows, all: true }) => Ok(results::count(Some(rows.len()))),
            Ok(_) => Ok(self.rows_of_unknown(UNSEEN, Type::Prim(Prim::Long))),
            Err(Fail::Open(why)) => Ok(self.rows_of_unknown(&why, Type::Prim(Prim::Long))),
            Err(stop) => Err(stop),
        }
    }

    /// The single document that a filter matches; `None` if there is certainly none.
    fn one(&mut self, entity: &'p Entity, filter: &Filter) -> Answer<Option<ObjId>> {
        let found = self.followed(entity, filter)?;
        match found.rows.as_slice() {
            [] if found.all => Ok(None),
            [only] if found.all => Ok(Some(*only)),
            _ => open(UNSEEN),
        }
    }

    fn replace(&mut self, entity: &'p Entity, filter: &Filter, object: ObjId, (counts, after): (bool, bool)) -> Answer {
        let Some(row) = self.one(entity, filter)? else {
            return Ok(match counts {
                true => results::changed(self, Some(0), Some(0)),
                false => Value::NULL,
            });
        };
        let key = self.read_member(&Value::Ref(row), entity.id)?;
        let own = self.read_member(&Value::Ref(object), entity.id)?;
        if own.is_null() || !self.same_kept(&key, &own)? {
            return open("a document that is replaced by one of another key");
        }
        let before = Value::Ref(self.read_document(row)?);
        let kept = self.put_document(entity, row, object, true)?;
        Ok(match (counts, after) {
            (true, _) => results::changed(self, Some(1), None),
            (false, true) => Value::Ref(self.read_document(kept)?),
            (false, false) => before,
        })
    }

    fn take_out(&mut self, entity: &'p Entity, filter: &Filter) -> Answer {
        let Some(row) = self.one(entity, filter)? else { return Ok(Value::NULL) };
        let given = Value::Ref(self.read_document(row)?);
        self.remove_row(entity, row)?;
        Ok(given)
    }

    fn on_asked(
        &mut self,
        id: ObjId,
        (entity, name): (&'p Entity, &str),
        (asked, mut asking): (&Filter, Asking),
        call: &LibraryCall<'_>,
    ) -> Option<Answer> {
        if let Err(why) = self.in_collection(entity, name, true) {
            return Some(Err(why));
        }
        let number = |value: &Value| int(value).and_then(|number| usize::try_from(number).ok());
        match (call.name, call.args) {
            ("sort", [by]) => asking.order = order(self, by)?,
            ("limit", [most]) => asking.most = Some(number(most)?).filter(|most| *most > 0),
            ("skip", [first]) => asking.first = number(first)?,
            ("first", []) => return Some(self.first_of(entity, asked, &asking)),
            ("into", [list]) => return Some(self.pour(entity, asked, &asking, list)),
            _ => return None,
        }
        match self.native_mut::<DriverObject>(id)? {
            DriverObject::Asked { asking: own, .. } => *own = asking,
            _ => return None,
        }
        call.receiver.cloned().map(Ok)
    }

    fn first_of(&mut self, entity: &'p Entity, filter: &Filter, asking: &Asking) -> Answer {
        let MatchingDocuments { rows, all: true } = self.documents(entity, filter)? else { return open(UNSEEN) };
        let rows = self.window(entity, rows, asking)?;
        match rows.as_slice() {
            [] => Ok(Value::NULL),
            [first, rest @ ..] if rest.is_empty() || !asking.order.is_empty() => {
                Ok(Value::Ref(self.read_document(*first)?))
            }
            _ => open("which document comes first is not known"),
        }
    }

    fn pour(&mut self, entity: &'p Entity, filter: &Filter, asking: &Asking, list: &Value) -> Answer {
        let found = match self.documents(entity, filter) {
            Ok(MatchingDocuments { rows, all: true }) => self.window(entity, rows, asking),
            Ok(_) => open(UNSEEN),
            Err(why) => Err(why),
        };
        let rows = match found {
            Ok(rows) => rows,
            Err(Fail::Open(why)) => {
                let ty = reference(list).map(|id| Type::Class(self.object(id).class.clone(), Vec::new()));
                self.escape(list, &why);
                return Ok(self.rows_of_unknown(&why, ty.unwrap_or(Type::Unknown)));
            }
            Err(stop) => return Err(stop),
        };
        self.store.is_unordered |= rows.len() > 1 && asking.order.is_empty();
        for document in self.read_all(&rows)? {
            self.call_method(list.clone(), "add", vec![document])?;
        }
        Ok(list.clone())
    }
}

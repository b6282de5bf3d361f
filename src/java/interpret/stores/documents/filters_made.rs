//! Arguments of driver calls: `Filters`, `Sorts`, documents as filters, and options.

use std::rc::Rc;

use super::filters::{Filter, Op};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, array_items, boolean, native, reference, spread, text};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Native, Value};

const FILTERS: &str = "com.mongodb.client.model.Filters";
const SORTS: &str = "com.mongodb.client.model.Sorts";
const DOCUMENTS: &[&str] = &["org.bson.Document", "org.bson.BsonDocument", "com.mongodb.BasicDBObject"];
const OPTIONS: &[&str] = &["FindOneAndReplaceOptions", "FindOneAndDeleteOptions", "ReplaceOptions"];
const RETURNED: &str = "com.mongodb.client.model.ReturnDocument";

/// The state of a filter object.
#[derive(Debug, Clone)]
struct FilterState(Filter);

/// The state of a sort object.
#[derive(Debug, Clone)]
struct SortState(Vec<(String, bool)>);

/// The state of a document that code builds: its fields in order.
#[derive(Debug, Clone, Default)]
struct DocumentState(Vec<(Rc<str>, Value)>);

/// Options of an operation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Whether the state after the operation is returned.
    pub after: bool,
    /// Whether an option is not modelled.
    pub is_open: bool,
}

impl Native for FilterState {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.0.values()
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        Some(self.0.named_values())
    }
}

impl Native for SortState {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

impl Native for DocumentState {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.0.iter().map(|(_, value)| value.clone()).collect()
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        Some(self.0.clone())
    }
}

impl Native for Options {
    native_state!(leaf);
}

/// The filter of a filter object, or of a document used as a filter.
pub fn filter(machine: &Machine<'_>, value: &Value) -> Option<Filter> {
    let id = reference(value)?;
    if let Some(FilterState(filter)) = machine.native::<FilterState>(id) {
        return Some(filter.clone());
    }
    let DocumentState(fields) = machine.native::<DocumentState>(id)?;
    let each = fields.iter().map(|(name, value)| {
        let is_plain = match value {
            Value::Ref(id) => super::object_ids::digits(machine, &Value::Ref(*id)).is_some(),
            _ => true,
        };
        match !name.starts_with('$') && is_plain {
            true => Filter::Field(name.clone(), Op::Is(value.clone())),
            false => Filter::Open(Rc::from("a document as a filter")),
        }
    });
    Some(Filter::All(each.collect()))
}

/// The order of a sort object.
pub fn order(machine: &Machine<'_>, value: &Value) -> Option<Vec<(String, bool)>> {
    machine.native::<SortState>(reference(value)?).map(|SortState(order)| order.clone())
}

/// A constant of the driver.
pub fn constant(fqn: &str, name: &str) -> Option<Value> {
    (fqn == RETURNED).then(|| Value::Scalar(Scalar::Enum(ClassRef::library(fqn), Rc::from(name))))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let state = match (call.fqn, call.receiver) {
        (FILTERS, None) => {
            let filter = filter_of(machine, call.name, call.args)?;
            return Some(Ok(native(machine, "org.bson.conversions.Bson", FilterState(filter))));
        }
        (SORTS, None) => {
            let order = order_of(machine, call.name, call.args)?;
            return Some(Ok(native(machine, "org.bson.conversions.Bson", SortState(order))));
        }
        (fqn, None) if DOCUMENTS.contains(&fqn) => match (call.name, call.args) {
            ("<init>", []) => DocumentState::default(),
            ("<init>", [name, value]) => DocumentState(vec![(Rc::from(text(name)?), value.clone())]),
            _ => return None,
        },
        (fqn, None) if is_options(fqn) && call.name == "<init>" => {
            return Some(Ok(native(machine, fqn, Options::default())));
        }
        (fqn, Some(receiver)) if DOCUMENTS.contains(&fqn) => return on_written(machine, receiver, call),
        (fqn, Some(receiver)) if is_options(fqn) => {
            let options = machine.native_mut::<Options>(reference(receiver)?)?;
            match (call.name, call.args) {
                ("returnDocument", [Value::Scalar(Scalar::Enum(_, name))]) => options.after = &**name == "AFTER",
                ("upsert", [wanted]) if boolean(wanted) == Some(false) => {}
                _ => options.is_open = true,
            }
            return Some(Ok(receiver.clone()));
        }
        _ => return None,
    };
    Some(Ok(native(machine, call.fqn, state)))
}

fn is_options(fqn: &str) -> bool {
    fqn.strip_prefix("com.mongodb.client.model.").is_some_and(|name| OPTIONS.contains(&name))
}

fn on_written(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    let [name, value] = call.args else { return None };
    let name: Rc<str> = Rc::from(text(name)?);
    let DocumentState(fields) = machine.native_mut::<DocumentState>(id)?;
    let held = fields.iter().position(|(own, _)| *own == name);
    match (call.name, held) {
        ("append", None) => fields.push((name, value.clone())),
        ("append", Some(at)) => fields[at].1 = value.clone(),
        _ => return None,
    }
    Some(Ok(receiver.clone()))
}

/// The variable arguments of a call, or the elements of a collection argument.
fn each(machine: &Machine<'_>, args: &[Value]) -> Vec<Value> {
    match args {
        [only] => array_items(machine, only).or_else(|| machine.given_items(only)).unwrap_or_else(|| args.to_vec()),
        several => several.to_vec(),
    }
}

fn filter_of(machine: &Machine<'_>, name: &str, args: &[Value]) -> Option<Filter> {
    let nested = || -> Option<Vec<Filter>> { each(machine, args).iter().map(|one| filter(machine, one)).collect() };
    let of = |field: &Value, op: Op| Some(Filter::Field(Rc::from(text(field)?), op));
    match (name, args) {
        ("empty", []) => Some(Filter::All(Vec::new())),
        ("eq", [value]) => Some(Filter::Field(Rc::from("_id"), Op::Is(value.clone()))),
        ("eq", [field, value]) => of(field, Op::Is(value.clone())),
        ("ne", [field, value]) => of(field, Op::Not(value.clone())),
        ("gt", [field, value]) => of(field, Op::Greater(value.clone())),
        ("gte", [field, value]) => of(field, Op::GreaterEqual(value.clone())),
        ("lt", [field, value]) => of(field, Op::Less(value.clone())),
        ("lte", [field, value]) => of(field, Op::LessEqual(value.clone())),
        ("in", [field, values @ ..]) => of(field, Op::In(each(machine, values))),
        ("nin", [field, values @ ..]) => of(field, Op::NotIn(each(machine, values))),
        ("exists", [field]) => of(field, Op::Exists(true)),
        ("exists", [field, wanted]) => of(field, Op::Exists(boolean(wanted)?)),
        ("regex", [field, pattern]) => of(field, Op::Regex(Rc::from(text(pattern)?), 0)),
        ("and", _) => nested().map(Filter::All),
        ("or", _) => nested().filter(|parts| !parts.is_empty()).map(Filter::Any),
        ("nor", _) => nested().filter(|parts| !parts.is_empty()).map(Filter::None),
        ("not", [_]) => nested().map(Filter::None),
        _ => None,
    }
}

fn order_of(machine: &Machine<'_>, name: &str, args: &[Value]) -> Option<Vec<(String, bool)>> {
    match name {
        "ascending" | "descending" => {
            let names =
                spread(machine, args).into_iter().flat_map(|one| machine.given_items(&one).unwrap_or(vec![one]));
            names.map(|one| Some((text(&one)?.to_owned(), name == "descending"))).collect()
        }
        "orderBy" => {
            let all: Option<Vec<Vec<(String, bool)>>> =
                each(machine, args).iter().map(|one| order(machine, one)).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}

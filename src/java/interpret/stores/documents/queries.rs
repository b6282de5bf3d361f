//! Spring Data's `Criteria` and `Query` objects as code builds them.

use std::rc::Rc;

use super::filters::{Filter, Op};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array_items, boolean, int, long, native, numbered, open, reference, text, throw,
};
use crate::interpret::library::frameworks::sorts;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Native, ObjId, Value};

const CRITERIA: &str = "org.springframework.data.mongodb.core.query.Criteria";
const QUERY: &str = "org.springframework.data.mongodb.core.query.Query";
const BASIC: &str = "org.springframework.data.mongodb.core.query.BasicQuery";

/// The shared state of a chain of criteria. `and` returns a new object, but each object in the chain represents the whole condition.
#[derive(Debug, Clone, Default)]
struct Chain {
    /// The conditions on each field, in order.
    parts: Vec<(Option<Rc<str>>, Vec<Filter>)>,
}

/// The state of one object in a chain.
#[derive(Debug, Clone)]
struct CriteriaLink {
    chain: ObjId,
    at: usize,
}

/// A query.
#[derive(Debug, Clone, Default)]
pub struct Asking {
    /// The criteria objects.
    pub filter: Vec<Value>,
    /// Sort fields, each with whether it is descending.
    pub order: Vec<(String, bool)>,
    /// Number of documents to skip.
    pub first: usize,
    /// Maximum number of documents.
    pub most: Option<usize>,
}

impl Native for Chain {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.parts.iter().flat_map(|(_, filters)| filters).flat_map(Filter::values).collect()
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        let of_field = |(name, filters): &(Option<Rc<str>>, Vec<Filter>)| -> Vec<(Rc<str>, Value)> {
            match (name, filters.as_slice()) {
                (Some(name), []) => vec![(name.clone(), Value::NULL)],
                (_, filters) => filters.iter().flat_map(Filter::named_values).collect(),
            }
        };
        Some(self.parts.iter().flat_map(of_field).collect())
    }
}

impl Native for CriteriaLink {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![Value::Ref(self.chain)]
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        Some(vec![(Rc::from(""), Value::Ref(self.chain))])
    }
}

impl Native for Asking {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.filter.clone()
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        let order = self
            .order
            .iter()
            .map(|(field, down)| format!("{field} {}", if *down { "descending" } else { "ascending" }));
        let order = order.collect::<Vec<_>>().join(", ");
        let number = |number: usize| Value::int(i32::try_from(number).unwrap_or(i32::MAX));
        let window = [
            (!order.is_empty()).then(|| ("order", Value::Scalar(Scalar::text(&order)))),
            (self.first > 0).then(|| ("skip", number(self.first))),
            self.most.map(|most| ("limit", number(most))),
        ];
        let window = window.into_iter().flatten().map(|(name, value)| (Rc::from(name), value));
        Some(numbered("criteria", &self.filter).into_iter().chain(window).collect())
    }
}

/// The filter of a criteria object, including the rest of its chain.
pub fn criteria(machine: &Machine<'_>, value: &Value) -> Option<Filter> {
    let link = machine.native::<CriteriaLink>(reference(value)?)?;
    let chain = machine.native::<Chain>(link.chain)?;
    let mut names: Vec<&str> = Vec::new();
    for (name, filters) in &chain.parts {
        // A field without a condition is not modelled, and a field named twice is refused.
        match name {
            Some(name) if filters.is_empty() || names.contains(&&**name) => {
                return Some(Filter::Open(Rc::from("a criterion that is not plain")));
            }
            Some(name) => names.push(name),
            None => {}
        }
    }
    Some(Filter::All(chain.parts.iter().flat_map(|(_, filters)| filters.clone()).collect()))
}

/// The filter and options of a query object.
pub fn query(machine: &Machine<'_>, value: &Value) -> Option<(Filter, Asking)> {
    let asking = machine.native::<Asking>(reference(value)?)?.clone();
    let parts: Option<Vec<Filter>> = asking.filter.iter().map(|one| criteria(machine, one)).collect();
    Some((Filter::All(parts?), asking))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.fqn, call.receiver) {
        (CRITERIA, None) => {
            let name = match (call.name, call.args) {
                ("where" | "<init>", [name]) => Some(Rc::from(text(name)?)),
                ("<init>", []) => None,
                _ => return None,
            };
            let chain = reference(&native(machine, CRITERIA, Chain { parts: vec![(name, Vec::new())] }))?;
            Some(Ok(native(machine, CRITERIA, CriteriaLink { chain, at: 0 })))
        }
        (CRITERIA, Some(receiver)) => on_criteria(machine, receiver, call),
        (QUERY | BASIC, None) => {
            let filter = match (call.name, call.args) {
                ("<init>", []) => Vec::new(),
                ("<init>" | "query", [one]) => {
                    criteria(machine, one)?;
                    vec![one.clone()]
                }
                _ => return None,
            };
            (call.fqn == QUERY).then(|| Ok(native(machine, QUERY, Asking { filter, ..Asking::default() })))
        }
        (QUERY, Some(receiver)) => on_query(machine, receiver, call),
        _ => None,
    }
}

/// The variable arguments of a call, or the elements of a collection argument.
fn each(machine: &Machine<'_>, args: &[Value]) -> Vec<Value> {
    match args {
        [only] => array_items(machine, only).or_else(|| machine.given_items(only)).unwrap_or_else(|| args.to_vec()),
        several => several.to_vec(),
    }
}

fn on_criteria(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let CriteriaLink { chain, at } = machine.native::<CriteriaLink>(reference(receiver)?)?.clone();
    let name = machine.native::<Chain>(chain)?.parts.get(at)?.0.clone();
    let nested = |machine: &Machine<'_>, args: &[Value]| -> Option<Vec<Filter>> {
        each(machine, args).iter().map(|one| criteria(machine, one)).collect()
    };
    let op = match (call.name, call.args) {
        ("and", [other]) => {
            let other: Rc<str> = Rc::from(text(other)?);
            let parts = &mut machine.native_mut::<Chain>(chain)?.parts;
            parts.push((Some(other), Vec::new()));
            let at = parts.len() - 1;
            return Some(Ok(native(machine, CRITERIA, CriteriaLink { chain, at })));
        }
        ("orOperator" | "andOperator" | "norOperator", args) => {
            let parts = nested(machine, args)?;
            if parts.is_empty() {
                return None;
            }
            let filter = match call.name {
                "orOperator" => Filter::Any(parts),
                "andOperator" => Filter::All(parts),
                _ => Filter::None(parts),
            };
            machine.native_mut::<Chain>(chain)?.parts.push((None, vec![filter]));
            return Some(Ok(receiver.clone()));
        }
        ("is", [value]) => Op::Is(value.clone()),
        ("isNull" | "isNullValue", []) => Op::Is(Value::NULL),
        ("ne", [value]) => Op::Not(value.clone()),
        ("gt", [value]) => Op::Greater(value.clone()),
        ("gte", [value]) => Op::GreaterEqual(value.clone()),
        ("lt", [value]) => Op::Less(value.clone()),
        ("lte", [value]) => Op::LessEqual(value.clone()),
        ("in", args) => Op::In(each(machine, args)),
        ("nin", args) => Op::NotIn(each(machine, args)),
        ("exists", [wanted]) => Op::Exists(boolean(wanted)?),
        ("regex", [pattern]) => Op::Regex(Rc::from(text(pattern)?), 0),
        ("regex", [pattern, flags]) => match text(flags)? {
            "" => Op::Regex(Rc::from(text(pattern)?), 0),
            "i" => Op::Regex(Rc::from(text(pattern)?), 2),
            _ => return None,
        },
        _ => {
            // Any other method makes the condition open.
            let filter = Filter::Open(Rc::from(format!("Criteria.{}", call.name)));
            machine.native_mut::<Chain>(chain)?.parts.get_mut(at)?.1.push(filter);
            return Some(Ok(receiver.clone()));
        }
    };
    let Some(name) = name else { return Some(open("a criterion without a field")) };
    if call.name == "is" && !machine.native::<Chain>(chain)?.parts.get(at)?.1.is_empty() {
        return Some(Err(throw(machine, "org.springframework.data.mongodb.InvalidMongoDbApiUsageException")));
    }
    machine.native_mut::<Chain>(chain)?.parts.get_mut(at)?.1.push(Filter::Field(name, op));
    Some(Ok(receiver.clone()))
}

fn on_query(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    let number =
        |value: &Value| int(value).map(i64::from).or_else(|| long(value)).and_then(|n| usize::try_from(n).ok());
    match (call.name, call.args) {
        ("addCriteria", [one]) => {
            let added = criteria(machine, one)?;
            let is_twice = machine.native::<Asking>(id)?.filter.iter().any(|known| {
                let (Some(Filter::All(a)), Filter::All(b)) = (criteria(machine, known), &added) else { return true };
                a.iter().any(|a| match a {
                    Filter::Field(name, _) => b.iter().any(|b| matches!(b, Filter::Field(other, _) if other == name)),
                    _ => false,
                })
            });
            if is_twice {
                let class = "org.springframework.data.mongodb.InvalidMongoDbApiUsageException";
                return Some(Err(throw(machine, class)));
            }
            machine.native_mut::<Asking>(id)?.filter.push(one.clone());
        }
        ("with", [sort]) => {
            let order = sorts::orders_of(machine, sort)?;
            machine.native_mut::<Asking>(id)?.order.extend(order);
        }
        ("limit", [most]) => {
            let most = number(most)?;
            machine.native_mut::<Asking>(id)?.most = Some(most).filter(|most| *most > 0);
        }
        ("skip", [first]) => {
            let first = number(first)?;
            machine.native_mut::<Asking>(id)?.first = first;
        }
        _ => return None,
    }
    Some(Ok(receiver.clone()))
}

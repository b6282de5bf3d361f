//! `PanacheQuery`: a query under construction, by the simplified text that Panache completes, and what it gives.

use super::common::{order_of, page_of, parameters_of};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, array_items, int, native, open, reference, text, throw};
use crate::interpret::library::functions::{optional, stream_state};
use crate::interpret::stores::answers::OPTIONAL;
use crate::interpret::stores::data::{Entity, Stores};
use crate::interpret::stores::derived::Purpose;
use crate::interpret::stores::jpql;
use crate::interpret::stores::queries::Window;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Native, ObjId, Value};

/// The class of queries.
pub const FQN: &str = "io.quarkus.hibernate.orm.panache.PanacheQuery";

/// A query under construction.
#[derive(Debug, Clone)]
pub struct Query {
    text: String,
    given: Vec<(String, Value)>,
    order: Vec<(String, bool)>,
    window: Window,
}

impl Native for Query {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.given.iter().map(|(_, value)| value.clone()).collect()
    }
}

impl Query {
    /// The query of a call: its text, then an optional order, then the parameters; `None` if one of them is not known.
    pub fn read(machine: &Machine<'_>, entity: &Entity, args: &[Value]) -> Option<Self> {
        let (order, rest) = match args {
            [first, rest @ ..] if order_of(machine, first).is_some() => (order_of(machine, first)?, (None, rest)),
            [first, second, rest @ ..] if order_of(machine, second).is_some() => {
                (order_of(machine, second)?, (Some(first), rest))
            }
            [first, rest @ ..] => (Vec::new(), (Some(first), rest)),
            [] => (Vec::new(), (None, args)),
        };
        let (written, params) = rest;
        let written = match written {
            Some(value) => text(value)?,
            None => "",
        };
        let given = given(machine, params)?;
        let text = completed(&entity.name, written, given.len())?;
        Some(Self { text, given, order, window: Window::default() })
    }

    /// The query as Hibernate reads it.
    fn parse(&self, stores: &Stores) -> Answer<jpql::Query> {
        let given = |name: &str| self.given.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        let Some(mut read) = jpql::query(stores, &self.text, &given) else { return open("a query that is not simple") };
        if !self.order.is_empty() {
            if !read.order.is_empty() {
                return open("two orders");
            }
            read.order.clone_from(&self.order);
        }
        Ok(read)
    }
}

/// Parameters by position from 1, or by name.
fn given(machine: &Machine<'_>, params: &[Value]) -> Option<Vec<(String, Value)>> {
    if let [only] = params
        && let Some(named) = parameters_of(machine, only)
    {
        return Some(named);
    }
    let all = match params {
        [only] => array_items(machine, only).unwrap_or_else(|| params.to_vec()),
        several => several.to_vec(),
    };
    Some((1..).map(|at: usize| at.to_string()).zip(all).collect())
}

/// The text that Panache makes of a simplified query (the guide's section "Simplified queries"); `None` for a named
/// query.
fn completed(entity: &str, written: &str, count: usize) -> Option<String> {
    let plain = written.trim();
    let lower = plain.to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if plain.is_empty() {
        return Some(format!("from {entity}"));
    }
    if plain.starts_with('#') || begins(&["with "]) {
        return None;
    }
    if begins(&["from ", "select ", "delete "]) {
        return Some(plain.to_owned());
    }
    if begins(&["order by ", "where "]) {
        return Some(format!("from {entity} {plain}"));
    }
    let is_field = !lower.contains([' ', '=']) && count == 1;
    Some(match is_field {
        true => format!("from {entity} where {plain} = ?1"),
        false => format!("from {entity} where {plain}"),
    })
}

impl<'p> Machine<'p> {
    /// A query as an object.
    pub(super) fn panache_object(&mut self, query: Query) -> Value {
        native(self, FQN, query)
    }

    /// Models a method of a query.
    pub(super) fn panache_query(&mut self, call: &LibraryCall<'_>) -> Option<Answer> {
        let (receiver, stores) = (call.receiver?, self.stores()?);
        let id = reference(receiver)?;
        let query = self.native::<Query>(id)?.clone();
        let number = |value: &Value| usize::try_from(int(value)?).ok();
        let window = match (call.name, call.args) {
            ("page", [page]) => page_of(self, page),
            ("page", [index, size]) => number(index).zip(number(size)),
            ("range", [from, to]) => {
                let (first, last) = (number(from)?, number(to)?);
                let window = Window { first, most: Some(last.saturating_add(1).saturating_sub(first)) };
                self.native_mut::<Query>(id)?.window = window;
                return Some(Ok(receiver.clone()));
            }
            ("withHint", [_, _]) => return Some(Ok(receiver.clone())),
            (name, []) => return Some(self.give_query(stores, &query, name)),
            _ => return None,
        };
        let (index, size) = window?;
        let first = index.checked_mul(size)?;
        self.native_mut::<Query>(id)?.window = Window { first, most: Some(size) };
        Some(Ok(receiver.clone()))
    }

    /// What a query gives: rows, the first or only one, or their number.
    pub(super) fn give_query(&mut self, stores: &'p Stores, query: &Query, how: &str) -> Answer {
        let read = query.parse(stores)?;
        if read.purpose != Purpose::Find || read.gives.is_some() {
            return open("a query of another kind");
        }
        let window = match how {
            "firstResult" | "firstResultOptional" => Window { most: Some(1), ..query.window },
            "count" => Window::default(),
            "list" | "stream" | "singleResult" | "singleResultOptional" => query.window,
            _ => return open("a method of a query"),
        };
        self.models.insert("panache");
        let entity = self.simple_name(read.entity);
        self.effects.push(format!("{entity}.{how}").into());
        let unordered = self.store.is_unordered;
        let (_, found) = self.found_by(stores, &read, window)?;
        let first = |found: &[ObjId]| found.first().map_or(Value::NULL, |row| Value::Ref(*row));
        match how {
            "count" => {
                self.store.is_unordered = unordered;
                Ok(Value::Scalar(Scalar::Long(i64::try_from(found.len()).unwrap_or(i64::MAX))))
            }
            "list" | "stream" => {
                self.store.is_unordered |= found.len() > 1 && read.order.is_empty();
                let items: Vec<Value> = found.into_iter().map(Value::Ref).collect();
                Ok(if how == "list" { self.list_of(items) } else { stream_state::of(self, items, None) })
            }
            "firstResult" => Ok(first(&found)),
            "firstResultOptional" => Ok(optional::of(self, OPTIONAL, first(&found))),
            _ if found.len() > 1 => Err(throw(self, &persistence(stores, "NonUniqueResultException"))),
            "singleResultOptional" => Ok(optional::of(self, OPTIONAL, first(&found))),
            _ if found.is_empty() => Err(throw(self, &persistence(stores, "NoResultException"))),
            _ => Ok(first(&found)),
        }
    }

    /// Deletes the rows of a query by one statement; gives their number.
    pub(super) fn delete_query(&mut self, stores: &'p Stores, query: &Query) -> Answer {
        let read = query.parse(stores)?;
        if read.purpose != Purpose::Find || read.gives.is_some() {
            return open("a query of another kind");
        }
        let (entity, found) = self.found_by(stores, &read, Window::default())?;
        for row in &found {
            self.delete_row(entity, *row)?;
        }
        Ok(Value::Scalar(Scalar::Long(i64::try_from(found.len()).unwrap_or(i64::MAX))))
    }
}

fn persistence(stores: &Stores, simple: &str) -> String {
    format!("{}.persistence.{simple}", if stores.is_jakarta { "jakarta" } else { "javax" })
}

#[cfg(test)]
mod tests {
    use super::completed;

    #[test]
    fn a_simplified_query_is_completed() {
        let of = |text: &str, count| completed("Plant", text, count);
        assert_eq!(of("", 0).as_deref(), Some("from Plant"));
        assert_eq!(of("name", 1).as_deref(), Some("from Plant where name = ?1"));
        assert_eq!(of("name = ?1", 1).as_deref(), Some("from Plant where name = ?1"));
        assert_eq!(of("order by name", 0).as_deref(), Some("from Plant order by name"));
        assert_eq!(of("from Plant where shady", 0).as_deref(), Some("from Plant where shady"));
        assert_eq!(of("name and shady", 2).as_deref(), Some("from Plant where name and shady"));
        assert_eq!(of("#Plant.byName", 1), None);
    }
}

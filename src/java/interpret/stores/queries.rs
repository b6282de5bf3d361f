//! Queries over one entity: their rows in order, and selected values.

use super::criteria::{Compare, Operand, Test};
use super::data::{Entity, Mapping, Stores};
use super::jpql::Query;
use super::state::StoreOperation;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open, same};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Object, Value};
use crate::ir::ids::MemberId;

/// The requested part of a query's rows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Window {
    /// Number of rows to skip.
    pub first: usize,
    /// Maximum number of rows.
    pub most: Option<usize>,
}

impl<'p> Machine<'p> {
    /// The rows of a query in order, with their entity.
    pub(super) fn found_by(
        &mut self,
        stores: &'p Stores,
        query: &Query,
        window: Window,
    ) -> Answer<(&'p Entity, Vec<ObjId>)> {
        let Some(entity) = stores.entities.get(&query.entity) else { return open("no entity") };
        let rows = self.rows_of(entity.ty)?;
        let mut found = self.rows_that(rows, &query.test)?;
        let mut equals = Vec::new();
        equalities(&query.test, &mut equals);
        for (path, value) in equals {
            if let Some((entity, field)) = field_at(stores, entity, &path) {
                self.asked(entity, field, &value, found.len());
            }
        }
        self.store.deeds.push(StoreOperation::Listed { entity: entity.ty });
        let before = std::mem::take(&mut self.store.is_unordered);
        if !query.order.is_empty() {
            self.sort_rows(&mut found, &query.order)?;
        }
        let ties = std::mem::replace(&mut self.store.is_unordered, true);
        self.store.is_unordered = before || ties;
        let rest = found.len().saturating_sub(window.first);
        let cut = window.first > 0 || window.most.is_some_and(|most| rest > most);
        if cut && found.len() > 1 && (query.order.is_empty() || ties) {
            return open("which rows come first is not known");
        }
        found.drain(..window.first.min(found.len()));
        found.truncate(window.most.unwrap_or(usize::MAX));
        Ok((entity, found))
    }

    /// The values of a selected field of a query's rows.
    pub(super) fn values_of(&mut self, query: &Query, path: &[String], found: Vec<ObjId>) -> Answer<Vec<Value>> {
        let mut items: Vec<Value> = Vec::new();
        for row in found {
            let value = self.path_value(row, path)?;
            if !(query.is_distinct && items.iter().any(|other| same(other, &value))) {
                items.push(value);
            }
        }
        self.store.is_unordered |= items.len() > 1 && query.order.is_empty();
        Ok(items)
    }

    /// Creates a list.
    pub fn list_of(&mut self, items: Vec<Value>) -> Value {
        let list = Object::new(ClassRef::library("java.util.ArrayList"), Kind::List { items, fixed: false });
        Value::Ref(self.allocate(list))
    }
}

/// The field at the end of a path through references, with its entity.
fn field_at<'s>(stores: &'s Stores, entity: &'s Entity, path: &[String]) -> Option<(&'s Entity, MemberId)> {
    let (last, way) = path.split_last()?;
    let mut at = entity;
    for name in way {
        let Mapping::One { target, .. } = &at.field(name)?.mapping else { return None };
        at = stores.entities.get(target)?;
    }
    Some((at, at.field(last)?.member))
}

/// The fields that a condition compares for equality with an argument of the call.
fn equalities(test: &Test, out: &mut Vec<(Vec<String>, Value)>) {
    match test {
        Test::All(parts) | Test::Any(parts) => parts.iter().for_each(|part| equalities(part, out)),
        Test::Compare(Compare::Equal, Operand::Path(path), Operand::Given(value)) => {
            out.push((path.clone(), value.clone()));
        }
        _ => {}
    }
}

//! Queries that a repository's method is given in writing: JPQL, and counts written for the database.

use super::criteria::{Compare, Operand, Test};
use super::data::{Mapping, Stores, plain};
use super::jpql;
use super::repository::{OPTIONAL, counted};
use super::state::Deed;
use super::words::words;
use crate::java::constant::Constant;
use crate::java::facts::{Annotation, Value as Written};
use crate::java::ids::MemberId;
use crate::java::interpret::library::optional;
use crate::java::interpret::library::support::{Answer, open, same};
use crate::java::interpret::machine::Machine;
use crate::java::interpret::scalar::ClassRef;
use crate::java::interpret::value::{Kind, Object, Type, Value};

impl<'p> Machine<'p> {
    /// `@Query`, where its text is simple.
    pub fn written_query(
        &mut self,
        stores: &'p Stores,
        query: &Annotation,
        method: MemberId,
        args: &[Value],
        result: &Type,
    ) -> Answer {
        let text = query.arg("value").map(|value| self.project.eval(method.ty, value).value);
        let Some(Constant::Str(text)) = text else { return open("a named query") };
        if matches!(query.arg("nativeQuery"), Some(Written::Bool(true))) {
            return self.native_count(stores, &text, args, result);
        }
        let params = &self.project.member(method).params;
        let mut most = None;
        for (param, arg) in params.iter().zip(args) {
            match param.ty.simple() {
                "Pageable" | "Sort" | "PageRequest" | "ScrollPosition" => return open("pages"),
                "Limit" => most = Some(arg.clone()),
                _ => {}
            }
        }
        let given = |name: &str| {
            if let Ok(number) = name.parse::<usize>() {
                return args.get(number.checked_sub(1)?).cloned();
            }
            let at = params.iter().position(|param| {
                let named = param.annotations.iter().find(|a| a.simple() == "Param").and_then(|a| a.arg("value"));
                match named {
                    Some(Written::Str(text)) => text == name,
                    _ => param.name == name,
                }
            })?;
            args.get(at).cloned()
        };
        let Some(query) = jpql::query(stores, &text, &given) else { return open("a query that is not simple") };
        let Some(entity) = stores.entities.get(&query.entity) else { return open("no entity") };
        let rows = self.rows_of(entity.ty)?;
        let mut found = self.rows_that(rows, &query.test)?;
        let mut equals = Vec::new();
        equalities(&query.test, &mut equals);
        self.asked_by_paths(entity, &equals, found.len());
        self.store.deeds.push(Deed::Listed { entity: entity.ty });
        if !query.order.is_empty() {
            self.sort_rows(&mut found, &query.order)?;
        }
        if let Some(limit) = most {
            let Some(limit) = self.limit_of(&limit) else { return open("how many rows are asked for") };
            if found.len() > limit {
                if query.order.is_empty() {
                    return open("which rows come first is not known");
                }
                found.truncate(limit);
            }
        }
        match query.gives {
            None => self.settle_query(entity, query.purpose, found, query.order.is_empty(), result),
            Some(path) => {
                let mut items: Vec<Value> = Vec::new();
                for row in found {
                    let value = self.path_value(row, &path)?;
                    let known = query.is_distinct && items.iter().any(|other| same(other, &value));
                    if !known {
                        items.push(value);
                    }
                }
                if items.len() > 1 && query.order.is_empty() {
                    self.store.is_unordered = true;
                }
                match (result.library(), items.as_slice()) {
                    (Some("java.util.List" | "java.util.Collection"), _) => {
                        let kind = Kind::List { items, fixed: false };
                        Ok(Value::Ref(self.allocate(Object::new(ClassRef::library("java.util.ArrayList"), kind))))
                    }
                    (Some(OPTIONAL), [] | [_]) => {
                        Ok(optional::of(self, OPTIONAL, items.first().cloned().unwrap_or(Value::NULL)))
                    }
                    (_, []) => Ok(Value::NULL),
                    (_, [only]) => Ok(only.clone()),
                    _ => open("rows in another form"),
                }
            }
        }
    }

    /// `select count(*) from t where c = ?1`, written for the database.
    fn native_count(&mut self, stores: &'p Stores, text: &str, args: &[Value], result: &Type) -> Answer {
        let words = words(text);
        let [select, count, .., from, table, filter, column, equal, mark, _] = words.as_slice() else {
            return open("a native query");
        };
        let plainly = select.is("select") && count.is("count") && from.is("from") && filter.is("where");
        let (Some(table), Some(column), [arg]) = (table.name().map(plain), column.name().map(plain), args) else {
            return open("a native query");
        };
        if !plainly || words.len() != 12 || !equal.is_sign('=') || !(mark.is_sign('?') || mark.is_sign(':')) {
            return open("a native query");
        }
        let mut number = 0;
        for owner in stores.entities.values() {
            for field in &owner.fields {
                let Mapping::ManyIn { target, table: pairs, own, other, .. } = &field.mapping else { continue };
                if *pairs != table {
                    continue;
                }
                let Some(target) = stores.entities.get(target) else { continue };
                for row in self.rows_of(owner.ty)? {
                    let value = self.read_member(&Value::Ref(row), field.member)?;
                    let Some(items) = self.given_items(&value) else { return open("a native query") };
                    for item in items {
                        let (at, key) = match (column == *own, column == *other) {
                            (true, _) => (Value::Ref(row), owner.id),
                            (_, true) => (item, target.id),
                            _ => return open("a native query"),
                        };
                        let key = self.read_member(&at, key)?;
                        number += usize::from(self.same_in_store(&key, arg)?);
                    }
                }
                return Ok(counted(number, result));
            }
        }
        let Some(entity) = stores.entities.values().find(|entity| entity.table == table) else {
            return open("a native query");
        };
        let field = entity.fields.iter().find(|field| entity.field_of(field.member) == Some(&column));
        let Some(field) = field else { return open("a native query") };
        for row in self.rows_of(entity.ty)? {
            let value = self.read_member(&Value::Ref(row), field.member)?;
            number += usize::from(!value.is_null() && self.same_in_store(&value, arg)?);
        }
        Ok(counted(number, result))
    }

    /// `Limit.of(n)`.
    fn limit_of(&self, limit: &Value) -> Option<usize> {
        let Value::Ref(id) = limit else { return None };
        let most = self.object(*id).parts.get("max")?.scalar()?.as_int()?;
        usize::try_from(most).ok()
    }
}

/// The fields that a test asks to equal a value that the call gives.
fn equalities(test: &Test, out: &mut Vec<(Vec<String>, Value)>) {
    match test {
        Test::All(parts) | Test::Any(parts) => parts.iter().for_each(|part| equalities(part, out)),
        Test::Compare(Compare::Equal, Operand::Path(path), Operand::Given(value)) => {
            out.push((path.clone(), value.clone()));
        }
        _ => {}
    }
}

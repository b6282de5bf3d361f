//! Queries written at repository methods: JPQL, and native counts.

use super::answers::{OPTIONAL, counted};
use super::data::{Mapping, Stores, plain};
use super::derived::Purpose;
use super::jpql;
use super::keys::SEVERAL;
use super::queries::Window;
use super::words::words;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open};
use crate::interpret::library::frameworks::pages;
use crate::interpret::library::functions::optional;
use crate::interpret::values::value::{Type, Value};
use crate::ir::constant::Constant;
use crate::ir::facts::{Annotation, Value as Written};
use crate::ir::ids::MemberId;

impl<'p> Machine<'p> {
    /// Runs a `@Query` with a simple text.
    pub(super) fn written(
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
        let mut part = None;
        for (param, arg) in params.iter().zip(args) {
            match param.ty.simple() {
                "Pageable" | "PageRequest" => match pages::request(self, arg) {
                    Some(request) => part = Some((arg, request)),
                    None => return open("which page is asked for"),
                },
                "Sort" | "ScrollPosition" => return open("pages"),
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
        let most = match most {
            None => None,
            Some(limit) => match self.limit_of(&limit) {
                None => return open("how many rows are asked for"),
                known => known,
            },
        };
        let by_page = part.as_ref().is_some_and(|(_, request)| !request.order.is_empty());
        if part.is_some() && (query.gives.is_some() || query.purpose != Purpose::Find || most.is_some())
            || by_page && !query.order.is_empty()
        {
            return open("a page of what is no row");
        }
        let (entity, found) = self.found_by(stores, &query, Window { first: 0, most })?;
        if let Some((pageable, request)) = &part {
            let order = if by_page { request.order.clone() } else { query.order.clone() };
            return self.give_page(found, &order, (pageable, request), result);
        }
        match &query.gives {
            None => self.settle_query(entity, query.purpose, found, query.order.is_empty(), result),
            Some(path) => {
                let items = self.values_of(&query, path, found)?;
                match (result.library(), items.as_slice()) {
                    (Some("java.util.List" | "java.util.Collection"), _) => Ok(self.list_of(items)),
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

    /// Runs the native query `select count(*) from t where c = ?1`.
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
                        let is_single = owner.single().is_some() && target.single().is_some();
                        if !is_single {
                            return open(SEVERAL);
                        }
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

    /// The number of a `Limit.of(n)` argument.
    fn limit_of(&self, limit: &Value) -> Option<usize> {
        let Value::Ref(id) = limit else { return None };
        let most = self.object(*id).parts.get("max")?.scalar()?.as_int()?;
        usize::try_from(most).ok()
    }
}

//! Rows of tables without an entity: those that scripts inserted, and changes by this path.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value as Json;

use super::statement::{Comparison, Test};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, compare, open, throw};
use crate::interpret::stores::data::{Cell, OnDelete, Stores, Table};
use crate::interpret::stores::state::{LookupValue, StoreOperation};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::{Input, InputPlace, Term};
use crate::interpret::values::value::{Type, Value};

/// A row: its values by normalised column name.
pub type Row = BTreeMap<String, Value>;

/// Maximum number of rows per table.
const MOST: usize = 600;

const VIOLATED: &str = "org.springframework.dao.DataIntegrityViolationException";
const DUPLICATE: &str = "org.springframework.dao.DuplicateKeyException";

impl<'p> Machine<'p> {
    /// A table that scripts created and only SQL changes.
    pub(super) fn sql_table(&self, name: &str) -> Answer<&'p Table> {
        let Some(stores) = self.stores() else { return open("what the store holds is not known") };
        if stores.entities.values().any(|entity| entity.table == name) || !stores.starters.is_empty() {
            return open("a table that an entity stands for, too");
        }
        if stores.fills_by_code {
            return open("code may fill tables when the service starts");
        }
        match stores.tables.get(name) {
            Some(Table { open: Some(why), .. }) => open(why),
            Some(table) if table.columns.is_empty() || table.rows.len() > MOST => open("a table that is not declared"),
            Some(table) => Ok(table),
            None => open("a table that no script makes"),
        }
    }

    /// The rows of a table, in insertion order.
    pub(super) fn sql_rows(&mut self, name: &str) -> Answer<Vec<Row>> {
        if let Some(rows) = self.store.sql.get(name) {
            return Ok((**rows).clone());
        }
        let table = self.sql_table(name)?;
        let mut rows = Vec::new();
        for row in &table.rows {
            let mut made = Row::new();
            for (column, _) in &table.columns {
                let value = self.sql_value(row.get(column).unwrap_or(&Cell::Null));
                made.insert(column.clone(), value);
            }
            rows.push(made);
        }
        self.store.sql.insert(Rc::from(name), Rc::new(rows.clone()));
        Ok(rows)
    }

    fn keep_sql_rows(&mut self, name: &str, rows: Vec<Row>) {
        self.store.sql.insert(Rc::from(name), Rc::new(rows));
    }

    fn sql_value(&mut self, cell: &Cell) -> Value {
        match cell {
            Cell::Null => Value::NULL,
            Cell::Value(Json::String(text)) => self.fresh_text(text),
            Cell::Value(Json::Bool(value)) => Value::bool(*value),
            Cell::Value(Json::Number(number)) => match number.as_i64() {
                Some(number) => Value::Scalar(Scalar::Long(number)),
                None => Value::unknowable("a fraction in the store", Type::Unknown),
            },
            Cell::Value(_) | Cell::Unknown => Value::unknowable("what a script computes", Type::Unknown),
        }
    }

    /// Whether two non-null values are equal for a database.
    pub(super) fn sql_same(&mut self, a: &Value, b: &Value) -> Answer<bool> {
        let kind = |value: &Value| match value {
            Value::Scalar(Scalar::Str(_)) => Some(0),
            Value::Scalar(Scalar::Bool(_)) => Some(1),
            Value::Scalar(scalar) if scalar.as_long().is_some() => Some(2),
            Value::Symbol(symbol) if symbol.term.is_key() => Some(2),
            _ => None,
        };
        match (kind(a), kind(b)) {
            (Some(x), Some(y)) if x == y => self.same_in_store(a, b),
            _ => open("values of a statement that do not compare"),
        }
    }

    /// Whether a row satisfies all conditions.
    pub(super) fn sql_fits(&mut self, row: &Row, tests: &[(Test, Option<Value>)]) -> Answer<bool> {
        for (test, given) in tests {
            let fits = match (test, given) {
                (Test::IsNull { column, wanted }, _) => {
                    let Some(own) = row.get(column) else { return open("a column that is not declared") };
                    if matches!(own, Value::Unknown(unknown) if !unknown.present) {
                        return open("whether a column is null");
                    }
                    own.is_null() == *wanted
                }
                (Test::Compare { column, sign, .. }, Some(given)) => {
                    let Some(own) = row.get(column).cloned() else { return open("a column that is not declared") };
                    if own.is_null() || given.is_null() {
                        return Ok(false);
                    }
                    self.sql_compares(&own, *sign, given)?
                }
                (Test::Compare { .. }, None) => return open("a parameter that is not given"),
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn sql_compares(&mut self, own: &Value, sign: Comparison, given: &Value) -> Answer<bool> {
        match sign {
            Comparison::Equal => self.sql_same(own, given),
            Comparison::Unequal => Ok(!self.sql_same(own, given)?),
            _ => {
                let number = |value: &Value| value.scalar().and_then(Scalar::as_long);
                let (Some(own), Some(given)) = (number(own), number(given)) else {
                    return open("values of a statement that do not compare");
                };
                Ok(match sign {
                    Comparison::Less => own < given,
                    Comparison::LessOrEqual => own <= given,
                    Comparison::More => own > given,
                    _ => own >= given,
                })
            }
        }
    }

    /// Sorts rows by columns; returns whether the order of some rows is undetermined.
    pub(super) fn sql_sort(&mut self, rows: &mut [Row], order: &[(String, bool)]) -> Answer<bool> {
        let mut ties = order.is_empty() && rows.len() > 1;
        // There are few rows, and insertion sort reports a failed comparison at once.
        for at in 1..rows.len() {
            let mut to = at;
            while to > 0 && !order.is_empty() {
                let mut way = 0;
                for (column, down) in order {
                    let (Some(a), Some(b)) = (rows[to - 1].get(column).cloned(), rows[to].get(column).cloned()) else {
                        return open("a column that is not declared");
                    };
                    if !matches!((&a, &b), (Value::Scalar(_), Value::Scalar(_))) || a.is_null() || b.is_null() {
                        return open("an order of values that are not known");
                    }
                    way = compare(self, None, &a, &b)? * if *down { -1 } else { 1 };
                    if way != 0 {
                        break;
                    }
                }
                ties |= way == 0;
                if way <= 0 {
                    break;
                }
                rows.swap(to - 1, to);
                to -= 1;
            }
        }
        Ok(ties)
    }

    /// Inserts a row; returns the generated key, if there is one.
    pub(super) fn sql_insert(&mut self, name: &str, given: &[(String, Value)]) -> Answer<Option<Value>> {
        let table = self.sql_table(name)?;
        let mut rows = self.sql_rows(name)?;
        let (mut row, mut made) = (Row::new(), None);
        if given.iter().any(|(column, _)| table.column(column).is_none()) {
            return open("a column that is not declared");
        }
        for (column, facts) in &table.columns {
            let value = match given.iter().find(|(own, _)| own == column) {
                Some((_, value)) if facts.is_counted && !value.is_null() => {
                    return open("a number that the database would have counted");
                }
                Some((_, value)) if !facts.is_counted => value.clone(),
                _ if facts.is_counted => {
                    if table.is_numbered && table.restarts.is_none() {
                        return open("whether the number of a new row is taken by one that a script inserts");
                    }
                    self.store.keys += 1;
                    let key = Input::new(InputPlace::Store, &format!("{name} {}", self.store.keys));
                    let key = Value::symbol(Term::Input(key), Type::Boxed(Prim::Long), false);
                    made = Some(key.clone());
                    key
                }
                _ => facts.default.as_ref().map_or(Value::NULL, |cell| self.sql_value(cell)),
            };
            row.insert(column.clone(), value);
        }
        self.sql_check(name, &row, &rows)?;
        rows.push(row);
        self.keep_sql_rows(name, rows);
        Ok(made)
    }

    /// Updates the rows that satisfy the conditions; returns their number.
    pub(super) fn sql_update(
        &mut self,
        name: &str,
        set: &[(String, Value)],
        tests: &[(Test, Option<Value>)],
    ) -> Answer<usize> {
        let table = self.sql_table(name)?;
        let mut rows = self.sql_rows(name)?;
        let is_key = |column: &String| table.column(column).is_none_or(|facts| facts.is_counted || facts.is_unique);
        let mut count = 0;
        for at in 0..rows.len() {
            let row = rows[at].clone();
            if !self.sql_fits(&row, tests)? {
                continue;
            }
            // Other rows may refer to the key, or temporarily have the same one.
            if set.iter().any(|(column, _)| is_key(column)) {
                return open("a key is changed");
            }
            let mut changed = row;
            changed.extend(set.iter().cloned());
            let others: Vec<Row> =
                rows.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, row)| row.clone()).collect();
            self.sql_check(name, &changed, &others)?;
            rows[at] = changed;
            count += 1;
        }
        self.keep_sql_rows(name, rows);
        Ok(count)
    }

    /// Deletes the rows that satisfy the conditions; returns their number.
    pub(super) fn sql_delete(&mut self, name: &str, tests: &[(Test, Option<Value>)]) -> Answer<usize> {
        let table = self.sql_table(name)?;
        let rows = self.sql_rows(name)?;
        let mut kept = Vec::new();
        let before = rows.len();
        for row in rows {
            if !self.sql_fits(&row, tests)? {
                kept.push(row);
                continue;
            }
            if table.yielding.iter().any(|(.., yields)| *yields != OnDelete::Refuses) {
                return open("rows that go with another");
            }
            for (column, other) in &table.references {
                let keys: Vec<&String> =
                    table.columns.iter().filter(|(_, facts)| facts.is_unique).map(|(name, _)| name).collect();
                let [key] = keys.as_slice() else { return open("which column rows refer to") };
                let Some(own) = row.get(*key).cloned() else { return open("which column rows refer to") };
                for there in self.sql_rows(other)? {
                    let Some(value) = there.get(column).cloned() else { return open("which column rows refer to") };
                    if !value.is_null() && self.sql_same(&value, &own)? {
                        return Err(throw(self, VIOLATED));
                    }
                }
            }
        }
        let count = before - kept.len();
        self.keep_sql_rows(name, kept);
        Ok(count)
    }

    /// Checks the constraints of a row against the other rows.
    fn sql_check(&mut self, name: &str, row: &Row, others: &[Row]) -> Answer<()> {
        let Some(stores) = self.stores() else { return Ok(()) };
        let table = self.sql_table(name)?;
        for (column, facts) in &table.columns {
            let Some(value) = row.get(column) else { continue };
            if facts.is_required && value.is_null() {
                return Err(throw(self, VIOLATED));
            }
            if facts.is_required && matches!(value, Value::Unknown(unknown) if !unknown.present) {
                return open("whether a value is null");
            }
            match value {
                Value::Scalar(Scalar::Str(text))
                    if facts.length.is_some_and(|most| text.text.chars().count() > most) =>
                {
                    return Err(throw(self, VIOLATED));
                }
                Value::Unknown(unknown) if facts.length.is_some() && !unknown.present => {
                    return open("how long a text is");
                }
                _ => {}
            }
            if facts.is_unique && !value.is_null() {
                self.sql_looked(name, column, value);
                for other in others {
                    let theirs = other.get(column).cloned().unwrap_or(Value::NULL);
                    if !theirs.is_null() && self.sql_same(&theirs, value)? {
                        return Err(throw(self, DUPLICATE));
                    }
                }
            }
        }
        for together in &table.together {
            for other in others {
                let mut same = true;
                for column in together {
                    let (a, b) = (row.get(column).cloned(), other.get(column).cloned());
                    let (Some(a), Some(b)) = (a, b) else { return open("a column that is not declared") };
                    same &= !a.is_null() && !b.is_null() && self.sql_same(&a, &b)?;
                }
                if same {
                    return Err(throw(self, DUPLICATE));
                }
            }
        }
        self.sql_refers(stores, name, row)
    }

    /// Records the column value that a query depends on, so that requests with other values can be built.
    pub(super) fn sql_looked(&mut self, table: &str, column: &str, value: &Value) {
        if let Value::Scalar(scalar) = value {
            let value = scalar.to_java_string().map_or(LookupValue::Other, LookupValue::Text);
            self.store.deeds.push(StoreOperation::Looked { table: table.into(), column: column.into(), value });
        }
    }

    /// Checks the foreign keys of a row.
    fn sql_refers(&mut self, stores: &'p Stores, name: &str, row: &Row) -> Answer<()> {
        for (target, table) in &stores.tables {
            let plainly = table.references.iter().map(|(column, from)| (column, from));
            let yielding = table.yielding.iter().map(|(column, from, _)| (column, from));
            for (column, _) in plainly.chain(yielding).filter(|(_, from)| *from == name) {
                let Some(value) = row.get(column).cloned() else { return open("a column that is not declared") };
                if value.is_null() {
                    continue;
                }
                let keys: Vec<&String> =
                    table.columns.iter().filter(|(_, facts)| facts.is_unique).map(|(name, _)| name).collect();
                let [key] = keys.as_slice() else { return open("which column a row refers to") };
                self.sql_looked(target, key, &value);
                let mut found = false;
                for other in self.sql_rows(target)? {
                    let theirs = other.get(*key).cloned().unwrap_or(Value::NULL);
                    found |= !theirs.is_null() && self.sql_same(&theirs, &value)?;
                }
                if !found {
                    return Err(throw(self, VIOLATED));
                }
            }
        }
        Ok(())
    }
}

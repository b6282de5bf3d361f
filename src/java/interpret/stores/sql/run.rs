//! Runs statements on the rows of a path: queries and changes.

use super::mappers::{Mapper, mapped};
use super::params::{StatementParameters, named, stored};
use super::rows::Row;
use super::statement::{Operand, Selection, Statement, Test, read};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, int, long, open, throw};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Type, Value};

const NONE: &str = "org.springframework.dao.EmptyResultDataAccessException";
const SEVERAL: &str = "org.springframework.dao.IncorrectResultSizeDataAccessException";

/// The result of a query: its columns, and rows in order.
pub(super) struct QueryResult {
    columns: Vec<String>,
    rows: Vec<Row>,
}

impl Machine<'_> {
    fn sql_operand(&mut self, operand: &Operand, given: &StatementParameters) -> Answer {
        let value = match operand {
            Operand::Place(at) => match given {
                StatementParameters::Places(values) => match values.get(*at) {
                    Some(value) => value.clone(),
                    None => return open("a parameter that is not given"),
                },
                _ => return open("a parameter by its place"),
            },
            Operand::Named(name) => named(self, given, name)?,
            Operand::Null => Value::NULL,
            Operand::Text(text) => self.fresh_text(text),
            Operand::Number(number) => Value::Scalar(Scalar::Long(*number)),
            Operand::Truth(value) => Value::bool(*value),
        };
        stored(&value)
    }

    fn sql_conditions(
        &mut self,
        table: &str,
        tests: &[Test],
        given: &StatementParameters,
    ) -> Answer<Vec<(Test, Option<Value>)>> {
        let mut out = Vec::new();
        for test in tests {
            let value = match test {
                Test::Compare { with, column, .. } => {
                    let value = self.sql_operand(with, given)?;
                    self.sql_looked(table, column, &value);
                    Some(value)
                }
                Test::IsNull { .. } => None,
            };
            out.push((test.clone(), value));
        }
        Ok(out)
    }

    /// Runs a query.
    pub(super) fn sql_query(&mut self, text: &str, given: &StatementParameters) -> Answer<QueryResult> {
        let Some(Statement::Select { table, gives, tests, order, most }) = read(text) else {
            return open("a query that is not plain");
        };
        let declared = self.sql_table(&table)?;
        let tests = self.sql_conditions(&table, &tests, given)?;
        let mut rows = Vec::new();
        for row in self.sql_rows(&table)? {
            if self.sql_fits(&row, &tests)? {
                rows.push(row);
            }
        }
        let columns: Vec<(String, String)> = match gives {
            Selection::Count => {
                let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
                let name = "count".to_owned();
                let row = Row::from([(name.clone(), Value::Scalar(Scalar::Long(count)))]);
                return Ok(QueryResult { columns: vec![name], rows: vec![row] });
            }
            Selection::All => declared.columns.iter().map(|(name, _)| (name.clone(), name.clone())).collect(),
            Selection::Columns(columns) => columns,
        };
        let ties = self.sql_sort(&mut rows, &order)?;
        if let Some(most) = most {
            let most = self.sql_operand(&most, given)?;
            let most = int(&most).map(i64::from).or_else(|| long(&most)).and_then(|most| usize::try_from(most).ok());
            let Some(most) = most else { return open("how many rows are asked for") };
            if ties && rows.len() > most {
                return open("which rows come first is not known");
            }
            rows.truncate(most);
        }
        self.store.is_unordered |= ties && rows.len() > 1;
        let mut shown = Vec::new();
        for row in rows {
            let mut out = Row::new();
            for (own, name) in &columns {
                let Some(value) = row.get(own) else { return open("a column that is not declared") };
                out.insert(name.clone(), value.clone());
            }
            shown.push(out);
        }
        Ok(QueryResult { columns: columns.into_iter().map(|(_, name)| name).collect(), rows: shown })
    }

    /// Maps all rows of a query.
    pub(super) fn sql_list(&mut self, found: QueryResult, mapper: &Mapper) -> Answer<Vec<Value>> {
        let mut out = Vec::new();
        for (number, row) in found.rows.into_iter().enumerate() {
            out.push(mapped(self, mapper, (&found.columns, row, number))?);
        }
        Ok(out)
    }

    /// The only item; an exception if there are several, or none unless `may_be_none`.
    pub(super) fn sql_single(&mut self, items: Vec<Value>, may_be_none: bool) -> Answer<Option<Value>> {
        let mut items = items.into_iter();
        match (items.next(), items.next()) {
            (None, _) if may_be_none => Ok(None),
            (None, _) => Err(throw(self, NONE)),
            (Some(only), None) => Ok(Some(only)),
            _ => Err(throw(self, SEVERAL)),
        }
    }

    /// Runs a statement that changes rows; returns their number and the generated key.
    pub(super) fn sql_change(&mut self, text: &str, given: &StatementParameters) -> Answer<(usize, Option<Value>)> {
        let Some(statement) = read(text) else { return open("a statement that is not plain") };
        let (table, what) = match &statement {
            Statement::Select { .. } => return open("a query that is run as a change"),
            Statement::Insert { table, .. } => (table, "insert"),
            Statement::Update { table, .. } => (table, "update"),
            Statement::Delete { table, .. } => (table, "delete"),
        };
        self.effects.push(format!("{table} {what}").into());
        match &statement {
            Statement::Insert { table, columns, values } => {
                let mut row = Vec::new();
                for (column, value) in columns.iter().zip(values) {
                    row.push((column.clone(), self.sql_operand(value, given)?));
                }
                let key = self.sql_insert(table, &row)?;
                Ok((1, key))
            }
            Statement::Update { table, set, tests } => {
                let mut row = Vec::new();
                for (column, value) in set {
                    row.push((column.clone(), self.sql_operand(value, given)?));
                }
                let tests = self.sql_conditions(table, tests, given)?;
                Ok((self.sql_update(table, &row, &tests)?, None))
            }
            Statement::Delete { table, tests } => {
                let tests = self.sql_conditions(table, tests, given)?;
                Ok((self.sql_delete(table, &tests)?, None))
            }
            Statement::Select { .. } => open("a query that is run as a change"),
        }
    }

    /// The injected template over the database, if the stores are followed.
    pub fn sql_template(&mut self, declared: &Type) -> Option<Value> {
        let fqn = declared.library().filter(|fqn| super::calls::is_template(fqn))?.to_owned();
        self.stores()?;
        Some(self.modelled(&fqn, &[]))
    }
}

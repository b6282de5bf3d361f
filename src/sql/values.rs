//! Reads parts of syntax trees: literals as values, names in lower case, conditions, and the rows that a statement inserts.

use serde_json::Value;
use sqlparser::ast::{
    BinaryOperator, DataType, Expr, Insert, ObjectName, SetExpr, Statement, TableObject, UnaryOperator,
    Value as Written,
};

/// One inserted row: column and value, in the order of the statement. Nulls and values that are not literals are left out.
pub type Row = Vec<(String, Value)>;

/// The last part of a name, in lower case.
pub fn name_of(name: &ObjectName) -> Option<String> {
    name.0.last()?.as_ident().map(|ident| ident.value.to_lowercase())
}

/// A literal as a value: a string, a number, a boolean or null; `None` for any other expression.
pub fn literal(expression: &Expr) -> Option<Value> {
    match expression {
        Expr::Nested(inner) => literal(inner),
        Expr::Value(value) => written(&value.value),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match &**expr {
            Expr::Value(value) => match &value.value {
                Written::Number(number, false) => parsed(&format!("-{number}")),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The text of a date or time literal such as `DATE '2020-01-01'`, as written.
pub fn time(expression: &Expr) -> Option<Value> {
    let Expr::TypedString(typed) = expression else { return None };
    let is_time = matches!(typed.data_type, DataType::Date | DataType::Time(..) | DataType::Timestamp(..));
    is_time.then(|| written(&typed.value.value)).flatten()
}

/// The operands of a conjunction (`AND`), in order.
pub fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    let (mut found, mut waiting) = (Vec::new(), vec![condition]);
    while let Some(one) = waiting.pop() {
        match one {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => waiting.extend([&**right, &**left]),
            Expr::Nested(inner) => waiting.push(inner),
            other => found.push(other),
        }
    }
    found
}

fn written(value: &Written) -> Option<Value> {
    match value {
        Written::Null => Some(Value::Null),
        Written::Boolean(truth) => Some(Value::Bool(*truth)),
        Written::Number(number, false) => parsed(number),
        Written::SingleQuotedString(text)
        | Written::DoubleQuotedString(text)
        | Written::NationalStringLiteral(text)
        | Written::EscapedStringLiteral(text)
        | Written::UnicodeStringLiteral(text) => Some(Value::from(text.as_str())),
        Written::DollarQuotedString(text) => Some(Value::from(text.value.as_str())),
        _ => None,
    }
}

fn parsed(number: &str) -> Option<Value> {
    serde_json::from_str(number).ok().filter(Value::is_number)
}

/// The table and the rows of an `INSERT … VALUES` that names its columns; `None` for other statements, and for those that ignore or replace rows.
pub fn inserted(statement: &Statement) -> Option<(String, Vec<Row>)> {
    let Statement::Insert(insert) = statement else { return None };
    let Insert { table: TableObject::TableName(table), columns, source: Some(source), .. } = insert else {
        return None;
    };
    if insert.ignore || insert.replace_into || insert.or.is_some() {
        return None;
    }
    let SetExpr::Values(values) = &*source.body else { return None };
    let columns: Vec<String> = columns.iter().filter_map(name_of).collect();
    if columns.is_empty() {
        return None;
    }
    let rows = values.rows.iter().map(|row| &row.content).filter(|row| row.len() == columns.len());
    let row = |row: &Vec<Expr>| {
        let cells = columns.iter().zip(row);
        cells
            .filter_map(|(column, cell)| Some((column.clone(), literal(cell).filter(|cell| !cell.is_null())?)))
            .collect()
    };
    Some((name_of(table)?, rows.map(row).collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::script::one;
    use super::*;

    #[test]
    fn literals_are_values_and_calls_are_not() {
        let statement =
            one("insert into a values (-1, 1.5, N'x', now(), true, null, ('y'), date '2020-01-01', '1'::int)");
        let Statement::Insert(insert) = statement.unwrap() else { panic!("no insertion") };
        let SetExpr::Values(values) = *insert.source.unwrap().body else { panic!("no values") };
        let found: Vec<_> = values.rows[0].content.iter().map(literal).collect();
        let known = [json!(-1), json!(1.5), json!("x"), json!(null), json!(true), json!(null), json!("y")];
        let mut wanted: Vec<_> = known.into_iter().map(Some).chain([None, None]).collect();
        wanted[3] = None;
        assert_eq!(found, wanted);
        assert_eq!(time(&values.rows[0].content[7]), Some(json!("2020-01-01")));
    }

    #[test]
    fn rows_are_read_with_their_literals() {
        let statement = "insert into shop.Orders (id, note, gift, at) values (1, 'a, (b) it''s', false, date '2020-01-01'), (2, null, true, 'x')";
        let (table, rows) = inserted(&one(statement).unwrap()).unwrap();
        assert_eq!(table, "orders");
        assert_eq!(
            rows[0],
            [("id".to_owned(), json!(1)), ("note".to_owned(), json!("a, (b) it's")), ("gift".to_owned(), json!(false))]
        );
        assert_eq!(
            rows[1],
            [("id".to_owned(), json!(2)), ("gift".to_owned(), json!(true)), ("at".to_owned(), json!("x"))]
        );
        assert_eq!(inserted(&one("insert into a values (1)").unwrap()), None);
        assert_eq!(inserted(&one("update a set b = 1").unwrap()), None);
    }
}

//! Simple SQL statements: one table, conditions joined by `and`, an order and a limit.

use crate::interpret::stores::data::plain;
use mastor_sql::ast::{
    AssignmentTarget, BinaryOperator, Expr, FromTable, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    GroupByExpr, Ident, LimitClause, ObjectName, OrderByKind, OrderBySort, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, Statement as Tree, TableFactor, TableObject, TableWithJoins, Value,
};
use mastor_sql::{ast, conjuncts, literal, name_of, one};

/// An operand in a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A positional parameter, from 0.
    Place(usize),
    /// A named parameter.
    Named(String),
    /// `NULL`.
    Null,
    /// A text.
    Text(String),
    /// An integer.
    Number(i64),
    /// A boolean.
    Truth(bool),
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the sign that it stands for")]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

/// A condition on a column.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Test {
    /// A comparison with an operand.
    Compare { column: String, sign: Comparison, with: Operand },
    /// Whether the column is null (`wanted`) or not.
    IsNull { column: String, wanted: bool },
}

/// The selection of a query.
#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    /// All columns.
    All,
    /// The number of rows.
    Count,
    /// Columns, each with its name in the result.
    Columns(Vec<(String, String)>),
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Statement {
    /// `select`.
    Select { table: String, gives: Selection, tests: Vec<Test>, order: Vec<(String, bool)>, most: Option<Operand> },
    /// `insert`.
    Insert { table: String, columns: Vec<String>, values: Vec<Operand> },
    /// `update`.
    Update { table: String, set: Vec<(String, Operand)>, tests: Vec<Test> },
    /// `delete`.
    Delete { table: String, tests: Vec<Test> },
}

/// Parses a statement; `None` if it is not simple.
pub fn read(text: &str) -> Option<Statement> {
    match &one(text)? {
        Tree::Query(query) => select(query),
        Tree::Insert(written) => insert(written),
        Tree::Update(written) => update(written),
        Tree::Delete(written) => delete(written),
        _ => None,
    }
}

/// Parser state: the table's names, and the number of positional parameters so far.
struct SqlParser {
    table: String,
    /// The names that may qualify its columns.
    names: Vec<String>,
    places: usize,
}

impl SqlParser {
    fn of(from: &TableWithJoins) -> Option<Self> {
        let TableFactor::Table { name, alias, args: None, version: None, sample: None, partitions, .. } =
            &from.relation
        else {
            return None;
        };
        let is_plain = from.joins.is_empty() && partitions.is_empty();
        let mut read = Self::named(name).filter(|_| is_plain)?;
        read.names.extend(alias.iter().map(|alias| plain(&alias.name.value)));
        Some(read)
    }

    fn named(name: &ObjectName) -> Option<Self> {
        let table = plain(&name_of(name)?);
        Some(Self { names: vec![table.clone()], table, places: 0 })
    }

    /// A column name, qualified by its table or not.
    fn column<'i>(&self, parts: impl IntoIterator<Item = &'i Ident>) -> Option<String> {
        let parts: Vec<String> = parts.into_iter().map(|part| plain(&part.value)).collect();
        match parts.as_slice() {
            [column] => Some(column.clone()),
            [table, column] if self.names.contains(table) => Some(column.clone()),
            _ => None,
        }
    }

    fn column_of(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Identifier(column) => self.column([column]),
            Expr::CompoundIdentifier(parts) => self.column(parts),
            _ => None,
        }
    }

    fn operand(&mut self, expression: &Expr) -> Option<Operand> {
        match expression {
            Expr::Value(value) if let Value::Placeholder(name) = &value.value => {
                if name == "?" {
                    self.places += 1;
                    return Some(Operand::Place(self.places - 1));
                }
                name.strip_prefix(':').map(|name| Operand::Named(name.to_owned()))
            }
            Expr::Value(_) | Expr::UnaryOp { .. } => match literal(expression)? {
                serde_json::Value::Null => Some(Operand::Null),
                serde_json::Value::Bool(truth) => Some(Operand::Truth(truth)),
                serde_json::Value::String(text) => Some(Operand::Text(text)),
                other => other.as_i64().map(Operand::Number),
            },
            _ => None,
        }
    }

    fn tests(&mut self, condition: Option<&Expr>) -> Option<Vec<Test>> {
        condition.map_or_else(Vec::new, conjuncts).into_iter().map(|one| self.test(one)).collect()
    }

    fn test(&mut self, condition: &Expr) -> Option<Test> {
        match condition {
            Expr::IsNull(column) => Some(Test::IsNull { column: self.column_of(column)?, wanted: true }),
            Expr::IsNotNull(column) => Some(Test::IsNull { column: self.column_of(column)?, wanted: false }),
            Expr::BinaryOp { left, op, right } => {
                let sign = match op {
                    BinaryOperator::Eq => Comparison::Equal,
                    BinaryOperator::NotEq => Comparison::Unequal,
                    BinaryOperator::Lt => Comparison::Less,
                    BinaryOperator::LtEq => Comparison::LessOrEqual,
                    BinaryOperator::Gt => Comparison::More,
                    BinaryOperator::GtEq => Comparison::MoreOrEqual,
                    _ => return None,
                };
                Some(Test::Compare { column: self.column_of(left)?, sign, with: self.operand(right)? })
            }
            _ => None,
        }
    }

    fn gives(&self, items: &[SelectItem]) -> Option<Selection> {
        match items {
            [SelectItem::Wildcard(but)] => return but.to_string().is_empty().then_some(Selection::All),
            [SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), but)] => {
                let is_own = self.names.contains(&plain(&name_of(name)?));
                return (is_own && but.to_string().is_empty()).then_some(Selection::All);
            }
            [
                SelectItem::UnnamedExpr(Expr::Function(call))
                | SelectItem::ExprWithAlias { expr: Expr::Function(call), .. },
            ] => {
                return is_count(call).then_some(Selection::Count);
            }
            _ => {}
        }
        let one = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(own) => self.column_of(own).map(|own| (own.clone(), own)),
            SelectItem::ExprWithAlias { expr, alias } => Some((self.column_of(expr)?, plain(&alias.value))),
            _ => None,
        };
        items.iter().map(one).collect::<Option<Vec<_>>>().filter(|columns| !columns.is_empty()).map(Selection::Columns)
    }

    fn order(&self, query: &Query) -> Option<Vec<(String, bool)>> {
        let Some(order) = &query.order_by else { return Some(Vec::new()) };
        let OrderByKind::Expressions(all) = &order.kind else { return None };
        let one = |one: &ast::OrderByExpr| {
            let is_down = match one.options.sort {
                None | Some(OrderBySort::Asc) => false,
                Some(OrderBySort::Desc) => true,
                Some(OrderBySort::Using(_)) => return None,
            };
            self.column_of(&one.expr).filter(|_| one.options.nulls_first.is_none()).map(|column| (column, is_down))
        };
        all.iter().map(one).collect()
    }
}

fn select(query: &Query) -> Option<Statement> {
    let is_plain = query.with.is_none()
        && query.fetch.is_none()
        && query.locks.is_empty()
        && query.for_clause.is_none()
        && query.pipe_operators.is_empty();
    let SetExpr::Select(select) = &*query.body else { return None };
    let [from] = select.from.as_slice() else { return None };
    let mut reader = SqlParser::of(from).filter(|_| is_plain && is_plain_select(select))?;
    let gives = reader.gives(&select.projection)?;
    let tests = reader.tests(select.selection.as_ref())?;
    let order = reader.order(query)?;
    let most = match &query.limit_clause {
        None => None,
        Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, limit_by }) if limit_by.is_empty() => {
            Some(reader.operand(limit)?)
        }
        Some(_) => return None,
    };
    Some(Statement::Select { table: reader.table, gives, tests, order, most })
}

/// Whether a query has no grouping and no other clauses that drop rows.
fn is_plain_select(select: &Select) -> bool {
    let is_grouped = !matches!(&select.group_by, GroupByExpr::Expressions(by, how) if by.is_empty() && how.is_empty());
    !is_grouped
        && select.distinct.is_none()
        && select.select_modifiers.is_none()
        && select.top.is_none()
        && select.into.is_none()
        && select.exclude.is_none()
        && select.prewhere.is_none()
        && select.having.is_none()
        && select.qualify.is_none()
        && select.connect_by.is_empty()
        && select.lateral_views.is_empty()
}

/// Whether a function call is `count(*)`.
fn is_count(call: &Function) -> bool {
    let FunctionArguments::List(list) = &call.args else { return false };
    let is_all = match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] => true,
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(one))] => literal(one) == Some(serde_json::Value::from(1)),
        _ => false,
    };
    let is_plain = list.duplicate_treatment.is_none() && call.over.is_none() && call.filter.is_none();
    is_all && is_plain && name_of(&call.name).as_deref() == Some("count")
}

fn insert(written: &ast::Insert) -> Option<Statement> {
    let is_plain = !written.ignore
        && !written.overwrite
        && !written.replace_into
        && written.into
        && written.or.is_none()
        && written.on.is_none()
        && written.returning.is_none()
        && written.partitioned.is_none();
    let TableObject::TableName(name) = &written.table else { return None };
    let SetExpr::Values(values) = &*written.source.as_ref().filter(|_| is_plain)?.body else { return None };
    let mut reader = SqlParser::named(name)?;
    let columns: Vec<String> =
        written.columns.iter().map(|column| Some(plain(&name_of(column)?))).collect::<Option<_>>()?;
    let [row] = values.rows.as_slice() else { return None };
    let values: Vec<Operand> = row.content.iter().map(|value| reader.operand(value)).collect::<Option<_>>()?;
    let is_even = !columns.is_empty() && columns.len() == values.len();
    is_even.then_some(Statement::Insert { table: reader.table, columns, values })
}

fn update(written: &ast::Update) -> Option<Statement> {
    let is_plain = written.from.is_none()
        && written.returning.is_none()
        && written.or.is_none()
        && written.order_by.is_empty()
        && written.limit.is_none();
    let mut reader = SqlParser::of(&written.table).filter(|_| is_plain)?;
    let mut set = Vec::new();
    for one in &written.assignments {
        let AssignmentTarget::ColumnName(target) = &one.target else { return None };
        let parts: Vec<&Ident> = target.0.iter().map(|part| part.as_ident()).collect::<Option<_>>()?;
        set.push((reader.column(parts)?, reader.operand(&one.value)?));
    }
    let tests = reader.tests(written.selection.as_ref())?;
    Some(Statement::Update { table: reader.table, set, tests })
}

fn delete(written: &ast::Delete) -> Option<Statement> {
    let is_plain = written.tables.is_empty()
        && written.using.is_none()
        && written.returning.is_none()
        && written.order_by.is_empty()
        && written.limit.is_none();
    let FromTable::WithFromKeyword(from) = &written.from else { return None };
    let [from] = from.as_slice() else { return None };
    let mut reader = SqlParser::of(from).filter(|_| is_plain)?;
    let tests = reader.tests(written.selection.as_ref())?;
    Some(Statement::Delete { table: reader.table, tests })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_statements_are_read_and_others_are_not() {
        let found = read(
            "SELECT n.id, n.note_title AS title FROM shop.notes n WHERE n.id = ? and done is not null ORDER BY n.id desc LIMIT 3",
        );
        let Some(Statement::Select { table, gives, tests, order, most }) = found else { panic!("{found:?}") };
        assert_eq!((table.as_str(), order, most), ("notes", vec![("id".to_owned(), true)], Some(Operand::Number(3))));
        let columns = [("id", "id"), ("notetitle", "title")].map(|(own, shown)| (own.to_owned(), shown.to_owned()));
        assert_eq!(gives, Selection::Columns(columns.to_vec()));
        let equal = Test::Compare { column: "id".to_owned(), sign: Comparison::Equal, with: Operand::Place(0) };
        assert_eq!(tests, [equal, Test::IsNull { column: "done".to_owned(), wanted: false }]);
        assert!(matches!(read("select count(*) from notes"), Some(Statement::Select { gives: Selection::Count, .. })));
        assert!(matches!(read("insert into notes (id, t) values (:id, 'x''y')"), Some(Statement::Insert { .. })));
        assert!(matches!(read("update notes set done = ? where id = ?;"), Some(Statement::Update { .. })));
        assert!(matches!(read("delete from notes"), Some(Statement::Delete { .. })));
        for odd in [
            "select * from a, b",
            "select a.x from a join b on a.id = b.id",
            "select max(id) from a",
            "select * from a where x = 1 or y = 2",
            "select * from a where x like ?",
            "select distinct x from a",
            "select * from a where x in (?, ?)",
            "update a set n = n + 1",
            "insert into a values (1)",
            "select * from a where x = 'b' group by x",
            "select * from a partition (p)",
            "select * except (x) from a",
            "select * from a for update",
            "select * from a limit 3 offset 1",
            "insert into a (x) values (1), (2)",
            "insert into a (x) values (1) on conflict do nothing",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}

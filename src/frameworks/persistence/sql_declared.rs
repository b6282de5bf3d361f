//! Columns and constraints in SQL statements.

use serde_json::Value as Json;

use mastor_java::interpret::stores::data::{Cell, Column, OnDelete, Table, plain};
use mastor_sql::ast::{
    ColumnDef, ColumnOption, Expr, ForeignKeyConstraint, Ident, IndexColumn, ReferentialAction, TableConstraint,
};
use mastor_sql::{literal, name_of, time};

/// A foreign key: its column, the referenced table, and what happens to the row if the referenced row is deleted.
pub(super) type Referred = (String, String, OnDelete);

/// The normalised name of a column.
pub(super) fn name(ident: &Ident) -> String {
    plain(&ident.value)
}

/// The value of an expression, if it is a literal.
pub(super) fn cell(expression: &Expr) -> Cell {
    match literal(expression).or_else(|| time(expression)) {
        Some(Json::Null) => Cell::Null,
        Some(value) => Cell::Value(value),
        None => Cell::Unknown,
    }
}

/// A declared column.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) column: Column,
    pub(super) refers: Option<Referred>,
}

impl Declared {
    /// Reads a column declaration.
    pub(super) fn of(written: &ColumnDef) -> Self {
        let own = name(&written.name);
        let shown = written.data_type.to_string().to_ascii_lowercase();
        let (ty, size) = shown.split_once('(').unwrap_or((&shown, ""));
        let ty = ty.trim_end();
        let digits: String = size.chars().take_while(char::is_ascii_digit).collect();
        let counts = ty.ends_with("serial");
        let mut column = Column {
            is_counted: counts || ty.ends_with("identity"),
            is_required: counts,
            length: ty.contains("char").then(|| digits.parse().ok()).flatten(),
            ..Column::default()
        };
        let mut refers = None;
        for option in &written.options {
            match &option.option {
                ColumnOption::NotNull => column.is_required = true,
                ColumnOption::Default(value) => column.default = Some(cell(value)),
                ColumnOption::PrimaryKey(_) => (column.is_required, column.is_unique) = (true, true),
                ColumnOption::Unique(_) => column.is_unique = true,
                ColumnOption::ForeignKey(key) => refers = referred(own.clone(), key),
                // The database computes the value.
                ColumnOption::Generated { generation_expr: Some(_), .. } => column.default = Some(Cell::Unknown),
                ColumnOption::Generated { .. } | ColumnOption::Identity(_) => column.is_counted = true,
                // `AUTO_INCREMENT` and `AUTOINCREMENT`.
                ColumnOption::DialectSpecific(tokens) => {
                    let counts = |text: String| text.to_ascii_lowercase().starts_with("auto");
                    column.is_counted |= tokens.iter().any(|token| counts(token.to_string()));
                }
                _ => {}
            }
        }
        Self { name: own, column, refers }
    }
}

fn referred(column: String, key: &ForeignKeyConstraint) -> Option<Referred> {
    let on_delete = match key.on_delete {
        Some(ReferentialAction::Cascade) => OnDelete::Goes,
        Some(ReferentialAction::SetNull | ReferentialAction::SetDefault) => OnDelete::Changes,
        _ => OnDelete::Refuses,
    };
    Some((column, plain(&name_of(&key.foreign_table)?), on_delete))
}

/// Adds a table constraint: primary and unique keys, and foreign keys with one column.
pub(super) fn constraint(written: &TableConstraint, table: &mut Table, refers: &mut Vec<Referred>) {
    match written {
        TableConstraint::PrimaryKey(key) => {
            unique(&key.columns, table);
            if let [only] = named(&key.columns).as_slice()
                && let Some((_, column)) = table.columns.iter_mut().find(|(name, _)| name == only)
            {
                column.is_required = true;
            }
        }
        TableConstraint::Unique(key) => unique(&key.columns, table),
        TableConstraint::ForeignKey(key) => {
            if let [only] = key.columns.as_slice() {
                refers.extend(referred(name(only), key));
            }
        }
        _ => {}
    }
}

/// Records that the values of these columns are unique; skipped if one of them is an expression.
pub(super) fn unique(columns: &[IndexColumn], table: &mut Table) {
    let names = named(columns);
    match names.as_slice() {
        _ if names.len() < columns.len() => {}
        [only] => {
            if let Some((_, column)) = table.columns.iter_mut().find(|(name, _)| name == only) {
                column.is_unique = true;
            }
        }
        _ => table.together.push(names),
    }
}

fn named(columns: &[IndexColumn]) -> Vec<String> {
    let one = |column: &IndexColumn| match &column.column.expr {
        Expr::Identifier(own) => Some(name(own)),
        _ => None,
    };
    columns.iter().filter_map(one).collect()
}

//! Database scripts: their statements about a table in both revisions, and whether a difference affects an operation.
//! Constraints matter where rows are written.

use std::sync::Arc;

use crate::derive::compare::objects::reads_only::only_reads;
use crate::derive::compare::sides::revision::TableStatements;
use crate::derive::compare::sides::side::Side;
use crate::sql::ast::{AlterTableOperation, ColumnDef, ColumnOption, ColumnOptionDef, Statement};
use crate::sql::statements;
use crate::types::Hash;

/// Whether a changed input is a script's part about a table without an effect on the operation: the statements are the
/// same in both revisions, or only constraints differ and the operation only reads rows.
pub(super) fn says_alike((old, new): (&Side<'_>, &Side<'_>), input: &str) -> bool {
    let Some((file, table)) = input.strip_prefix("global:").and_then(|name| name.split_once(" table ")) else {
        return false;
    };
    let [Some(was), Some(is)] = [old, new].map(|side| said(side, file, table)) else { return false };
    was.whole == is.whole || was.rows == is.rows && !was.rows.is_empty() && only_reads(old) && only_reads(new)
}

/// The statements of a revision's script about a table; `None` if there are none.
fn said(side: &Side<'_>, file: &str, table: &str) -> Option<Arc<TableStatements>> {
    let key = Hash::of(format!("{file} {table}").as_bytes());
    let said = side.revision.scripts.get(key, || {
        let mut found = TableStatements { whole: Vec::new(), rows: Vec::new() };
        let text = side.bench.subject.files.text(file).ok();
        let all = text.iter().flat_map(|text| statements(&text.text));
        for statement in all.filter(|one| one.tables().contains(table)) {
            found.whole.push(statement.tree.as_ref().map_or_else(|| statement.text.clone(), ToString::to_string));
            match &statement.tree {
                Some(Statement::CreateTable(made)) => {
                    found.rows.push(format!("{} {:?}", made.name, made.query.is_some()));
                    found.rows.extend(made.columns.iter().map(held));
                }
                Some(Statement::CreateIndex(_)) => {}
                Some(Statement::AlterTable(table))
                    if table.operations.iter().all(|one| matches!(one, AlterTableOperation::AddConstraint { .. })) => {}
                _ => found.rows.push(statement.text.clone()),
            }
        }
        Arc::new(found)
    });
    (!said.whole.is_empty()).then_some(said)
}

/// The content of a column: its name, its type, and options other than constraints, such as a generation expression.
fn held(column: &ColumnDef) -> String {
    let is_constraint = |one: &&ColumnOptionDef| {
        use ColumnOption::{Check, Default, ForeignKey, Identity, NotNull, Null, PrimaryKey, Unique};
        let all = &one.option;
        matches!(all, Check(_) | Default(_) | ForeignKey(_) | Identity(_) | NotNull | Null | PrimaryKey(_) | Unique(_))
    };
    let others = column.options.iter().filter(|one| !is_constraint(one)).map(|one| one.option.to_string());
    let parts = [column.name.to_string(), column.data_type.to_string()].into_iter().chain(others);
    parts.collect::<Vec<_>>().join(" ").to_lowercase()
}

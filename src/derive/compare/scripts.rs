//! Scripts of a database: what they say of a table in both revisions, and whether that matters to an operation. Constraints matter where rows are written.

use std::sync::Arc;

use crate::sql::ast::{AlterTableOperation, ColumnOption, ColumnOptionDef, Statement};

use super::handed::handed;
use super::revision::Said;
use super::side::Side;
use crate::java::body::ExprKind;
use crate::sql::statements;
use crate::types::{Hash, Method};

/// How the names of calls begin that write rows.
const WRITING: [&str; 12] = [
    "batch", "create", "delete", "execute", "flush", "insert", "merge", "persist", "remove", "save", "store", "update",
];

/// Whether a changed input is what a script says of a table, and decides nothing of the operation: it says the same in both revisions, or other constraints
/// of rows that the operation only reads.
pub(super) fn says_alike((old, new): (&Side<'_>, &Side<'_>), input: &str) -> bool {
    let Some((file, table)) = input.strip_prefix("global:").and_then(|name| name.split_once(" table ")) else {
        return false;
    };
    let [Some(was), Some(is)] = [old, new].map(|side| said(side, file, table)) else { return false };
    was.whole == is.whole || was.rows == is.rows && !was.rows.is_empty() && only_reads(old) && only_reads(new)
}

/// What a script of the revision says of a table; `None` where it cannot be read.
fn said(side: &Side<'_>, file: &str, table: &str) -> Option<Arc<Said>> {
    let text = || side.bench.subject.files.text(file).ok();
    let key = Hash::of(format!("{file} {table}").as_bytes());
    let said = side.revision.scripts.get(key, || {
        let mut found = Said { whole: Vec::new(), rows: Vec::new() };
        let text = text();
        let all = text.iter().flat_map(|text| statements(&text.text));
        for statement in all.filter(|one| one.tables().contains(table)) {
            found.whole.push(statement.tree.as_ref().map_or_else(|| statement.text.clone(), ToString::to_string));
            match &statement.tree {
                Some(Statement::CreateTable(made)) => {
                    found.rows.push(format!("{} {:?}", made.name, made.query.is_some()));
                    found.rows.extend(made.columns.iter().map(|column| {
                        let is_other = |one: &&ColumnOptionDef| {
                            !matches!(
                                one.option,
                                ColumnOption::Null
                                    | ColumnOption::NotNull
                                    | ColumnOption::Unique(_)
                                    | ColumnOption::PrimaryKey(_)
                                    | ColumnOption::Check(_)
                                    | ColumnOption::ForeignKey(_)
                                    | ColumnOption::Default(_)
                                    | ColumnOption::Identity(_)
                            )
                        };
                        let others: Vec<String> =
                            column.options.iter().filter(is_other).map(|one| one.option.to_string()).collect();
                        format!("{} {} {}", column.name, column.data_type, others.join(" ")).to_lowercase()
                    }));
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

/// Whether an operation only reads rows: its method is one for reading, and its code calls nothing that writes by its name.
fn only_reads(side: &Side<'_>) -> bool {
    let subject = side.bench.subject;
    let writes = |name: &str| WRITING.iter().any(|start| name.starts_with(start));
    let mut members = handed(side).members.iter().filter_map(|member| subject.project.body(*member));
    matches!(subject.endpoint.method, Method::Get | Method::Head)
        && !members.any(|body| {
            body.exprs.iter().any(|expr| match &expr.kind {
                ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => writes(name),
                _ => false,
            })
        })
}

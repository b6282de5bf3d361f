//! Finds the tables that a statement names, by its syntax tree.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::{
    AlterTableOperation, ColumnDef, ColumnOption, CopySource, Expr, ObjectName, ObjectType, Query, RenameTableNameKind,
    Select, Statement, TableConstraint, TableFactor, Visit, Visitor,
};

use super::values::name_of;

/// The tables of a statement; `None` for kinds of statement whose tree does not contain all of them.
pub(super) fn of_tree(tree: &Statement) -> Option<BTreeSet<String>> {
    let mut named = TableCollector::default();
    match tree {
        Statement::Query(_)
        | Statement::Insert(_)
        | Statement::Update(_)
        | Statement::Delete(_)
        | Statement::Merge(_)
        | Statement::Truncate(_)
        | Statement::CreateIndex(_) => {}
        Statement::CreateView(view) => named.queries.extend(name_of(&view.name)),
        Statement::CreateTable(table) => {
            table.columns.iter().for_each(|column| named.column(column));
            table.constraints.iter().for_each(|constraint| named.constraint(constraint));
            table.inherits.iter().flatten().for_each(|parent| named.add(parent));
        }
        Statement::AlterTable(table) => table.operations.iter().for_each(|operation| named.operation(operation)),
        Statement::Drop { object_type: ObjectType::Table, names, .. } => names.iter().for_each(|name| named.add(name)),
        Statement::RenameTable(all) => {
            all.iter().flat_map(|one| [&one.old_name, &one.new_name]).for_each(|name| named.add(name));
        }
        Statement::Copy { source: CopySource::Table { table_name, .. }, .. } => named.add(table_name),
        _ => return None,
    }
    let _: ControlFlow<()> = tree.visit(&mut named);
    named.tables.retain(|table| !named.queries.contains(table));
    Some(named.tables)
}

#[derive(Default)]
struct TableCollector {
    tables: BTreeSet<String>,
    /// Names of common table expressions and of a created view, which are not tables.
    queries: BTreeSet<String>,
    /// The table function that is being visited, whose name is not a table.
    call: Option<ObjectName>,
}

impl TableCollector {
    fn add(&mut self, name: &ObjectName) {
        self.tables.extend(name_of(name));
    }

    fn column(&mut self, column: &ColumnDef) {
        for option in &column.options {
            if let ColumnOption::ForeignKey(key) = &option.option {
                self.add(&key.foreign_table);
            }
        }
    }

    fn constraint(&mut self, constraint: &TableConstraint) {
        if let TableConstraint::ForeignKey(key) = constraint {
            self.add(&key.foreign_table);
        }
    }

    fn operation(&mut self, operation: &AlterTableOperation) {
        match operation {
            AlterTableOperation::AddConstraint { constraint, .. } => self.constraint(constraint),
            AlterTableOperation::AddColumn { column_def, .. } => self.column(column_def),
            AlterTableOperation::RenameTable {
                table_name: RenameTableNameKind::As(name) | RenameTableNameKind::To(name),
            } => self.add(name),
            _ => {}
        }
    }
}

impl Visitor for TableCollector {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let named = query.with.iter().flat_map(|with| &with.cte_tables);
        self.queries.extend(named.map(|query| query.alias.name.value.to_lowercase()));
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        // `SELECT … INTO` names a new table or, in a routine's body, a variable.
        let name = |target: &Expr| match target {
            Expr::Identifier(name) => Some(name.value.to_lowercase()),
            Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.to_lowercase()),
            _ => None,
        };
        self.tables.extend(select.into.iter().flat_map(|into| &into.targets).filter_map(name));
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, args: Some(_), .. } = factor {
            self.call = Some(name.clone());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        if self.call.take().as_ref() != Some(relation) {
            self.add(relation);
        }
        ControlFlow::Continue(())
    }
}

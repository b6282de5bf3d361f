//! What statements say of one table: its columns, its constraints, and whether they change its rows.

use std::collections::{BTreeMap, BTreeSet};

use sqlparser::ast::{
    AlterColumnOperation, AlterTableOperation, ColumnDef, ColumnOption, CreateIndex, ForeignKeyConstraint,
    ReferentialAction, RenameTableNameKind, Statement as Tree, TableConstraint, TableObject,
};

use super::script::Statement;
use super::values::name_of;

/// A column as statements declare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredColumn {
    /// Its type in lower case.
    pub ty: String,
    /// Whether it is `NOT NULL`.
    pub is_required: bool,
    /// Whether the database fills it where a row does not name it.
    pub is_filled: bool,
}

/// What some statements say of one table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definition {
    /// Whether a statement creates the table.
    pub is_made: bool,
    /// Columns that are declared, by lower-case name.
    pub columns: BTreeMap<String, DeclaredColumn>,
    /// Names of columns that are dropped or renamed.
    pub dropped: BTreeSet<String>,
    /// New types of existing columns.
    pub retyped: BTreeMap<String, String>,
    /// Whether existing columns become `NOT NULL`.
    pub required: BTreeMap<String, bool>,
    /// Texts of constraints without their names, and of statements that remove or change constraints and defaults.
    pub constraints: BTreeSet<String>,
    /// Other tables whose rows keep rows of this table from being deleted.
    pub referring: BTreeSet<String>,
    /// Whether rows are inserted, changed or deleted.
    pub changes_rows: bool,
    /// Whether a statement has another effect, or is not understood.
    pub is_open: bool,
}

impl Definition {
    /// Adds what a statement says of a table, which is named in lower case and without its schema.
    pub fn add(&mut self, statement: &Statement, table: &str) {
        let is_own = |name: &sqlparser::ast::ObjectName| name_of(name).as_deref() == Some(table);
        match statement.tree.as_ref() {
            Some(Tree::CreateTable(made)) if is_own(&made.name) => {
                self.is_made = true;
                self.changes_rows |= made.query.is_some();
                made.columns.iter().for_each(|column| self.column(column));
                made.constraints.iter().for_each(|one| self.constraint(one));
            }
            Some(Tree::CreateTable(made)) => {
                let by_column = made.columns.iter().flat_map(keys_of);
                let by_table = made.constraints.iter().filter_map(key_of);
                self.referred(&made.name, by_column.chain(by_table), table);
            }
            Some(Tree::AlterTable(altered)) if is_own(&altered.name) => {
                altered.operations.iter().for_each(|operation| self.alter(operation));
            }
            Some(Tree::AlterTable(altered)) => {
                for operation in &altered.operations {
                    match operation {
                        AlterTableOperation::AddConstraint { constraint, .. } => {
                            self.referred(&altered.name, key_of(constraint).into_iter(), table);
                        }
                        AlterTableOperation::AddColumn { column_def, .. } => {
                            self.referred(&altered.name, keys_of(column_def).into_iter(), table);
                        }
                        AlterTableOperation::RenameTable {
                            table_name: RenameTableNameKind::As(name) | RenameTableNameKind::To(name),
                        } => self.is_open |= is_own(name),
                        _ => {}
                    }
                }
            }
            Some(Tree::CreateIndex(index)) if is_own(&index.table_name) => self.index(index),
            Some(Tree::CreateIndex(_)) => {}
            Some(Tree::Insert(insert)) => {
                self.changes_rows |= match &insert.table {
                    TableObject::TableName(name) => is_own(name),
                    _ => true,
                };
            }
            Some(Tree::Update(_) | Tree::Delete(_) | Tree::Merge(_) | Tree::Truncate(_) | Tree::Copy { .. }) => {
                self.changes_rows = true;
            }
            Some(Tree::Query(_) | Tree::CreateView(_)) => {}
            Some(_) | None => self.is_open |= !statement.is_inert() || statement.tree.is_none(),
        }
    }

    fn column(&mut self, written: &ColumnDef) {
        let name = written.name.value.to_lowercase();
        let ty = written.data_type.to_string().to_lowercase();
        let mut column = DeclaredColumn { is_filled: ty.ends_with("serial"), ty, is_required: false };
        for option in &written.options {
            match &option.option {
                ColumnOption::NotNull => column.is_required = true,
                ColumnOption::PrimaryKey(_) => {
                    column.is_required = true;
                    self.constraints.insert(format!("primary key ({name})"));
                }
                ColumnOption::Unique(_) => {
                    self.constraints.insert(format!("unique ({name})"));
                }
                ColumnOption::ForeignKey(key) => {
                    let to = name_of(&key.foreign_table).unwrap_or_default();
                    self.constraints.insert(format!("foreign key ({name}) references {to}"));
                }
                ColumnOption::Check(check) => {
                    self.constraints.insert(plain(&check.to_string()));
                }
                ColumnOption::Default(_) | ColumnOption::Generated { .. } | ColumnOption::Identity(_) => {
                    column.is_filled = true;
                }
                // `AUTO_INCREMENT` and `AUTOINCREMENT`.
                ColumnOption::DialectSpecific(_) => column.is_filled = true,
                _ => {}
            }
        }
        self.columns.insert(name, column);
    }

    fn constraint(&mut self, written: &TableConstraint) {
        match written {
            TableConstraint::Index(_) | TableConstraint::FulltextOrSpatial(_) => {}
            TableConstraint::ForeignKey(key) => {
                let columns: Vec<String> = key.columns.iter().map(|column| column.value.to_lowercase()).collect();
                let to = name_of(&key.foreign_table).unwrap_or_default();
                self.constraints.insert(format!("foreign key ({}) references {to}", columns.join(", ")));
            }
            other => {
                self.constraints.insert(plain(&other.to_string()));
            }
        }
    }

    fn index(&mut self, index: &CreateIndex) {
        if index.unique {
            let columns: Vec<String> = index.columns.iter().map(|one| one.column.expr.to_string()).collect();
            let only = index.predicate.as_ref().map(|only| format!(" where {only}")).unwrap_or_default();
            self.constraints.insert(plain(&format!("unique ({}){only}", columns.join(", "))));
        }
    }

    fn referred<'k>(
        &mut self,
        by: &sqlparser::ast::ObjectName,
        mut keys: impl Iterator<Item = &'k ForeignKeyConstraint>,
        table: &str,
    ) {
        let refuses = |key: &ForeignKeyConstraint| {
            let yields = matches!(
                key.on_delete,
                Some(ReferentialAction::Cascade | ReferentialAction::SetNull | ReferentialAction::SetDefault)
            );
            !yields && name_of(&key.foreign_table).as_deref() == Some(table)
        };
        if keys.any(refuses) {
            self.referring.extend(name_of(by));
        }
    }

    fn alter(&mut self, operation: &AlterTableOperation) {
        use AlterTableOperation as Alter;
        match operation {
            Alter::AddColumn { column_def, .. } => self.column(column_def),
            Alter::AddConstraint { constraint, .. } => self.constraint(constraint),
            Alter::DropColumn { column_names, .. } => {
                self.dropped.extend(column_names.iter().map(|name| name.value.to_lowercase()));
            }
            Alter::RenameColumn { old_column_name, new_column_name } => {
                self.dropped.insert(old_column_name.value.to_lowercase());
                let column = DeclaredColumn { ty: String::new(), is_required: false, is_filled: true };
                self.columns.insert(new_column_name.value.to_lowercase(), column);
            }
            Alter::ChangeColumn { old_name, new_name, data_type, options, .. } => {
                let (was, is) = (old_name.value.to_lowercase(), new_name.value.to_lowercase());
                if was == is {
                    self.retype(is, &data_type.to_string(), options);
                } else {
                    self.dropped.insert(was);
                    let column = DeclaredColumn {
                        ty: data_type.to_string().to_lowercase(),
                        is_required: false,
                        is_filled: true,
                    };
                    self.columns.insert(is, column);
                }
            }
            Alter::ModifyColumn { col_name, data_type, options, .. } => {
                self.retype(col_name.value.to_lowercase(), &data_type.to_string(), options);
            }
            Alter::AlterColumn { column_name, op } => {
                let name = column_name.value.to_lowercase();
                match op {
                    AlterColumnOperation::SetNotNull => _ = self.required.insert(name, true),
                    AlterColumnOperation::DropNotNull => _ = self.required.insert(name, false),
                    AlterColumnOperation::SetDataType { data_type, .. } => {
                        self.retyped.insert(name, data_type.to_string().to_lowercase());
                    }
                    other => _ = self.constraints.insert(plain(&format!("{name} {other}"))),
                }
            }
            Alter::DropConstraint { .. }
            | Alter::DropForeignKey { .. }
            | Alter::DropPrimaryKey { .. }
            | Alter::DropIndex { .. } => _ = self.constraints.insert(plain(&operation.to_string())),
            Alter::RenameConstraint { .. } | Alter::OwnerTo { .. } => {}
            _ => self.is_open = true,
        }
    }

    fn retype(&mut self, column: String, ty: &str, options: &[ColumnOption]) {
        self.required.insert(column.clone(), options.contains(&ColumnOption::NotNull));
        self.retyped.insert(column, ty.to_lowercase());
    }
}

/// The foreign keys that a column declares.
fn keys_of(column: &ColumnDef) -> Vec<&ForeignKeyConstraint> {
    let key = |option: &'_ ColumnOption| matches!(option, ColumnOption::ForeignKey(_));
    let all = column.options.iter().map(|option| &option.option).filter(|option| key(option));
    all.filter_map(|option| match option {
        ColumnOption::ForeignKey(key) => Some(key),
        _ => None,
    })
    .collect()
}

fn key_of(constraint: &TableConstraint) -> Option<&ForeignKeyConstraint> {
    match constraint {
        TableConstraint::ForeignKey(key) => Some(key),
        _ => None,
    }
}

/// A constraint's text in lower case and without its name.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    match lower.strip_prefix("constraint ").and_then(|rest| rest.split_once(' ')) {
        Some((_, rest)) => rest.to_owned(),
        None => lower,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements;

    fn said(script: &str, table: &str) -> Definition {
        let mut found = Definition::default();
        statements(script).for_each(|statement| found.add(&statement, table));
        found
    }

    #[test]
    fn a_table_has_what_statements_say_of_it_and_nothing_of_its_neighbours() {
        let script = "create table users (id bigint primary key, name varchar(20) not null, note text default '');
            create table orders (id bigint primary key, user_id bigint, constraint owner foreign key (user_id) references users (id));
            create index by_name on users (name); create unique index one on orders (user_id);
            insert into orders (user_id) select id from users;
            alter table users add column age int not null, drop column note;";
        let users = said(script, "users");
        assert!(users.is_made && !users.changes_rows && !users.is_open, "{users:?}");
        assert_eq!(users.columns.keys().collect::<Vec<_>>(), ["age", "id", "name", "note"]);
        assert!(users.columns["age"].is_required && users.columns["note"].is_filled);
        assert_eq!(users.constraints, BTreeSet::from(["primary key (id)".to_owned()]));
        assert_eq!(users.referring, BTreeSet::from(["orders".to_owned()]));
        assert_eq!(users.dropped, BTreeSet::from(["note".to_owned()]));
        let orders = said(script, "orders");
        assert!(orders.changes_rows && orders.referring.is_empty());
        let expected = ["foreign key (user_id) references users", "primary key (id)", "unique (user_id)"];
        assert_eq!(orders.constraints.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_is_not_understood_is_open() {
        assert!(said("alter table users enable row level security", "users").is_open);
        assert!(said("drop table users", "users").is_open);
        assert!(!said("grant select on users to reader", "users").is_open);
        assert!(said("alter table users alter column name set not null", "users").required["name"]);
    }
}

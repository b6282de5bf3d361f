//! Runs SQL scripts on tables: the content of a database after them, as far as their statements are plain.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::sql_declared::{Declared, Referred, cell, constraint, name, unique};
use crate::files::resources::UNREAD;
use mastor_java::interpret::stores::data::{Cell, OnDelete, Row, Table, plain};
use mastor_sql::ast::{
    AlterColumnOperation, AlterTable, AlterTableOperation, Assignment, AssignmentTarget, BinaryOperator, CreateIndex,
    CreateTable, Delete, Expr, FromTable, Insert, ObjectType, SetExpr, Statement as Tree, TableFactor, TableObject,
    TableWithJoins, Update,
};
use mastor_sql::{Statement, conjuncts, name_of, statements};

/// Keywords of `ALTER TABLE` statements that the parser does not read, and that change rows, columns or constraints.
const ALTERS: [&str; 7] = ["add", "rename", "change", "drop", "switch", "exchange", "partition"];

/// A database while scripts run on it.
#[derive(Debug, Clone, Default)]
pub struct Database {
    /// Tables by their normalised names.
    pub tables: BTreeMap<String, Table>,
    /// Why the content of tables that no script created is unknown.
    pub open: Option<String>,
    /// Whether a script created a table.
    pub has_schema: bool,
}

impl Database {
    /// Runs a script.
    pub fn run(&mut self, text: &str) {
        for statement in statements(text) {
            if self.statement(&statement).is_some() {
                continue;
            }
            let why = "a statement of a script is not understood";
            let tables = statement.tables();
            if tables.is_empty() {
                self.open_all(why);
            }
            for table in tables {
                self.table(&table).open = Some(why.to_owned());
            }
        }
    }

    /// Marks the content of all tables as unknown.
    fn open_all(&mut self, why: &str) {
        self.tables.values_mut().for_each(|table| table.open = Some(why.to_owned()));
        self.open = Some(why.to_owned());
    }

    fn table(&mut self, name: &str) -> &mut Table {
        let open = self.open.clone();
        self.tables.entry(plain(name)).or_insert_with(|| Table { open, ..Table::default() })
    }

    fn drop_table(&mut self, name: &str) {
        if self.open.is_some() {
            self.tables.insert(plain(name), Table::default());
        } else {
            self.tables.remove(&plain(name));
        }
    }

    /// Runs a statement; `None` if it is not understood.
    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match statement.tree.as_ref() {
            Some(Tree::Insert(insert)) => self.insert(insert),
            Some(Tree::CreateTable(table)) => self.create(table),
            Some(Tree::CreateIndex(index)) => self.index(index),
            Some(Tree::Drop { object_type: ObjectType::Table, names, .. }) => {
                names.iter().filter_map(name_of).for_each(|name| self.drop_table(&name));
                Some(())
            }
            Some(Tree::Delete(delete)) => self.delete(delete),
            Some(Tree::Truncate(truncate)) => {
                for name in truncate.table_names.iter().filter_map(|target| name_of(&target.name)) {
                    let table = self.table(&name);
                    (table.rows, table.open) = (Vec::new(), None);
                }
                Some(())
            }
            Some(Tree::Update(update)) => self.update(update),
            Some(Tree::AlterTable(table)) => self.alter(table),
            _ => self.by_words(statement),
        }
    }

    /// Runs a statement that is recognised by its first words, or that no dialect can parse.
    fn by_words(&mut self, statement: &Statement) -> Option<()> {
        let lower = statement.text.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let second = words.get(1).copied().unwrap_or_default();
        match *words.first()? {
            UNREAD => {
                self.open_all("a script is too large to be read");
                Some(())
            }
            "create" if words.iter().take(4).any(|word| *word == "table") => {
                self.has_schema = true;
                None
            }
            // Several statements that no dialect separates.
            _ if statement.text.contains(';') => statement.is_inert().then_some(()),
            "alter" if second == "table" && words.iter().any(|word| ALTERS.contains(word)) => None,
            // The parser does not read H2's `ALTER COLUMN id RESTART WITH 10`.
            "alter" if second == "table" && statement.is_inert() => {
                if let [.., "restart", "with", number] = words.as_slice() {
                    let table = statement.tables().pop_first()?;
                    self.table(&table).restarts = number.parse().ok();
                }
                Some(())
            }
            "drop" if matches!(second, "all" | "schema" | "database") => {
                self.tables.clear();
                self.open = None;
                Some(())
            }
            "drop" if second != "table" => Some(()),
            // H2 and HSQLDB also accept `IF EXISTS` after the name.
            "drop" => {
                let named = lower.trim_start_matches("drop table ").trim_start_matches("if exists ");
                for name in named.split(',').filter_map(|part| part.split_whitespace().next()) {
                    self.drop_table(name.rsplit('.').next().unwrap_or(name));
                }
                Some(())
            }
            _ => statement.is_inert().then_some(()),
        }
    }

    fn insert(&mut self, insert: &Insert) -> Option<()> {
        let is_plain = !insert.ignore
            && !insert.overwrite
            && !insert.replace_into
            && insert.or.is_none()
            && insert.on.is_none()
            && insert.partitioned.is_none()
            && insert.multi_table_insert_type.is_none();
        let TableObject::TableName(name) = &insert.table else { return None };
        let query = insert.source.as_ref().filter(|query| is_plain && query.with.is_none())?;
        let SetExpr::Values(values) = &*query.body else { return None };
        let table = self.table(&name_of(name)?);
        let columns: Vec<String> = match insert.columns.as_slice() {
            [] if table.columns.is_empty() => return None,
            [] => table.columns.iter().map(|(name, _)| name.clone()).collect(),
            named => named.iter().map(|name| name_of(name).map(|name| plain(&name))).collect::<Option<_>>()?,
        };
        if values.rows.is_empty() || values.rows.iter().any(|row| row.content.len() != columns.len()) {
            return None;
        }
        for values in &values.rows {
            let named = columns.iter().zip(&values.content).filter(|(_, value)| !is_default(value));
            let mut row: Row = named.map(|(column, value)| (column.clone(), cell(value))).collect();
            complete(table, &mut row);
            table.rows.push(row);
        }
        Some(())
    }

    fn create(&mut self, created: &CreateTable) -> Option<()> {
        self.has_schema = true;
        if created.query.is_some() || created.columns.is_empty() {
            return None;
        }
        let own = plain(&name_of(&created.name)?);
        if created.if_not_exists && (self.open.is_some() || self.tables.contains_key(&own)) {
            // An existing table keeps its content.
            self.table(&own);
            return Some(());
        }
        let mut table = Table::default();
        let mut referred = Vec::new();
        for column in &created.columns {
            let declared = Declared::of(column);
            referred.extend(declared.refers);
            table.columns.push((declared.name, declared.column));
        }
        for one in &created.constraints {
            constraint(one, &mut table, &mut referred);
        }
        self.refer(&own, referred);
        self.tables.insert(own, table);
        Some(())
    }

    /// Records the foreign keys at the tables that they refer to.
    fn refer(&mut self, own: &str, referred: Vec<Referred>) {
        for (column, target, on_delete) in referred {
            let Some(target) = self.tables.get_mut(&target) else { continue };
            match on_delete {
                OnDelete::Refuses => target.references.push((column, own.to_owned())),
                other => target.yielding.push((column, own.to_owned(), other)),
            }
        }
    }

    fn index(&mut self, index: &CreateIndex) -> Option<()> {
        if index.unique && index.predicate.is_none() {
            unique(&index.columns, self.table(&name_of(&index.table_name)?));
        }
        Some(())
    }

    fn delete(&mut self, delete: &Delete) -> Option<()> {
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let [from] = from.as_slice() else { return None };
        let is_plain = delete.tables.is_empty() && delete.using.is_none() && delete.limit.is_none();
        let table = self.table(&only(from).filter(|_| is_plain)?);
        let tests = tests(delete.selection.as_ref())?;
        if tests.is_empty() {
            (table.rows, table.open) = (Vec::new(), None);
            return Some(());
        }
        let mut kept = Vec::new();
        for row in std::mem::take(&mut table.rows) {
            if !fits(&row, &tests)? {
                kept.push(row);
            }
        }
        table.rows = kept;
        Some(())
    }

    fn update(&mut self, update: &Update) -> Option<()> {
        let is_plain = update.from.is_none() && update.or.is_none() && update.limit.is_none();
        let name = only(&update.table).filter(|_| is_plain)?;
        let assigned = |one: &Assignment| match &one.target {
            AssignmentTarget::ColumnName(column) => Some((plain(&name_of(column)?), cell(&one.value))),
            AssignmentTarget::Tuple(_) => None,
        };
        let set: Vec<(String, Cell)> = update.assignments.iter().map(assigned).collect::<Option<_>>()?;
        let tests = tests(update.selection.as_ref())?;
        for row in &mut self.table(&name).rows {
            if fits(row, &tests)? {
                row.extend(set.iter().cloned());
            }
        }
        Some(())
    }

    fn alter(&mut self, altered: &AlterTable) -> Option<()> {
        let own = plain(&name_of(&altered.name)?);
        for operation in &altered.operations {
            let mut referred = Vec::new();
            match operation {
                AlterTableOperation::RenameTable { .. }
                | AlterTableOperation::RenameColumn { .. }
                | AlterTableOperation::AttachPartition { .. }
                | AlterTableOperation::AttachPartitionOf { .. }
                | AlterTableOperation::DetachPartition { .. }
                | AlterTableOperation::DetachPartitionOf { .. }
                | AlterTableOperation::DropPartitions { .. }
                | AlterTableOperation::SwapWith { .. }
                | AlterTableOperation::Inherit { .. }
                | AlterTableOperation::NoInherit { .. } => return None,
                AlterTableOperation::DropColumn { column_names, .. } => {
                    let (names, table) = (column_names.iter().map(name).collect::<Vec<_>>(), self.table(&own));
                    table.columns.retain(|(column, _)| !names.contains(column));
                    table.rows.iter_mut().for_each(|row| row.retain(|column, _| !names.contains(column)));
                }
                AlterTableOperation::ChangeColumn { old_name, new_name, .. } if name(old_name) != name(new_name) => {
                    return None;
                }
                AlterTableOperation::AddConstraint { constraint: added, .. } => {
                    constraint(added, self.table(&own), &mut referred);
                }
                AlterTableOperation::AddColumn { column_def, .. } => {
                    let declared = Declared::of(column_def);
                    let table = self.table(&own);
                    if let Some(default) = &declared.column.default {
                        table.rows.iter_mut().for_each(|row| {
                            row.insert(declared.name.clone(), default.clone());
                        });
                    }
                    table.columns.push((declared.name, declared.column));
                    referred.extend(declared.refers);
                }
                AlterTableOperation::AlterColumn { column_name, op } => self.alter_column(&own, &name(column_name), op),
                _ => {}
            }
            self.refer(&own, referred);
        }
        Some(())
    }

    fn alter_column(&mut self, table: &str, column: &str, operation: &AlterColumnOperation) {
        let columns = &mut self.table(table).columns;
        let Some((_, column)) = columns.iter_mut().find(|(own, _)| own == column) else { return };
        match operation {
            AlterColumnOperation::SetNotNull => column.is_required = true,
            AlterColumnOperation::DropNotNull => column.is_required = false,
            AlterColumnOperation::SetDefault { value } => column.default = Some(cell(value)),
            AlterColumnOperation::DropDefault => column.default = None,
            AlterColumnOperation::AddGenerated { .. } => column.is_counted = true,
            _ => {}
        }
    }
}

/// Fills in the columns that a new row omits: defaults and generated numbers.
fn complete(table: &mut Table, row: &mut Row) {
    for (name, column) in &table.columns {
        let named = matches!(row.get(name), Some(cell) if *cell != Cell::Null || !column.is_counted);
        if column.is_counted {
            if named {
                // Databases differ in whether numbering continues from there.
                table.is_numbered = true;
                if let Some(Cell::Value(Json::Number(number))) = row.get(name) {
                    table.counted = table.counted.max(number.as_i64().unwrap_or(i64::MAX));
                }
                continue;
            }
            let counted = table.rows.iter().all(|other| other.get(name).is_some_and(|cell| *cell != Cell::Unknown))
                && table.counted as usize == table.rows.len();
            table.counted = table.counted.saturating_add(1);
            let cell = if counted { Cell::Value(Json::from(table.counted)) } else { Cell::Unknown };
            row.insert(name.clone(), cell);
        } else if !named && !row.contains_key(name) {
            row.insert(name.clone(), column.default.clone().unwrap_or(Cell::Null));
        }
    }
}

fn is_default(value: &Expr) -> bool {
    matches!(value, Expr::Identifier(name) if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("default"))
}

/// The only table of a statement, if it has no alias.
fn only(from: &TableWithJoins) -> Option<String> {
    match &from.relation {
        TableFactor::Table { name, alias: None, args: None, partitions, .. }
            if from.joins.is_empty() && partitions.is_empty() =>
        {
            name_of(name)
        }
        _ => None,
    }
}

/// The columns and values of `WHERE a = 1 AND b = 'x'`; empty without a condition; `None` for any other condition.
fn tests(condition: Option<&Expr>) -> Option<Vec<(String, Cell)>> {
    let test = |one: &Expr| match one {
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            let value = cell(right);
            let column = match &**left {
                Expr::Identifier(column) => name(column),
                Expr::CompoundIdentifier(parts) => name(parts.last()?),
                _ => return None,
            };
            matches!(value, Cell::Value(_)).then_some((column, value))
        }
        _ => None,
    };
    condition.map_or_else(Vec::new, conjuncts).into_iter().map(test).collect()
}

fn fits(row: &Row, tests: &[(String, Cell)]) -> Option<bool> {
    let mut all = true;
    for (column, wanted) in tests {
        match row.get(column) {
            Some(Cell::Unknown) => return None,
            own => all &= own == Some(wanted),
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(text: &str) -> Database {
        let mut database = Database::default();
        database.run(text);
        database
    }

    #[test]
    fn scripts_fill_tables_by_their_columns_defaults_and_counts() {
        let database = run("create table users (id bigint not null auto_increment primary key, \
             name varchar(20) not null, enabled boolean default true not null, note text);\n\
             insert into users (name) values ('ada'), ('luc');\n\
             update users set enabled = false, note = 'x' where id = 2;");
        let users = &database.tables["users"];
        assert_eq!(users.open, None);
        assert_eq!(users.rows[0]["id"], Cell::Value(json!(1)));
        assert_eq!(users.rows[0]["enabled"], Cell::Value(json!(true)));
        assert_eq!(users.rows[0]["note"], Cell::Null);
        assert_eq!(users.rows[1]["enabled"], Cell::Value(json!(false)));
        assert_eq!(users.column("name").unwrap().length, Some(20));
    }

    #[test]
    fn what_dialects_add_is_read() {
        let database = run("create table a (id bigserial primary key, name character varying(9), \
             full_name text generated always as (name) stored, kind varchar(3) default 'x');\n\
             alter table only a alter column kind set default 'y';\n\
             insert into a (name) values (E'l\\'a');\n\
             create unique index i on a (name);\n\
             create table `b` (`id` int unsigned not null auto_increment, `a_id` bigint, primary key (`id`), \
             key `k` (`a_id`), constraint `f` foreign key (`a_id`) references `a` (`id`) on delete set null) engine=InnoDB;\n\
             create function f() returns trigger as $$ begin delete from c; end; $$ language plpgsql;\n\
             alter table b alter column id restart with 7;");
        let (a, b) = (&database.tables["a"], &database.tables["b"]);
        assert_eq!((a.open.as_deref(), b.open.as_deref(), b.restarts), (None, None, Some(7)));
        assert!(database.tables["c"].open.is_some());
        assert_eq!(a.rows[0]["kind"], Cell::Value(json!("y")));
        assert_eq!(a.rows[0]["name"], Cell::Value(json!("l'a")));
        assert_eq!(a.rows[0]["fullname"], Cell::Unknown);
        assert_eq!(a.column("name").map(|column| (column.length, column.is_unique)), Some((Some(9), true)));
        assert!(b.column("id").is_some_and(|column| column.is_counted && column.is_required && column.is_unique));
        assert_eq!(a.yielding, [("aid".to_owned(), "b".to_owned(), OnDelete::Changes)]);
    }

    #[test]
    fn what_is_not_read_leaves_what_it_may_write_unknown() {
        let plain =
            "create table a (id int); create table b (id int); insert into a values (1); insert into b values (1);\n";
        let open = |more: &str| {
            let database = run(&format!("{plain}{more}"));
            let mut open: Vec<String> =
                database.tables.iter().filter(|(_, own)| own.open.is_some()).map(|(name, _)| name.clone()).collect();
            open.extend(database.open);
            open.join(" ")
        };
        let all = "a b a statement of a script is not understood";
        for (more, wanted) in [
            ("call fill();", all),
            ("exec sp_rename 'a', 'c';", all),
            ("rollback;", all),
            ("\\i more.sql\n", all),
            ("@more.sql\n", all),
            ("do 'begin perform fill(); end';", all),
            ("begin fill(); end;\n/\n", all),
            ("create function f() returns int as 'insert into a values (2); select 1' language sql;", all),
            ("\\connect shop\n\\echo it's done\nset define off\nprompt it's done\ngo\n", ""),
            ("set nocount on\ninsert into b values (2)\ngo\n", ""),
            ("begin; insert into a values (2); commit;", ""),
            ("create trigger t after insert on c begin delete from a; insert into d values (1); end;", "a c d"),
            (
                "delimiter //\ncreate procedure p() begin update a set id = 2; end //\ndelimiter ;\ninsert into b values (2);",
                "a",
            ),
            (
                "begin execute immediate 'drop table a'; insert into b values (2); end;\n/\ninsert into a values (2)\n/\n",
                "b",
            ),
            ("set define off insert into a values (2);", "a"),
            ("if not exists (select 1 from a) insert into a values (2);", "a"),
            ("with x as (delete from a returning id) select * from x;", "a"),
            ("merge into a key (id) values (2);", "a"),
            ("alter table a drop partition p;", "a"),
            ("select 1; insert into a values ('x); insert into b values (1);", "a b"),
        ] {
            assert_eq!(open(more), wanted, "{more}");
        }
        let routine = run("create procedure p as insert into a values (1); insert into b values (1);\ngo\n");
        assert!(routine.tables.values().all(|table| table.rows.is_empty() && table.open.is_some()));
        let less = run(
            "create table a (id int, n int); insert into a values (1, 2); alter table a drop column n; insert into a values (2);",
        );
        assert_eq!((less.tables["a"].rows.len(), less.tables["a"].open.as_deref()), (2, None));
        assert_eq!(less.tables["a"].rows[0].get("n"), None);
    }

    #[test]
    fn what_other_databases_add_is_left_out() {
        let database = run(
            "CREATE TABLE a (id NUMBER(19,0) NOT NULL ENABLE, n VARCHAR2(9 CHAR) DEFAULT 'x' NOT NULL ENABLE, \
             CONSTRAINT pk PRIMARY KEY (id) USING INDEX TABLESPACE i ENABLE) TABLESPACE users PCTFREE 10;\n\
             ALTER TABLE a ADD (m NUMBER(1) DEFAULT 3, k DATE DEFAULT sysdate);\n\
             CREATE TABLE [dbo].[b]([id] [int] IDENTITY(1,1) NOT NULL, [a_id] [nvarchar](max) NULL, \
             CONSTRAINT [pb] PRIMARY KEY CLUSTERED ([id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]) ON [PRIMARY]\nGO\n\
             ALTER TABLE [dbo].[b] WITH CHECK ADD CONSTRAINT [f] FOREIGN KEY([a_id]) REFERENCES [dbo].[a] ([id]) ON DELETE CASCADE\nGO\n\
             create table c (id integer not null generated always as identity (start with 1, no cache), n clob(2g) not logged) in ts organize by row;\n\
             insert into a (id) values (next value for s); insert into b (a_id) values (1); insert into c (n) values ('x');",
        );
        let (a, b, c) = (&database.tables["a"], &database.tables["b"], &database.tables["c"]);
        assert_eq!((a.open.as_deref(), b.open.as_deref(), c.open.as_deref()), (None, None, None));
        assert_eq!(a.column("n").map(|column| (column.length, column.is_required)), Some((Some(9), true)));
        assert!(a.column("id").is_some_and(|column| column.is_unique && column.is_required));
        assert_eq!((&a.rows[0]["id"], &a.rows[0]["n"]), (&Cell::Unknown, &Cell::Value(json!("x"))));
        assert_eq!((&a.rows[0]["m"], &a.rows[0]["k"]), (&Cell::Value(json!(3)), &Cell::Unknown));
        assert_eq!((&b.rows[0]["id"], &c.rows[0]["id"]), (&Cell::Value(json!(1)), &Cell::Value(json!(1))));
        assert_eq!(a.yielding, [("aid".to_owned(), "b".to_owned(), OnDelete::Goes)]);
    }

    #[test]
    fn what_embedded_databases_add_is_read() {
        let database = run("create table c (id int); insert into c values (1); drop table c if exists;\n\
             drop table if exists public.\"D\", e cascade constraints;\n\
             create cached table a (id integer generated by default as identity (start with 1, increment by 1) primary key, \
             name varchar_ignorecase(9) not null); insert into a (name) values ('x');");
        let a = &database.tables["a"];
        assert_eq!((database.tables.len(), a.open.as_deref()), (1, None));
        assert_eq!((&a.rows[0]["id"], a.column("name").unwrap().length), (&Cell::Value(json!(1)), Some(9)));
    }

    #[test]
    fn rows_without_columns_follow_the_schema_and_what_is_not_plain_is_open() {
        let database = run("CREATE TABLE a (id INTEGER, at TIMESTAMP);\n\
             INSERT INTO a VALUES (1, now()), (2, timestamp with time zone '2024-03-01 09:00:00+00:00');\n\
             insert into b select * from a; delete from a where id = 1;");
        assert_eq!(database.tables["a"].rows.len(), 1);
        assert_eq!(database.tables["a"].rows[0]["at"], Cell::Value(json!("2024-03-01 09:00:00+00:00")));
        assert!(database.tables["b"].open.is_some());
        let mut outside = Database { open: Some("elsewhere".to_owned()), ..Database::default() };
        outside.run("delete from a; insert into a (id) values (1); insert into c (id) values (2);");
        assert_eq!(outside.tables["a"].open, None);
        assert!(outside.tables["c"].open.is_some());
    }
}

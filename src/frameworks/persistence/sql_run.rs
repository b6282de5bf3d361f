//! Scripts of SQL, run over tables: what a database holds when they are done, as far as their statements are plain.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::frameworks::resources::UNREAD;
use crate::frameworks::sql::{statements, tables_of};
use crate::java::interpret::stores::data::{Cell, Column, OnDelete, Row, Table, plain};
use crate::java::interpret::stores::words::{Word, parenthesised, parts, words};

/// A database while scripts run over it.
#[derive(Debug, Clone, Default)]
pub struct Database {
    /// Tables by their plain names.
    pub tables: BTreeMap<String, Table>,
    /// Why tables that no script made hold what is not known.
    pub open: Option<String>,
    /// Whether a script made a table.
    pub has_schema: bool,
}

impl Database {
    /// Runs a script.
    pub fn run(&mut self, text: &str) {
        for statement in statements(text) {
            let words = words(&statement);
            if self.statement(&words).is_none() {
                for table in tables_of(&statement) {
                    self.table(&table).open = Some("a statement of a script is not understood".to_owned());
                }
            }
        }
    }

    fn table(&mut self, name: &str) -> &mut Table {
        let open = self.open.clone();
        self.tables.entry(plain(name)).or_insert_with(|| Table { open, ..Table::default() })
    }

    /// Runs a statement; `None` where it is not understood.
    fn statement(&mut self, words: &[Word]) -> Option<()> {
        let keyword = |at: usize, name: &str| words.get(at).is_some_and(|word| word.is(name));
        let first = words.first()?.name()?.to_ascii_lowercase();
        match first.as_str() {
            "insert" => self.insert(words),
            "create" if words.iter().take(4).any(|word| word.is("table")) => self.create(words),
            "drop" if keyword(1, "table") => self.drop_tables(words),
            "delete" if keyword(1, "from") => self.delete(&words[2..]),
            "truncate" => {
                let at = if keyword(1, "table") { 2 } else { 1 };
                let (name, _) = qualified(words.get(at..)?)?;
                let table = self.table(&name);
                (table.rows, table.open) = (Vec::new(), None);
                Some(())
            }
            UNREAD => {
                let why = "a script is too large to be read".to_owned();
                self.tables.values_mut().for_each(|table| table.open = Some(why.clone()));
                self.open = Some(why);
                Some(())
            }
            "update" => self.update(&words[1..]),
            "alter" if keyword(1, "table") => self.alter(&words[2..]),
            // What neither makes nor changes rows.
            "set" | "commit" | "use" | "grant" | "comment" | "begin" | "start" | "lock" | "unlock" | "select"
            | "revoke" | "create" | "alter" | "analyze" => Some(()),
            "drop" if !keyword(1, "all") && !keyword(1, "schema") && !keyword(1, "database") => Some(()),
            "drop" => {
                self.tables.clear();
                self.open = None;
                Some(())
            }
            _ => None,
        }
    }

    fn insert(&mut self, words: &[Word]) -> Option<()> {
        let at = words.iter().position(|word| word.is("into"))?;
        if at > 1 {
            return None;
        }
        let (name, rest) = qualified(words.get(at + 1..)?)?;
        let (columns, rest): (Option<Vec<String>>, &[Word]) = match parenthesised(rest) {
            Some((inside, rest)) => {
                let names: Option<Vec<String>> =
                    parts(inside).iter().map(|part| part.first()?.name().map(plain)).collect();
                (Some(names?), rest)
            }
            None => (None, rest),
        };
        if !rest.first()?.is("values") && !rest.first()?.is("value") {
            return None;
        }
        let table = self.table(&name);
        let columns = match columns {
            Some(columns) => columns,
            None if table.columns.is_empty() => return None,
            None => table.columns.iter().map(|(name, _)| name.clone()).collect(),
        };
        let mut rest = &rest[1..];
        let mut rows = Vec::new();
        while let Some((inside, after)) = parenthesised(rest) {
            let values = parts(inside);
            if values.len() != columns.len() {
                return None;
            }
            let mut row = Row::new();
            for (column, value) in columns.iter().zip(values) {
                if let [only] = value
                    && only.is("default")
                {
                    continue;
                }
                row.insert(column.clone(), cell(value));
            }
            rows.push(row);
            match after.first() {
                None => {
                    rest = after;
                    break;
                }
                Some(sign) if sign.is_sign(',') => rest = &after[1..],
                Some(_) => return None,
            }
        }
        if !rest.is_empty() || rows.is_empty() {
            return None;
        }
        for mut row in rows {
            complete(table, &mut row);
            table.rows.push(row);
        }
        Some(())
    }

    fn create(&mut self, words: &[Word]) -> Option<()> {
        let at = words.iter().position(|word| word.is("table"))?;
        let mut rest = words.get(at + 1..)?;
        let optional = rest.first()?.is("if");
        if optional {
            rest = rest.get(3..)?;
        }
        let (name, rest) = qualified(rest)?;
        let (inside, _) = parenthesised(rest)?;
        self.has_schema = true;
        if optional && self.open.is_some() && !self.tables.contains_key(&plain(&name)) {
            // Whatever stood there before still does.
            self.table(&name);
            return Some(());
        }
        if optional && self.tables.contains_key(&plain(&name)) {
            return Some(());
        }
        let mut table = Table::default();
        let mut referred = Vec::new();
        for part in parts(inside) {
            let head = part.first()?.name()?.to_ascii_lowercase();
            let quoted = matches!(part.first(), Some(Word::Quoted(_)));
            match head.as_str() {
                "constraint" | "primary" | "foreign" | "unique" | "key" | "index" | "check" | "fulltext" if !quoted => {
                    constraint(part, &mut table, &mut referred);
                }
                _ => {
                    let column = column(part);
                    if let Some(at) = part.iter().position(|word| word.is("references"))
                        && let Some((target, _)) = part.get(at + 1..).and_then(qualified)
                    {
                        referred.push((plain(&head), plain(&target), on_delete(&part[at..])));
                    }
                    table.columns.push((plain(&head), column));
                }
            }
        }
        let own = plain(&name);
        self.refer(&own, referred);
        self.tables.insert(own, table);
        Some(())
    }

    /// Notes at the tables that are referred to what refers to them.
    fn refer(&mut self, own: &str, referred: Vec<Referred>) {
        for (column, target, on_delete) in referred {
            let Some(target) = self.tables.get_mut(&target) else { continue };
            match on_delete {
                OnDelete::Refuses => target.references.push((column, own.to_owned())),
                other => target.yielding.push((column, own.to_owned(), other)),
            }
        }
    }

    fn drop_tables(&mut self, words: &[Word]) -> Option<()> {
        let from = if words.get(2)?.is("if") { 4 } else { 2 };
        for part in parts(words.get(from..)?) {
            let (name, _) = qualified(part)?;
            if self.open.is_some() {
                self.tables.insert(plain(&name), Table::default());
            } else {
                self.tables.remove(&plain(&name));
            }
        }
        Some(())
    }

    fn delete(&mut self, words: &[Word]) -> Option<()> {
        let (name, rest) = qualified(words)?;
        let table = self.table(&name);
        if rest.is_empty() {
            (table.rows, table.open) = (Vec::new(), None);
            return Some(());
        }
        let tests = tests(rest)?;
        let mut kept = Vec::new();
        for row in std::mem::take(&mut table.rows) {
            match fits(&row, &tests) {
                Some(true) => {}
                Some(false) => kept.push(row),
                None => return None,
            }
        }
        table.rows = kept;
        Some(())
    }

    fn update(&mut self, words: &[Word]) -> Option<()> {
        let (name, rest) = qualified(words)?;
        if !rest.first()?.is("set") {
            return None;
        }
        let end = rest.iter().position(|word| word.is("where")).unwrap_or(rest.len());
        let mut set = Vec::new();
        for part in parts(&rest[1..end]) {
            let [column, sign, value @ ..] = part else { return None };
            if !sign.is_sign('=') {
                return None;
            }
            set.push((plain(column.name()?), cell(value)));
        }
        let tests = tests(&rest[end..])?;
        let table = self.table(&name);
        for row in &mut table.rows {
            match fits(row, &tests) {
                Some(true) => row.extend(set.iter().cloned()),
                Some(false) => {}
                None => return None,
            }
        }
        Some(())
    }

    fn alter(&mut self, words: &[Word]) -> Option<()> {
        let words = if words.first()?.is("if") { words.get(2..)? } else { words };
        let words = if words.first()?.is("only") { words.get(1..)? } else { words };
        let (name, rest) = qualified(words)?;
        let own = plain(&name);
        for part in parts(rest) {
            let keyword = |at: usize, name: &str| part.get(at).is_some_and(|word| word.is(name));
            if keyword(0, "rename") {
                return None;
            }
            if let [.., restart, with, Word::Number(number)] = part
                && restart.is("restart")
                && with.is("with")
            {
                self.table(&name).restarts = number.parse().ok();
            }
            if !keyword(0, "add") {
                continue;
            }
            if ["constraint", "primary", "foreign", "unique", "key", "index", "check"].iter().any(|k| keyword(1, k)) {
                let (mut made, mut referred) = (self.table(&name).clone(), Vec::new());
                constraint(&part[1..], &mut made, &mut referred);
                *self.table(&name) = made;
                self.refer(&own, referred);
                continue;
            }
            let mut from = if keyword(1, "column") { 2 } else { 1 };
            if keyword(from, "if") {
                from += 3;
            }
            let made = part.get(from..)?;
            let column_name = plain(made.first()?.name()?);
            let made = column(made);
            let table = self.table(&name);
            if let Some(default) = &made.default {
                table.rows.iter_mut().for_each(|row| {
                    row.insert(column_name.clone(), default.clone());
                });
            }
            table.columns.push((column_name, made));
        }
        Some(())
    }
}

/// Gives a new row what it does not name: defaults, and what the database counts up.
fn complete(table: &mut Table, row: &mut Row) {
    for (name, column) in &table.columns {
        let named = matches!(row.get(name), Some(cell) if *cell != Cell::Null || !column.is_counted);
        if column.is_counted {
            if named {
                // Databases differ in whether they count on from there.
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

/// A column that refers to a table, and what happens to a row of its own where the other is removed.
type Referred = (String, String, OnDelete);

/// What a reference says of rows that are removed.
fn on_delete(words: &[Word]) -> OnDelete {
    let at = words.windows(2).position(|pair| pair[0].is("on") && pair[1].is("delete"));
    match at.and_then(|at| words.get(at + 2)) {
        Some(word) if word.is("cascade") => OnDelete::Goes,
        Some(word) if word.is("set") => OnDelete::Changes,
        _ => OnDelete::Refuses,
    }
}

/// A constraint of a table: primary and unique keys of one column, and what refers to another table.
fn constraint(words: &[Word], table: &mut Table, referred: &mut Vec<Referred>) {
    let at = |name: &str| words.iter().position(|word| word.is(name));
    let Some(open) = words.iter().position(|word| word.is_sign('(')) else { return };
    let Some((inside, rest)) = parenthesised(&words[open..]) else { return };
    let columns: Vec<String> =
        parts(inside).iter().filter_map(|part| part.first().and_then(Word::name).map(plain)).collect();
    let [only] = columns.as_slice() else {
        if at("foreign").is_none() && (at("unique").is_some() || at("primary").is_some()) {
            table.together.push(columns);
        }
        return;
    };
    if at("foreign").is_some() {
        if let Some(to) = rest.iter().position(|word| word.is("references"))
            && let Some((target, _)) = rest.get(to + 1..).and_then(qualified)
        {
            referred.push((only.clone(), plain(&target), on_delete(rest)));
        }
        return;
    }
    let primary = at("primary").is_some();
    if let Some((_, column)) = table.columns.iter_mut().find(|(name, _)| name == only) {
        column.is_unique |= primary || at("unique").is_some();
        column.is_required |= primary;
    }
}

/// A name with what qualifies it, and what follows.
fn qualified(words: &[Word]) -> Option<(String, &[Word])> {
    let mut name = words.first()?.name()?.to_owned();
    let mut rest = &words[1..];
    while rest.first().is_some_and(|word| word.is_sign('.')) {
        name = rest.get(1)?.name()?.to_owned();
        rest = &rest[2..];
    }
    Some((name, rest))
}

fn column(words: &[Word]) -> Column {
    let has = |name: &str| words.iter().any(|word| word.is(name));
    let ty = words.get(1).and_then(Word::name).unwrap_or_default().to_ascii_lowercase();
    let primary = has("primary");
    let not_null =
        words.windows(2).any(|two| two[0].is("not") && two[1].is("null")) || primary || ty.ends_with("serial");
    let is_text = ty.contains("char");
    let length = words.get(2..).and_then(parenthesised).and_then(|(inside, _)| match inside {
        [Word::Number(number), ..] if is_text => number.parse().ok(),
        _ => None,
    });
    let by_default =
        words.windows(2).any(|two| (two[0].is("by") && two[1].is("default")) || (two[0].is("on") && two[1].is("null")));
    let default = words.iter().position(|word| word.is("default")).filter(|_| !by_default).map(|at| {
        let rest = &words[at + 1..];
        let end = rest
            .iter()
            .position(|word| {
                ["not", "primary", "unique", "on", "check", "comment", "references"].iter().any(|k| word.is(k))
            })
            .unwrap_or(rest.len());
        let end = if rest.first().is_some_and(|word| word.is("null")) { 1 } else { end };
        cell(&rest[..end])
    });
    Column {
        default,
        is_counted: has("auto_increment")
            || has("identity")
            || has("autoincrement")
            || has("generated")
            || ty.ends_with("serial"),
        is_required: not_null,
        length,
        is_unique: primary || has("unique"),
    }
}

/// The value that an expression gives, where it is a literal.
fn cell(words: &[Word]) -> Cell {
    match words {
        [Word::Text(text)] => Cell::Value(Json::from(text.as_str())),
        [Word::Number(number)] => number_cell(number, ""),
        [Word::Sign('-'), Word::Number(number)] => number_cell(number, "-"),
        [word] if word.is("null") => Cell::Null,
        [word] if word.is("true") => Cell::Value(Json::Bool(true)),
        [word] if word.is("false") => Cell::Value(Json::Bool(false)),
        [word, .., Word::Text(text)] if ["date", "time", "timestamp"].iter().any(|kind| word.is(kind)) => {
            Cell::Value(Json::from(text.as_str()))
        }
        _ => Cell::Unknown,
    }
}

fn number_cell(number: &str, sign: &str) -> Cell {
    match serde_json::from_str::<Json>(&format!("{sign}{number}")) {
        Ok(value @ Json::Number(_)) => Cell::Value(value),
        _ => Cell::Unknown,
    }
}

/// `WHERE a = 1 AND b = 'x'` as columns and values; nothing where there is no condition; `None` for any other.
fn tests(words: &[Word]) -> Option<Vec<(String, Cell)>> {
    if words.is_empty() {
        return Some(Vec::new());
    }
    if !words.first()?.is("where") {
        return None;
    }
    let mut out = Vec::new();
    for test in words[1..].split(|word| word.is("and")) {
        let [column, sign, value @ ..] = test else { return None };
        let value = cell(value);
        if !sign.is_sign('=') || !matches!(value, Cell::Value(_)) {
            return None;
        }
        out.push((plain(column.name()?), value));
    }
    Some(out)
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

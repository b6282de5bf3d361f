//! Reads a script as statements, each parsed in a dialect that understands it.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

use sqlparser::ast;
use sqlparser::dialect::{
    Dialect, GenericDialect, MsSqlDialect, MySqlDialect, OracleDialect, PostgreSqlDialect, SQLiteDialect,
};

use sqlparser::tokenizer::TokenWithSpan;

use super::parse::{parse, with_room};
use super::split::{Piece, split};
use super::{lenient, tables, words};
use mastor_types::Hash;

/// The dialects, in the order in which they are tried.
const DIALECTS: [&dyn Dialect; 6] = [
    &GenericDialect {},
    &MySqlDialect {},
    &PostgreSqlDialect {},
    &MsSqlDialect {},
    &SQLiteDialect {},
    &OracleDialect {},
];

/// Maximum number of times that the rest of a script is split again in another dialect.
const SWITCHES: usize = 12;

/// A statement of a script.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Its text without comments, white space collapsed.
    pub text: String,
    /// Its syntax tree; `None` where no dialect understands it.
    pub tree: Option<ast::Statement>,
}

impl Statement {
    /// The tables that it names, in lower case and without schema.
    pub fn tables(&self) -> BTreeSet<String> {
        let by_tree = |tree: &ast::Statement| with_room(|| tables::of_tree(tree));
        self.tree.as_ref().and_then(by_tree).unwrap_or_else(|| words::tables_of(&self.text))
    }
}

/// Maximum total size of the cached scripts, in bytes.
const KEPT: usize = 8 << 20;

/// A cached script: the hash of its text, its size in bytes, and its statements.
type CachedScript = (Hash, usize, Arc<[Arc<Statement>]>);

/// Cached scripts, the latest last. Base and head mostly have the same scripts, and several callers read each of
/// them.
static READ: Mutex<Vec<CachedScript>> = Mutex::new(Vec::new());

/// The statements of a script, from the cache if it was read before.
pub fn statements(text: &str) -> impl Iterator<Item = Arc<Statement>> + use<> {
    let all = kept(text);
    (0..all.len()).map(move |at| all[at].clone())
}

fn kept(text: &str) -> Arc<[Arc<Statement>]> {
    let hash = Hash::of(text.as_bytes());
    let known = READ.lock().ok().and_then(|read| read.iter().find(|(of, ..)| *of == hash).map(|(.., all)| all.clone()));
    if let Some(known) = known {
        return known;
    }
    let all: Arc<[Arc<Statement>]> = read(text).map(Arc::new).collect();
    if let Ok(mut read) = READ.lock() {
        read.push((hash, text.len(), all.clone()));
        while read.iter().map(|(_, bytes, _)| bytes).sum::<usize>() > KEPT {
            read.remove(0);
        }
    }
    all
}

fn read(text: &str) -> impl Iterator<Item = Statement> + '_ {
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    Script { text, at, dialect: 0, pieces: VecDeque::new(), switches: 0 }
}

/// The syntax tree of a text with exactly one statement; `None` for other texts, or where no dialect understands it.
pub fn one(text: &str) -> Option<ast::Statement> {
    let mut all = read(text);
    let first = all.next()?;
    first.tree.filter(|_| all.next().is_none())
}

/// The state of reading a script.
struct Script<'t> {
    text: &'t str,
    at: usize,
    /// Index of the dialect in use.
    dialect: usize,
    /// The statements that follow, as that dialect splits the rest.
    pieces: VecDeque<Piece>,
    switches: usize,
}

impl Iterator for Script<'_> {
    type Item = Statement;

    fn next(&mut self) -> Option<Statement> {
        while self.at < self.text.len() {
            let Some(mut piece) = self.piece() else {
                let rest: Vec<&str> = self.text[self.at..].split_whitespace().collect();
                self.at = self.text.len();
                return (!rest.is_empty()).then(|| Statement { text: rest.join(" "), tree: None });
            };
            self.at = piece.end;
            if piece.text.is_empty() {
                continue;
            }
            if piece.is_unread {
                return Some(Statement { text: piece.text, tree: None });
            }
            let tokens = std::mem::take(&mut piece.tokens);
            let shown = lenient::concerns(&tokens).then(|| tokens.clone());
            let tree = parse(DIALECTS[self.dialect], tokens);
            if tree.is_none()
                && let Some(found) = self.in_another(&piece)
            {
                return Some(found);
            }
            let tree = tree.or_else(|| in_core_words(&shown?).or_else(|| in_core_words(&self.in_brackets(&piece)?)));
            return Some(Statement { text: piece.text, tree });
        }
        None
    }
}

impl Script<'_> {
    /// The next statement. Where the dialect in use has none left, the first dialect that finds one splits the rest again.
    fn piece(&mut self) -> Option<Piece> {
        if let Some(next) = self.pieces.pop_front() {
            return Some(next);
        }
        for dialect in 0..DIALECTS.len() {
            if self.take_over(dialect, self.at)
                && let Some(first) = self.pieces.pop_front()
            {
                return Some(first);
            }
        }
        None
    }

    /// The statement's tokens in SQL Server's dialect, where square brackets quote names; `None` where it ends elsewhere.
    fn in_brackets(&self, piece: &Piece) -> Option<Vec<TokenWithSpan>> {
        let own = split(&MsSqlDialect {}, &self.text[..piece.end], piece.start).pop_front()?;
        (own.end == piece.end).then_some(own.tokens)
    }

    /// Splits the rest from a byte offset on in another dialect; `false` once that was done [`SWITCHES`] times.
    fn take_over(&mut self, dialect: usize, from: usize) -> bool {
        if self.switches == SWITCHES {
            return false;
        }
        self.switches += 1;
        (self.dialect, self.pieces) = (dialect, split(DIALECTS[dialect], self.text, from));
        true
    }

    /// The statement as the first other dialect that understands it parses it; in that dialect it may end elsewhere.
    fn in_another(&mut self, piece: &Piece) -> Option<Statement> {
        let last = self.dialect;
        for (dialect, of) in DIALECTS.iter().enumerate().filter(|(dialect, _)| *dialect != last) {
            let own = split(*of, &self.text[..piece.end], piece.start).pop_front();
            let (own, rest) = match own.filter(|own| own.end == piece.end) {
                Some(own) => (own, None),
                None if self.switches < SWITCHES => {
                    self.switches += 1;
                    let mut rest = split(*of, self.text, piece.start);
                    let Some(own) = rest.pop_front() else { continue };
                    (own, Some(rest))
                }
                None => continue,
            };
            let Some(tree) = parse(*of, own.tokens) else { continue };
            self.at = own.end;
            match rest {
                Some(rest) => (self.dialect, self.pieces) = (dialect, rest),
                None => _ = self.take_over(dialect, own.end),
            }
            return Some(Statement { text: own.text, tree: Some(tree) });
        }
        None
    }
}

/// The tree of a table definition that no dialect understands, after the clauses of a single database were left out.
fn in_core_words(tokens: &[TokenWithSpan]) -> Option<ast::Statement> {
    let written = lenient::to_shared_sql(tokens)?;
    let piece = split(DIALECTS[0], &written, 0).pop_front()?;
    parse(DIALECTS[0], piece.tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(script: &str) -> Vec<String> {
        statements(script).map(|statement| statement.text.clone()).collect()
    }

    fn tables_of(script: &str) -> BTreeSet<String> {
        statements(script).flat_map(|statement| statement.tables()).collect()
    }

    fn set(tables: &str) -> BTreeSet<String> {
        tables.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn statements_lose_comments_and_keep_texts() {
        let text =
            "-- seed\nINSERT INTO Orders(id) VALUES (1, 'a;--b');\n/* x */ update public.\"order_line\" set n = 2;";
        assert_eq!(
            texts(text),
            ["INSERT INTO Orders(id) VALUES (1, 'a;--b')", "update public.\"order_line\" set n = 2"]
        );
        let tables: Vec<_> = statements(text).map(|statement| statement.tables()).collect();
        assert_eq!(tables, [set("orders"), set("order_line")]);
        assert_eq!(tables_of("insert into a values ('on leave', 'from x')"), set("a"));
        assert_eq!(tables_of("CREATE TABLE IF NOT EXISTS a (b int REFERENCES c)"), set("a c"));
    }

    #[test]
    fn words_that_stand_before_tables_also_stand_elsewhere() {
        for (statement, tables) in [
            ("create table a (b int references c (id) on delete cascade) with (fill = 1)", "a c"),
            (
                "create trigger t after insert or update of b on a when (old.b is distinct from new.b) execute function f()",
                "a",
            ),
            ("create trigger t before insert or update on a execute function f()", "a"),
            ("insert into a (b) select d from c on conflict (b) do update set b = 1", "a c"),
            ("insert into a (b) values (1) on duplicate key update b = 2", "a"),
            ("select x from a join b on a.id = b.id join c on c.id = b.id", "a b c"),
            ("with recent as (select id from a) select * from recent r", "a"),
            ("select x from (select y from a) s", "a"),
            (
                "update a set b = extract(day from c), d = substring(trim(both from e) from 1) where f in (select g from h for update)",
                "a h",
            ),
            ("insert into a select n from generate_series(1, 2) n", "a"),
            ("comment on column shop.a.b is 'of c'", "a"),
            ("comment on table a is 'of c'", "a"),
            ("delete from only shop.\"a\" where b = 1", "a"),
            ("create unique index i on a (b)", "a"),
            ("alter table if exists a add constraint f foreign key (b) references c on update cascade", "a c"),
            ("create or replace view v as select * from a, b", "a b"),
            ("alter table a rename to b", "a b"),
            ("drop table if exists a, b cascade", "a b"),
            ("merge into a using b on a.id = b.id when matched then delete", "a b"),
            ("select b into a from c", "a c"),
            ("unfollowed loadUpdateData table a file=x primaryKey=id", "a"),
        ] {
            assert_eq!(tables_of(statement), set(tables), "{statement}");
        }
    }

    #[test]
    fn dialects_tell_statements_apart() {
        let bodies = "create function f() returns trigger as $body$ begin delete from b; end; $body$ language plpgsql;\n\
             insert into a values (1);";
        assert_eq!(texts(bodies).len(), 2);
        let escapes =
            "insert into a values ('it\\'s; so');\n# it's a comment; no more\ninsert into `b` values ('x'); # c\n";
        assert_eq!(texts(escapes), ["insert into a values ('it\\'s; so')", "insert into `b` values ('x')"]);
        assert!(statements(escapes).all(|statement| statement.tree.is_some()));
        let hints = "/*!40101 SET NAMES utf8 */;\ninsert into a values ('/*! x */', 1) /*!50100 x;y */;";
        assert_eq!(texts(hints), ["insert into a values ('/*! x */', 1)"]);
        let copied = "copy a (id, name) from stdin;\n1\tit's; so\n\\.\n\ninsert into b values (1);";
        assert_eq!(texts(copied).len(), 2);
        assert_eq!(tables_of(copied), set("a b"));
        let never_ends = "insert into a values (1); insert into b values ('x); drop table c;";
        assert_eq!(texts(never_ends), ["insert into a values (1)", "insert into b values ('x); drop table c;"]);
        assert_eq!(texts("\u{feff}select 1;;\n; "), ["select 1"]);
        let brackets = "insert into [dbo].[a] ([b]) values (N'x');";
        assert!(statements(brackets).all(|statement| statement.tree.is_some()));
    }

    #[test]
    fn lines_of_clients_and_bodies_of_routines_are_told_apart() {
        for (script, wanted) in [
            ("select 1\nGO\nselect 2\ngo 3\n/\nselect go from a;", &["select 1", "select 2", "select go from a"][..]),
            ("\\connect a\nselect 1;\n@x.sql\nselect '\n@y';", &["\\connect a", "select 1", "@x.sql", "select '\n@y'"]),
            ("prompt it's\nselect 1;", &["prompt it's", "select 1"]),
            (
                "delimiter //\nselect 1; select 2//\nselect 3 //\ndelimiter ;\nselect 4;",
                &["select 1; select 2", "select 3", "select 4"],
            ),
            ("begin; select 1; end;", &["begin", "select 1", "end"]),
            (
                "begin select case when 1 then 2 end; if x then y; end if; end; select 1;",
                &["begin select case when 1 then 2 end; if x then y; end if; end", "select 1"],
            ),
            ("declare x int; begin select 1; end;\n/\nselect 2", &["declare x int; begin select 1; end", "select 2"]),
            ("declare @x int; select 1;", &["declare @x int", "select 1"]),
            (
                "create trigger t before insert on a referencing new as n for each row set x = 1; select 1",
                &["create trigger t before insert on a referencing new as n for each row set x = 1", "select 1"],
            ),
            (
                "create package p is procedure x; end p;\n/\nselect 1",
                &["create package p is procedure x; end p;", "select 1"],
            ),
            (
                "create function f() returns int as $$ a; b $$ language sql; select 1",
                &["create function f() returns int as $$ a; b $$ language sql", "select 1"],
            ),
            (
                "create table event (begin int, procedure int); select 1",
                &["create table event (begin int, procedure int)", "select 1"],
            ),
        ] {
            assert_eq!(texts(script), wanted, "{script}");
        }
    }

    #[test]
    fn what_is_deep_is_left_unread_on_a_small_stack() {
        let deep = |open: &str, core: &str, close: &str, times: usize| {
            format!("select * from a where x = {}{core}{}", open.repeat(times), close.repeat(times))
        };
        let run = move || {
            for times in [10, 20, 45, 400, 8_000] {
                for text in [
                    deep("(", "1", ")", times),
                    deep("f(", "1", ")", times),
                    deep("", "1", " + 1", times),
                    deep("", "1", " or x = 1", times),
                    deep("not ", "1", "", times),
                    deep("", "1", " is null", times),
                    deep("", "1", "::int", times),
                    deep("", "1", " union all select 1 from b", times),
                    deep("(select ", "1", ")", times),
                    deep("case when ", "1", " then 2 end", times),
                    format!("select * from {}a{}", "(".repeat(times), ")".repeat(times)),
                    format!("create table a (b {}int{})", "array<".repeat(times), ">".repeat(times)),
                    format!("create table {}a (b int not null enable)", "b.".repeat(times)),
                    format!("create table a (b int default {}1{} enable)", "(".repeat(times), ")".repeat(times)),
                    format!("create trigger t on a {}{}", "begin ".repeat(times), "end ".repeat(times)),
                ] {
                    let started = std::time::Instant::now();
                    let tables: Vec<_> = statements(&text).map(|statement| statement.tables()).collect();
                    assert_eq!(tables.len(), 1, "{text:.80}");
                    let took = started.elapsed();
                    assert!(took.as_secs() < 5, "{took:?} for {times} of {text:.80}");
                }
            }
        };
        let small = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap();
        small.join().unwrap();
    }
}

//! Plain statements: one table, conditions joined by `and`, an order, a limit.

use crate::java::interpret::stores::data::plain;
use crate::java::interpret::stores::words::{Word, parenthesised, parts, words};

/// A value in a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A parameter by its place, from 0.
    Place(usize),
    /// A parameter by its name.
    Named(String),
    /// `NULL`.
    Null,
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A truth value.
    Truth(bool),
}

/// How a column is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the sign that it stands for")]
pub enum Sign {
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
    /// Compared with a value.
    Compare { column: String, sign: Sign, with: Operand },
    /// Whether it is null.
    IsNull { column: String, wanted: bool },
}

/// What a query gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Gives {
    /// All columns.
    All,
    /// How many rows there are.
    Count,
    /// Columns, each under its name in the answer.
    Columns(Vec<(String, String)>),
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Statement {
    /// `select`.
    Select { table: String, gives: Gives, tests: Vec<Test>, order: Vec<(String, bool)>, most: Option<Operand> },
    /// `insert`.
    Insert { table: String, columns: Vec<String>, values: Vec<Operand> },
    /// `update`.
    Update { table: String, set: Vec<(String, Operand)>, tests: Vec<Test> },
    /// `delete`.
    Delete { table: String, tests: Vec<Test> },
}

/// Words that stand for something else where a name or a value stands.
const KEYWORDS: &[&str] = &[
    "where", "order", "limit", "group", "join", "inner", "left", "right", "having", "union", "for", "fetch", "offset",
    "on",
];

/// Reads a statement; `None` for one that is not plain.
pub fn read(text: &str) -> Option<Statement> {
    let mut all = words(text);
    if all.last().is_some_and(|word| word.is_sign(';')) {
        all.pop();
    }
    let mut reader = Reader { places: 0 };
    let first = all.first()?;
    if first.is("select") {
        return reader.select(&all[1..]);
    }
    if first.is("insert") {
        return reader.insert(&all[1..]);
    }
    if first.is("update") {
        return reader.update(&all[1..]);
    }
    if first.is("delete") && all.get(1)?.is("from") {
        let (table, rest) = table(&all[2..])?;
        return Some(Statement::Delete { table: table.0, tests: reader.tests(rest, &table.1)? });
    }
    None
}

struct Reader {
    places: usize,
}

/// A table with the names that its columns may be qualified by.
type Named = (String, Vec<String>);

fn table(words: &[Word]) -> Option<(Named, &[Word])> {
    let mut name = words.first()?.name()?;
    let mut rest = &words[1..];
    while rest.first().is_some_and(|word| word.is_sign('.')) {
        name = rest.get(1)?.name()?;
        rest = &rest[2..];
    }
    if KEYWORDS.iter().any(|keyword| name.eq_ignore_ascii_case(keyword)) {
        return None;
    }
    let mut names = vec![plain(name)];
    if rest.first().is_some_and(|word| word.is("as")) {
        rest = &rest[1..];
    }
    if let Some(Word::Name(alias)) = rest.first()
        && !KEYWORDS.iter().any(|keyword| alias.eq_ignore_ascii_case(keyword))
        && !alias.eq_ignore_ascii_case("set")
        && !alias.eq_ignore_ascii_case("values")
    {
        names.push(plain(alias));
        rest = &rest[1..];
    }
    Some(((plain(name), names), rest))
}

/// A column, qualified by its table or not, and what follows.
fn column<'w>(words: &'w [Word], names: &[String]) -> Option<(String, &'w [Word])> {
    let first = words.first()?.name()?;
    match words.get(1..)? {
        [dot, name, rest @ ..] if dot.is_sign('.') => {
            names.contains(&plain(first)).then_some(())?;
            Some((plain(name.name()?), rest))
        }
        rest => Some((plain(first), rest)),
    }
}

impl Reader {
    fn operand<'w>(&mut self, words: &'w [Word]) -> Option<(Operand, &'w [Word])> {
        Some(match words {
            [Word::Sign('?'), rest @ ..] => {
                self.places += 1;
                (Operand::Place(self.places - 1), rest)
            }
            [Word::Sign(':'), Word::Name(name), rest @ ..] => (Operand::Named(name.clone()), rest),
            [Word::Text(text), rest @ ..] => (Operand::Text(text.clone()), rest),
            [Word::Number(number), rest @ ..] => (Operand::Number(number.parse().ok()?), rest),
            [Word::Sign('-'), Word::Number(number), rest @ ..] => {
                (Operand::Number(number.parse::<i64>().ok()?.checked_neg()?), rest)
            }
            [word, rest @ ..] if word.is("null") => (Operand::Null, rest),
            [word, rest @ ..] if word.is("true") => (Operand::Truth(true), rest),
            [word, rest @ ..] if word.is("false") => (Operand::Truth(false), rest),
            _ => return None,
        })
    }

    fn tests(&mut self, words: &[Word], names: &[String]) -> Option<Vec<Test>> {
        if words.is_empty() {
            return Some(Vec::new());
        }
        if !words.first()?.is("where") {
            return None;
        }
        let mut out = Vec::new();
        for part in words[1..].split(|word| word.is("and")) {
            let (column, rest) = column(part, names)?;
            out.push(match rest {
                [is, null] if is.is("is") && null.is("null") => Test::IsNull { column, wanted: true },
                [is, not, null] if is.is("is") && not.is("not") && null.is("null") => {
                    Test::IsNull { column, wanted: false }
                }
                _ => {
                    let (sign, rest) = sign(rest)?;
                    let (with, []) = self.operand(rest)? else { return None };
                    Test::Compare { column, sign, with }
                }
            });
        }
        Some(out)
    }

    fn select(&mut self, words: &[Word]) -> Option<Statement> {
        let from = words.iter().position(|word| word.is("from"))?;
        let listed = &words[..from];
        let (named, mut rest) = table(&words[from + 1..])?;
        let gives = gives(listed, &named.1)?;
        let at = |keyword: &str, words: &[Word]| words.iter().position(|word| word.is(keyword)).unwrap_or(words.len());
        let end = at("order", rest).min(at("limit", rest));
        let tests = self.tests(&rest[..end], &named.1)?;
        rest = &rest[end..];
        let mut order = Vec::new();
        if rest.first().is_some_and(|word| word.is("order")) {
            if !rest.get(1)?.is("by") {
                return None;
            }
            let end = at("limit", rest);
            for part in parts(&rest[2..end]) {
                let (column, rest) = column(part, &named.1)?;
                let down = match rest {
                    [] => false,
                    [word] if word.is("asc") => false,
                    [word] if word.is("desc") => true,
                    _ => return None,
                };
                order.push((column, down));
            }
            rest = &rest[end..];
        }
        let most = match rest {
            [] => None,
            [limit, rest @ ..] if limit.is("limit") => {
                let (most, []) = self.operand(rest)? else { return None };
                Some(most)
            }
            _ => return None,
        };
        Some(Statement::Select { table: named.0, gives, tests, order, most })
    }

    fn insert(&mut self, words: &[Word]) -> Option<Statement> {
        if !words.first()?.is("into") {
            return None;
        }
        let (named, rest) = table(&words[1..])?;
        let (inside, rest) = parenthesised(rest)?;
        let columns: Option<Vec<String>> = parts(inside)
            .into_iter()
            .map(|part| if let [only] = part { only.name().map(plain) } else { None })
            .collect();
        if !rest.first()?.is("values") {
            return None;
        }
        let (inside, rest) = parenthesised(&rest[1..])?;
        let mut values = Vec::new();
        for part in parts(inside) {
            let (value, []) = self.operand(part)? else { return None };
            values.push(value);
        }
        let columns = columns?;
        (rest.is_empty() && columns.len() == values.len()).then_some(Statement::Insert {
            table: named.0,
            columns,
            values,
        })
    }

    fn update(&mut self, words: &[Word]) -> Option<Statement> {
        let (named, rest) = table(words)?;
        if !rest.first()?.is("set") {
            return None;
        }
        let end = rest.iter().position(|word| word.is("where")).unwrap_or(rest.len());
        let mut set = Vec::new();
        for part in parts(&rest[1..end]) {
            let (column, rest) = column(part, &named.1)?;
            let [equal, rest @ ..] = rest else { return None };
            let (value, []) = self.operand(rest)? else { return None };
            if !equal.is_sign('=') {
                return None;
            }
            set.push((column, value));
        }
        let tests = self.tests(&rest[end..], &named.1)?;
        (!set.is_empty()).then_some(Statement::Update { table: named.0, set, tests })
    }
}

fn sign(words: &[Word]) -> Option<(Sign, &[Word])> {
    Some(match words {
        [Word::Sign('='), rest @ ..] => (Sign::Equal, rest),
        [Word::Sign('<'), Word::Sign('>'), rest @ ..] | [Word::Sign('!'), Word::Sign('='), rest @ ..] => {
            (Sign::Unequal, rest)
        }
        [Word::Sign('<'), Word::Sign('='), rest @ ..] => (Sign::LessOrEqual, rest),
        [Word::Sign('>'), Word::Sign('='), rest @ ..] => (Sign::MoreOrEqual, rest),
        [Word::Sign('<'), rest @ ..] => (Sign::Less, rest),
        [Word::Sign('>'), rest @ ..] => (Sign::More, rest),
        _ => return None,
    })
}

fn gives(words: &[Word], names: &[String]) -> Option<Gives> {
    match words {
        [star] if star.is_sign('*') => return Some(Gives::All),
        [name, dot, star] if dot.is_sign('.') && star.is_sign('*') => {
            return names.contains(&plain(name.name()?)).then_some(Gives::All);
        }
        [count, open, inner, close, rest @ ..] if count.is("count") && open.is_sign('(') && close.is_sign(')') => {
            let is_named = rest.is_empty() || matches!(rest, [Word::Name(_)]) || rest.len() == 2 && rest[0].is("as");
            return (is_named && (inner.is_sign('*') || *inner == Word::Number("1".to_owned())))
                .then_some(Gives::Count);
        }
        _ => {}
    }
    let mut columns = Vec::new();
    for part in parts(words) {
        let (own, rest) = column(part, names)?;
        let shown = match rest {
            [] => own.clone(),
            [alias] | [Word::Name(_), alias] if rest.len() == 1 || rest[0].is("as") => plain(alias.name()?),
            _ => return None,
        };
        columns.push((own, shown));
    }
    (!columns.is_empty() && !words.first()?.is("distinct")).then_some(Gives::Columns(columns))
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
        assert_eq!(gives, Gives::Columns(columns.to_vec()));
        let equal = Test::Compare { column: "id".to_owned(), sign: Sign::Equal, with: Operand::Place(0) };
        assert_eq!(tests, [equal, Test::IsNull { column: "done".to_owned(), wanted: false }]);
        assert!(matches!(read("select count(*) from notes"), Some(Statement::Select { gives: Gives::Count, .. })));
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
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}

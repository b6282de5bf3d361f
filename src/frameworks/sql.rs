//! SQL files: their statements, the tables that these name, the rows that they insert, and the tables of entities.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::java::constant::Constant;
use crate::java::ids::TypeId;
use crate::java::project::Project;

/// Tables of entities: by `@Table(name)`, `@Entity(name)`, or the default names of the class; join tables belong to the type that names them.
pub fn entities(project: &Project) -> BTreeMap<String, Vec<TypeId>> {
    let mut found: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
    let mut add = |name: &str, ty: TypeId| {
        let list = found.entry(name.trim_matches(['"', '`', '[', ']']).to_ascii_lowercase()).or_default();
        if !list.contains(&ty) {
            list.push(ty);
        }
    };
    let text = |ty: TypeId, value: &crate::java::facts::Value| match project.eval(ty, value).value {
        Constant::Str(text) => Some(text),
        _ => None,
    };
    for ty in project.types() {
        let facts = project.ty(ty);
        for annotation in
            facts.annotations.iter().filter(|a| matches!(a.simple(), "Entity" | "Table" | "SecondaryTable"))
        {
            match annotation.arg("name").or_else(|| annotation.arg("value")).and_then(|value| text(ty, value)) {
                Some(name) => add(&name, ty),
                None => {
                    add(&facts.name, ty);
                    add(&snake(&facts.name), ty);
                }
            }
        }
        for member in &facts.members {
            for annotation in
                member.annotations.iter().filter(|a| matches!(a.simple(), "JoinTable" | "CollectionTable"))
            {
                if let Some(name) = annotation.arg("name").and_then(|value| text(ty, value)) {
                    add(&name, ty);
                }
            }
        }
    }
    found
}

/// `OrderLine` as Spring's naming strategy writes it: `order_line`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Statements without comments, white space folded.
pub fn statements(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current = String::new();
    let mut chars = text.chars().peekable();
    let mut quote: Option<char> = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) => {
                current.push(c);
                if c == open {
                    quote = None;
                }
            }
            (None, '\'' | '"' | '`') => {
                quote = Some(c);
                current.push(c);
            }
            (None, '-') if chars.peek() == Some(&'-') => while chars.next().is_some_and(|c| c != '\n') {},
            (None, '#') if current.trim().is_empty() => while chars.next().is_some_and(|c| c != '\n') {},
            (None, '/') if chars.peek() == Some(&'*') => {
                let mut last = ' ';
                for c in chars.by_ref().skip(1) {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            (None, ';') => out.push(std::mem::take(&mut current)),
            (None, c) if c.is_whitespace() => {
                if !current.ends_with(' ') {
                    current.push(' ');
                }
            }
            (None, c) => current.push(c),
        }
    }
    out.push(current);
    out.into_iter().map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

/// The tables that a statement names after `INTO`, `UPDATE`, `FROM`, `JOIN`, `TABLE`, `REFERENCES`, `ON`; lower case, without schema. These words also stand
/// where no table follows: `UPDATE OF column`, `ON DELETE CASCADE`, `ON CONFLICT`, `IS DISTINCT FROM`, the condition of a join.
pub fn tables_of(statement: &str) -> BTreeSet<String> {
    const BEFORE: [&str; 7] = ["into", "update", "from", "join", "table", "references", "on"];
    const BETWEEN: [&str; 8] = ["if", "not", "exists", "only", "lateral", "ignore", "table", "column"];
    // What stands in a text names no table.
    let lower: String = statement.split('\'').step_by(2).collect::<Vec<_>>().join(" '' ").to_ascii_lowercase();
    let spaced = lower.replace('(', " ( ").replace([')', ','], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let at = |place: usize| words.get(place).copied().unwrap_or_default();
    // `WITH name AS (…)` names no table.
    let is_named_here = |place: &usize| at(place + 1) == "as" && at(place + 2) == "(";
    let named_here: BTreeSet<&str> = (0..words.len()).filter(is_named_here).map(at).collect();
    let mut found = BTreeSet::new();
    let mut joins = 0_usize;
    for place in 0..words.len() {
        let (before, word, after) = (place.checked_sub(1).map_or("", &at), at(place), at(place + 1));
        let names = match word {
            "update" => !matches!(before, "on" | "do" | "for" | "key") && !matches!(after, "of" | "on" | "or" | "set"),
            "from" => before != "distinct" && !is_part_of_value(&words, place),
            "join" => {
                joins += 1;
                true
            }
            "on" if joins > 0 => {
                joins -= 1;
                false
            }
            "on" => !matches!(after, "conflict" | "delete" | "update" | "duplicate" | "commit"),
            word => BEFORE.contains(&word),
        };
        let Some(next) = (place + 1..words.len()).find(|next| !BETWEEN.contains(&at(*next))).filter(|_| names) else {
            continue;
        };
        let is_call = word == "from" && at(next + 1) == "(";
        let name = at(next);
        let of_column = at(next - 1) == "column";
        let plain =
            name.rsplit('.').nth(usize::from(of_column)).unwrap_or(name).trim_matches(['"', '`', '[', ']', '\'']);
        let is_name = plain.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if is_name && !is_call && !matches!(plain, "select" | "set" | "values") && !named_here.contains(name) {
            found.insert(plain.to_owned());
        }
    }
    found
}

/// Whether `FROM` at this place is of `EXTRACT(day FROM column)` and the like, not of a query.
fn is_part_of_value(words: &[&str], place: usize) -> bool {
    const CALLS: [&str; 5] = ["extract", "substring", "trim", "overlay", "position"];
    let open = words[..place].iter().rposition(|word| *word == "(");
    let call = open.and_then(|open| open.checked_sub(1)).and_then(|at| words.get(at));
    call.is_some_and(|call| CALLS.contains(call)) && !words[open.unwrap_or(0)..place].contains(&"select")
}

/// One inserted row: column and value, in the order of the statement; a value that is no literal is left out.
pub type Row = Vec<(String, Value)>;

/// The table and the rows of an `INSERT` that names its columns; `None` for any other statement.
pub fn inserted(statement: &str) -> Option<(String, Vec<Row>)> {
    let lower = statement.to_ascii_lowercase();
    let rest = lower.strip_prefix("insert into ")?;
    let (table, after) = rest.split_once('(')?;
    let plain = |name: &str| name.trim().trim_matches(['"', '`', '[', ']']).to_owned();
    let table = plain(table.trim().rsplit('.').next()?);
    let (columns, after) = after.split_once(')')?;
    let columns: Vec<String> = columns.split(',').map(plain).collect();
    let values = after.trim_start().strip_prefix("values")?;
    let text = statement.get(statement.len() - values.len()..)?;
    let rows = tuples(text).into_iter().filter(|tuple| tuple.len() == columns.len());
    let row = |tuple: Vec<String>| {
        columns.iter().zip(tuple).filter_map(|(column, text)| Some((column.clone(), literal(&text)?))).collect()
    };
    Some((table, rows.map(row).collect()))
}

/// The texts between the commas of each pair of parentheses.
fn tuples(text: &str) -> Vec<Vec<String>> {
    let (mut out, mut tuple, mut part) = (Vec::new(), Vec::new(), String::new());
    let (mut depth, mut quoted) = (0_usize, false);
    for c in text.chars() {
        quoted ^= c == '\'';
        match c {
            '(' if !quoted && depth == 0 => depth = 1,
            ')' if !quoted && depth == 1 => {
                tuple.push(std::mem::take(&mut part));
                out.push(std::mem::take(&mut tuple));
                depth = 0;
            }
            ',' if !quoted && depth == 1 => tuple.push(std::mem::take(&mut part)),
            _ if depth == 0 => {}
            c => {
                depth += usize::from(c == '(' && !quoted);
                depth -= usize::from(c == ')' && !quoted);
                part.push(c);
            }
        }
    }
    out
}

/// A literal of SQL as a value: a text, a number or a truth value.
fn literal(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return (!inner.replace("''", "").contains('\'')).then(|| Value::from(inner.replace("''", "'")));
    }
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        number => serde_json::from_str(number).ok().filter(Value::is_number),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn statements_lose_comments_and_keep_texts() {
        let text =
            "-- seed\nINSERT INTO Orders(id) VALUES (1, 'a;--b');\n/* x */ update public.\"order_line\" set n = 2;";
        assert_eq!(
            statements(text),
            ["INSERT INTO Orders(id) VALUES (1, 'a;--b')", "update public.\"order_line\" set n = 2"]
        );
        assert_eq!(tables_of(&statements(text)[0]), BTreeSet::from(["orders".to_owned()]));
        assert_eq!(tables_of(&statements(text)[1]), BTreeSet::from(["order_line".to_owned()]));
        assert_eq!(tables_of("insert into a values ('on leave', 'from x')"), BTreeSet::from(["a".to_owned()]));
        assert_eq!(
            tables_of("CREATE TABLE IF NOT EXISTS a (b int REFERENCES c)"),
            BTreeSet::from(["a".to_owned(), "c".to_owned()])
        );
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
        ] {
            let wanted: BTreeSet<String> = tables.split(' ').map(str::to_owned).collect();
            assert_eq!(tables_of(statement), wanted, "{statement}");
        }
    }

    #[test]
    fn rows_are_read_with_their_literals() {
        let statement = "insert into shop.Orders (id, note, gift, at) values (1, 'a, (b) it''s', false, now()), (2, null, true, 'x')";
        let (table, rows) = inserted(statement).unwrap();
        assert_eq!(table, "orders");
        assert_eq!(
            rows[0],
            [("id".to_owned(), json!(1)), ("note".to_owned(), json!("a, (b) it's")), ("gift".to_owned(), json!(false))]
        );
        assert_eq!(
            rows[1],
            [("id".to_owned(), json!(2)), ("gift".to_owned(), json!(true)), ("at".to_owned(), json!("x"))]
        );
        assert_eq!(inserted("insert into a values (1)"), None);
        assert_eq!(inserted("update a set b = 1"), None);
    }
}

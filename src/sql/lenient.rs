//! Rewrites `CREATE TABLE` and `ALTER TABLE … ADD` in the SQL that all databases share: columns, keys, references, defaults. Clauses of a single
//! database (storage, table spaces, clusters, optimiser hints) change no row and are left out.

use sqlparser::tokenizer::{Token, TokenWithSpan};

/// First words of a constraint or an index in a table definition; any other first word names a column.
const CONSTRAINTS: [&str; 11] =
    ["constraint", "primary", "foreign", "unique", "key", "index", "check", "fulltext", "spatial", "period", "exclude"];
/// Stands for a default that is not a literal, and for a computed column.
const UNKNOWN: &str = "mastor_unknown()";

/// Whether these tokens form a `CREATE TABLE` or `ALTER TABLE`, which [`to_shared_sql`] may be able to rewrite.
pub(super) fn concerns(tokens: &[TokenWithSpan]) -> bool {
    let mut words = tokens.iter().map(|token| &token.token).filter(|token| !matches!(token, Token::Whitespace(_)));
    let first = words.next().is_some_and(|token| is(token, "create") || is(token, "alter"));
    first && words.take(4).any(|token| is(token, "table"))
}

/// The statement in shared SQL; `None` for a table copied from another table or a query, and for an `ALTER TABLE` that does not only add.
pub(super) fn to_shared_sql(tokens: &[TokenWithSpan]) -> Option<String> {
    let tokens: Vec<&Token> =
        tokens.iter().map(|token| &token.token).filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let at = tokens.iter().position(|token| is(token, "table"))? + 1;
    let rest = &tokens[at..];
    if is(tokens.first()?, "create") { created(rest) } else { altered(rest) }
}

fn created(tokens: &[&Token]) -> Option<String> {
    let (optional, rest) = match tokens {
        [a, b, c, rest @ ..] if is(a, "if") && is(b, "not") && is(c, "exists") => ("if not exists ", rest),
        _ => ("", tokens),
    };
    let (table, rest) = named(rest)?;
    let (inside, rest) = bracketed(rest)?;
    if rest.iter().any(|token| ["as", "select", "like", "clone", "inherits"].iter().any(|word| is(token, word))) {
        return None;
    }
    let parts: Vec<TablePart> = parts(inside).into_iter().map(declared).collect::<Option<_>>()?;
    let shown: Vec<String> = parts.into_iter().filter_map(TablePart::shown).collect();
    Some(format!("create table {optional}{table} ({})", shown.join(", ")))
}

fn altered(tokens: &[&Token]) -> Option<String> {
    let rest = match tokens {
        [a, b, rest @ ..] if is(a, "if") && is(b, "exists") => rest,
        [a, rest @ ..] if is(a, "only") => rest,
        _ => tokens,
    };
    let (table, rest) = named(rest)?;
    let rest = match rest {
        [a, b, rest @ ..] if is(a, "with") && (is(b, "check") || is(b, "nocheck")) => rest,
        _ => rest,
    };
    let [add, ..] = rest else { return None };
    if !is(add, "add") {
        return None;
    }
    let mut changes = Vec::new();
    for part in parts(rest) {
        let part = match part {
            [a, rest @ ..] if is(a, "add") => rest,
            [a, ..] if ["drop", "alter", "modify", "change", "rename"].iter().any(|word| is(a, word)) => return None,
            _ => part,
        };
        let within = match bracketed(part) {
            Some((inside, [])) => parts(inside),
            _ => vec![part],
        };
        for one in within {
            changes.push(added(one)?);
        }
    }
    Some(format!("alter table {table} {}", changes.join(", ")))
}

/// The clause that adds one column or constraint, or that sets the default of a column (SQL Server's `DEFAULT … FOR column`).
fn added(tokens: &[&Token]) -> Option<String> {
    let tokens = match tokens {
        [a, rest @ ..] if is(a, "column") => rest,
        _ => tokens,
    };
    let (default, target) = (position(tokens, "default"), position(tokens, "for"));
    if let (Some(default), Some(target)) = (default, target)
        && is_constraint(tokens)
    {
        let column = word(tokens.get(target + 1)?)?;
        return Some(format!("alter column {column} set default {}", value(tokens.get(default + 1..target)?)));
    }
    Some(match declared(tokens)? {
        TablePart::Column(column) => format!("add column {column}"),
        TablePart::Constraint(constraint) => format!("add {constraint}"),
        TablePart::Nothing => return None,
    })
}

fn is_constraint(tokens: &[&Token]) -> bool {
    tokens.first().is_some_and(|token| CONSTRAINTS.iter().any(|word| is(token, word)))
}

/// One part of a table definition in shared SQL.
enum TablePart {
    Column(String),
    Constraint(String),
    /// A part that is left out: an index, a check or a disabled constraint.
    Nothing,
}

impl TablePart {
    fn shown(self) -> Option<String> {
        match self {
            Self::Column(shown) | Self::Constraint(shown) => Some(shown),
            Self::Nothing => None,
        }
    }
}

fn declared(tokens: &[&Token]) -> Option<TablePart> {
    if !is_constraint(tokens) {
        return column(tokens).map(TablePart::Column);
    }
    let holds = position(tokens, "disable").is_none();
    let kind = ["primary", "foreign", "unique"].into_iter().find(|word| position(tokens, word).is_some());
    let Some(kind) = kind.filter(|_| holds) else { return Some(TablePart::Nothing) };
    let open = tokens.iter().position(|token| **token == Token::LParen)?;
    let (inside, rest) = bracketed(&tokens[open..])?;
    let columns: Vec<String> = parts(inside).into_iter().filter_map(|part| word(part.first()?)).collect();
    let columns = columns.join(", ");
    Some(TablePart::Constraint(match kind {
        "primary" => format!("primary key ({columns})"),
        "unique" => format!("unique ({columns})"),
        _ => format!("foreign key ({columns}) {}", refers(rest)?),
    }))
}

/// The `REFERENCES` clause with its `ON DELETE` action.
fn refers(tokens: &[&Token]) -> Option<String> {
    let at = position(tokens, "references")?;
    let (table, rest) = named(tokens.get(at + 1..)?)?;
    let on_delete = rest.windows(2).position(|two| is(two[0], "on") && is(two[1], "delete"));
    let does = match on_delete.and_then(|at| rest.get(at + 2)) {
        Some(token) if is(token, "cascade") => " on delete cascade",
        Some(token) if is(token, "set") => " on delete set null",
        _ => "",
    };
    Some(format!("references {table}{does}"))
}

fn column(tokens: &[&Token]) -> Option<String> {
    let (name, rest) = tokens.split_first()?;
    let (ty, rest) = rest.split_first()?;
    let mut out = format!("{} {}", word(name)?, shown(ty)?);
    let rest = match rest {
        [more, rest @ ..] if is(more, "varying") || is(more, "precision") => rest,
        _ => rest,
    };
    let sized = bracketed(rest);
    if let Some(([Token::Number(size, _), ..], _)) = sized {
        out.push_str(&format!("({size})"));
    }
    let options = sized.map_or(rest, |(_, rest)| rest);
    let has = |word: &str| position(options, word).is_some();
    let pair = |a: &str, b: &str| options.windows(2).any(|two| is(two[0], a) && is(two[1], b));
    let is_computed = pair("always", "as") && !has("identity") || is(ty, "as");
    let counts = ["identity", "auto_increment", "autoincrement"].iter().any(|word| has(word));
    let default = options.windows(2).position(|two| is(two[0], "default") && !is(two[1], "on") && !is(two[1], "as"));
    if is_computed {
        out.push_str(&format!(" default {UNKNOWN}"));
    } else if counts {
        out.push_str(" generated by default as identity");
    } else if let Some(at) = default {
        out.push_str(&format!(" default {}", value(options.get(at + 1..)?)));
    }
    for (is_there, said) in
        [(pair("not", "null"), " not null"), (pair("primary", "key"), " primary key"), (has("unique"), " unique")]
    {
        out.push_str(if is_there { said } else { "" });
    }
    if has("references") {
        out.push_str(&format!(" {}", refers(options)?));
    }
    Some(out)
}

/// A default in shared SQL: the literal, or [`UNKNOWN`] for any other expression.
fn value(tokens: &[&Token]) -> String {
    const AFTER: [&str; 10] =
        ["not", "null", "primary", "unique", "check", "references", "constraint", "comment", "generated", "enable"];
    let inner = match bracketed(tokens) {
        Some((inside, [])) => inside,
        _ => tokens,
    };
    let (sign, rest) = match inner {
        [Token::Minus, rest @ ..] => ("-", rest),
        _ => ("", inner),
    };
    let Some((first, rest)) = rest.split_first() else { return UNKNOWN.to_owned() };
    let is_over = rest.first().is_none_or(|token| AFTER.iter().any(|word| is(token, word)));
    let is_literal = match first {
        Token::Number(..) | Token::SingleQuotedString(_) => true,
        token => ["null", "true", "false"].iter().any(|word| is(token, word)),
    };
    if is_over && is_literal { format!("{sign}{first}") } else { UNKNOWN.to_owned() }
}

fn is(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(own) if own.quote_style.is_none() && own.value.eq_ignore_ascii_case(word))
}

/// Index of a word outside brackets.
fn position(tokens: &[&Token], word: &str) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().position(|token| {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && is(token, word)
    })
}

/// The token as a quoted name.
fn word(token: &Token) -> Option<String> {
    match token {
        Token::Word(own) => Some(format!("\"{}\"", own.value.replace('"', "\"\""))),
        _ => None,
    }
}

/// The name of a type; `SET` and `ENUM` of MySQL become `varchar`.
fn shown(token: &Token) -> Option<String> {
    match token {
        token if is(token, "set") || is(token, "enum") => Some("varchar".to_owned()),
        Token::Word(own) if own.value.chars().all(|c| c.is_alphanumeric() || c == '_') => Some(own.value.clone()),
        _ => None,
    }
}

/// The last part of a qualified name, and the tokens after it.
fn named<'t, 'a>(mut tokens: &'t [&'a Token]) -> Option<(String, &'t [&'a Token])> {
    while let [_, Token::Period, rest @ ..] = tokens {
        tokens = rest;
    }
    let (name, rest) = tokens.split_first()?;
    Some((word(name)?, rest))
}

/// The tokens inside a leading pair of brackets, and the tokens after it.
fn bracketed<'t, 'a>(tokens: &'t [&'a Token]) -> Option<(&'t [&'a Token], &'t [&'a Token])> {
    if **tokens.first()? != Token::LParen {
        return None;
    }
    let mut depth = 0_usize;
    let end = tokens.iter().position(|token| {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some((&tokens[1..end], &tokens[end + 1..]))
}

/// Splits tokens at the commas outside brackets.
fn parts<'t, 'a>(tokens: &'t [&'a Token]) -> Vec<&'t [&'a Token]> {
    let mut depth = 0_usize;
    let parts = tokens.split(|token| {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && **token == Token::Comma
    });
    parts.filter(|part| !part.is_empty()).collect()
}

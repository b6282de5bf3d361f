//! Simple JPQL: one entity, conditions on its fields and on rows it refers to, and an order.

use super::criteria::{Compare, Operand, Test};
use super::data::{Entity, Mapping, Stores};
use super::derived::Purpose;
use super::words::{Word, words};
use crate::interpret::values::value::Value;
use crate::ir::ids::TypeId;

/// A query over one entity.
#[derive(Debug, Clone)]
pub struct Query {
    /// The entity.
    pub entity: TypeId,
    /// What it does with its rows.
    pub purpose: Purpose,
    /// The selected field; `None` for whole rows.
    pub gives: Option<Vec<String>>,
    /// Whether duplicate results are removed.
    pub is_distinct: bool,
    /// The condition on rows.
    pub test: Test,
    /// Sort fields, each with whether it is descending.
    pub order: Vec<(String, bool)>,
}

struct JpqlParser<'a> {
    /// The root entity.
    entity: &'a Entity,
    words: &'a [Word],
    /// Aliases with their paths from the root row; empty if the query has no alias.
    aliases: Vec<(String, Vec<String>)>,
    given: &'a dyn Fn(&str) -> Option<Value>,
}

/// Parses a query; `given` returns the value of a parameter by name or number. `None` if the query is not simple.
pub fn query(stores: &Stores, text: &str, given: &dyn Fn(&str) -> Option<Value>) -> Option<Query> {
    let words = words(text);
    let at = |keyword: &str| words.iter().position(|word| word.is(keyword));
    let from = at("from")?;
    if words.iter().any(|word| ["group", "having", "union", "exists"].iter().any(|k| word.is(k))) {
        return None;
    }
    let mut next = from + 2;
    let mut entity = words.get(from + 1)?.name()?;
    // The class name may include its package.
    while words.get(next).is_some_and(|word| word.is_sign('.')) {
        entity = words.get(next + 1)?.name()?;
        next += 2;
    }
    let entity = stores.entities.values().find(|one| one.name == *entity)?;
    if words.get(next).is_some_and(|word| word.is("as")) {
        next += 1;
    }
    let alias = match words.get(next) {
        Some(Word::Name(name)) if !["where", "order"].contains(&name.to_ascii_lowercase().as_str()) => {
            next += 1;
            name.clone()
        }
        _ => String::new(),
    };
    let (purpose, gives, is_distinct) = selection(&words[..from], &alias)?;
    let (joined, next) = joins(stores, entity, &words, next, &alias)?;
    let mut tests: Vec<Test> = Vec::new();
    let mut aliases = Vec::new();
    for join in joined {
        if join.filters {
            tests.push(Test::Not(Box::new(Test::Null(Operand::Path(join.path.clone())))));
        }
        aliases.extend(join.alias.map(|alias| (alias, join.path)));
    }
    if !alias.is_empty() {
        aliases.push((alias, Vec::new()));
    }
    let mut reader = JpqlParser { entity, words: words.get(next..)?, aliases, given };
    if reader.take("where") {
        tests.push(reader.any()?);
    }
    let test = if tests.len() == 1 { tests.remove(0) } else { Test::All(tests) };
    let mut order = Vec::new();
    if reader.take("order") {
        if !reader.take("by") {
            return None;
        }
        loop {
            let Operand::Path(path) = reader.operand()? else { return None };
            let down = reader.take("desc");
            reader.take("asc");
            order.push((path.join("."), down));
            if !reader.sign(',') {
                break;
            }
        }
    }
    reader.words.is_empty().then_some(Query { entity: entity.ty, purpose, gives, is_distinct, test, order })
}

/// A joined row.
struct Join {
    /// Its alias.
    alias: Option<String>,
    /// Its path from the root row.
    path: Vec<String>,
    /// Whether rows without a joined row are excluded.
    filters: bool,
}

/// Parses joins along references to a single row. A fetch join of a collection without an alias does not change which
/// rows are found, if it is an outer join.
fn joins(stores: &Stores, entity: &Entity, words: &[Word], from: usize, alias: &str) -> Option<(Vec<Join>, usize)> {
    let mut found: Vec<Join> = Vec::new();
    let mut next = from;
    let is = |at: usize, keyword: &str| words.get(at).is_some_and(|word| word.is(keyword));
    while ["left", "inner", "join"].iter().any(|keyword| is(next, keyword)) {
        let outer = is(next, "left");
        while ["left", "inner", "outer"].iter().any(|keyword| is(next, keyword)) {
            next += 1;
        }
        if !is(next, "join") {
            return None;
        }
        let fetches = is(next + 1, "fetch");
        next += if fetches { 2 } else { 1 };
        let head = words.get(next)?.name()?;
        let mut path = match found.iter().find(|join| join.alias.as_deref() == Some(head)) {
            Some(join) => join.path.clone(),
            None if head == alias => Vec::new(),
            None => return None,
        };
        next += 1;
        while words.get(next).is_some_and(|word| word.is_sign('.')) {
            path.push(words.get(next + 1)?.name()?.to_owned());
            next += 2;
        }
        if is(next, "as") {
            next += 1;
        }
        let keywords = ["where", "order", "left", "inner", "join"];
        let own =
            words.get(next).and_then(Word::name).filter(|name| !keywords.iter().any(|k| name.eq_ignore_ascii_case(k)));
        next += usize::from(own.is_some());
        let own = own.map(str::to_owned);
        if !refers_to_one(stores, entity, &path) {
            if outer && fetches && own.is_none() {
                continue;
            }
            return None;
        }
        found.push(Join { alias: own, path, filters: !outer });
    }
    Some((found, next))
}

/// Whether each field of a path refers to a single row.
pub fn refers_to_one(stores: &Stores, entity: &Entity, path: &[String]) -> bool {
    let mut at = entity;
    !path.is_empty()
        && path.iter().all(|name| match at.field(name).map(|field| &field.mapping) {
            Some(Mapping::One { target, .. }) => match stores.entities.get(target) {
                Some(entity) => {
                    at = entity;
                    true
                }
                None => false,
            },
            _ => false,
        })
}

type Selection = (Purpose, Option<Vec<String>>, bool);

fn selection(words: &[Word], alias: &str) -> Option<Selection> {
    let Some(first) = words.first() else { return Some((Purpose::Find, None, false)) };
    if first.is("delete") && words.len() == 1 {
        return Some((Purpose::Delete, None, false));
    }
    if !first.is("select") {
        return None;
    }
    let mut rest = &words[1..];
    let distinct = rest.first().is_some_and(|word| word.is("distinct"));
    if distinct {
        rest = &rest[1..];
    }
    let named = |word: &Word| word.name() == Some(alias);
    match rest {
        [only] if named(only) => Some((Purpose::Find, None, distinct)),
        [count, Word::Sign('('), inside, Word::Sign(')')]
            if count.is("count") && (named(inside) || inside.is_sign('*')) =>
        {
            Some((Purpose::Count, None, false))
        }
        [head, path @ ..] if named(head) && !path.is_empty() => {
            let mut names = Vec::new();
            for pair in path.chunks(2) {
                let [Word::Sign('.'), name] = pair else { return None };
                names.push(name.name()?.to_owned());
            }
            Some((Purpose::Find, Some(names), distinct))
        }
        _ => None,
    }
}

impl JpqlParser<'_> {
    fn take(&mut self, keyword: &str) -> bool {
        let is = self.words.first().is_some_and(|word| word.is(keyword));
        if is {
            self.words = &self.words[1..];
        }
        is
    }

    fn sign(&mut self, sign: char) -> bool {
        let is = self.words.first().is_some_and(|word| word.is_sign(sign));
        if is {
            self.words = &self.words[1..];
        }
        is
    }

    fn any(&mut self) -> Option<Test> {
        let mut parts = vec![self.all()?];
        while self.take("or") {
            parts.push(self.all()?);
        }
        Some(Test::Any(parts))
    }

    fn all(&mut self) -> Option<Test> {
        let mut parts = vec![self.one()?];
        while self.take("and") {
            parts.push(self.one()?);
        }
        Some(Test::All(parts))
    }

    fn one(&mut self) -> Option<Test> {
        if self.take("not") {
            return Some(Test::Not(Box::new(self.one()?)));
        }
        if self.words.first().is_some_and(|word| word.is_sign('(')) {
            let before = self.words;
            self.sign('(');
            if let Some(inner) = self.any()
                && self.sign(')')
            {
                return Some(inner);
            }
            self.words = before;
        }
        let left = self.operand()?;
        if self.take("is") {
            let not = self.take("not");
            if !self.take("null") {
                return None;
            }
            let test = Test::Null(left);
            return Some(if not { Test::Not(Box::new(test)) } else { test });
        }
        let not = self.take("not");
        let test = if self.take("like") {
            Test::Compare(Compare::Like, left, self.pattern()?)
        } else if self.take("in") {
            let bracketed = self.sign('(');
            let right = self.operand()?;
            if bracketed && !self.sign(')') {
                return None;
            }
            Test::Compare(Compare::In, left, right)
        } else if self.take("between") {
            let low = self.operand()?;
            if !self.take("and") {
                return None;
            }
            let high = self.operand()?;
            Test::All(vec![
                Test::Compare(Compare::GreaterEqual, left.clone(), low),
                Test::Compare(Compare::LessEqual, left, high),
            ])
        } else {
            let compare = self.comparison()?;
            Test::Compare(compare, left, self.operand()?)
        };
        Some(if not { Test::Not(Box::new(test)) } else { test })
    }

    /// `%:name%`: a parameter with wildcards around it.
    fn pattern(&mut self) -> Option<Operand> {
        let any = || Operand::Given(Value::text("%"));
        let before = self.sign('%');
        let inner = self.operand()?;
        let after = self.sign('%');
        if !before && !after {
            return Some(inner);
        }
        let mut parts = vec![inner];
        if before {
            parts.insert(0, any());
        }
        if after {
            parts.push(any());
        }
        Some(Operand::Joined(parts))
    }

    fn comparison(&mut self) -> Option<Compare> {
        Some(if self.sign('=') {
            Compare::Equal
        } else if self.sign('!') {
            self.sign('=').then_some(Compare::NotEqual)?
        } else if self.sign('<') {
            if self.sign('>') {
                Compare::NotEqual
            } else if self.sign('=') {
                Compare::LessEqual
            } else {
                Compare::Less
            }
        } else if self.sign('>') {
            if self.sign('=') { Compare::GreaterEqual } else { Compare::Greater }
        } else {
            return None;
        })
    }

    fn operand(&mut self) -> Option<Operand> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        match first {
            Word::Text(text) => Some(Operand::Given(Value::text(text))),
            Word::Number(number) => {
                let number: i64 = number.trim_end_matches(['L', 'l']).parse().ok()?;
                Some(Operand::Given(Value::Scalar(crate::interpret::values::scalar::Scalar::Long(number))))
            }
            Word::Sign(':' | '?') => {
                let (name, rest) = self.words.split_first()?;
                let name = match name {
                    Word::Name(name) | Word::Number(name) => name,
                    _ => return None,
                };
                self.words = rest;
                Some(Operand::Given((self.given)(name)?))
            }
            Word::Name(name) if name.eq_ignore_ascii_case("true") || name.eq_ignore_ascii_case("false") => {
                Some(Operand::Given(Value::bool(name.eq_ignore_ascii_case("true"))))
            }
            Word::Name(name) if self.words.first().is_some_and(|word| word.is_sign('(')) => {
                let name = name.to_ascii_lowercase();
                self.sign('(');
                let mut inner = vec![self.operand()?];
                while self.sign(',') {
                    inner.push(self.operand()?);
                }
                if !self.sign(')') {
                    return None;
                }
                match (name.as_str(), inner.as_slice()) {
                    ("lower", [one]) => Some(Operand::Lower(Box::new(one.clone()))),
                    ("concat", parts) => Some(Operand::Joined(parts.to_vec())),
                    _ => None,
                }
            }
            Word::Name(name) => {
                let mut path = match self.aliases.iter().find(|(alias, _)| alias == name) {
                    Some((_, path)) => path.clone(),
                    None if self.aliases.is_empty() => vec![name.clone()],
                    // If there is only one alias, Hibernate accepts field names without it.
                    None if self.aliases.len() == 1 && self.entity.field(name).is_some() => vec![name.clone()],
                    None => return None,
                };
                while self.sign('.') {
                    let (name, rest) = self.words.split_first()?;
                    self.words = rest;
                    path.push(name.name()?.to_owned());
                }
                Some(Operand::Path(path))
            }
            _ => None,
        }
    }
}

//! Normal forms of JPQL repository queries. A query that a method name could express has that name's normal form
//! (`derived::normal_form`).

use super::words::{Word, words};
use crate::ir::facts::{Annotation, MemberFacts, Value};

/// Annotations that do not change which rows a query returns: loading options of Spring Data JPA, and markers.
const BESIDE: [&str; 8] =
    ["EntityGraph", "NonNull", "Nullable", "Override", "Query", "QueryHints", "RestResource", "Transactional"];

/// Whether a method has only annotations that do not change which rows a query returns.
pub fn is_plain(facts: &MemberFacts) -> bool {
    facts.annotations.iter().all(|one| BESIDE.contains(&one.simple()))
}

/// The normal form of a method's `@Query`: that of an equivalent method name if there is one, else the words of the
/// query with the row named `it` and numbered parameters. `rows` is the repository's entity class. `None` for a
/// native query, a text that is not constant, or a query that selects no rows.
pub fn in_jpql(facts: &MemberFacts, annotation: &Annotation, rows: &str) -> Option<String> {
    let text = match annotation.args.as_slice() {
        [(key, Value::Str(text))] if key == "value" => text,
        _ => return None,
    };
    let all = words(text);
    if !all.first()?.is("select") || text.contains("#{") || text.contains('[') {
        return None;
    }
    let reader = JpqlForm::of(&all, facts)?;
    // A fetch join of a collection may repeat rows, unless the query is distinct or returns a single row.
    let is_list =
        facts.ty.as_ref().is_none_or(|ty| ["Collection", "Iterable", "List", "Stream"].contains(&ty.simple()));
    if reader.fetches && is_list && !reader.is_distinct() {
        return None;
    }
    let by_name = reader.as_name().filter(|_| reader.entity == rows);
    Some(by_name.unwrap_or_else(|| format!("find {}", reader.plain())))
}

/// A parsed query: selection, entity, joins, condition and order.
struct JpqlForm<'q> {
    selected: Vec<&'q Word>,
    alias: &'q str,
    joined: Vec<&'q Word>,
    /// Whether it has fetch joins.
    fetches: bool,
    asked: Vec<&'q Word>,
    order: Vec<&'q Word>,
    /// The names of the method's parameters in the query.
    params: Vec<String>,
    entity: &'q str,
}

impl<'q> JpqlForm<'q> {
    fn of(all: &'q [Word], facts: &MemberFacts) -> Option<Self> {
        let at = |keyword: &str| all.iter().position(|word| word.is(keyword));
        let from = at("from")?;
        if ["group", "having", "union", "exists", "limit", "fetch_first"].iter().any(|word| at(word).is_some()) {
            return None;
        }
        let entity = all.get(from + 1)?.name()?;
        let mut next = from + 2;
        if all.get(next).is_some_and(|word| word.is("as")) {
            next += 1;
        }
        let alias = all.get(next)?.name()?;
        next += 1;
        let order = all.windows(2).position(|two| two[0].is("order") && two[1].is("by"));
        let end = order.unwrap_or(all.len());
        let asks = at("where").unwrap_or(end);
        let params = facts.params.iter().map(|param| {
            let named = param.annotations.iter().find(|one| one.simple() == "Param");
            match named.and_then(|one| one.arg("value")) {
                Some(Value::Str(name)) => name.clone(),
                _ => param.name.clone(),
            }
        });
        let part = |from: usize, to: usize| all.get(from..to).map(|part| part.iter().collect::<Vec<_>>());
        let joins = part(next, asks)?;
        let joined = without_fetches(&joins);
        Some(Self {
            selected: part(1, from)?,
            alias,
            fetches: joined.len() < joins.len(),
            joined,
            asked: part((asks + 1).min(end), end)?,
            order: order.and_then(|at| part(at + 2, all.len())).unwrap_or_default(),
            params: params.collect(),
            entity,
        })
    }

    fn is_distinct(&self) -> bool {
        self.selected.first().is_some_and(|word| word.is("distinct"))
    }

    /// The normal form of an equivalent method name; `None` if there is none.
    fn as_name(&self) -> Option<String> {
        if !self.joined.is_empty() {
            return None;
        }
        let purpose = match self.selected.as_slice() {
            // A query over one class returns each row once, so `distinct` does not matter.
            [.., row] if self.selected.len() == 1 + usize::from(self.is_distinct()) => {
                (row.name() == Some(self.alias)).then_some("find")?
            }
            [count, open, row, close] => {
                let counts = count.is("count") && open.is_sign('(') && close.is_sign(')');
                (counts && row.name() == Some(self.alias)).then_some("count")?
            }
            _ => return None,
        };
        let (mut parts, mut next) = (Vec::new(), 0);
        for condition in self.asked.split(|word| word.is("and")).filter(|part| !part.is_empty()) {
            let says = |end: &[&str]| {
                let from = condition.len().checked_sub(end.len());
                from.is_some_and(|from| condition[from..].iter().zip(end).all(|(word, said)| word.is(said)))
            };
            if says(&["is", "not", "null"]) {
                parts.push(format!("{}IsNotNull", self.path(&condition[..condition.len() - 3])?));
                continue;
            }
            if says(&["is", "null"]) {
                parts.push(format!("{}IsNull", self.path(&condition[..condition.len() - 2])?));
                continue;
            }
            let equals = condition.iter().position(|word| word.is_sign('='))?;
            let path = self.path(&condition[..equals])?;
            let given = match &condition[equals + 1..] {
                [truth] if truth.is("true") => "True",
                [truth] if truth.is("false") => "False",
                given if self.param(given)? == next => {
                    next += 1;
                    ""
                }
                _ => return None,
            };
            parts.push(format!("{path}{given}"));
        }
        let mut text = purpose.to_owned();
        if !parts.is_empty() {
            text.push_str(&format!(" by {}", parts.join("And")));
        }
        match self.order.as_slice() {
            [] => {}
            [path @ .., down] if down.is("desc") => text.push_str(&format!(" ordered by {}Desc", self.path(path)?)),
            [path @ .., up] if up.is("asc") => text.push_str(&format!(" ordered by {}", self.path(path)?)),
            path => text.push_str(&format!(" ordered by {}", self.path(path)?)),
        }
        Some(text)
    }

    /// A field path in the notation of method names: `UserId` for `p.user.id`.
    fn path(&self, words: &[&Word]) -> Option<String> {
        let [row, rest @ ..] = words else { return None };
        if row.name() != Some(self.alias) || rest.is_empty() || rest.len() % 2 == 1 {
            return None;
        }
        let mut text = String::new();
        for pair in rest.chunks(2) {
            let [dot, name] = pair else { return None };
            let name = name.name().filter(|_| dot.is_sign('.'))?;
            text.extend(name.chars().take(1).flat_map(char::to_uppercase));
            text.extend(name.chars().skip(1));
        }
        Some(text)
    }

    /// The index of the parameter at these words, from 0.
    fn param(&self, words: &[&Word]) -> Option<usize> {
        match words {
            [sign, Word::Name(name)] if sign.is_sign(':') => self.params.iter().position(|one| one == name),
            [sign, Word::Number(number)] if sign.is_sign('?') => number.parse::<usize>().ok()?.checked_sub(1),
            _ => None,
        }
    }

    /// The query's words, with normalised row and parameters.
    fn plain(&self) -> String {
        let mut out: Vec<String> = Vec::new();
        let parts =
            [(&self.selected, ""), (&self.joined, self.entity), (&self.asked, "by"), (&self.order, "ordered by")];
        for (part, head) in parts {
            out.push(head.to_owned());
            let mut at = 0;
            while let Some(word) = part.get(at) {
                let two = part.get(at..at + 2).and_then(|two| self.param(two));
                if let Some(number) = two {
                    out.push(format!("?{number}"));
                    at += 2;
                    continue;
                }
                out.push(match word {
                    Word::Name(name) if name == self.alias => "it".to_owned(),
                    Word::Name(name) if is_keyword(name) => name.to_lowercase(),
                    Word::Name(text) | Word::Quoted(text) | Word::Number(text) => text.clone(),
                    Word::Text(text) => format!("'{text}'"),
                    Word::Sign(sign) => sign.to_string(),
                });
                at += 1;
            }
        }
        out.retain(|word| !word.is_empty());
        out.join(" ")
    }
}

/// Keywords of JPQL, which ignores their letter case.
fn is_keyword(name: &str) -> bool {
    const KEYWORDS: [&str; 24] = [
        "and", "as", "asc", "between", "by", "concat", "count", "desc", "distinct", "escape", "false", "in", "inner",
        "is", "join", "left", "like", "lower", "member", "not", "null", "or", "true", "upper",
    ];
    KEYWORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Removes outer fetch joins, which do not change which rows are found: `left join fetch p.lines`.
fn without_fetches<'q>(words: &[&'q Word]) -> Vec<&'q Word> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while let Some(word) = words.get(at) {
        let keyword = |at: usize, name: &str| words.get(at).is_some_and(|word| word.is(name));
        let outer = at + usize::from(keyword(at + 1, "outer"));
        if !(word.is("left") && keyword(outer + 1, "join") && keyword(outer + 2, "fetch")) {
            kept.push(*word);
            at += 1;
            continue;
        }
        // Skips the path. An alias stays, because only another join would use it.
        at = outer + 4;
        while words.get(at).is_some_and(|word| word.is_sign('.')) {
            at += 2;
        }
    }
    kept
}

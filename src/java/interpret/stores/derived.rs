//! Queries derived from method names: `findByCustomerNameAndPaidTrueOrderByIdDesc`.

use std::fmt::Write as _;

use super::criteria::{Compare, Operand, Test};
use super::data::{Entity, Mapping, Stores};
use crate::interpret::values::value::Value;

/// What a query does with its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Returns them.
    Find,
    /// Counts them.
    Count,
    /// Tests whether there are any.
    Exists,
    /// Deletes them.
    Delete,
}

/// A query.
#[derive(Debug, Clone)]
pub struct Query {
    /// What it does with its rows.
    pub purpose: Purpose,
    /// The condition on rows.
    pub test: Test,
    /// Sort fields, each with whether it is descending.
    pub order: Vec<(String, bool)>,
    /// The maximum number of rows.
    pub most: Option<usize>,
    /// The fields that must equal an argument of the call.
    pub asked: Vec<(Vec<String>, Value)>,
}

const SUFFIXES: &[(&str, usize, Suffix)] = &[
    ("IsNotNull", 0, Suffix::NotNull),
    ("NotNull", 0, Suffix::NotNull),
    ("IsNull", 0, Suffix::Null),
    ("Null", 0, Suffix::Null),
    ("IsTrue", 0, Suffix::Is(true)),
    ("True", 0, Suffix::Is(true)),
    ("IsFalse", 0, Suffix::Is(false)),
    ("False", 0, Suffix::Is(false)),
    ("IsBetween", 2, Suffix::Between),
    ("Between", 2, Suffix::Between),
    ("IsNotIn", 1, Suffix::Not(Compare::In)),
    ("NotIn", 1, Suffix::Not(Compare::In)),
    ("IsIn", 1, Suffix::Plain(Compare::In)),
    ("In", 1, Suffix::Plain(Compare::In)),
    ("IsNotLike", 1, Suffix::Not(Compare::Like)),
    ("NotLike", 1, Suffix::Not(Compare::Like)),
    ("IsLike", 1, Suffix::Plain(Compare::Like)),
    ("Like", 1, Suffix::Plain(Compare::Like)),
    ("IsStartingWith", 1, Suffix::Plain(Compare::Starts)),
    ("StartingWith", 1, Suffix::Plain(Compare::Starts)),
    ("StartsWith", 1, Suffix::Plain(Compare::Starts)),
    ("IsEndingWith", 1, Suffix::Plain(Compare::Ends)),
    ("EndingWith", 1, Suffix::Plain(Compare::Ends)),
    ("EndsWith", 1, Suffix::Plain(Compare::Ends)),
    ("IsNotContaining", 1, Suffix::Not(Compare::Contains)),
    ("NotContaining", 1, Suffix::Not(Compare::Contains)),
    ("NotContains", 1, Suffix::Not(Compare::Contains)),
    ("IsContaining", 1, Suffix::Plain(Compare::Contains)),
    ("Containing", 1, Suffix::Plain(Compare::Contains)),
    ("Contains", 1, Suffix::Plain(Compare::Contains)),
    ("IsLessThanEqual", 1, Suffix::Plain(Compare::LessEqual)),
    ("LessThanEqual", 1, Suffix::Plain(Compare::LessEqual)),
    ("IsLessThan", 1, Suffix::Plain(Compare::Less)),
    ("LessThan", 1, Suffix::Plain(Compare::Less)),
    ("IsGreaterThanEqual", 1, Suffix::Plain(Compare::GreaterEqual)),
    ("GreaterThanEqual", 1, Suffix::Plain(Compare::GreaterEqual)),
    ("IsGreaterThan", 1, Suffix::Plain(Compare::Greater)),
    ("GreaterThan", 1, Suffix::Plain(Compare::Greater)),
    ("IsBefore", 1, Suffix::Plain(Compare::Less)),
    ("Before", 1, Suffix::Plain(Compare::Less)),
    ("IsAfter", 1, Suffix::Plain(Compare::Greater)),
    ("After", 1, Suffix::Plain(Compare::Greater)),
    ("IsNot", 1, Suffix::Not(Compare::Equal)),
    ("Not", 1, Suffix::Not(Compare::Equal)),
    ("Equals", 1, Suffix::Plain(Compare::Equal)),
    ("Is", 1, Suffix::Plain(Compare::Equal)),
];

#[derive(Debug, Clone, Copy)]
enum Suffix {
    Plain(Compare),
    Not(Compare),
    Null,
    NotNull,
    Is(bool),
    Between,
}

/// A parsed name of a query method (Spring Data Commons, "Repository query keywords").
#[derive(Debug, PartialEq, Eq)]
struct Name<'n> {
    purpose: Purpose,
    is_distinct: bool,
    most: Option<usize>,
    predicate: &'n str,
    order: &'n str,
}

impl<'n> Name<'n> {
    /// Parses a name; `None` if it is not a query.
    fn of(name: &'n str) -> Option<Self> {
        let (purpose, rest) = [
            ("find", Purpose::Find),
            ("read", Purpose::Find),
            ("get", Purpose::Find),
            ("query", Purpose::Find),
            ("search", Purpose::Find),
            ("stream", Purpose::Find),
            ("count", Purpose::Count),
            ("exists", Purpose::Exists),
            ("delete", Purpose::Delete),
            ("remove", Purpose::Delete),
        ]
        .iter()
        .find_map(|(verb, purpose)| Some((*purpose, name.strip_prefix(verb)?)))?;
        let (subject, predicate) = rest.split_once("By")?;
        let (predicate, order) = predicate.split_once("OrderBy").unwrap_or((predicate, ""));
        // `FirstByOrderBy…` has no predicate. `Top` as part of a word, as in `Topics`, is not a limit.
        let is_word = |text: &str| text.is_empty() || text.starts_with(char::is_uppercase);
        let limited = subject.strip_prefix("Distinct").unwrap_or(subject);
        let most = ["First", "Top"].iter().find_map(|word| {
            let after = limited.strip_prefix(word)?;
            let named = after.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = &after[..after.len() - named.len()];
            let most = if digits.is_empty() { Some(1) } else { digits.parse().ok() };
            most.filter(|_| is_word(named))
        });
        let is_query = is_word(subject) && is_word(predicate);
        is_query.then_some(Self { purpose, is_distinct: subject.contains("Distinct"), most, predicate, order })
    }
}

/// The normal form of a query method's name, equal for names with the same meaning; `None` if the name is not a
/// query.
pub fn normal_form(name: &str) -> Option<String> {
    let Name { purpose, is_distinct, most, predicate, order } = Name::of(name)?;
    let mut text = format!("{purpose:?}").to_lowercase();
    if is_distinct {
        text.push_str(" distinct");
    }
    if let Some(most) = most {
        let _ = write!(text, " first {most}");
    }
    if !predicate.is_empty() {
        let _ = write!(text, " by {predicate}");
    }
    if !order.is_empty() {
        // Ascending is the default.
        let _ = write!(text, " ordered by {}", order.strip_suffix("Asc").unwrap_or(order));
    }
    Some(text)
}

/// The query that a name denotes, with the arguments of the call; `None` if it is not supported.
pub fn query(stores: &Stores, entity: &Entity, name: &str, args: &[Value]) -> Option<Query> {
    let Name { purpose, most, predicate, order, .. } = Name::of(name)?;
    let order = if order.is_empty() { Vec::new() } else { ordering(stores, entity, order)? };
    let (predicate, all_ignore) = match predicate.strip_suffix("AllIgnoreCase") {
        Some(rest) => (rest, true),
        None => (predicate, false),
    };
    let mut args = args.iter();
    let mut any = Vec::new();
    let mut asked = Vec::new();
    if predicate.is_empty() {
        // `findAllBy` and `findFirstByOrderByIdDesc` match all rows.
        any.push(Test::All(Vec::new()));
    }
    let alternatives = if predicate.is_empty() { Vec::new() } else { split(stores, entity, predicate, "Or") };
    for alternative in alternatives {
        let mut all = Vec::new();
        for part in split(stores, entity, &alternative, "And") {
            all.push(one(stores, entity, &part, all_ignore, &mut args, &mut asked)?);
        }
        any.push(Test::All(all));
    }
    if args.next().is_some() {
        return None;
    }
    Some(Query { purpose, test: Test::Any(any), order, most, asked })
}

/// What a query by name says of a field of each row that it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundValue {
    /// The field equals this argument, counted from 0.
    Argument(usize),
    /// The field is this truth value.
    Is(bool),
}

/// What a predicate such as `EmailAndActiveTrue` says of a field of each row; `None` if it says nothing, if it has
/// alternatives, or if letter case does not matter. `has_field` tells the fields of the rows.
pub fn value_of_rows(predicate: &str, field: &str, has_field: impl Fn(&str) -> bool) -> Option<FoundValue> {
    let small = |name: &str| {
        let mut letters = name.chars();
        let first = letters.next().map(|first| first.to_lowercase().collect::<String>());
        format!("{}{}", first.unwrap_or_default(), letters.as_str())
    };
    let starts_word = |rest: &str| rest.starts_with(char::is_uppercase);
    let has_alternatives = predicate
        .match_indices("Or")
        .any(|(at, word)| at > 0 && starts_word(&predicate[at + word.len()..]) && !starts_word(&predicate[at - 1..at]));
    if has_alternatives {
        return None;
    }
    let mut at = 0;
    for part in predicate.split("And") {
        if has_field(&small(part)) {
            if small(part) == field {
                return Some(FoundValue::Argument(at));
            }
            at += 1;
            continue;
        }
        let suffix =
            SUFFIXES.iter().find(|(suffix, ..)| part.strip_suffix(suffix).is_some_and(|of| has_field(&small(of))));
        // A part that is no field by itself may be a part of a name with the keyword in it.
        let (suffix, count, what) = suffix?;
        let is_own = part.strip_suffix(suffix).is_some_and(|of| small(of) == field);
        match what {
            Suffix::Is(value) if is_own => return Some(FoundValue::Is(*value)),
            Suffix::Plain(Compare::Equal) if is_own => return Some(FoundValue::Argument(at)),
            _ => {}
        }
        at += count;
    }
    None
}

/// Splits a text at a keyword that starts a new word, unless the keyword is part of a field's name.
fn split(stores: &Stores, entity: &Entity, text: &str, keyword: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(keyword).map(|found| found + at) {
        let after = found + keyword.len();
        let begins = text[after..].chars().next().is_some_and(char::is_uppercase);
        let ends = found > from && text[..found].chars().last().is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
        if begins && ends && path(stores, entity, &text[from..]).is_none() {
            out.push(text[from..found].to_owned());
            from = after;
        }
        at = after;
    }
    out.push(text[from..].to_owned());
    out
}

fn one<'a>(
    stores: &Stores,
    entity: &Entity,
    part: &str,
    all_ignore: bool,
    args: &mut impl Iterator<Item = &'a Value>,
    asked: &mut Vec<(Vec<String>, Value)>,
) -> Option<Test> {
    let (part, ignore) = ["IgnoreCase", "IgnoringCase"]
        .iter()
        .find_map(|suffix| part.strip_suffix(suffix))
        .map_or((part, all_ignore), |rest| (rest, true));
    let found = match path(stores, entity, part) {
        Some(path) => Some((path, 1, Suffix::Plain(Compare::Equal))),
        None => SUFFIXES.iter().find_map(|(suffix, count, what)| {
            let path = path(stores, entity, part.strip_suffix(suffix)?)?;
            Some((path, *count, *what))
        }),
    };
    let (path, count, what) = found?;
    let given: Vec<Value> = args.by_ref().take(count).cloned().collect();
    if given.len() != count {
        return None;
    }
    let folded = |operand: Operand| if ignore { Operand::Lower(Box::new(operand)) } else { operand };
    let own = || folded(Operand::Path(path.clone()));
    let arg = |at: usize| Some(folded(Operand::Given(given.get(at)?.clone())));
    Some(match what {
        // An argument of null becomes `is null`.
        Suffix::Plain(Compare::Equal) if given.first()?.is_null() => Test::Null(Operand::Path(path)),
        Suffix::Not(Compare::Equal) if given.first()?.is_null() => Test::Not(Box::new(Test::Null(Operand::Path(path)))),
        Suffix::Plain(Compare::In) => {
            Test::Compare(Compare::In, Operand::Path(path), Operand::Given(given.first()?.clone()))
        }
        Suffix::Plain(compare) => {
            if compare == Compare::Equal {
                asked.push((path.clone(), given.first()?.clone()));
            }
            Test::Compare(compare, own(), arg(0)?)
        }
        Suffix::Not(Compare::In) => {
            Test::Not(Box::new(Test::Compare(Compare::In, Operand::Path(path), Operand::Given(given.first()?.clone()))))
        }
        Suffix::Not(compare) => Test::Not(Box::new(Test::Compare(compare, own(), arg(0)?))),
        Suffix::Null => Test::Null(Operand::Path(path)),
        Suffix::NotNull => Test::Not(Box::new(Test::Null(Operand::Path(path)))),
        Suffix::Is(value) => Test::Compare(Compare::Equal, Operand::Path(path), Operand::Given(Value::bool(value))),
        Suffix::Between => Test::All(vec![
            Test::Compare(Compare::GreaterEqual, own(), arg(0)?),
            Test::Compare(Compare::LessEqual, own(), arg(1)?),
        ]),
    })
}

fn ordering(stores: &Stores, entity: &Entity, text: &str) -> Option<Vec<(String, bool)>> {
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = ["Asc", "Desc"]
            .iter()
            .filter_map(|word| {
                let at = rest
                    .match_indices(word)
                    .map(|(at, _)| at)
                    .find(|at| path(stores, entity, &rest[..*at]).is_some())?;
                Some((at, *word))
            })
            .min();
        let (name, down, after) = match end {
            Some((at, word)) => (&rest[..at], word == "Desc", &rest[at + word.len()..]),
            None => (rest, false, ""),
        };
        out.push((path(stores, entity, name)?.join("."), down));
        rest = after;
    }
    Some(out)
}

/// The field path that `CustomerName` denotes: a field with that name, or a field of a row that a field refers to.
pub fn path(stores: &Stores, entity: &Entity, text: &str) -> Option<Vec<String>> {
    let own = |name: &str| {
        let mut chars = name.chars();
        let first = chars.next()?;
        let small: String = first.to_lowercase().chain(chars).collect();
        let found = entity.field(&small).or_else(|| entity.field(name));
        match found {
            Some(field) => Some(field),
            None if small == "id" => entity.fields.iter().find(|field| Some(field.member) == entity.single()),
            None => None,
        }
    };
    if text.is_empty() {
        return None;
    }
    if let Some(field) = own(text) {
        return Some(vec![field.name.clone()]);
    }
    let cuts = text.char_indices().skip(1).filter(|(_, c)| c.is_uppercase() || *c == '_').map(|(at, _)| at);
    for cut in cuts.collect::<Vec<_>>().into_iter().rev() {
        let (head, tail) = (&text[..cut], text[cut..].trim_start_matches('_'));
        let Some(field) = own(head.trim_end_matches('_')) else { continue };
        let (Mapping::One { target, .. } | Mapping::OneBy { target, .. }) = &field.mapping else { continue };
        let Some(target) = stores.entities.get(target) else { continue };
        if let Some(rest) = path(stores, target, tail) {
            return Some(std::iter::once(field.name.clone()).chain(rest).collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::stores::data::{Keys, Mapped, StartupKeys, Strategy};
    use crate::ir::ids::{MemberId, TypeId};

    fn entity() -> (Stores, Entity) {
        let field = |index: u32, name: &str| Mapped {
            member: MemberId { ty: TypeId(0), index },
            name: name.to_owned(),
            mapping: Mapping::Basic { column: name.to_owned(), ordinal: false },
            order: None,
            is_required: false,
            is_unique: false,
            length: None,
            is_read_only: false,
        };
        let fields =
            vec![field(0, "id"), field(1, "orderNumber"), field(2, "name"), field(3, "paid"), field(4, "andy")];
        let entity = Entity {
            root: TypeId(0),
            kin: vec![TypeId(0)],
            strategy: Strategy::Single,
            told_by: None,
            ty: TypeId(0),
            name: "Order".to_owned(),
            table: "orders".to_owned(),
            fields,
            id: MemberId { ty: TypeId(0), index: 0 },
            parts: Vec::new(),
            keys: Keys::Generated,
            numbered: super::super::data::KeyGenerator::Open,
            counting: StartupKeys::Table,
            is_document: false,
            callbacks: Vec::new(),
            open: None,
        };
        (Stores { entities: [(TypeId(0), entity.clone())].into(), ..Stores::default() }, entity)
    }

    #[test]
    fn a_query_by_name_says_what_its_rows_hold() {
        let has = |name: &str| ["active", "email", "isDeleted", "state", "orderNumber"].contains(&name);
        let of = |predicate: &str, field: &str| value_of_rows(predicate, field, has);
        assert_eq!(of("EmailAndActiveAndIsDeleted", "isDeleted"), Some(FoundValue::Argument(2)));
        assert_eq!(of("EmailContainingAndActiveTrue", "active"), Some(FoundValue::Is(true)));
        assert_eq!(of("EmailOrActiveTrue", "active"), None);
        assert_eq!(of("EmailIgnoreCaseAndActiveFalse", "active"), None);
        assert_eq!(of("OrderNumberAndStateNot", "state"), None);
        assert_eq!(of("StateIsNotNullAndActiveIs", "active"), Some(FoundValue::Argument(0)));
    }

    #[test]
    fn names_that_ask_for_the_same_have_one_normal_form() {
        for (one, other) in [
            ("findByNameOrderByPriceAsc", "findAllByNameOrderByPrice"),
            ("findFirstByName", "findTop1ByName"),
            ("findTopicsByName", "findByName"),
            ("readByName", "getByName"),
            ("deleteByName", "removeByName"),
        ] {
            assert_eq!(normal_form(one), normal_form(other), "{one} {other}");
        }
        for (one, other) in [
            ("findByNameOrderByPriceAsc", "findByNameOrderByPriceDesc"),
            ("findByName", "findByState"),
            ("findByName", "findFirstByName"),
            ("findByName", "findDistinctByName"),
            ("existsByName", "countByName"),
        ] {
            assert_ne!(normal_form(one), normal_form(other), "{one} {other}");
            assert!(normal_form(one).is_some() && normal_form(other).is_some());
        }
        let form = |name: &str| normal_form(name).unwrap_or_default();
        assert_eq!(form("findAll"), "");
        assert_eq!(form("getStandby"), "");
        assert_eq!(form("findDistinctTop3ByNameOrderByIdDesc"), "find distinct first 3 by Name ordered by IdDesc");
        assert_eq!(form("findFirstByOrderByIdDesc"), "find first 1 ordered by IdDesc");
    }

    #[test]
    fn names_are_read_with_their_keywords_and_orders() {
        let (stores, entity) = entity();
        let text = Value::text("x");
        let found = query(
            &stores,
            &entity,
            "findTop3ByOrderNumberAndPaidTrueOrderByNameDescIdAsc",
            std::slice::from_ref(&text),
        );
        let found = found.unwrap();
        assert_eq!((found.purpose, found.most), (Purpose::Find, Some(3)));
        assert_eq!(found.order, [("name".to_owned(), true), ("id".to_owned(), false)]);
        assert_eq!(found.asked.len(), 1);
        assert!(matches!(&found.test, Test::Any(any) if matches!(&any[0], Test::All(all) if all.len() == 2)));
        assert!(
            query(&stores, &entity, "existsByNameContainingIgnoreCaseOrAndy", &[text.clone(), text.clone()]).is_some()
        );
        assert!(query(&stores, &entity, "findByNothing", std::slice::from_ref(&text)).is_none());
        assert!(query(&stores, &entity, "findByName", &[]).is_none());
    }
}

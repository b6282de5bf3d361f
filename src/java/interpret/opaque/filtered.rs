//! Queries that test fields of the row that they find by its keys, such as `findByNameAndDeletedAtIsNull`.
//!
//! Where two revisions are compared, such a query is the query by the keys alone, whose row is then tested. So a query that
//! gets or loses a test finds the same row as before.

use super::calls::{QUERY, Unfollowed};
use super::does::CallEffect;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::paths::path::Site;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Type, Value};
use crate::ir::ids::{MemberId, TypeId};

/// A test of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    Null,
    NotNull,
    True,
    False,
}

/// The keywords of tests without a parameter, the longer ones first (documentation of Spring Data).
const TESTS: [(&str, Test); 8] = [
    ("IsNotNull", Test::NotNull),
    ("NotNull", Test::NotNull),
    ("IsNull", Test::Null),
    ("Null", Test::Null),
    ("IsTrue", Test::True),
    ("True", Test::True),
    ("IsFalse", Test::False),
    ("False", Test::False),
];

/// A query by keys with tests of the found row.
#[derive(Debug, PartialEq, Eq)]
struct FilteredQuery<'q> {
    /// The repository's full name.
    owner: &'q str,
    /// The keys, as in a method's name.
    keys: &'q str,
    /// The types of the parameters.
    params: &'q str,
    /// The declared result.
    result: &'q str,
    /// The tested field paths, as in a method's name, and their tests.
    tests: Vec<(&'q str, Test)>,
}

impl<'q> FilteredQuery<'q> {
    /// Reads the callee of a query method; `None` if it is another kind of query. `is_path` says whether a name is a field
    /// path of the entity.
    fn of(callee: &'q str, is_path: impl Fn(&str) -> bool) -> Option<Self> {
        let (owner, rest) = callee.split_once(QUERY)?;
        let (predicate, rest) = rest.strip_prefix("find by ")?.split_once(" (")?;
        let (params, result) = rest.split_once("): ")?;
        let (mut keys, mut tests) = (predicate, Vec::new());
        while let Some((rest, test)) = TESTS.iter().find_map(|(word, test)| Some((keys.strip_suffix(word)?, *test))) {
            let split = rest.rmatch_indices("And").find(|(at, and)| is_path(&rest[at + and.len()..]))?;
            tests.push((&rest[split.0 + split.1.len()..], test));
            keys = &rest[..split.0];
        }
        let is_plain = !keys.is_empty() && keys.chars().all(char::is_alphanumeric) && is_path(keys);
        tests.reverse();
        (is_plain && !tests.is_empty()).then_some(Self { owner, keys, params, result, tests })
    }
}

impl Machine<'_> {
    /// The result of a query method that tests the row which it finds by one key; `None` if it is another query, or
    /// nothing is compared.
    pub(in crate::interpret) fn filtered(
        &mut self,
        (repository, method): (TypeId, MemberId),
        receiver: &Value,
        args: &[Value],
    ) -> Eval<Option<Value>> {
        if !self.is_compared() || args.len() != 1 {
            return Ok(None);
        }
        let Type::Class(ClassRef::Project(entity), _) = self.entity_of_repository(repository) else { return Ok(None) };
        let Some(callee) = self.query_by_name(repository, method) else { return Ok(None) };
        let Some(query) = FilteredQuery::of(&callee, |name| self.path_of(entity, name).is_some()) else {
            return Ok(None);
        };
        let row = Type::Class(ClassRef::Project(entity), Vec::new());
        let optional = Type::Class(ClassRef::library("java.util.Optional"), vec![row.clone()]);
        let name = &self.project.ty(entity).name;
        let result = match query.result {
            result if result.trim_start_matches("java.util.") == format!("Optional<{name}>") => optional,
            result if result == name => row,
            _ => return Ok(None),
        };
        let is_optional = result.library().is_some();
        let Some(site) = self.calling.or_else(|| self.here()) else { return Ok(None) };
        let by_keys = match query.keys {
            "Id" if is_optional => format!("{}#findById/1", query.owner),
            keys => format!("{}{QUERY}find by {keys} ({}): {}", query.owner, query.params, query.result),
        };
        let (name, does) = (format!("findBy{}", query.keys), CallEffect::Declared { reads: true });
        let call =
            Unfollowed { callee: &by_keys, name: &name, receiver: Some(receiver), args, ty: result.clone(), does };
        let found = self.unfollowed(&call)?;
        let row = match is_optional {
            true => {
                let found = self.enumerated(&found)?;
                self.call_library("java.util.Optional", "orElse", Some(found), vec![Value::NULL])?
            }
            false => found.clone(),
        };
        if self.is_certainly(&row, Test::Null, site)? {
            return Ok(Some(found));
        }
        for (path, test) in query.tests {
            let mut value = row.clone();
            let path = self.path_of(entity, path).unwrap_or_default();
            let (last, above) = path.split_last().map_or(("", &[][..]), |(last, above)| (last.as_str(), above));
            for name in above {
                value = self.read_field(&value, name)?;
                // An inner join leaves out rows without the related row.
                if self.is_certainly(&value, Test::Null, site)? {
                    return Ok(Some(self.no_row(is_optional)?));
                }
            }
            let value = self.read_field(&value, last)?;
            if !self.is_certainly(&value, test, site)? {
                return Ok(Some(self.no_row(is_optional)?));
            }
        }
        Ok(Some(found))
    }

    /// The result of a query that finds nothing.
    fn no_row(&mut self, is_optional: bool) -> Eval {
        match is_optional {
            true => self.call_library("java.util.Optional", "empty", None, Vec::new()),
            false => Ok(Value::NULL),
        }
    }

    /// Whether a value passes a test; forks where that is open.
    fn is_certainly(&mut self, value: &Value, test: Test, site: Site) -> Eval<bool> {
        let null = self.is_null(value);
        let is_null = self.truth(&null, site)?;
        Ok(match test {
            Test::Null => is_null,
            Test::NotNull => !is_null,
            Test::True | Test::False if is_null => false,
            Test::True | Test::False => self.truth(value, site)? == (test == Test::True),
        })
    }

    /// The field names of a path in the notation of method names: `CreatedById` is `createdBy.id`.
    fn path_of(&self, entity: TypeId, path: &str) -> Option<Vec<String>> {
        let name: String = {
            let mut letters = path.chars();
            letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
        };
        if self.only_field(entity, &name).is_some() {
            return Some(vec![name]);
        }
        let ends = name.char_indices().skip(1).filter(|(_, letter)| letter.is_uppercase()).map(|(at, _)| at);
        ends.filter_map(|at| {
            let field = self.only_field(entity, &name[..at])?;
            let of = self.project.member(field).ty.as_ref()?;
            let of = self.project.resolve(field.ty, &of.name).project()?;
            let rest = self.path_of(of, &name[at..])?;
            Some(std::iter::once(name[..at].to_owned()).chain(rest).collect())
        })
        .next()
    }
}

#[cfg(test)]
mod tests {
    use super::{FilteredQuery, Test};

    #[test]
    fn tests_are_told_from_keys() {
        let is_path = |name: &str| ["Name", "DeletedAt", "CreatedByDeletedAt", "Open"].contains(&name);
        let read = |predicate: &str| {
            let callee = format!("a.Rows#query find by {predicate} (String): Optional<Row>");
            let query = FilteredQuery::of(&callee, is_path)?;
            Some((
                query.keys.to_owned(),
                query.tests.iter().map(|(path, test)| (path.to_string(), *test)).collect::<Vec<_>>(),
            ))
        };
        let (keys, tests) = read("NameAndDeletedAtIsNullAndCreatedByDeletedAtNotNull").unwrap();
        assert_eq!(keys, "Name");
        assert_eq!(tests, [("DeletedAt".to_owned(), Test::Null), ("CreatedByDeletedAt".to_owned(), Test::NotNull)]);
        assert_eq!(read("NameAndOpenTrue").unwrap().1, [("Open".to_owned(), Test::True)]);
        assert!(read("Name").is_none() && read("NameOrOpenTrue").is_none() && read("DeletedAtIsNull").is_none());
    }
}

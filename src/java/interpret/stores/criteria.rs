//! Criteria: conditions on rows, evaluated with SQL's three-valued logic, in which comparisons with null are unknown.

use super::data::Texts;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, compare_scalars, open, scalars_equal};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Value};
use crate::ir::ids::MemberId;

/// An operand of a comparison.
#[derive(Debug, Clone)]
pub enum Operand {
    /// A field of the row, or of a row it refers to; the row itself if the path is empty.
    Path(Vec<String>),
    /// A value from the call.
    Given(Value),
    /// The operand in lower case.
    Lower(Box<Operand>),
    /// A concatenation of texts.
    Joined(Vec<Operand>),
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the operator of that name")]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Like,
    Starts,
    Ends,
    Contains,
    In,
}

/// A condition on a row.
#[derive(Debug, Clone)]
pub enum Test {
    /// All of these hold.
    All(Vec<Test>),
    /// At least one of these holds.
    Any(Vec<Test>),
    /// Negation.
    Not(Box<Test>),
    /// A comparison of two operands.
    Compare(Compare, Operand, Operand),
    /// Whether the operand is null.
    Null(Operand),
}

impl Machine<'_> {
    /// The rows that satisfy a condition.
    pub fn rows_that(&mut self, rows: Vec<ObjId>, test: &Test) -> Answer<Vec<ObjId>> {
        let mut found = Vec::new();
        for row in rows {
            if self.meets(row, test)? == Some(true) {
                found.push(row);
            }
        }
        Ok(found)
    }

    /// Whether a row satisfies a condition; `None` if SQL makes it unknown because of null.
    fn meets(&mut self, row: ObjId, test: &Test) -> Answer<Option<bool>> {
        self.step()?;
        Ok(match test {
            Test::All(parts) | Test::Any(parts) => {
                let all = matches!(test, Test::All(_));
                let mut open = false;
                for part in parts {
                    match self.meets(row, part)? {
                        Some(value) if value != all => return Ok(Some(!all)),
                        Some(_) => {}
                        None => open = true,
                    }
                }
                if open { None } else { Some(all) }
            }
            Test::Not(inner) => self.meets(row, inner)?.map(|value| !value),
            Test::Null(operand) => {
                let value = self.operand(row, operand)?;
                match value {
                    Value::Unknown(unknown) if !unknown.present => return open("a field of a row is not known"),
                    value => Some(value.is_null()),
                }
            }
            Test::Compare(compare, a, b) => {
                let (a, b) = (self.operand(row, a)?, self.operand(row, b)?);
                return self.compared(*compare, &a, &b);
            }
        })
    }

    fn operand(&mut self, row: ObjId, operand: &Operand) -> Answer {
        match operand {
            Operand::Path(path) => self.path_value(row, path),
            Operand::Given(value) => Ok(value.clone()),
            Operand::Lower(inner) => match self.operand(row, inner)? {
                Value::Scalar(Scalar::Str(text)) => Ok(self.fresh_text(&text.text.to_lowercase())),
                value if value.is_null() => Ok(value),
                _ => open("a text is not known"),
            },
            Operand::Joined(parts) => {
                let mut joined = String::new();
                for part in parts {
                    match self.operand(row, part)? {
                        Value::Scalar(Scalar::Str(text)) => joined += &text.text,
                        value if value.is_null() => return Ok(Value::NULL),
                        _ => return open("a text is not known"),
                    }
                }
                Ok(self.fresh_text(&joined))
            }
        }
    }

    /// The value of a field of a row, or of a row it refers to.
    pub fn path_value(&mut self, row: ObjId, path: &[String]) -> Answer {
        let mut value = Value::Ref(row);
        for name in path {
            if value.is_null() {
                return Ok(value);
            }
            let Some(field) = self.entity_field(&value, name) else { return open("a query names no field") };
            value = self.read_member(&value, field)?;
        }
        Ok(value)
    }

    fn entity_field(&self, value: &Value, name: &str) -> Option<MemberId> {
        let Value::Ref(id) = value else { return None };
        let ClassRef::Project(ty) = self.object(*id).class else { return None };
        let entity = self.stores()?.entities.get(&ty)?;
        match name {
            "id" if entity.field("id").is_none() => entity.single(),
            name => entity.field(name).map(|field| field.member),
        }
    }

    fn compared(&mut self, compare: Compare, a: &Value, b: &Value) -> Answer<Option<bool>> {
        if compare == Compare::In {
            let Some(items) = self.given_items(b) else { return open("a collection of a query is not known") };
            let mut any = false;
            for item in items {
                any |= self.compared(Compare::Equal, a, &item)? == Some(true);
            }
            return Ok(if a.is_null() { None } else { Some(any) });
        }
        if a.is_null() || b.is_null() {
            return Ok(None);
        }
        if matches!(compare, Compare::Equal | Compare::NotEqual) {
            let same = self.same_in_store(a, b)?;
            return Ok(Some(same == (compare == Compare::Equal)));
        }
        let (Some(x), Some(y)) = (a.scalar(), b.scalar()) else {
            return self.compared_values(compare, a, b);
        };
        if let (Scalar::Str(x), Scalar::Str(y)) = (x, y) {
            let (x, y) = (&*x.text, &*y.text);
            match compare {
                Compare::Like => return Ok(Some(is_like(x, y))),
                Compare::Starts => return Ok(Some(x.starts_with(y))),
                Compare::Ends => return Ok(Some(x.ends_with(y))),
                Compare::Contains => return Ok(Some(x.contains(y))),
                _ => {}
            }
        }
        let order = match (x.as_long(), y.as_long()) {
            (Some(x), Some(y)) => Some(x.cmp(&y) as i32),
            _ => compare_scalars(x, y),
        };
        match order {
            Some(order) => Ok(ordered(compare, order)),
            None => open("values of a query do not compare"),
        }
    }

    /// Compares dates and similar values by their natural order.
    fn compared_values(&mut self, compare: Compare, a: &Value, b: &Value) -> Answer<Option<bool>> {
        let (Value::Ref(_), Value::Ref(_)) = (a, b) else { return open("a value of a query is not known") };
        let order = self.call_method(a.clone(), "compareTo", vec![b.clone()])?;
        match order.scalar().and_then(Scalar::as_int) {
            Some(order) => Ok(ordered(compare, order)),
            None => open("values of a query do not compare"),
        }
    }

    /// The elements of a list or array argument.
    pub fn given_items(&self, value: &Value) -> Option<Vec<Value>> {
        let Value::Ref(id) = value else { return None };
        match &self.object(*id).kind {
            Kind::List { items, .. } => Some(items.clone()),
            _ => match crate::interpret::library::base::contents::contents(&self.heap, *id)? {
                crate::interpret::values::value::Contents::List(items)
                | crate::interpret::values::value::Contents::Set(items)
                | crate::interpret::values::value::Contents::Bag(items)
                | crate::interpret::values::value::Contents::Collection(items) => Some(items),
                _ => None,
            },
        }
    }

    /// Whether a row's value equals the requested one; rows are compared by key.
    pub fn same_in_store(&mut self, a: &Value, b: &Value) -> Answer<bool> {
        match (a, b) {
            (Value::Scalar(Scalar::Str(x)), Value::Scalar(Scalar::Str(y))) if x.text != y.text => {
                let folded = |text: &str| text.trim_end().to_lowercase();
                let is_open = self.stores().is_some_and(|stores| stores.texts == Texts::Open);
                if is_open && folded(&x.text) == folded(&y.text) {
                    return open("whether the database tells such texts apart");
                }
                Ok(false)
            }
            (Value::Scalar(x), Value::Scalar(y)) => Ok(match (x.as_long(), y.as_long()) {
                (Some(x), Some(y)) => x == y,
                _ => scalars_equal(x, y),
            }),
            (Value::Symbol(x), Value::Symbol(y)) if x.term == y.term => Ok(true),
            (Value::Symbol(x), Value::Symbol(y)) if x.term.is_key() && y.term.is_key() => Ok(false),
            // A constant in the store is older than a generated key, so they differ. A request value may equal a generated key.
            (Value::Scalar(_), Value::Symbol(y)) if y.term.is_key() => Ok(false),
            (Value::Ref(x), Value::Ref(y)) if x == y => Ok(true),
            (Value::Ref(x), Value::Ref(y)) => {
                let (ClassRef::Project(left), ClassRef::Project(right)) =
                    (self.object(*x).class.clone(), self.object(*y).class.clone())
                else {
                    let same = self.call_method(a.clone(), "equals", vec![b.clone()])?;
                    return match same {
                        Value::Scalar(Scalar::Bool(same)) => Ok(same),
                        _ => open("values of a query do not compare"),
                    };
                };
                if left != right {
                    return Ok(false);
                }
                let Some(id) = self.stores().and_then(|stores| stores.entities.get(&left)?.single()) else {
                    return open("values of a query do not compare");
                };
                let (x, y) = (self.read_member(a, id)?, self.read_member(b, id)?);
                if x.is_null() || y.is_null() {
                    return Ok(false);
                }
                self.same_in_store(&x, &y)
            }
            _ => open("a value of a query is not known"),
        }
    }
}

fn ordered(compare: Compare, order: i32) -> Option<bool> {
    Some(match compare {
        Compare::Less => order < 0,
        Compare::LessEqual => order <= 0,
        Compare::Greater => order > 0,
        Compare::GreaterEqual => order >= 0,
        Compare::Equal => order == 0,
        _ => return None,
    })
}

/// `LIKE` with `%` and `_`.
fn is_like(text: &str, pattern: &str) -> bool {
    fn at(text: &[char], pattern: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('%', rest)) => (0..=text.len()).any(|skip| at(&text[skip..], rest)),
            Some(('_', rest)) => !text.is_empty() && at(&text[1..], rest),
            Some((c, rest)) => text.first() == Some(c) && at(&text[1..], rest),
        }
    }
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().take(64).collect());
    at(&text, &pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_matches_as_sql_does() {
        assert!(is_like("abc", "a%") && is_like("abc", "%b%") && is_like("abc", "a_c") && !is_like("abc", "b%"));
    }
}

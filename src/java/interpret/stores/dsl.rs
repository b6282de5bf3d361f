//! A query of Querydsl as it is put together: its variables, conditions and orders, and what they are of the one row that is looked at.

use super::criteria::{Operand, Test};
use super::data::{Entity, Stores};
use super::jpql::refers_to_one;
use super::queries::Window;
use crate::java::ids::TypeId;
use crate::java::interpret::value::Value;

/// A query that is put together. Paths begin with their variable.
#[derive(Debug, Clone, Default)]
pub struct Select {
    /// The variable of the row that is looked at, and its entity.
    pub root: Option<(String, TypeId)>,
    /// Variables for rows that it refers to, and whether one must be there.
    pub joins: Vec<(String, Vec<String>, bool)>,
    /// What is asked of a row.
    pub tests: Vec<Test>,
    /// By which fields it sorts, each with whether downwards.
    pub order: Vec<(Vec<String>, bool)>,
    /// Which rows are wanted.
    pub window: Window,
    /// Whether each value is given once.
    pub is_distinct: bool,
    /// What is given of each row.
    pub gives: Option<Vec<String>>,
    /// Whether rows are removed.
    pub deletes: bool,
}

/// Condition, order and what is given, of the one row that is looked at.
type Read = (Test, Vec<(String, bool)>, Option<Vec<String>>);

impl Select {
    /// What the query asks of the row that is looked at; `None` where it is about more. `whole` says that rows are given.
    pub fn read(&self, stores: &Stores, entity: &Entity, whole: bool) -> Option<Read> {
        let mut tests = Vec::new();
        for (_, path, filters) in &self.joins {
            let path = self.path(path)?;
            if !refers_to_one(stores, entity, &path) {
                return None;
            }
            if *filters {
                tests.push(Test::Not(Box::new(Test::Null(Operand::Path(path)))));
            }
        }
        for test in &self.tests {
            tests.push(self.test(test)?);
        }
        let mut order = Vec::new();
        for (path, down) in &self.order {
            order.push((self.path(path)?.join("."), *down));
        }
        let gives = match &self.gives {
            Some(path) if !whole => Some(self.path(path)?),
            _ => None,
        };
        let test = if tests.len() == 1 { tests.remove(0) } else { Test::All(tests) };
        Some((test, order, gives))
    }

    /// A path without its variable.
    fn path(&self, path: &[String]) -> Option<Vec<String>> {
        let (variable, fields) = path.split_first()?;
        let mut found = match &self.root {
            Some((root, _)) if root == variable => Vec::new(),
            _ => {
                let at = self.joins.iter().position(|(alias, ..)| alias == variable)?;
                let before = Self { joins: self.joins[..at].to_vec(), root: self.root.clone(), ..Self::default() };
                before.path(&self.joins.get(at)?.1)?
            }
        };
        found.extend(fields.iter().cloned());
        Some(found)
    }

    fn operand(&self, operand: &Operand) -> Option<Operand> {
        Some(match operand {
            Operand::Path(path) => Operand::Path(self.path(path)?),
            Operand::Lower(inner) => Operand::Lower(Box::new(self.operand(inner)?)),
            Operand::Joined(parts) => {
                Operand::Joined(parts.iter().map(|part| self.operand(part)).collect::<Option<_>>()?)
            }
            Operand::Given(value) => Operand::Given(value.clone()),
        })
    }

    fn test(&self, test: &Test) -> Option<Test> {
        let each = |parts: &[Test]| parts.iter().map(|part| self.test(part)).collect::<Option<Vec<Test>>>();
        Some(match test {
            Test::All(parts) => Test::All(each(parts)?),
            Test::Any(parts) => Test::Any(each(parts)?),
            Test::Not(inner) => Test::Not(Box::new(self.test(inner)?)),
            Test::Null(operand) => Test::Null(self.operand(operand)?),
            Test::Compare(compare, a, b) => Test::Compare(*compare, self.operand(a)?, self.operand(b)?),
        })
    }
}

/// The values of the code that a test compares with.
pub fn given_in(test: &Test, found: &mut Vec<Value>) {
    fn within(operand: &Operand, found: &mut Vec<Value>) {
        match operand {
            Operand::Given(value) => found.push(value.clone()),
            Operand::Lower(inner) => within(inner, found),
            Operand::Joined(parts) => parts.iter().for_each(|part| within(part, found)),
            Operand::Path(_) => {}
        }
    }
    match test {
        Test::All(parts) | Test::Any(parts) => parts.iter().for_each(|part| given_in(part, found)),
        Test::Not(inner) => given_in(inner, found),
        Test::Null(operand) => within(operand, found),
        Test::Compare(_, a, b) => [a, b].into_iter().for_each(|operand| within(operand, found)),
    }
}

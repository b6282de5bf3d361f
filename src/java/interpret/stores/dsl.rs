//! A Querydsl query under construction: its variables, conditions and orders, and their form relative to the root
//! entity.

use super::criteria::{Operand, Test};
use super::data::{Entity, Stores};
use super::jpql::refers_to_one;
use super::queries::Window;
use crate::interpret::values::value::Value;
use crate::ir::ids::TypeId;

/// A query under construction. Paths start with their variable.
#[derive(Debug, Clone, Default)]
pub struct QuerydslQuery {
    /// The variable of the root row, and its entity.
    pub root: Option<(String, TypeId)>,
    /// Joined variables with their paths, and whether the joined row must exist.
    pub joins: Vec<(String, Vec<String>, bool)>,
    /// The conditions on a row.
    pub tests: Vec<Test>,
    /// Sort fields, each with whether it is descending.
    pub order: Vec<(Vec<String>, bool)>,
    /// The requested part of the rows.
    pub window: Window,
    /// Whether duplicate results are removed.
    pub is_distinct: bool,
    /// The selected field; `None` for whole rows.
    pub gives: Option<Vec<String>>,
    /// Whether it deletes the rows.
    pub deletes: bool,
}

/// Condition, order and selected field, relative to the root row.
type Read = (Test, Vec<(String, bool)>, Option<Vec<String>>);

impl QuerydslQuery {
    /// The query relative to the root row; `None` if it involves more than one root. `whole` ignores the selected
    /// field.
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

    /// Replaces the variable of a path by its path from the root row.
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

/// Collects the values in a condition that come from the code.
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

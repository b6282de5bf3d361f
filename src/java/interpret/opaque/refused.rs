//! Inserts that a database refuses: the entity declares a unique column, and the path constraints say that a row with
//! this value exists.

use super::calls::{QUERY, Unfollowed};
use super::found::{KEYS, THERE};
use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::paths::condition::Cond;
use crate::interpret::stores::writes::VIOLATED;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::{Canon, Opaque, Term};
use crate::interpret::values::value::{Kind, Value};
use crate::ir::facts::{MemberFacts, Value as Arg};
use crate::ir::ids::{MemberId, TypeId};

impl Machine<'_> {
    /// The exception for a refused insert, if the path constraints imply a violation (documentation of
    /// `jakarta.persistence.Column#unique`).
    pub(super) fn refused_for_key(&self, call: &Unfollowed<'_>) -> Option<&'static str> {
        let ("save" | "saveAndFlush" | "persist", [Value::Ref(row)], Some(_)) = (call.name, call.args, call.receiver)
        else {
            return None;
        };
        if !self.is_compared() {
            return None;
        }
        // A violation may surface only at commit, after an enclosing `catch`; and an earlier write may have removed
        // the other row.
        if self.catching > 0 || self.opaque.epoch > 0 || self.opaque.epochs.values().any(|times| *times > 0) {
            return None;
        }
        let object = self.object(*row);
        let (Kind::Plain, ClassRef::Project(class)) = (&object.kind, &object.class) else { return None };
        let owner = call.callee.split('#').next().unwrap_or_default();
        let keeps = |ty: &TypeId| self.entity_of_repository(*ty).project() == Some(*class);
        let is_of_store =
            call.callee.starts_with("jakarta.persistence.") || call.callee.starts_with("javax.persistence.");
        if !is_of_store && !self.project.by_fqn_all(owner).iter().any(keeps) {
            return None;
        }
        // An object that was loaded, or already has a key, may be the very row with this value.
        if self.base_of(*row).is_some() {
            return None;
        }
        let line: Vec<TypeId> = std::iter::once(*class).chain(self.project.all_supers(*class)).collect();
        let is_key = |field: &MemberId| has(&self.project.member(*field).annotations, KEYS);
        let is_unset =
            |value: &Value| value.is_null() || matches!(value, Value::Scalar(scalar) if scalar.as_long() == Some(0));
        let mut keys = line.iter().flat_map(|ty| self.project.members(*ty)).filter(is_key);
        if keys.any(|key| object.fields.get(&key).is_some_and(|value| !is_unset(value))) {
            return None;
        }
        let fields = line.iter().flat_map(|ty| self.project.members(*ty));
        let unique = fields.filter(|field| is_unique(self.project.member(*field)));
        let held = |field: MemberId| object.fields.get(&field).filter(|value| !value.is_null());
        let is_taken = |field: MemberId| {
            let value = held(field).map(|value| self.canon(value));
            value.is_some_and(|value| self.is_there(&line, &self.project.member(field).name, &value))
        };
        unique.into_iter().any(is_taken).then_some(VIOLATED)
    }

    /// Whether the path constraints say that a row of one of these classes has this value in this field.
    fn is_there(&self, classes: &[TypeId], field: &str, value: &Canon) -> bool {
        let mut letters = field.chars();
        let Some(first) = letters.next() else { return false };
        let named = format!("{}{}", first.to_uppercase(), letters.as_str());
        let asks = |one: &Opaque| {
            let Some((owner, query)) = one.callee.split_once(QUERY) else { return false };
            let Some((query, _)) = query.split_once(" (") else { return false };
            let is_of_field =
                ["find", "exists"].iter().any(|purpose| query.strip_prefix(purpose) == Some(&format!(" by {named}")));
            let of_rows = |owner: &TypeId| {
                self.entity_of_repository(*owner).project().is_some_and(|rows| classes.contains(&rows))
            };
            let handed = one.operands.iter().rev().find(|operand| !operand.is_mark());
            is_of_field && handed == Some(value) && self.project.by_fqn_all(owner).iter().any(of_rows)
        };
        self.known().all().iter().any(|cond| says_there(cond, &asks))
    }
}

/// Whether a condition states that a query accepted by `asks` finds a row.
fn says_there(cond: &Cond, asks: &dyn Fn(&Opaque) -> bool) -> bool {
    let is_one =
        |query: &Opaque| query.callee.rsplit_once(": ").is_some_and(|(_, result)| !result.contains(['<', '[']));
    match cond {
        Cond::Test(term) => match &**term {
            Term::Opaque(one) if one.callee.contains("exists by ") => asks(one),
            Term::Opaque(one) if &*one.callee == THERE => {
                one.operands.first().and_then(Canon::as_opaque).is_some_and(|query| asks(query))
            }
            _ => false,
        },
        Cond::Not(inner) => match &**inner {
            Cond::IsNull(term) => matches!(&**term, Term::Opaque(one) if is_one(one) && asks(one)),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a field is mapped to a unique column.
fn is_unique(facts: &MemberFacts) -> bool {
    let column = facts.annotations.iter().find(|annotation| annotation.simple() == "Column");
    column.is_some_and(|column| matches!(column.arg("unique"), Some(Arg::Bool(true))))
}

//! Rows that a database refuses: a new one with a value that another one is known to have, in a column of which the entity says that it is unique.

use super::calls::{QUERY, Unfollowed};
use crate::java::facts::{MemberFacts, Value as Arg};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::condition::Cond;
use crate::java::interpret::machine::Machine;
use crate::java::interpret::scalar::ClassRef;
use crate::java::interpret::term::{Canon, Opaque, Term};
use crate::java::interpret::value::{Kind, Value};

/// What the framework makes of a key that is there already.
const VIOLATED: &str = "org.springframework.dao.DataIntegrityViolationException";

impl Machine<'_> {
    /// The exception with which a new row is refused, as far as what is known on this path says so (documentation of `jakarta.persistence.Column#unique`).
    pub(super) fn refused_for_key(&self, call: &Unfollowed<'_>) -> Option<&'static str> {
        let ("save" | "saveAndFlush" | "persist", [Value::Ref(row)], Some(_)) = (call.name, call.args, call.receiver)
        else {
            return None;
        };
        if !self.cx.follows.is_some_and(|follows| follows.compares()) {
            return None;
        }
        let object = self.object(*row);
        let (Kind::Plain, ClassRef::Project(class)) = (&object.kind, &object.class) else { return None };
        // What was found may be the very row that has the value.
        if self.base_of(*row).is_some() {
            return None;
        }
        let line: Vec<TypeId> = std::iter::once(*class).chain(self.project.all_supers(*class)).collect();
        let fields = line.iter().flat_map(|ty| self.project.members(*ty));
        let unique = fields.filter(|field| is_unique(self.project.member(*field)));
        let held = |field: MemberId| object.fields.get(&field).filter(|value| !value.is_null());
        let is_taken = |field: MemberId| {
            let value = held(field).map(|value| self.canon(value));
            value.is_some_and(|value| self.is_there(&line, &self.project.member(field).name, &value))
        };
        unique.into_iter().any(is_taken).then_some(VIOLATED)
    }

    /// Whether a row of one of these classes is known to have a value in a field.
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
        self.known().all().iter().any(|cond| {
            found(cond).is_some_and(|term| match term {
                Term::Opaque(one) => {
                    asks(one) || one.operands.first().and_then(Canon::as_opaque).is_some_and(|of| asks(of))
                }
                _ => false,
            })
        })
    }
}

/// What a condition says is there.
fn found(cond: &Cond) -> Option<&Term> {
    match cond {
        Cond::Test(term) => Some(term),
        Cond::Not(inner) => match &**inner {
            Cond::IsNull(term) => Some(term),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a field is kept in a column that takes each value once.
fn is_unique(facts: &MemberFacts) -> bool {
    let says_so = |annotation: &&crate::java::facts::Annotation| {
        annotation.simple() == "Column" && matches!(annotation.arg("unique"), Some(Arg::Bool(true)))
    };
    facts.annotations.iter().any(|one| says_so(&one))
}

//! Inserts that a database refuses: the entity declares a unique column, and the path constraints say that a row with
//! this value exists; or it declares a column that may not be null, and it is.

use super::calls::{QUERY, Unfollowed};
use super::found::{KEYS, THERE};
use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::paths::condition::Cond;
use crate::interpret::stores::writes::VIOLATED;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::{Canon, Opaque, Term};
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::facts::{MemberFacts, MemberKind, Value as Arg};
use crate::ir::ids::{MemberId, TypeId};

/// The exception of Spring for an object without a key that is to be written (`IdentifierGenerationException` of Hibernate).
const KEYLESS: &str = "org.springframework.orm.jpa.JpaSystemException";

impl Machine<'_> {
    /// The exception for a refused insert, if the path constraints or the object imply a violation (documentation of
    /// `jakarta.persistence.Column#unique` and `#nullable`).
    pub(super) fn refused_for_key(&self, call: &Unfollowed<'_>) -> Option<&'static str> {
        let ("save" | "saveAndFlush" | "persist", [Value::Ref(row)], Some(_)) = (call.name, call.args, call.receiver)
        else {
            return None;
        };
        if !self.is_compared() {
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
        // A key that nothing makes is asked for at once.
        if self.base_of(*row).is_none() && self.is_without_key(*class, *row) {
            return Some(KEYLESS);
        }
        // A violation may surface only at commit, after an enclosing `catch`.
        if self.catching > 0 {
            return None;
        }
        if self.is_incomplete(*class, *row) {
            return Some(VIOLATED);
        }
        // An earlier write may have removed the other row.
        if self.opaque.epoch > 0 || self.opaque.epochs.values().any(|times| *times > 0) {
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

    /// Whether an object's only key is null, and nothing but the code sets it (documentation of `jakarta.persistence.Id`).
    fn is_without_key(&self, class: TypeId, row: ObjId) -> bool {
        let line: Vec<TypeId> = std::iter::once(class).chain(self.project.all_supers(class)).collect();
        let fields = || line.iter().flat_map(|ty| self.project.members(*ty));
        let keys: Vec<MemberId> =
            fields().filter(|member| has(&self.project.member(*member).annotations, KEYS)).collect();
        let [key] = keys.as_slice() else { return false };
        let facts = self.project.member(*key);
        let is_plain = facts.annotations.iter().all(|one| ["Column", "Id"].contains(&one.simple()));
        // A key may also come from the row that it is mapped by.
        let is_called = fields().any(|member| {
            let annotations = &self.project.member(member).annotations;
            annotations.iter().any(|one| ["MapsId", "PrePersist"].contains(&one.simple()))
        });
        let listens = line.iter().any(|ty| {
            let mut all = self.project.ty(*ty).annotations.iter();
            all.any(|one| one.simple() == "EntityListeners")
        });
        let is_row = self.project.ty(class).annotations.iter().any(|one| one.simple() == "Entity");
        is_row && is_plain && !is_called && !listens && self.is_left_null(row, *key)
    }

    /// Whether a column that may not be null is null in an object that the code has created, and nothing but the code fills
    /// the column (documentation of `jakarta.persistence.Column#nullable`).
    fn is_incomplete(&self, class: TypeId, row: ObjId) -> bool {
        let line: Vec<TypeId> = std::iter::once(class).chain(self.project.all_supers(class)).collect();
        let is_plain = |ty: &TypeId| {
            let facts = self.project.ty(*ty);
            let listens =
                facts.annotations.iter().any(|one| ["DynamicInsert", "EntityListeners"].contains(&one.simple()));
            let called = |facts: &MemberFacts| {
                facts.annotations.iter().any(|one| ["PrePersist", "PreUpdate"].contains(&one.simple()))
            };
            !listens && !self.project.members(*ty).any(|member| called(self.project.member(member)))
        };
        if self.base_of(row).is_some() || !line.iter().all(is_plain) {
            return false;
        }
        let mut fields = line.iter().flat_map(|ty| self.project.members(*ty));
        fields.any(|field| is_never_null(self.project.member(field)) && self.is_left_null(row, field))
    }

    /// Whether a field of an object that code has created is null, also because nothing has set it.
    fn is_left_null(&self, row: ObjId, field: MemberId) -> bool {
        match self.object(row).fields.get(&field) {
            Some(value) => value.is_null(),
            None => {
                let facts = self.project.member(field);
                facts.kind == MemberKind::Field
                    && facts.body.is_none()
                    && !matches!(self.field_type(field), Type::Prim(_))
            }
        }
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

/// Whether a field's column may not be null and has no value but that of the field.
fn is_never_null(facts: &MemberFacts) -> bool {
    const PLAIN: &[&str] = &["Basic", "Column", "Enumerated", "JoinColumn", "Lob", "ManyToOne", "OneToOne", "Temporal"];
    let is_false = |name: &str, key: &str| {
        let mut named = facts.annotations.iter().filter(|one| one.simple() == name);
        named.any(|one| matches!(one.arg(key), Some(Arg::Bool(false))))
    };
    let is_written = !is_false("Column", "insertable") && !is_false("JoinColumn", "insertable");
    let is_plain = |name: &str| PLAIN.contains(&name) || name.starts_with("Json") || name.starts_with("Not");
    is_written
        && (is_false("Column", "nullable") || is_false("JoinColumn", "nullable"))
        && facts.annotations.iter().all(|one| is_plain(one.simple()))
}

/// Whether a field is mapped to a unique column.
fn is_unique(facts: &MemberFacts) -> bool {
    let column = facts.annotations.iter().find(|annotation| annotation.simple() == "Column");
    column.is_some_and(|column| matches!(column.arg("unique"), Some(Arg::Bool(true))))
}

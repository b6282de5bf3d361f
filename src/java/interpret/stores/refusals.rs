//! Constraints that a store checks for a row: null, text length, uniqueness, and Bean Validation on the entity.

use std::rc::Rc;

use super::data::{Entity, Mapped, Mapping, Stores, Strategy, Table};
use super::seeded::EMPTY;
use super::writes::VIOLATED;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, Fail, open, throw};
use crate::interpret::library::frameworks::emails::plain_email;
use crate::interpret::library::text::matching::regex_read::compile;
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::Taken;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{ObjId, Value};
use crate::ir::facts::{Annotation, Value as Arg};
use crate::ir::ids::MemberId;

/// Default maximum text length of a column generated from an entity.
const TEXT: usize = 255;

/// The reason why saving an entity is open: a constraint may refuse it.
pub const KEPT: &str = "a constraint of an entity is checked when it is kept";

/// The reason why an operation on a row in several tables is open.
pub(super) const PARTED: &str = "the tables of a hierarchy that scripts make";

impl<'p> Machine<'p> {
    /// Checks a row against null, text length and uniqueness constraints.
    pub(super) fn check(&mut self, entity: &'p Entity, object: ObjId) -> Answer<()> {
        let Some(stores) = self.stores() else { return Ok(()) };
        let declared = stores.tables.get(&entity.table);
        let table = declared.unwrap_or(&EMPTY);
        if stores.is_parted(entity) {
            return open(PARTED);
        }
        let partial = self.store.partial.contains_key(&entity.root);
        for field in &entity.fields {
            let column = match &field.mapping {
                Mapping::Basic { column, .. } | Mapping::One { column, .. } => table.column(column),
                Mapping::Open => return open("how a field is kept is not modelled"),
                _ => continue,
            };
            let value = self.read_member(&Value::Ref(object), field.member)?;
            match self.violates(field, &value) {
                Some(false) => {}
                // An existing row may be unchanged, and then it is not validated.
                Some(true) if stores.validates && !entity.is_document && self.is_inserted(entity, object) => {
                    return Err(self.invalid(stores)?);
                }
                _ => return open(KEPT),
            }
            if value.is_null() && (field.is_required || column.is_some_and(|column| column.is_required)) {
                if entity.is_key(field.member) {
                    continue;
                }
                if is_shared(stores, entity, field) {
                    return open("whether a column may be null that the classes of a hierarchy share");
                }
                return match column.is_some_and(|column| column.default.is_some()) {
                    true => open("a default of the database may stand in for null"),
                    false => Err(throw(self, VIOLATED)),
                };
            }
            if let Value::Scalar(Scalar::Str(text)) = &value {
                let most = match column {
                    Some(column) => column.length,
                    None if stores.has_schema => None,
                    None => Some(field.length.unwrap_or(TEXT)),
                };
                if most.is_some_and(|most| text.text.chars().count() > most) && !entity.is_document {
                    if partial || column.is_none() && !stores.is_made || column.is_some() && stores.alters {
                        return open("how long a text may be in the store");
                    }
                    return Err(throw(self, VIOLATED));
                }
            }
            let is_unique = match column {
                Some(column) => column.is_unique || field.is_unique && !stores.has_schema,
                None => field.is_unique && !stores.has_schema,
            };
            let is_sure = stores.is_made || column.is_some_and(|column| column.is_unique);
            if is_unique && matches!(value, Value::Scalar(_)) && !value.is_null() && !entity.is_key(field.member) {
                for other in self.rows_of(entity.root)? {
                    if other == object || !self.keeps_with(stores, entity, other, field) {
                        continue;
                    }
                    let theirs = self.read_member(&Value::Ref(other), field.member)?;
                    if matches!(theirs, Value::Scalar(_)) && self.same_in_store(&theirs, &value)? {
                        return match is_sure {
                            true => Err(throw(self, VIOLATED)),
                            false => open("whether a column takes a value twice"),
                        };
                    }
                }
            }
        }
        self.check_together(entity, object, table)?;
        for (name, column) in &table.columns {
            let mapped = entity.fields.iter().any(|field| match &field.mapping {
                Mapping::Basic { column, .. } | Mapping::One { column, .. } => column == name,
                _ => false,
            });
            let tells = entity.told_by.as_ref().is_some_and(|(told, _)| told == name);
            if !mapped && !tells && column.is_required && column.default.is_none() && !column.is_counted {
                return open("a column that no field is kept in");
            }
        }
        Ok(())
    }

    /// Whether another row stores this field in the same column.
    fn keeps_with(&self, stores: &'p Stores, entity: &Entity, other: ObjId, field: &Mapped) -> bool {
        if !entity.has_kin() {
            return true;
        }
        let theirs = stores.entities.get(&entity.root).map(|root| self.own_entity(root, other));
        theirs.is_some_and(|theirs| {
            theirs.fields.iter().any(|own| own.member == field.member)
                && (theirs.ty == entity.ty || entity.strategy != Strategy::Each)
        })
    }

    /// Leaves groups of columns that are unique together open, unless each other row differs in a basic column; references are not compared.
    fn check_together(&mut self, entity: &'p Entity, object: ObjId, table: &'p Table) -> Answer<()> {
        if entity.has_kin() && !table.together.is_empty() {
            return open("columns that are unique together");
        }
        for together in &table.together {
            let kept: Vec<MemberId> = entity
                .fields
                .iter()
                .filter(|field| matches!(&field.mapping, Mapping::Basic { column, .. } if together.contains(column)))
                .map(|field| field.member)
                .collect();
            let is_key = entity.parts.iter().all(|part| kept.contains(part));
            if kept.contains(&entity.id) && is_key {
                continue;
            }
            for other in self.rows_of(entity.ty)?.into_iter().filter(|other| *other != object) {
                let mut same = true;
                for field in &kept {
                    let own = self.read_member(&Value::Ref(object), *field)?;
                    let theirs = self.read_member(&Value::Ref(other), *field)?;
                    let differ = matches!((&own, &theirs), (Value::Scalar(_), Value::Scalar(_)))
                        && !self.same_in_store(&own, &theirs)?;
                    same &= !differ;
                }
                if same {
                    return open("columns that are unique together");
                }
            }
        }
        Ok(())
    }

    /// Whether a value violates a Bean Validation constraint on an entity's field, which is checked on save; `None`
    /// if unknown.
    fn violates(&self, field: &Mapped, value: &Value) -> Option<bool> {
        let annotations = &self.project.member(field.member).annotations;
        let mut all = Some(false);
        for annotation in annotations {
            let grouped = annotation.arg("groups").is_some();
            let violated = match (annotation.simple(), value) {
                ("NotNull" | "NotEmpty" | "NotBlank", value) if value.is_null() => Some(true).filter(|_| !grouped),
                ("NotNull", _) => Some(false),
                ("NotEmpty", Value::Scalar(Scalar::Str(text))) => Some(text.text.is_empty()).filter(|_| !grouped),
                ("NotBlank", Value::Scalar(Scalar::Str(text))) => {
                    Some(text.text.trim().is_empty()).filter(|_| !grouped)
                }
                ("NotEmpty" | "NotBlank", _) => Some(false),
                (
                    "Size" | "Email" | "Pattern" | "Min" | "Max" | "Positive" | "PositiveOrZero" | "Digits" | "Length"
                    | "DecimalMin" | "DecimalMax" | "Past" | "Future" | "PastOrPresent" | "URL",
                    value,
                ) => match value {
                    Value::Scalar(Scalar::Str(text)) => is_met(annotation, &text.text).map(|met| !met),
                    value if value.is_null() || !matches!(value, Value::Scalar(_)) => Some(false),
                    _ => None,
                },
                _ => Some(false),
            };
            match violated {
                Some(true) => return Some(true),
                Some(false) => {}
                None => all = None,
            }
        }
        all
    }

    /// Whether this request inserts the row, outside any `try` that may catch the exception.
    fn is_inserted(&self, entity: &Entity, object: ObjId) -> bool {
        let mut rows = self.store.rows.get(&entity.root).into_iter().flatten();
        self.catching == 0 && rows.any(|row| row.object == object && row.at.is_none() && row.kept.is_none())
    }

    /// The exception for a row that violates a Bean Validation constraint: `ConstraintViolationException` if the row
    /// is inserted at once, else the exception of the transaction's commit. Both are followed, so only what they have
    /// in common is certain.
    fn invalid(&mut self, stores: &Stores) -> Answer<Fail> {
        let way = self.choose(2)?;
        let (class, when) = match (way, stores.is_jakarta) {
            (0, true) => ("jakarta.validation.ConstraintViolationException", "at once"),
            (0, false) => ("javax.validation.ConstraintViolationException", "at once"),
            _ => ("org.springframework.transaction.TransactionSystemException", "at the end of its transaction"),
        };
        let site = self.here();
        let text = format!("a row that violates a constraint is refused {when}");
        self.conditions.push(Taken { cond: Cond::Unknown(Rc::from(text), Rc::from(KEPT)), site });
        Ok(throw(self, class))
    }
}

/// Whether a field is stored in the shared table of a hierarchy, but not declared by the root class.
fn is_shared(stores: &Stores, entity: &Entity, field: &Mapped) -> bool {
    let root = stores.entities.get(&entity.root).filter(|_| entity.strategy == Strategy::Single);
    root.is_some_and(|root| !root.fields.iter().any(|own| own.member == field.member))
}

/// Whether a text satisfies a constraint; `None` if unknown.
fn is_met(annotation: &Annotation, text: &str) -> Option<bool> {
    let number = |name: &str| match annotation.arg(name) {
        Some(Arg::Int(value)) => Some(*value),
        _ => None,
    };
    if annotation.arg("groups").is_some() {
        return None;
    }
    match annotation.simple() {
        "Size" | "Length" => {
            let length = i64::try_from(text.encode_utf16().count()).unwrap_or(i64::MAX);
            let known = ["min", "max"].iter().all(|name| annotation.arg(name).is_none() || number(name).is_some());
            let fits = |min: Option<i64>, max: Option<i64>| {
                min.is_none_or(|min| length >= min) && max.is_none_or(|max| length <= max)
            };
            known.then(|| fits(number("min"), number("max")))
        }
        "Email" if annotation.arg("regexp").is_none() => plain_email(text),
        "Pattern" => match (annotation.arg("regexp"), annotation.arg("flags")) {
            (Some(Arg::Str(regex)), None) => {
                let chars: Vec<char> = text.chars().collect();
                compile(regex, 0).ok()?.at(&chars, 0, true).ok().map(|found| found.is_some())
            }
            _ => None,
        },
        "Digits" => {
            let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
            let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
            let fits = |part: &str, name: &str| number(name).is_some_and(|most| part.len() as i64 <= most);
            let met =
                !whole.is_empty() && digits(whole) && digits(rest) && fits(whole, "integer") && fits(rest, "fraction");
            // Other number formats depend on the constraint's implementation.
            met.then_some(true)
        }
        _ => None,
    }
}

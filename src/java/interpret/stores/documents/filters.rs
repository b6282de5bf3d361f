//! Conditions of MongoDB queries, evaluated as the server does: a missing field is null, numbers of all kinds
//! compare, and an array matches if one of its elements does.

use std::rc::Rc;

use super::object_ids;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, compare_scalars, numbered, open, scalars_equal, text};
use crate::interpret::library::text::matching::regex_read::compile;
use crate::interpret::stores::data::Entity;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::ids::{MemberId, TypeId};

/// A condition on a document.
#[derive(Debug, Clone)]
pub enum Filter {
    /// All of these hold; an empty list always holds.
    All(Vec<Filter>),
    /// At least one of these holds.
    Any(Vec<Filter>),
    /// None of these holds.
    None(Vec<Filter>),
    /// A condition on the field at a path.
    Field(Rc<str>, Op),
    /// A condition that is not modelled.
    Open(Rc<str>),
}

/// A condition on a field.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each variant is the operator of that name")]
pub enum Op {
    Is(Value),
    Not(Value),
    Greater(Value),
    GreaterEqual(Value),
    Less(Value),
    LessEqual(Value),
    In(Vec<Value>),
    NotIn(Vec<Value>),
    Exists(bool),
    Regex(Rc<str>, i32),
}

impl Filter {
    /// The compared values, each with the name of its condition, such as `email is`. Filters that match different documents
    /// have different names or values.
    pub fn named_values(&self) -> Vec<(Rc<str>, Value)> {
        match self {
            Self::All(filters) => filters.iter().enumerate().flat_map(|(at, one)| one.named_within("", at)).collect(),
            one => one.named_within("", 0),
        }
    }

    fn named_within(&self, around: &str, at: usize) -> Vec<(Rc<str>, Value)> {
        let each = |filters: &[Self], word: &str| -> Vec<(Rc<str>, Value)> {
            let around = format!("{around}{word} {at}: ");
            match filters.is_empty() {
                true => vec![(Rc::from(around), Value::bool(true))],
                false => filters.iter().enumerate().flat_map(|(at, one)| one.named_within(&around, at)).collect(),
            }
        };
        match self {
            Self::All(filters) => each(filters, "all"),
            Self::Any(filters) => each(filters, "any"),
            Self::None(filters) => each(filters, "none"),
            Self::Field(path, op) => {
                let (word, values) = op.named();
                let name = format!("{around}{path} {word}");
                // A list of values that is empty is a condition too.
                if values.is_empty() { vec![(Rc::from(name), Value::bool(true))] } else { numbered(&name, &values) }
            }
            Self::Open(why) => vec![(Rc::from(around), Value::unknown(why, Type::Unknown))],
        }
    }
}

impl Op {
    /// The operator in words, with its values.
    fn named(&self) -> (&'static str, Vec<Value>) {
        let word = match self {
            Self::Is(_) => "is",
            Self::Not(_) => "is not",
            Self::Greater(_) => ">",
            Self::GreaterEqual(_) => ">=",
            Self::Less(_) => "<",
            Self::LessEqual(_) => "<=",
            Self::In(_) => "in",
            Self::NotIn(_) => "not in",
            Self::Exists(exists) => return ("exists", vec![Value::bool(*exists)]),
            Self::Regex(pattern, flags) => {
                return ("matches", vec![Value::Scalar(Scalar::text(pattern)), Value::int(*flags)]);
            }
        };
        (word, self.values().to_vec())
    }

    fn values(&self) -> &[Value] {
        match self {
            Self::Is(value)
            | Self::Not(value)
            | Self::Greater(value)
            | Self::GreaterEqual(value)
            | Self::Less(value)
            | Self::LessEqual(value) => std::slice::from_ref(value),
            Self::In(values) | Self::NotIn(values) => values,
            Self::Exists(_) | Self::Regex(..) => &[],
        }
    }

    /// The condition with its values replaced.
    fn map(&self, of: impl Fn(&Value) -> Value) -> Self {
        match self {
            Self::Is(value) => Self::Is(of(value)),
            Self::Not(value) => Self::Not(of(value)),
            Self::Greater(value) => Self::Greater(of(value)),
            Self::GreaterEqual(value) => Self::GreaterEqual(of(value)),
            Self::Less(value) => Self::Less(of(value)),
            Self::LessEqual(value) => Self::LessEqual(of(value)),
            Self::In(values) => Self::In(values.iter().map(of).collect()),
            Self::NotIn(values) => Self::NotIn(values.iter().map(of).collect()),
            Self::Exists(_) | Self::Regex(..) => self.clone(),
        }
    }
}

impl Filter {
    /// The values in it.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Self::All(parts) | Self::Any(parts) | Self::None(parts) => parts.iter().flat_map(Self::values).collect(),
            Self::Field(_, op) => op.values().to_vec(),
            Self::Open(_) => Vec::new(),
        }
    }

    /// Whether it matches all documents.
    pub fn is_all(&self) -> bool {
        matches!(self, Self::All(parts) if parts.iter().all(Self::is_all))
    }

    /// The key, if it selects a single key.
    pub fn key(&self, id: &str) -> Option<&Value> {
        match self {
            Self::All(parts) => parts.iter().find_map(|part| part.key(id)),
            Self::Field(path, Op::Is(value)) if **path == *"_id" || **path == *id => Some(value),
            _ => None,
        }
    }
}

/// Classes whose stored form compares differently, or depends on the date.
const REORDERED: &[&str] = &["java.math.BigDecimal", "java.math.BigInteger", "java.time.LocalTime", "java.util.UUID"];

impl Machine<'_> {
    fn is_of(&self, object: ObjId, classes: &[&str]) -> bool {
        matches!(&self.object(object).class, ClassRef::Library(fqn) if classes.contains(&&**fqn))
    }

    /// Whether a document matches a filter.
    pub(super) fn is_met_by(&mut self, entity: &Entity, row: ObjId, filter: &Filter) -> Answer<bool> {
        self.step()?;
        match filter {
            Filter::All(parts) => {
                for part in parts {
                    if !self.is_met_by(entity, row, part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Filter::Any(parts) | Filter::None(parts) => {
                let wanted = matches!(filter, Filter::Any(_));
                for part in parts {
                    if self.is_met_by(entity, row, part)? {
                        return Ok(wanted);
                    }
                }
                Ok(!wanted)
            }
            Filter::Field(path, op) => {
                let held = self.at_path(entity, row, path)?;
                // Spring Data converts a text that is compared with the key to an `ObjectId`.
                let is_id = **path == *"_id" || Some(&**path) == entity.field_name(entity.id);
                if is_id && !self.is_by_codec(entity.ty) {
                    let held = object_ids::digits(self, &held).unwrap_or(held);
                    let op = op.map(|value| object_ids::as_kept(self, value));
                    return self.holds(&held, &op);
                }
                self.holds(&held, op)
            }
            Filter::Open(why) => open(why),
        }
    }

    /// The value of a document at a path.
    pub(super) fn at_path(&mut self, entity: &Entity, row: ObjId, path: &str) -> Answer {
        let by_codec = self.is_by_codec(entity.ty);
        let mut value = Value::Ref(row);
        for (at, name) in path.split('.').enumerate() {
            let id = match &value {
                held if held.is_null() => return Ok(Value::NULL),
                Value::Ref(id) => *id,
                _ => return open("a field of a document is not known"),
            };
            let ClassRef::Project(ty) = self.object(id).class else {
                return open("a query looks into what is no object of the project");
            };
            value = match at {
                0 if name == "_id" || Some(name) == entity.field_name(entity.id) => {
                    self.read_member(&value, entity.id)?
                }
                _ if by_codec => self.property(id, name)?,
                _ => match self.field_named(ty, name) {
                    Some(field) => self.read_member(&value, field)?,
                    None => return open("a query names no field"),
                },
            };
        }
        Ok(value)
    }

    /// The field of a class or superclass that documents store under a name.
    fn field_named(&self, ty: TypeId, name: &str) -> Option<MemberId> {
        let mut fields = std::iter::once(ty).chain(self.project.all_supers(ty)).flat_map(|ty| self.project.members(ty));
        let renamed = |member: &MemberId| {
            let mut all = self.project.member(*member).annotations.iter();
            all.any(|a| matches!(a.simple(), "Field" | "Transient" | "DBRef" | "DocumentReference" | "Unwrapped"))
        };
        let found = fields
            .find(|member| super::kept::is_kept(self.project, *member) && self.project.member(*member).name == name)?;
        (!renamed(&found)).then_some(found)
    }

    fn holds(&mut self, held: &Value, op: &Op) -> Answer<bool> {
        if let Value::Ref(_) = held
            && let Some(items) = self.given_items(held)
        {
            return self.list_holds(&items, op);
        }
        Ok(match op {
            Op::Is(value) => self.same_kept(held, value)?,
            Op::Not(value) => !self.same_kept(held, value)?,
            Op::In(values) | Op::NotIn(values) => {
                let mut found = false;
                for value in values {
                    found = found || self.same_kept(held, value)?;
                }
                found == matches!(op, Op::In(_))
            }
            Op::Exists(wanted) => match held {
                Value::Unknown(unknown) if !unknown.present => return open("a field of a document is not known"),
                held => held.is_null() != *wanted,
            },
            Op::Greater(value) => self.order(held, value)?.is_some_and(|order| order > 0),
            Op::GreaterEqual(value) => self.order(held, value)?.is_some_and(|order| order >= 0),
            Op::Less(value) => self.order(held, value)?.is_some_and(|order| order < 0),
            Op::LessEqual(value) => self.order(held, value)?.is_some_and(|order| order <= 0),
            Op::Regex(pattern, flags) => match held {
                held if held.is_null() => false,
                held => {
                    let Some(text) = text(held) else { return open("a field of a document is not known") };
                    let chars: Vec<char> = text.chars().collect();
                    match compile(pattern, *flags).and_then(|regex| regex.find(&chars, 0)) {
                        Ok(found) => found.is_some(),
                        Err(_) => return open("a regular expression of a query"),
                    }
                }
            },
        })
    }

    fn list_holds(&mut self, items: &[Value], op: &Op) -> Answer<bool> {
        match op {
            Op::Is(Value::Ref(_)) | Op::Not(Value::Ref(_)) => open("a list of a document is compared"),
            Op::Is(value) | Op::Not(value) => {
                let mut found = false;
                for item in items {
                    found = found || self.same_kept(item, value)?;
                }
                Ok(found == matches!(op, Op::Is(_)))
            }
            Op::In(_) | Op::NotIn(_) => {
                let wanted = matches!(op, Op::In(_));
                for value in op.values() {
                    if self.list_holds(items, &Op::Is(value.clone()))? {
                        return Ok(wanted);
                    }
                }
                Ok(!wanted)
            }
            Op::Exists(wanted) => Ok(*wanted),
            _ => open("the elements of a list are compared"),
        }
    }

    /// The order of a stored and a given value; `None` if the stored value is missing or a number is NaN.
    fn order(&mut self, held: &Value, given: &Value) -> Answer<Option<i32>> {
        match (held, given) {
            (_, given) if given.is_null() => open("an order with null"),
            (held, _) if held.is_null() => Ok(None),
            (Value::Scalar(Scalar::Enum(..)), _) | (_, Value::Scalar(Scalar::Enum(..))) => {
                open("an order of constants")
            }
            (Value::Scalar(x), Value::Scalar(y)) => match (x.as_double(), y.as_double()) {
                (Some(_), Some(_)) => match (x.as_long(), y.as_long()) {
                    (Some(x), Some(y)) => Ok(Some(x.cmp(&y) as i32)),
                    _ => Ok(x.as_double().partial_cmp(&y.as_double()).map(|order| order as i32)),
                },
                _ => match compare_scalars(x, y) {
                    Some(order) => Ok(Some(order)),
                    None => open("values of two kinds are compared"),
                },
            },
            (Value::Ref(x), Value::Ref(y)) if self.object(*x).class == self.object(*y).class => {
                if !matches!(self.object(*x).kind, Kind::Native(_)) || self.is_of(*x, REORDERED) {
                    return open("objects of documents are compared");
                }
                let order = self.call_method(held.clone(), "compareTo", vec![given.clone()])?;
                match order.scalar().and_then(Scalar::as_int) {
                    Some(order) => Ok(Some(order)),
                    None => open("values of a query do not compare"),
                }
            }
            _ => open("a value of a query is not known"),
        }
    }

    /// Whether a stored value equals a value of a query.
    pub(super) fn same_kept(&mut self, held: &Value, given: &Value) -> Answer<bool> {
        if held.is_null() || given.is_null() {
            return match (held, given) {
                (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) if !unknown.present => {
                    open("a field of a document is not known")
                }
                (held, given) => Ok(held.is_null() && given.is_null()),
            };
        }
        match (held, given) {
            (Value::Scalar(Scalar::Enum(_, name)), Value::Scalar(Scalar::Str(text)))
            | (Value::Scalar(Scalar::Str(text)), Value::Scalar(Scalar::Enum(_, name))) => Ok(*text.text == **name),
            (Value::Scalar(x), Value::Scalar(y)) => Ok(match (x.as_double(), y.as_double()) {
                (Some(_), Some(_)) => match (x.as_long(), y.as_long()) {
                    (Some(x), Some(y)) => x == y,
                    _ => x.as_double() == y.as_double(),
                },
                _ => scalars_equal(x, y),
            }),
            (Value::Symbol(_), Value::Symbol(_) | Value::Scalar(_)) | (Value::Scalar(_), Value::Symbol(_)) => {
                match object_ids::same(held, given) {
                    Some(same) => Ok(same),
                    None => open("a value of a query is not known"),
                }
            }
            (Value::Ref(x), Value::Ref(y)) if self.object(*x).class == self.object(*y).class => {
                match self.object(*x).kind {
                    Kind::Native(_) => {
                        let is_odd = self.is_of(*x, REORDERED);
                        let same = self.call_method(held.clone(), "equals", vec![given.clone()])?;
                        match same {
                            Value::Scalar(Scalar::Bool(same)) if same || !is_odd => Ok(same),
                            _ => open("values of a query do not compare"),
                        }
                    }
                    _ => open("objects of documents are compared"),
                }
            }
            _ => open("a value of a query is not known"),
        }
    }
}

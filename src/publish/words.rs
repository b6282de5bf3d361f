//! Assertions in words: for reviewers, display names and test names.

use serde_json::Value;

use crate::types::change::ChangeEffect;
use crate::types::oracle::{Assertion, BodyOp, Check, FieldOp, Source, StatusSet, Strategy};

/// The wire name of an operator on a field or header.
pub fn field_op(op: FieldOp) -> &'static str {
    match op {
        FieldOp::Equals => "equals",
        FieldOp::NotNull => "not_null",
        FieldOp::IsNull => "is_null",
        FieldOp::Gte => "gte",
        FieldOp::Lte => "lte",
        FieldOp::Matches => "matches",
        FieldOp::Type => "type",
        FieldOp::Absent => "absent",
        FieldOp::Contains => "contains",
        FieldOp::OneOf => "one_of",
        FieldOp::Length => "length",
        FieldOp::Keys => "keys",
        FieldOp::SameItems => "same_items",
    }
}

/// The JSON that an operator compares with. An `equals` without one compares with null: in the files both look the same.
pub fn operand(op: FieldOp, expected: Option<&Value>) -> Option<String> {
    match (op, expected) {
        (_, Some(value)) => Some(value.to_string()),
        (FieldOp::Equals | FieldOp::Contains, None) => Some("null".to_owned()),
        (_, None) => None,
    }
}

/// The wire name of an operator on the body.
pub fn body_op(op: BodyOp) -> &'static str {
    match op {
        BodyOp::Empty => "empty",
        BodyOp::NotEmpty => "not_empty",
        BodyOp::MediaType => "media_type",
    }
}

/// What a strategy does, in words.
pub fn strategy(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Fv => "forward, valid",
        Strategy::Fi => "forward, invalid",
        Strategy::Bv => "backward, valid",
        Strategy::Bi => "backward, invalid",
    }
}

/// What a change does to clients, as a sentence.
pub fn effect(effect: ChangeEffect) -> &'static str {
    match effect {
        ChangeEffect::Breaking => "Breaks clients.",
        ChangeEffect::Additive => "Only adds.",
        ChangeEffect::Unclear => "Whether clients break could not be told.",
    }
}

/// An assertion as a clause: `status is 404`, `message equals "Bad Request"`.
pub fn assertion(assertion: &Assertion) -> String {
    let clause = check(&assertion.check);
    match assertion.source {
        Source::Derived => clause,
        Source::Observed => format!("{clause} (observed)"),
    }
}

/// What is checked, as a clause.
pub fn check(check: &Check) -> String {
    match check {
        Check::Status { expected } => status(expected),
        Check::Field { path, op, expected } => {
            let subject = if path.is_empty() { "body" } else { path };
            format!("{subject} {}", field_clause(*op, expected.as_ref()))
        }
        Check::Header { name, op, expected } => format!("header {name} {}", field_clause(*op, expected.as_ref())),
        Check::Body { op: BodyOp::Empty, .. } => "body is empty".to_owned(),
        Check::Body { op: BodyOp::NotEmpty, .. } => "body is not empty".to_owned(),
        Check::Body { op: BodyOp::MediaType, expected } => {
            format!("media type is {}", expected.as_deref().unwrap_or("(none)"))
        }
    }
}

/// What a check looks at: `status`, `field total: equals`, `header Location`, `body`.
pub fn place(check: &Check) -> String {
    match check {
        Check::Status { .. } => "status".to_owned(),
        Check::Field { path, op, .. } => {
            let path = if path.is_empty() { "of the whole body" } else { path };
            format!("field {path}: {}", field_op(*op))
        }
        Check::Header { name, .. } => format!("header {name}"),
        Check::Body { .. } => "body".to_owned(),
    }
}

/// A text as part of a name of a test: letters, digits and underscores.
pub fn identifier(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    plain.trim_matches('_').to_owned()
}

fn status(expected: &StatusSet) -> String {
    let codes: Vec<String> = expected.codes().iter().map(u16::to_string).collect();
    match codes.as_slice() {
        [one] => format!("status is {one}"),
        many => format!("status is one of {}", many.join(", ")),
    }
}

fn field_clause(op: FieldOp, expected: Option<&Value>) -> String {
    let value = operand(op, expected).unwrap_or_else(|| "(nothing)".to_owned());
    let listed = || match expected {
        Some(Value::Array(items)) => items.iter().map(Value::to_string).collect::<Vec<_>>().join(", "),
        _ => value.clone(),
    };
    match op {
        FieldOp::Equals => format!("equals {value}"),
        FieldOp::NotNull => "is there and not null".to_owned(),
        FieldOp::IsNull => "is null".to_owned(),
        FieldOp::Gte => format!("is at least {value}"),
        FieldOp::Lte => format!("is at most {value}"),
        FieldOp::Matches => format!("matches {value}"),
        FieldOp::Type => format!("is of type {}", expected.and_then(Value::as_str).unwrap_or(&value)),
        FieldOp::Absent => "is absent".to_owned(),
        FieldOp::Contains => format!("contains {value}"),
        FieldOp::OneOf => format!("is one of {}", listed()),
        FieldOp::Length => format!("has length {value}"),
        FieldOp::Keys => format!("has exactly the keys {}", listed()),
        FieldOp::SameItems => format!("has, in any order, the items {}", listed()),
    }
}

/// `1 change`, `2 changes`.
pub fn count(n: usize, one: &str) -> String {
    let plural = if one.ends_with('s') { "es" } else { "s" };
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}{plural}") }
}

//! Whether an assertion that holds for one answer fails for another.

use serde_json::Value as Json;

use super::oracle::{at, contradiction, same};
use crate::search::explore::Settled;
use mastor_runtime::body::shape::{AnswerBody, Shape, read};
use mastor_runtime::request::case::at_path;
use mastor_types::suite::assertion::{BodyOp, Check, FieldOp};

/// Whether a check that holds for `before` fails for `now`; `None` if that is not known.
pub fn kills(check: &Check, before: &Settled, now: &Settled) -> Option<bool> {
    if contradiction(check, now).is_some() {
        return Some(true);
    }
    match check {
        Check::Status { .. } => Some(false),
        Check::Header { name, .. } if name.eq_ignore_ascii_case("Location") => Some(before.location != now.location),
        Check::Header { name, .. } if before.headers.contains_key(&name.to_lowercase()) => {
            let name = name.to_lowercase();
            now.headers.get(&name).map(|value| before.headers.get(&name) != Some(value))
        }
        Check::Header { .. } | Check::Body { op: BodyOp::MediaType, .. } => {
            (before.status == now.status && is_alike(&before.body, &now.body)).then_some(false)
        }
        Check::Body { op, .. } => is_empty(&now.body).map(|empty| empty == (*op == BodyOp::NotEmpty)),
        // Unknown parts of both answers may still differ.
        Check::Field { .. } if before.body == now.body && is_known(&now.body) => Some(false),
        Check::Field { op: FieldOp::Type | FieldOp::Keys | FieldOp::Length, .. } if before.body == now.body => {
            Some(false)
        }
        Check::Field { op: FieldOp::NotNull, path, .. } if is_there(&now.body, path) => Some(false),
        Check::Field { path, op, expected } => match found(&now.body, path)? {
            FieldValue::Nothing => Some(*op != FieldOp::Absent),
            FieldValue::Value(value) => fails(*op, expected.as_ref(), &value).or_else(|| {
                let same_value =
                    matches!(found(&before.body, path), Some(FieldValue::Value(other)) if same(&other, &value));
                same_value.then_some(false)
            }),
        },
    }
}

/// Whether an answer is completely known.
pub(crate) fn is_known(body: &AnswerBody) -> bool {
    fn whole(shape: &Shape) -> bool {
        match shape {
            Shape::Exact(_) | Shape::Key(..) => true,
            Shape::Object(fields) => fields.iter().all(|(_, field)| whole(field)),
            Shape::Array(items) | Shape::Bag(items) => items.iter().all(whole),
            Shape::Typed(..) | Shape::Unknown => false,
        }
    }
    match body {
        AnswerBody::Json(shape) => whole(shape),
        AnswerBody::Empty | AnswerBody::Text(..) => true,
        AnswerBody::Unknown => false,
    }
}

/// Whether the value at a path exists and is not null, even if it is unknown.
fn is_there(body: &AnswerBody, path: &str) -> bool {
    let AnswerBody::Json(shape) = body else { return false };
    let plain = !path.contains(['[', '\\']);
    plain && at(shape, path).is_some_and(|shape| matches!(shape, Shape::Typed(_, false) | Shape::Key(..)))
}

enum FieldValue {
    Nothing,
    Value(Json),
}

/// The value at a path of an answer, if it is known.
fn found(body: &AnswerBody, path: &str) -> Option<FieldValue> {
    if path.contains("[*]") || path.contains('\\') {
        return None;
    }
    let in_json = |json: &Json| match at_path(json, path) {
        Some(value) => FieldValue::Value(value.clone()),
        None => FieldValue::Nothing,
    };
    match body {
        AnswerBody::Empty => Some(FieldValue::Nothing),
        AnswerBody::Text(text, _) if text.is_empty() => Some(FieldValue::Nothing),
        AnswerBody::Text(text, label) => Some(in_json(&read(text, *label)?)),
        AnswerBody::Json(shape) => match shape.exact() {
            Some(json) => Some(in_json(&json)),
            None if path.contains('[') => None,
            None => match at(shape, path) {
                Some(found) => found.exact().map(FieldValue::Value),
                None => is_absent(shape, path).then_some(FieldValue::Nothing),
            },
        },
        AnswerBody::Unknown => None,
    }
}

/// Whether an object with known fields lacks the value at a path.
fn is_absent(shape: &Shape, path: &str) -> bool {
    let mut here = shape;
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let fields = match here {
            Shape::Object(fields) => fields,
            Shape::Unknown | Shape::Typed(..) => return false,
            _ => return true,
        };
        match fields.iter().find(|(name, _)| name == part) {
            Some((_, inner)) => here = inner,
            None => return true,
        }
    }
    false
}

/// Whether an operator fails for a value; `None` for an operator that is not evaluated here.
fn fails(op: FieldOp, expected: Option<&Json>, value: &Json) -> Option<bool> {
    Some(match (op, expected) {
        (FieldOp::Equals, Some(expected)) => !same(value, expected),
        (FieldOp::Equals, None) | (FieldOp::IsNull, _) => !value.is_null(),
        (FieldOp::NotNull, _) => value.is_null(),
        (FieldOp::Absent, _) => true,
        (FieldOp::Gte, Some(least)) => value.as_f64()? < least.as_f64()?,
        (FieldOp::Lte, Some(most)) => value.as_f64()? > most.as_f64()?,
        (FieldOp::OneOf, Some(Json::Array(all))) => !all.iter().any(|one| same(one, value)),
        (FieldOp::Length, Some(length)) => {
            let found = match value {
                Json::Array(items) => items.len(),
                Json::Object(fields) => fields.len(),
                Json::String(text) => text.encode_utf16().count(),
                _ => return Some(true),
            };
            length.as_u64() != u64::try_from(found).ok()
        }
        (FieldOp::Type, Some(Json::String(wanted))) => match (wanted.as_str(), value) {
            ("string", Json::String(_))
            | ("number", Json::Number(_))
            | ("boolean", Json::Bool(_))
            | ("array", Json::Array(_))
            | ("object", Json::Object(_))
            | ("null", Json::Null) => false,
            ("integer", Json::Number(number)) => number.as_f64().is_some_and(|number| number.fract() != 0.0),
            _ => true,
        },
        (FieldOp::Keys, Some(Json::Array(_))) => !value.is_object(),
        (FieldOp::SameItems, Some(Json::Array(_))) => !value.is_array(),
        _ => return None,
    })
}

fn is_empty(body: &AnswerBody) -> Option<bool> {
    match body {
        AnswerBody::Empty => Some(true),
        AnswerBody::Text(text, _) => Some(text.is_empty()),
        AnswerBody::Json(_) => Some(false),
        AnswerBody::Unknown => None,
    }
}

fn is_alike(a: &AnswerBody, b: &AnswerBody) -> bool {
    matches!((is_empty(a), is_empty(b)), (Some(a), Some(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use mastor_runtime::body::shape::Label;

    fn answer(body: AnswerBody) -> Settled {
        let headers = BTreeMap::new();
        Settled { status: 200, body, exit: None, exception: None, made: None, location: None, headers }
    }

    fn field(path: &str, op: FieldOp, expected: Option<Json>) -> Check {
        Check::Field { path: path.to_owned(), op, expected }
    }

    #[test]
    fn a_value_that_is_gone_or_another_is_noticed_and_an_open_one_is_neither() {
        let open = || Shape::Object(vec![("n".to_owned(), Shape::Typed("number", false))]);
        let one = answer(AnswerBody::Json(Shape::Exact(json!({"n": 1}))));
        let two = answer(AnswerBody::Json(Shape::Exact(json!({"n": 2}))));
        let none = answer(AnswerBody::Empty);
        let unknown = answer(AnswerBody::Json(open()));
        let is_one = field("n", FieldOp::Equals, Some(json!(1)));
        assert_eq!(kills(&is_one, &one, &one), Some(false));
        assert_eq!(kills(&is_one, &one, &two), Some(true));
        assert_eq!(kills(&is_one, &one, &none), Some(true));
        assert_eq!(kills(&is_one, &one, &unknown), None);
        // They agree in the known parts, but may still differ.
        assert_eq!(kills(&is_one, &unknown, &unknown), None);
        let is_there = field("n", FieldOp::NotNull, None);
        assert_eq!(kills(&is_there, &unknown, &unknown), Some(false));
        assert_eq!(kills(&is_there, &unknown, &answer(AnswerBody::Unknown)), None);
        let is_number = field("n", FieldOp::Type, Some(json!("number")));
        assert_eq!(kills(&is_number, &unknown, &unknown), Some(false));
        assert_eq!(
            kills(&is_number, &one, &answer(AnswerBody::Text("{\"n\":\"1\"}".to_owned(), Label::Plain))),
            Some(true)
        );
        assert_eq!(kills(&field("m", FieldOp::Absent, None), &one, &two), Some(false));
    }

    #[test]
    fn statuses_bodies_and_places_are_compared() {
        let empty = answer(AnswerBody::Empty);
        let text = answer(AnswerBody::Text("a".to_owned(), Label::Plain));
        let refused = Settled { status: 400, ..empty.clone() };
        let check = Check::Status { expected: mastor_types::suite::assertion::StatusSet::One(200) };
        assert_eq!(kills(&check, &empty, &refused), Some(true));
        let has_none = Check::Body { op: BodyOp::Empty, expected: None };
        assert_eq!((kills(&has_none, &empty, &text), kills(&has_none, &empty, &refused)), (Some(true), Some(false)));
        let sent_on = Settled { location: Some("/a/1".to_owned()), ..empty.clone() };
        let header =
            Check::Header { name: "location".to_owned(), op: FieldOp::Matches, expected: Some(json!("/a/1$")) };
        assert_eq!(kills(&header, &sent_on, &empty), Some(true));
        assert_eq!(kills(&header, &sent_on, &sent_on), Some(false));
    }
}

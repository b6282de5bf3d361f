//! Equivalent rows: requests that read rows, and that the same code answers in the same form.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::settled::Settled;
use super::tried::{Purpose, TriedRequest};
use mastor_java::interpret::stores::state::StoreOperation;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::body::shape::{AnswerBody, Shape};

/// Whether a request reads rows.
fn reads_rows(tried: &TriedRequest) -> bool {
    let mut deeds = tried.run.served.iter().flat_map(|served| &served.path.store.deeds);
    deeds.any(|deed| matches!(deed, StoreOperation::Asked { .. } | StoreOperation::Listed { .. }))
}

fn members(tried: &TriedRequest) -> BTreeSet<MemberId> {
    tried.run.served.iter().flat_map(|served| served.path.members.iter().copied()).collect()
}

/// Whether two requests that read rows are answered successfully by the same code, at the same place and in the same
/// form: with the same nulls and the same empty lists.
pub(crate) fn are_alike(one: (&TriedRequest, &Settled), other: (&TriedRequest, &Settled)) -> bool {
    let is_sample =
        |tried: &TriedRequest| matches!(tried.purpose, Purpose::Sample(_) | Purpose::Plain | Purpose::Path(_));
    is_sample(one.0)
        && one.1.status < 400
        && (one.1.status, one.1.exit) == (other.1.status, other.1.exit)
        && reads_rows(one.0)
        && reads_rows(other.0)
        && one.0.case.as_user == other.0.case.as_user
        && form(&one.1.body) == form(&other.1.body)
        && members(one.0) == members(other.0)
}

/// The form of a body, without its values.
fn form(body: &AnswerBody) -> String {
    match body {
        AnswerBody::Empty => "empty".to_owned(),
        AnswerBody::Json(shape) => of_shape(shape),
        AnswerBody::Text(text, _) => if text.is_empty() { "empty" } else { "text" }.to_owned(),
        AnswerBody::Unknown => "unknown".to_owned(),
    }
}

fn of_shape(shape: &Shape) -> String {
    let all = |items: &[Shape]| several(items.iter().map(of_shape));
    match shape {
        Shape::Exact(json) => of_json(json),
        Shape::Typed(kind, nullable) => format!("{kind}{}", if *nullable { "?" } else { "" }),
        Shape::Key(_, kind) => (*kind).to_owned(),
        Shape::Object(fields) => fields.iter().map(|(name, field)| format!("{name}:{};", of_shape(field))).collect(),
        Shape::Array(items) | Shape::Bag(items) => all(items),
        Shape::Unknown => "unknown".to_owned(),
    }
}

fn of_json(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => if number.is_f64() { "number" } else { "integer" }.to_owned(),
        Json::String(text) => if text.is_empty() { "blank" } else { "string" }.to_owned(),
        Json::Array(items) => several(items.iter().map(of_json)),
        Json::Object(fields) => fields.iter().map(|(name, field)| format!("{name}:{};", of_json(field))).collect(),
    }
}

/// The distinct forms of elements.
fn several(forms: impl Iterator<Item = String>) -> String {
    let forms: BTreeSet<String> = forms.collect();
    format!("[{}]", forms.into_iter().collect::<Vec<String>>().join("|"))
}

//! Shapes: decides which answers of an operation are different enough to deserve an oracle each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::judge::Parsed;
use super::select::kind;
use mastor_types::http::Method;
use mastor_types::op_id::OpId;
use mastor_types::results::outcome::Answer;

/// Successful answers with at most this many values are distinguished by their values too.
const FEW: usize = 2;
/// Maximum number of answers with one shape that are distinguished by their values.
const ALIKE: usize = 6;

/// The shapes of answers so far.
#[derive(Debug, Default)]
pub struct Shapes {
    met: BTreeMap<(OpId, String), BTreeSet<String>>,
}

impl Shapes {
    /// Adds an answer of an operation; returns whether it differs from those before. Values are compared only for `GET`
    /// and if `steady`.
    pub fn learn(&mut self, op_id: &OpId, answer: &Answer, steady: bool) -> bool {
        let (shape, values) = shape(answer);
        let values = if steady && op_id.method() == Method::Get { values } else { String::new() };
        let met = self.met.entry((op_id.clone(), shape)).or_default();
        met.len() < ALIKE && met.insert(values)
    }
}

/// The shape of an answer: status, media type, and paths and types of the body's fields.
pub fn shape_of(answer: &Answer) -> String {
    shape(answer).0
}

/// The shape of an answer, and the values of a small body.
fn shape(answer: &Answer) -> (String, String) {
    fn walk(path: &str, value: &Value, out: &mut (BTreeSet<String>, usize)) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(key, inner)| walk(&format!("{path}.{key}"), inner, out));
            }
            Value::Array(items) => {
                out.0.insert(format!("{path}[{}]", if items.is_empty() { "" } else { "*" }));
                items.iter().for_each(|inner| walk(&format!("{path}[]"), inner, out));
            }
            leaf => {
                out.0.insert(format!("{path}:{}", kind(leaf)));
                out.1 += 1;
            }
        }
    }
    let mut parts = (BTreeSet::new(), 0);
    let mut values = String::new();
    if let Some(body) = Parsed::of(answer).into_value() {
        walk("", &body, &mut parts);
        if parts.1 <= FEW && answer.status < 400 {
            values = mastor_types::suite::input::canonical(&body);
        }
    }
    let parts: Vec<String> = parts.0.into_iter().collect();
    (format!("{} {} {}", answer.status, answer.media_type(), parts.join(" ")), values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Answer { status, headers, body: body.as_bytes().to_vec(), cut: false, millis: 1.0 }
    }

    #[test]
    fn small_answers_differ_by_value_and_large_ones_by_their_fields() {
        let op_id = OpId::new(Method::Get, "/kind");
        let mut shapes = Shapes::default();
        assert!(shapes.learn(&op_id, &answer(200, r#"{"kind":1}"#), true));
        assert!(!shapes.learn(&op_id, &answer(200, r#"{"kind":1}"#), true));
        assert!(shapes.learn(&op_id, &answer(200, r#"{"kind":2}"#), true));
        assert!(
            (3..20).filter(|n| shapes.learn(&op_id, &answer(200, &format!(r#"{{"kind":{n}}}"#)), true)).count() == 4
        );
        assert!(shapes.learn(&op_id, &answer(200, r#"{"a":1,"b":2,"c":3}"#), true));
        assert!(!shapes.learn(&op_id, &answer(200, r#"{"a":1,"b":2,"c":4}"#), true));
        assert!(shapes.learn(&op_id, &answer(200, r#"{"now":1}"#), false));
        assert!(!shapes.learn(&op_id, &answer(200, r#"{"now":2}"#), false));
        assert!(shapes.learn(&op_id, &answer(404, r#"{"message":"no 1"}"#), true));
        assert!(!shapes.learn(&op_id, &answer(404, r#"{"message":"no 2"}"#), true));
    }
}

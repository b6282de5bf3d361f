//! Shapes: which answers of an operation count as different ones, so that each has an oracle.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::judge::Parsed;
use super::select::kind;
use crate::types::http::Method;
use crate::types::op_id::OpId;
use crate::types::outcome::Answer;

/// A body of at most this many values is told apart by its values too.
const FEW: usize = 2;
/// Answers of one shape that are told apart by their values, at most.
const ALIKE: usize = 6;

/// The answers that were met so far.
#[derive(Debug, Default)]
pub struct Shapes {
    met: BTreeMap<(OpId, String), BTreeSet<String>>,
}

impl Shapes {
    /// Takes up an answer of an operation; says whether it is another one than those before. Values tell apart what is `steady` and only read.
    pub fn learn(&mut self, op_id: &OpId, answer: &Answer, steady: bool) -> bool {
        let (shape, values) = shape(answer);
        let values = if steady && op_id.method() == Method::Get { values } else { String::new() };
        let met = self.met.entry((op_id.clone(), shape)).or_default();
        met.len() < ALIKE && met.insert(values)
    }
}

/// What tells answers apart: status, media type, and which fields of which types the body has.
pub fn shape_of(answer: &Answer) -> String {
    shape(answer).0
}

/// What tells answers apart: status, media type, and which fields of which types the body has; and the values of a small body.
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
            values = crate::types::oracle::canonical(&body);
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

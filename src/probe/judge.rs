//! Judges an answer: returns the assertions that do not hold, with the values seen instead.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::holds::holds;
use super::select::select;
use crate::types::binds::captured;
use crate::types::oracle::{Assertion, BodyOp, Check};
use crate::types::outcome::{Answer, Expected, Miss};

/// Captured values of a sequence, by name.
pub type Captures = BTreeMap<String, Value>;

/// Maximum length of a shown value, in characters.
const SEEN: usize = 300;

/// The assertions that do not hold, in order, as misses of step 0. Fields of a truncated body are not judged: see
/// [`undecided`].
pub fn judge(assertions: &[Assertion], answer: &Answer, captures: &Captures) -> Vec<Miss> {
    let body = Parsed::of(answer);
    let mut misses = Vec::new();
    for (index, assertion) in assertions.iter().enumerate() {
        let check = filled(&assertion.check, captures);
        let (at, seen) = match missed(&check, answer, &body) {
            Ok(()) => continue,
            Err(missed) => missed,
        };
        let expected = Expected::Assertion { index, check: check.into_owned() };
        misses.push(Miss { step: 0, expected, at, seen: shorten(&seen) });
    }
    misses
}

/// Why some assertions cannot be judged on this answer, if so.
pub fn undecided(assertions: &[Assertion], answer: &Answer) -> Option<String> {
    let fields = assertions.iter().any(|assertion| matches!(assertion.check, Check::Field { .. }));
    (answer.cut && fields).then(|| {
        format!("the body goes on beyond {} bytes and was cut there: its fields were not judged", answer.body.len())
    })
}

/// Captures a value for later steps: `body:path`, `header:Name` or `header:Name#tail`.
///
/// # Errors
/// What was found there instead.
pub fn take(from: &str, answer: &Answer) -> Result<Value, String> {
    let taken = if let Some(path) = from.strip_prefix("body:") {
        let body = Parsed::of(answer);
        let hits = select(body.root(path)?, path)?;
        hits.into_iter().next().and_then(|hit| hit.value).cloned()
    } else {
        let name = from.strip_prefix("header:").unwrap_or(from);
        let (name, tail) = name.split_once('#').map_or((name, None), |(name, tail)| (name, Some(tail)));
        let value = answer.header(&name.to_ascii_lowercase()).ok_or_else(|| format!("no header {name}"))?;
        Some(Value::String(if tail.is_some() { last_segment(value)? } else { value.to_owned() }))
    };
    match taken {
        None => Err("nothing is there".to_owned()),
        Some(Value::Null) => Err("null".to_owned()),
        Some(value) => Ok(value),
    }
}

/// Replaces every text `"$captures.name"` in JSON by the captured value; unknown names are kept.
pub fn fill<'a>(value: &'a Value, captures: &Captures) -> Cow<'a, Value> {
    fn put(value: &mut Value, captures: &Captures) {
        match value {
            Value::String(text) => {
                if let Some(taken) = captured(text).and_then(|name| captures.get(name)) {
                    *value = taken.clone();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| put(item, captures)),
            Value::Object(object) => object.values_mut().for_each(|item| put(item, captures)),
            _ => {}
        }
    }
    if captures.is_empty() {
        return Cow::Borrowed(value);
    }
    let mut value = value.clone();
    put(&mut value, captures);
    Cow::Owned(value)
}

/// Truncates a long text and adds its length.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(SEEN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
    }
}

fn filled<'a>(check: &'a Check, captures: &Captures) -> Cow<'a, Check> {
    let (Check::Field { expected: Some(value), .. } | Check::Header { expected: Some(value), .. }) = check else {
        return Cow::Borrowed(check);
    };
    let Cow::Owned(value) = fill(value, captures) else { return Cow::Borrowed(check) };
    let mut check = check.clone();
    if let Check::Field { expected, .. } | Check::Header { expected, .. } = &mut check {
        *expected = Some(value);
    }
    Cow::Owned(check)
}

/// The parsed body of an answer. A body that is not JSON by media type, nor an object or array, counts as a single
/// string.
pub struct Parsed {
    value: Result<Option<Value>, Value>,
}

impl Parsed {
    /// Parses the body.
    pub fn of(answer: &Answer) -> Self {
        if answer.body.is_empty() {
            return Self { value: Ok(None) };
        }
        let media_type = answer.media_type();
        let json = media_type.is_empty() || media_type.ends_with("/json") || media_type.ends_with("+json");
        let text = answer.text();
        let value = match serde_json::from_str::<Value>(&text) {
            Ok(value) if json || value.is_object() || value.is_array() => Ok(Some(value)),
            Ok(_) => Ok(Some(Value::String(text.into_owned()))),
            Err(_) => Err(Value::String(text.into_owned())),
        };
        Self { value }
    }

    /// The body as a value: JSON or text; `None` for an empty body.
    pub fn into_value(self) -> Option<Value> {
        self.value.unwrap_or_else(Some)
    }

    /// The root value for a path; `None` for an empty body.
    ///
    /// # Errors
    /// Where the path is not empty and the body is not JSON.
    pub fn root(&self, path: &str) -> Result<Option<&Value>, String> {
        match &self.value {
            Ok(value) => Ok(value.as_ref()),
            Err(text) if path.is_empty() => Ok(Some(text)),
            Err(text) => Err(format!("the body is no JSON: {text}")),
        }
    }
}

/// Place, and the value seen there.
type Missed = (String, String);

fn missed(check: &Check, answer: &Answer, body: &Parsed) -> Result<(), Missed> {
    let told = |seen: String| (String::new(), seen);
    match check {
        Check::Status { expected } => {
            if expected.codes().contains(&answer.status) {
                Ok(())
            } else {
                Err(told(answer.status.to_string()))
            }
        }
        Check::Field { .. } if answer.cut => Ok(()),
        Check::Field { path, op, expected } => {
            let root = body.root(path).map_err(told)?;
            for hit in select(root, path).map_err(told)? {
                match holds(*op, hit.value, expected.as_ref()) {
                    Ok(true) => {}
                    Ok(false) => return Err((hit.at(path), show(hit.value))),
                    Err(why) => return Err((hit.at(path), format!("{} ({why})", show(hit.value)))),
                }
            }
            Ok(())
        }
        Check::Header { name, op, expected } => {
            let values: Vec<&str> = answer
                .headers
                .iter()
                .filter(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_str())
                .collect();
            let mut actual = (!values.is_empty()).then(|| Value::String(values.join(", ")));
            if let (Some(Value::String(text)), Some(Value::Number(_))) = (&actual, expected)
                && *op != crate::types::oracle::FieldOp::Length
            {
                let number = serde_json::from_str(text.trim());
                actual = Some(number.map_err(|_| told(format!("{text:?}, which is no number")))?);
            }
            match holds(*op, actual.as_ref(), expected.as_ref()) {
                Ok(true) => Ok(()),
                Ok(false) => Err(told(show(actual.as_ref()))),
                Err(why) => Err(told(format!("{} ({why})", show(actual.as_ref())))),
            }
        }
        Check::Body { op, expected } => {
            let right = match op {
                BodyOp::Empty => answer.body.is_empty(),
                BodyOp::NotEmpty => !answer.body.is_empty(),
                BodyOp::MediaType => {
                    let wanted = expected.as_deref().unwrap_or_default();
                    answer.media_type() == wanted.trim().to_ascii_lowercase()
                }
            };
            match (right, op) {
                (true, _) => Ok(()),
                (_, BodyOp::MediaType) => Err(told(match answer.header("content-type") {
                    Some(value) => value.to_owned(),
                    None => "no Content-Type".to_owned(),
                })),
                (_, BodyOp::NotEmpty) => Err(told("an empty body".to_owned())),
                (_, BodyOp::Empty) => Err(told(answer.text().into_owned())),
            }
        }
    }
}

fn show(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

/// The last segment of a URL's path, decoded.
fn last_segment(url: &str) -> Result<String, String> {
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let segment = path.rsplit('/').next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = (*first == b'%').then(|| after.get(..2).and_then(|two| std::str::from_utf8(two).ok())).flatten();
        match hex.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_err(|_| format!("{segment}, which is no UTF-8"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(media_type: &str, body: &str) -> Answer {
        let headers = vec![
            ("content-type".to_owned(), media_type.to_owned()),
            ("location".to_owned(), "http://h/things/a%2Fb/?x#y".to_owned()),
        ];
        Answer { status: 200, headers, body: body.as_bytes().to_vec(), cut: false, millis: 1.0 }
    }

    fn misses(assertion: Value, answer: &Answer) -> Vec<(String, String)> {
        let assertion: Assertion = serde_json::from_value(assertion).unwrap();
        judge(&[assertion], answer, &Captures::new()).into_iter().map(|miss| (miss.at, miss.seen)).collect()
    }

    #[test]
    fn a_miss_says_where_and_what_was_seen() {
        let answer = answer("application/json", r#"{"a": [{"b": 1}, {"b": null}]}"#);
        let assertion = json!({"type": "field", "path": "a[*].b", "op": "not_null"});
        assert_eq!(misses(assertion, &answer), [("a[1].b".to_owned(), "null".to_owned())]);
        let assertion = json!({"type": "status", "expected": [201, 204]});
        assert_eq!(misses(assertion, &answer), [(String::new(), "200".to_owned())]);
    }

    #[test]
    fn a_cut_body_is_not_judged_by_its_fields() {
        let mut answer = answer("application/json", r#"{"a": "#);
        answer.cut = true;
        let assertion: Assertion =
            serde_json::from_value(json!({"type": "field", "path": "a", "op": "equals", "expected": 1})).unwrap();
        assert_eq!(judge(std::slice::from_ref(&assertion), &answer, &Captures::new()), []);
        assert!(undecided(&[assertion], &answer).unwrap().contains("cut"));
    }

    #[test]
    fn captures_come_from_body_header_and_location() {
        let answer = answer("application/json", r#"{"id": 7, "none": null}"#);
        assert_eq!(take("body:id", &answer), Ok(json!(7)));
        assert_eq!(take("header:Location#tail", &answer), Ok(json!("a/b")));
        assert_eq!(take("header:content-TYPE", &answer), Ok(json!("application/json")));
        assert_eq!(take("body:none", &answer), Err("null".to_owned()));
        assert_eq!(take("header:ETag", &answer), Err("no header ETag".to_owned()));
        let captures = [("id".to_owned(), json!(7))].into();
        assert_eq!(*fill(&json!({"a": ["$captures.id", "$captures.x"]}), &captures), json!({"a": [7, "$captures.x"]}));
    }
}

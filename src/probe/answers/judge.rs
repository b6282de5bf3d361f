//! Judges an answer: returns the assertions that do not hold, with the values seen instead.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::holds::holds;
use super::select::each;
use mastor_types::results::outcome::{Answer, Expected, Miss};
use mastor_types::suite::assertion::{Assertion, BodyOp, Check};
use mastor_types::suite::binds::captured;

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
        let (check, missed) = match filled(&assertion.check, captures, &body) {
            Ok(check) => {
                let missed = missed(&check, answer, &body);
                (check, missed)
            }
            // Fields of a cut body are not judged.
            Err(_) if answer.cut => continue,
            Err(why) => (Cow::Borrowed(&assertion.check), Err((String::new(), why))),
        };
        let Err((at, seen)) = missed else { continue };
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
        first(body.root(path)?, path)?
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

/// The first value at a path.
fn first(root: Option<&Value>, path: &str) -> Result<Option<Value>, String> {
    let mut found = None;
    let mut is_first = true;
    let taken = each(root, path, &mut |value| {
        if std::mem::take(&mut is_first) {
            found = value.cloned();
        }
        Ok(())
    });
    taken.map(|()| found).map_err(|(_, why)| why)
}

/// Fills captured values into JSON: a text that is `"$captures.name"` becomes the value itself, `{$captures.name}` inside a text becomes the value's text.
/// Unknown names are kept.
pub fn fill<'a>(value: &'a Value, captures: &Captures) -> Cow<'a, Value> {
    match captures.is_empty() {
        true => Cow::Borrowed(value),
        false => filled_in(value, &mut |name| captured(name).and_then(|name| captures.get(name)).cloned()),
    }
}

/// Replaces each text that is a reference (`$…`) by its value, and each `{$…}` inside a text by the value's text. `stands_for` resolves references.
fn filled_in<'a>(value: &'a Value, stands_for: &mut dyn FnMut(&str) -> Option<Value>) -> Cow<'a, Value> {
    fn put(value: &mut Value, stands_for: &mut dyn FnMut(&str) -> Option<Value>) {
        match value {
            Value::String(text) if text.starts_with('$') => {
                if let Some(known) = stands_for(text) {
                    *value = known;
                }
            }
            Value::String(text) if text.contains("{$") => *text = within(text, stands_for),
            Value::Array(items) => items.iter_mut().for_each(|item| put(item, stands_for)),
            Value::Object(object) => object.values_mut().for_each(|item| put(item, stands_for)),
            _ => {}
        }
    }
    if !value.to_string().contains('$') {
        return Cow::Borrowed(value);
    }
    let mut value = value.clone();
    put(&mut value, stands_for);
    Cow::Owned(value)
}

/// Replaces each `{$…}` in a text by the text of its value.
fn within(text: &str, stands_for: &mut dyn FnMut(&str) -> Option<Value>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{$") {
        let Some((name, behind)) = after.split_once('}') else { break };
        out.push_str(before);
        match stands_for(&format!("${name}")) {
            Some(Value::String(known)) => out.push_str(&known),
            Some(known) => out.push_str(&known.to_string()),
            None => out.push_str(&format!("{{${name}}}")),
        }
        rest = behind;
    }
    out + rest
}

/// Truncates a long text and adds its length.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(SEEN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
    }
}

/// The check with the references in its operand resolved: to captured values, or to values in the same answer.
///
/// # Errors
/// Where the answer has no value at a referenced place.
fn filled<'a>(check: &'a Check, captures: &Captures, body: &Parsed) -> Result<Cow<'a, Check>, String> {
    let (Check::Field { expected: Some(value), .. } | Check::Header { expected: Some(value), .. }) = check else {
        return Ok(Cow::Borrowed(check));
    };
    let mut missing = None;
    let value = filled_in(value, &mut |name| {
        if let Some(name) = captured(name) {
            return captures.get(name).cloned();
        }
        let path = name.strip_prefix("$body.")?;
        let found = body.root(path).and_then(|root| first(root, path));
        if !matches!(found, Ok(Some(_))) {
            missing = Some(format!("nothing at {path}, which it is compared with"));
        }
        found.ok().flatten()
    });
    if let Some(why) = missing {
        return Err(why);
    }
    let Cow::Owned(value) = value else { return Ok(Cow::Borrowed(check)) };
    let mut check = check.clone();
    if let Check::Field { expected, .. } | Check::Header { expected, .. } = &mut check {
        *expected = Some(value);
    }
    Ok(Cow::Owned(check))
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
            each(root, path, &mut |value| match holds(*op, value, expected.as_ref()) {
                Ok(true) => Ok(()),
                Ok(false) => Err(show(value)),
                Err(why) => Err(format!("{} ({why})", show(value))),
            })
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
                && *op != mastor_types::suite::assertion::FieldOp::Length
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

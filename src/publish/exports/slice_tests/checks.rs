//! Expectations of a test: the oracle's assertions, and simple values that were the same in every answer.

use serde_json::Value;

use super::request::literal;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::assertion::{BodyOp, Check, FieldOp};
use mastor_types::suite::oracle::Oracle;

/// Maximum number of observed values to expect.
const VALUES: usize = 8;
/// The header in which the harness names the handled exception, and Spring's exceptions for unreadable requests.
const HANDLED: &str = "x-mastor-handled";
const UNREAD: [&str; 5] = [
    "org.springframework.http.converter.",
    "org.springframework.web.HttpMediaType",
    "org.springframework.web.HttpRequestMethod",
    "org.springframework.web.bind.Missing",
    "org.springframework.web.method.annotation.MethodArgument",
];
/// Maximum length of an expected text.
const LONGEST: usize = 80;

/// Expectations on the answers seen (at least one), as `MockMvc` matchers.
pub(super) fn checks(oracle: &Oracle, answers: &[Answer]) -> Vec<String> {
    let Some(seen) = answers.first() else { return Vec::new() };
    let mut out = vec![status(seen.status)];
    for assertion in &oracle.assertions {
        match &assertion.check {
            Check::Field { path, op, expected } => out.extend(field(path, *op, expected.as_ref())),
            Check::Header { name, op, expected } => out.extend(header(name, *op, expected.as_ref())),
            Check::Body { op: BodyOp::Empty, .. } => out.push("content().string(\"\")".to_owned()),
            Check::Body { op: BodyOp::MediaType, expected: Some(expected) } => {
                out.push(format!("content().contentTypeCompatibleWith({})", literal(expected)));
            }
            _ => {}
        }
    }
    // Spring's own message about an unreadable request is not the project's behaviour.
    let is_of_framework = seen.header(HANDLED).is_some_and(|class| UNREAD.iter().any(|one| class.starts_with(one)));
    let seen_values = if is_of_framework { Vec::new() } else { values(answers) };
    for more in seen_values {
        let subject = more.split(").").next().unwrap_or(&more).to_owned();
        if !out.iter().any(|known| known.starts_with(&subject) && known.contains(".value(") || *known == more) {
            out.push(more);
        }
    }
    // Drop checks that a value check implies.
    let is_said = |one: &String| {
        let Some(subject) = one.strip_suffix(".exists()").or_else(|| one.strip_suffix(".isNumber()")) else {
            return one.strip_suffix(".isString()").is_some_and(|subject| has_value(&out, subject));
        };
        has_value(&out, subject)
    };
    let said: Vec<bool> = out.iter().map(is_said).collect();
    let mut said = said.into_iter();
    out.retain(|_| !said.next().unwrap_or(false));
    let has_fields = out.iter().any(|one| one.starts_with("jsonPath(\"$.") || one.starts_with("jsonPath(\"$["));
    out.retain(|one| !has_fields || !matches!(one.as_str(), "jsonPath(\"$\").isMap()" | "jsonPath(\"$\").isArray()"));
    out.dedup();
    out
}

fn has_value(all: &[String], subject: &str) -> bool {
    all.iter().any(|one| one.strip_prefix(subject).is_some_and(|rest| rest.starts_with(".value(")))
}

fn status(code: u16) -> String {
    let name = match code {
        200 => "isOk",
        201 => "isCreated",
        202 => "isAccepted",
        204 => "isNoContent",
        302 => "isFound",
        304 => "isNotModified",
        400 => "isBadRequest",
        401 => "isUnauthorized",
        403 => "isForbidden",
        404 => "isNotFound",
        405 => "isMethodNotAllowed",
        406 => "isNotAcceptable",
        409 => "isConflict",
        415 => "isUnsupportedMediaType",
        500 => "isInternalServerError",
        code => return format!("status().is({code})"),
    };
    format!("status().{name}()")
}

/// The JSON path of a field; `None` where it cannot be expressed.
fn json_path(path: &str) -> Option<String> {
    let rest = match path {
        "" => String::new(),
        path if path.contains(['*', '\\', '\'', ' ', '@', '$']) => return None,
        path if path.starts_with('[') => path.to_owned(),
        path => format!(".{path}"),
    };
    let is_plain = |step: &str| step.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '[' | ']'));
    rest.split('.').all(is_plain).then(|| format!("jsonPath({})", literal(&format!("${rest}"))))
}

fn field(path: &str, op: FieldOp, expected: Option<&Value>) -> Vec<String> {
    let Some(at) = json_path(path) else { return Vec::new() };
    let length = |n: usize| {
        let below = at.trim_end_matches("\")");
        format!("{below}.length()\").value({n})")
    };
    let one = match (op, expected) {
        (FieldOp::Equals, None | Some(Value::Null)) | (FieldOp::IsNull, _) => format!("{at}.value(nullValue())"),
        (FieldOp::Equals, Some(Value::Array(all))) if all.is_empty() => format!("{at}.isEmpty()"),
        (FieldOp::Equals, Some(value)) => match scalar(value) {
            Some(value) => format!("{at}.value({value})"),
            None => return Vec::new(),
        },
        (FieldOp::NotNull, _) => format!("{at}.exists()"),
        (FieldOp::Absent, _) => format!("{at}.doesNotExist()"),
        (FieldOp::Type, Some(Value::String(name))) => match name.as_str() {
            "string" => format!("{at}.isString()"),
            "number" | "integer" => format!("{at}.isNumber()"),
            "boolean" => format!("{at}.isBoolean()"),
            "array" => format!("{at}.isArray()"),
            "object" => format!("{at}.isMap()"),
            _ => return Vec::new(),
        },
        (FieldOp::Contains, Some(Value::String(text))) => format!("{at}.value(containsString({}))", literal(text)),
        (FieldOp::Gte, Some(value)) if value.is_i64() => format!("{at}.value(greaterThanOrEqualTo({value}))"),
        (FieldOp::Lte, Some(value)) if value.is_i64() => format!("{at}.value(lessThanOrEqualTo({value}))"),
        (FieldOp::Length, Some(value)) => match value.as_u64().and_then(|n| usize::try_from(n).ok()) {
            Some(n) => length(n),
            None => return Vec::new(),
        },
        (FieldOp::Keys, Some(Value::Array(keys))) => length(keys.len()),
        _ => return Vec::new(),
    };
    vec![one]
}

fn header(name: &str, op: FieldOp, expected: Option<&Value>) -> Option<String> {
    let name = literal(name);
    match (op, expected) {
        (FieldOp::Equals, Some(Value::String(value))) => Some(format!("header().string({name}, {})", literal(value))),
        (FieldOp::NotNull, _) => Some(format!("header().exists({name})")),
        (FieldOp::Absent, _) => Some(format!("header().doesNotExist({name})")),
        _ => None,
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) if number.is_i64() => {
            let long = number.as_i64().is_some_and(|n| i32::try_from(n).is_err());
            Some(format!("{number}{}", if long { "L" } else { "" }))
        }
        Value::Number(number) if number.is_f64() => Some(number.to_string()),
        Value::String(text) => Some(literal(text)),
        _ => None,
    }
}

/// The first simple values of the body that were the same in every answer.
fn values(answers: &[Answer]) -> Vec<String> {
    let bodies: Vec<Option<Value>> = answers.iter().map(|answer| serde_json::from_slice(&answer.body).ok()).collect();
    let Some(Some(first)) = bodies.first() else {
        return text(answers).into_iter().collect();
    };
    let mut leaves = Vec::new();
    collect("", first, &mut leaves);
    let same = |pointer: &str, value: &Value| {
        bodies.iter().all(|body| body.as_ref().and_then(|body| body.pointer(pointer)) == Some(value))
    };
    let short = |value: &Value| value.as_str().is_none_or(|text| text.chars().count() <= LONGEST);
    let kept = leaves.into_iter().filter(|(_, pointer, value)| short(value) && same(pointer, value));
    kept.filter_map(|(path, _, value)| field(&path, FieldOp::Equals, Some(value)).pop()).take(VALUES).collect()
}

/// A check of a plain-text body.
fn text(answers: &[Answer]) -> Option<String> {
    let text = |answer: &Answer| String::from_utf8(answer.body.clone()).ok();
    let first = text(answers.first()?)?;
    let is_plain = !first.is_empty() && first.chars().count() <= LONGEST;
    let same = answers.iter().all(|answer| text(answer).as_ref() == Some(&first));
    (is_plain && same).then(|| format!("content().string({})", literal(&first)))
}

fn collect<'a>(path: &str, value: &'a Value, out: &mut Vec<(String, String, &'a Value)>) {
    collect_at(path, "", value, out);
}

fn collect_at<'a>(path: &str, pointer: &str, value: &'a Value, out: &mut Vec<(String, String, &'a Value)>) {
    match value {
        Value::Object(fields) => {
            for (name, one) in fields {
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let place = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                collect_at(&below, &place, one, out);
            }
        }
        Value::Array(items) => {
            for (n, one) in items.iter().enumerate().take(1) {
                collect_at(&format!("{path}[{n}]"), &format!("{pointer}/{n}"), one, out);
            }
        }
        Value::Null => {}
        plain => out.push((path.to_owned(), pointer.to_owned(), plain)),
    }
}

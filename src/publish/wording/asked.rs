//! Requests and expectations in a form for reviewers: request line, headers and body, with names in place of captured
//! values.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::words::{self, Clause};
use crate::exports::binds::{bound_body, captured};
use crate::request::{ANONYMOUS, boundary, form_with, percent, target_with};
use mastor_template::escape::shorten_counted;
use mastor_types::op_id::OpId;
use mastor_types::suite::assertion::{Assertion, Source};
use mastor_types::suite::events::Event;
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Step;

/// Maximum length of a value shown in full, in characters; a longer one is truncated with its length.
pub(crate) const VALUE: usize = 2000;
/// Maximum length of a body shown in full.
const BODY: usize = 20_000;
/// Maximum length of JSON written on one line.
const LINE: usize = 80;

/// The parts of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RequestView {
    /// Request line: `GET /orders/a%2Fb?lang=en`.
    pub(crate) line: String,
    /// The user; `None` for the anonymous one.
    #[serde(rename = "as")]
    pub(crate) as_user: Option<String>,
    /// Headers in order; cookies are shown as the `Cookie` header.
    pub(crate) headers: Vec<(String, String)>,
    /// The body, if any.
    pub(crate) body: Option<BodyView>,
}

/// A request body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct BodyView {
    /// Description of the content: `JSON`, `text/plain`, `bytes of image/png in base64`.
    pub(crate) what: String,
    /// The content as text.
    pub(crate) text: String,
}

/// The request of an oracle.
pub(crate) fn of_oracle(op_id: &OpId, as_user: &str, input: &Input) -> RequestView {
    asked(op_id, as_user, input, &BTreeMap::new())
}

/// The request of a step; captured values are shown as `$name`.
pub(crate) fn of_step(step: &Step) -> RequestView {
    asked(&step.op_id, &step.as_user, &step.input, &step.binds)
}

/// An expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Expects {
    /// What is examined, the operator, and the operand.
    #[serde(flatten)]
    pub(crate) clause: Clause,
    /// Whether the expectation was observed on a service rather than derived from code.
    pub(crate) observed: bool,
}

/// Expectations of these assertions; captured values are shown as `$name`.
pub(crate) fn expected(assertions: &[Assertion]) -> Vec<Expects> {
    let one = |assertion: &Assertion| {
        let Clause { subject, is, value } = words::clause(&assertion.check);
        let value = value.map(|value| shorten_counted(&filled(value), BODY));
        let clause = Clause { subject: shorten_counted(&subject, VALUE), is, value };
        Expects { clause, observed: assertion.source == Source::Observed }
    };
    assertions.iter().map(one).collect()
}

/// The expectations of an oracle: on the answer, and on calls that change something outside the service.
pub(crate) fn expected_of(oracle: &Oracle) -> Vec<Expects> {
    let call = |event: &Event| {
        let value = Some(shorten_counted(&format!("({})", event.handed()), VALUE));
        Expects { clause: Clause { subject: event.name(), is: "is called with", value }, observed: true }
    };
    expected(&oracle.assertions).into_iter().chain(oracle.events.iter().map(call)).collect()
}

/// The place that a step captures from, in words: `the body's id`, `the header Location, its last segment`.
pub(crate) fn taken_from(from: &str) -> String {
    let place = from.split_once(':').unwrap_or(("", from));
    match place {
        ("body", "") => "the whole body".to_owned(),
        ("body", path) => format!("{path} of the body"),
        ("header", name) => match name.strip_suffix("#tail") {
            Some(name) => format!("the last segment of the header {name}"),
            None => format!("the header {name}"),
        },
        _ => from.to_owned(),
    }
}

fn asked(op_id: &OpId, as_user: &str, input: &Input, binds: &BTreeMap<String, String>) -> RequestView {
    let bound = |place: &str| binds.get(place).and_then(|bind| captured(bind)).map(|name| format!("${name}"));
    let encoded = |place: &str, value: &str| bound(place).unwrap_or_else(|| percent(value));
    let plain = |place: String, value: &str| bound(&place).unwrap_or_else(|| value.to_owned());
    let mut headers: Vec<(String, String)> = input
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), shorten_counted(&plain(format!("header.{name}"), value), VALUE)))
        .collect();
    let cookie = |(name, value): &(String, String)| format!("{name}={}", plain(format!("cookie.{name}"), value));
    let cookies: Vec<String> = input.cookies.iter().map(cookie).collect();
    if !cookies.is_empty() {
        headers.push(("Cookie".to_owned(), shorten_counted(&cookies.join("; "), VALUE)));
    }
    let line = format!("{} {}", op_id.method(), target_with(op_id, input, encoded));
    RequestView {
        line: shorten_counted(&line, VALUE),
        as_user: (as_user != ANONYMOUS).then(|| shorten_counted(as_user, VALUE)),
        headers,
        body: input.body.as_ref().map(|body| sent(body, binds, encoded)),
    }
}

fn sent(body: &Body, binds: &BTreeMap<String, String>, encoded: impl Fn(&str, &str) -> String) -> BodyView {
    let (what, text) = match body {
        Body::Json { json } => {
            let bound = bound_body(json, binds);
            let text = pretty(bound.as_ref().unwrap_or(json));
            ("JSON".to_owned(), if bound.is_some() { filled(text) } else { text })
        }
        Body::Text { text, media_type } if text.is_empty() => (format!("{media_type}, empty"), String::new()),
        Body::Text { text, media_type } => (media_type.clone(), text.clone()),
        Body::Base64 { base64, media_type } => (format!("bytes of {media_type} in base64"), base64.clone()),
        Body::Form { form } => ("a form".to_owned(), form_with(form, encoded)),
        Body::Multipart { multipart } => {
            let text = crate::request::multipart(multipart).replace("\r\n", "\n");
            (format!("multipart/form-data with boundary {}", boundary(multipart)), text)
        }
    };
    BodyView { what: shorten_counted(&what, VALUE), text: shorten_counted(&text, BODY) }
}

/// JSON on one line if short, otherwise on several.
fn pretty(json: &Value) -> String {
    let short = json.to_string();
    if short.chars().count() <= LINE { short } else { serde_json::to_string_pretty(json).unwrap_or(short) }
}

/// Replaces `"$captures.id"` by `$id`.
fn filled(text: String) -> String {
    let mut rest = text.as_str();
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("\"$captures.") {
        out.push_str(before);
        match after.split_once('"') {
            Some((name, behind)) if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) => {
                out.push('$');
                out.push_str(name);
                rest = behind;
            }
            _ => {
                out.push_str("\"$captures.");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::Method;

    #[test]
    fn what_a_sequence_fills_in_stands_by_its_name() {
        let step: Step = serde_json::from_value(serde_json::json!({
            "op_id": "PUT /a/{id}", "as": "anonymous",
            "input": {"path": {"id": "1"}, "query": [["q", "x y"]], "headers": [["X-A", "?"]], "cookies": [["c", "1"]],
                "body": {"json": {"id": "", "n": 1}}},
            "binds": {"path.id": "$captures.id", "header.X-A": "$captures.tag", "body.id": "$captures.id"},
            "assertions": [{"type": "field", "path": "id", "op": "equals", "expected": "$captures.id"},
                {"type": "field", "path": "x", "op": "equals", "expected": "$captures.a b", "source": "observed"}],
        }))
        .unwrap();
        let asked = of_step(&step);
        assert_eq!(asked.line, "PUT /a/$id?q=x%20y");
        assert_eq!(asked.headers, [("X-A".into(), "$tag".into()), ("Cookie".into(), "c=1".into())]);
        assert_eq!(asked.body.unwrap().text, "{\"id\":$id,\"n\":1}");
        let expected = expected(&step.assertions);
        assert_eq!((expected[0].clause.value.as_deref(), expected[0].observed), (Some("$id"), false));
        assert_eq!((expected[1].clause.value.as_deref(), expected[1].observed), (Some("\"$captures.a b\""), true));
        assert_eq!(taken_from("header:Location#tail"), "the last segment of the header Location");
        assert_eq!(taken_from("body:items[0].id"), "items[0].id of the body");
    }

    #[test]
    fn what_is_too_long_to_be_read_says_how_much_there_is() {
        let body = Body::Text { text: "x".repeat(BODY + 7), media_type: "text/plain".to_owned() };
        let input = Input { body: Some(body), ..Input::default() };
        let asked = of_oracle(&OpId::new(Method::Post, "/a"), "clerk", &input);
        assert!(asked.body.unwrap().text.ends_with("x… (7 more characters)"));
        assert_eq!(asked.as_user.as_deref(), Some("clerk"));
    }
}

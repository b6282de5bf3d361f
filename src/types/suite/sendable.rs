//! Requests that HTTP cannot carry. The runner and every export use the same check.

use std::collections::BTreeMap;

use super::binds::captured;
use super::input::{Body, Input};
use super::request::{base64_bytes, media_type, target_with};
use crate::op_id::OpId;

/// Maximum length of path and query in bytes; HTTP clients reject URLs of 64 KiB.
const TARGET: usize = 65_000;

/// Why HTTP clients cannot send this input unchanged; `None` where they can. Values bound from captures are checked
/// when they are known.
pub fn cannot_be_sent(op_id: &OpId, input: &Input, binds: &BTreeMap<String, String>) -> Option<String> {
    let is_bound = |place: &str| binds.get(place).is_some_and(|bind| captured(bind).is_some());
    let value = |place: &str, value: &str| {
        if is_bound(place) { "x".to_owned() } else { super::request::percent(value) }
    };
    let target = target_with(op_id, input, value);
    if target.len() > TARGET {
        return Some(format!("its address is longer than {TARGET} bytes"));
    }
    let path = target.split('?').next().unwrap_or_default();
    if let Some(dots) = path.split('/').find(|segment| is_dots(segment)) {
        return Some(format!("clients of the web take a path segment `{dots}` out"));
    }
    for (name, value) in &input.headers {
        if !is_token(name) {
            return Some("a name of its headers is none of HTTP's".to_owned());
        }
        if !is_bound(&format!("header.{name}"))
            && let Some(why) = no_header_value(value)
        {
            return Some(format!("the value of its header {name} {why}"));
        }
    }
    for (name, value) in &input.cookies {
        let value = if is_bound(&format!("cookie.{name}")) { "x" } else { value };
        if let Some(why) = no_header_value(&format!("{name}={value}")) {
            return Some(format!("a cookie {why}"));
        }
    }
    let body = input.body.as_ref()?;
    if matches!(body, Body::Base64 { base64, .. } if base64_bytes(base64).is_none()) {
        return Some("its body is no base64".to_owned());
    }
    no_header_value(&media_type(body)).map(|why| format!("its media type {why}"))
}

/// Whether clients remove this path segment as `.` or `..` when they normalise the URL.
fn is_dots(segment: &str) -> bool {
    let plain = segment.to_ascii_lowercase().replace("%2e", ".");
    plain == "." || plain == ".."
}

fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Why this value is not a valid header value; `None` where it is.
fn no_header_value(value: &str) -> Option<&'static str> {
    if value.bytes().any(|byte| byte == 0x7f || byte < b' ' && byte != b'\t') {
        return Some("has control characters");
    }
    let space = [' ', '\t'];
    (value.starts_with(space) || value.ends_with(space))
        .then_some("begins or ends with white space, which HTTP takes off")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Method;

    fn why(input: serde_json::Value) -> Option<String> {
        let input: Input = serde_json::from_value(input).unwrap();
        let binds = [("header.X-B".to_owned(), "$captures.b".to_owned())].into();
        cannot_be_sent(&OpId::new(Method::Get, "/a/{id}"), &input, &binds)
    }

    #[test]
    fn what_http_cannot_carry_says_why() {
        for (input, says) in [
            (serde_json::json!({"path": {"id": ".."}}), "segment `..`"),
            (serde_json::json!({"query": [["q", "x".repeat(TARGET)]]}), "longer than"),
            (serde_json::json!({"headers": [["X A", "v"]]}), "name of its headers"),
            (serde_json::json!({"headers": [["X-A", "v\nX-B: w"]]}), "control characters"),
            (serde_json::json!({"headers": [["X-A", " v"]]}), "white space"),
            (serde_json::json!({"cookies": [["a", "b\0"]]}), "control characters"),
            (serde_json::json!({"body": {"base64": "*", "media_type": "a/b"}}), "no base64"),
            (serde_json::json!({"body": {"text": "", "media_type": "a/b\r\n"}}), "media type"),
        ] {
            assert!(why(input.clone()).is_some_and(|why| why.contains(says)), "{input}");
        }
    }

    #[test]
    fn what_it_can_carry_is_sent() {
        let input = serde_json::json!({"path": {"id": "../x"}, "headers": [["X-A", "é\u{85}\" \\"], ["X-B", "\0"], ["X-C", ""]], "cookies": [["a", ""]]});
        assert_eq!(why(input), None);
        assert_eq!(why(serde_json::json!({"path": {"id": "..."}})), None);
    }
}

//! Builds the HTTP request of a step: fills in bound values and encodes every value once.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::answers::judge::{Captures, fill};
use crate::http::Request;
use mastor_types::op_id::OpId;
use mastor_types::suite::binds::{bound_body, captured};
use mastor_types::suite::input::{Body, Input, canonical};
use mastor_types::suite::request::{base64_bytes, form_with, media_type, multipart, percent, target_with};
use mastor_types::suite::sendable::cannot_be_sent;

/// The request of a step on the service at `base_url`.
///
/// # Errors
/// Why the input cannot be written as a request.
pub fn request(
    base_url: &str,
    op_id: &OpId,
    input: &Input,
    binds: &BTreeMap<String, String>,
    captures: &Captures,
) -> Result<Request, String> {
    if let Some(why) = cannot_be_sent(op_id, input, binds) {
        return Err(format!("the request cannot be sent: {why}"));
    }
    let bound = |place: &str, value: &str| match binds.get(place).and_then(|bind| captured(bind)) {
        Some(name) => captures.get(name).map_or_else(String::new, plain),
        None => value.to_owned(),
    };
    let encode = |place: &str, value: &str| percent(&bound(place, value));
    let target = target_with(op_id, input, encode);
    let slash = if target.starts_with('/') { "" } else { "/" };
    let mut headers: Vec<(String, String)> = Vec::new();
    for (name, value) in &input.headers {
        headers.push((name.clone(), bound(&format!("header.{name}"), value)));
    }
    if !input.cookies.is_empty() {
        let pair = |(name, value): &(String, String)| format!("{name}={}", bound(&format!("cookie.{name}"), value));
        headers.push(("Cookie".to_owned(), input.cookies.iter().map(pair).collect::<Vec<_>>().join("; ")));
    }
    let mut body = None;
    if let Some(sent) = &input.body {
        if !input.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            headers.push(("Content-Type".to_owned(), media_type(sent)));
        }
        body = Some(match sent {
            Body::Json { json } => match bound_body(json, binds) {
                Some(bound) => canonical(&fill(&bound, captures)).into_bytes(),
                None => canonical(json).into_bytes(),
            },
            Body::Text { text, .. } => text.clone().into_bytes(),
            Body::Base64 { base64, .. } => base64_bytes(base64).ok_or("its body is no base64")?,
            Body::Form { form } => form_with(form, encode).into_bytes(),
            Body::Multipart { multipart: parts } => multipart(parts).into_bytes(),
        });
    }
    let url = format!("{}{slash}{target}", base_url.trim_end_matches('/'));
    Ok(Request { method: op_id.method(), url, headers, body })
}

/// A captured value as text: a string unchanged, anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::http::Method;

    #[test]
    fn a_body_has_the_same_bytes_in_whatever_order_its_keys_were_thought_of() {
        let op_id = OpId::new(Method::Post, "/a");
        let bytes = |json: Value| {
            let input = Input { body: Some(Body::Json { json }), ..Input::default() };
            request("http://h", &op_id, &input, &BTreeMap::new(), &BTreeMap::new()).unwrap().body.unwrap()
        };
        let sent = bytes(json!({"name": "n", "age": 1, "in": {"z": 1, "b": [{"y": 1, "x": 2}]}}));
        assert_eq!(String::from_utf8_lossy(&sent), r#"{"age":1,"in":{"b":[{"x":2,"y":1}],"z":1},"name":"n"}"#);
        assert_eq!(sent, bytes(json!({"in": {"b": [{"x": 2, "y": 1}], "z": 1}, "age": 1, "name": "n"})));
    }
}

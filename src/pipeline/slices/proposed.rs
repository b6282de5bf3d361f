//! Requests that the harness proposes for a handler: a value of its type for everything that the handler asks of one.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::types::OpId;
use crate::types::oracle::{Body, Input};
use crate::types::request::base64_bytes;

/// One proposed request, as the harness tells it: fields of a line, parted by tabs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposed {
    /// The operation as the handler's mapping has it.
    mapped: OpId,
    /// `com.acme.Orders#find`.
    handler: String,
    path: Vec<(String, String)>,
    input: Input,
}

/// Reads what the harness tells; lines that are none are left out.
pub(super) fn parse(text: &str) -> Vec<Proposed> {
    let mut all: Vec<Proposed> = text.lines().filter_map(line).collect();
    all.sort_by(|a, b| a.mapped.cmp(&b.mapped));
    all
}

fn line(line: &str) -> Option<Proposed> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [verb, pattern, handler, path, query, headers, media, body] = fields.as_slice() else { return None };
    let mapped = OpId::parse(&format!("{verb} {pattern}"))?;
    let (mut headers, mut cookies) = (pairs(headers), Vec::new());
    for (_, value) in headers.extract_if(.., |(name, _)| name == "Cookie") {
        cookies.extend(value.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    let body = if media.is_empty() { None } else { Some(self::body(media, base64_bytes(body)?)) };
    let input = Input { path: BTreeMap::new(), query: pairs(query), headers, cookies, body };
    Some(Proposed { mapped, handler: (*handler).to_owned(), path: pairs(path), input })
}

fn pairs(text: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let parts = text.split('&').filter_map(|pair| pair.split_once('='));
    parts.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

fn body(media: &str, bytes: Vec<u8>) -> Body {
    let json = media.contains("json").then(|| serde_json::from_slice::<Value>(&bytes).ok()).flatten();
    match (json, String::from_utf8(bytes)) {
        (Some(json), _) => Body::Json { json },
        (None, Ok(text)) => Body::Text { text, media_type: media.to_owned() },
        (None, Err(bytes)) => {
            use base64::Engine as _;
            let base64 = base64::engine::general_purpose::STANDARD.encode(bytes.as_bytes());
            Body::Base64 { base64, media_type: media.to_owned() }
        }
    }
}

/// Texts that stand for what the name of a parameter or field says, by a part of the name in small letters; the first that fits.
const BY_NAME: &[(&str, &str)] = &[
    ("email", "user@example.com"),
    ("mail", "user@example.com"),
    ("password", "Secret12!"),
    ("date", "2020-01-01"),
    ("birth", "2020-01-01"),
    ("time", "2020-01-01T00:00:00"),
    ("year", "2020"),
    ("phone", "0123456789"),
    ("mobile", "0123456789"),
    ("url", "http://localhost/"),
    ("uri", "http://localhost/"),
    ("uuid", "00000000-0000-0000-0000-000000000001"),
    ("direction", "asc"),
];

/// Ends of the names of what is a number.
const NUMBERS: &[&str] =
    &["id", "ids", "no", "number", "num", "count", "page", "size", "limit", "amount", "price", "quantity"];

/// What a text of this name may look like; `None` where the name says nothing.
fn by_name(name: &str) -> Option<&'static str> {
    let small = name.to_ascii_lowercase();
    let text = BY_NAME.iter().find(|(part, _)| small.contains(part)).map(|(_, text)| *text);
    text.or_else(|| NUMBERS.iter().any(|end| small.ends_with(end)).then_some("1"))
}

/// The request with texts that look like what their names say, where a text was its own name. A body of which the code alone knows the fields has these.
fn named(input: &Input, fields: &[String]) -> Input {
    let text = |name: &str, value: &str| (value == name).then(|| by_name(name)).flatten().unwrap_or(value).to_owned();
    let mut named = input.clone();
    named.path.iter_mut().for_each(|(name, value)| *value = text(name, value));
    named.query.iter_mut().for_each(|(name, value)| *value = text(name, value));
    if let Some(Body::Json { json: Value::Object(object) }) = &mut named.body {
        // Of a map the type says the values alone.
        let item = object.get("key").cloned().filter(|_| object.len() == 1);
        if item.is_some() || object.is_empty() {
            let item = item.unwrap_or_else(|| Value::from("value"));
            object.clear();
            for name in fields {
                let own = item.as_str().map(|_| Value::from(by_name(name).unwrap_or(name)));
                object.insert(name.clone(), own.unwrap_or_else(|| item.clone()));
            }
        }
        for (name, value) in object.iter_mut() {
            if let Some(old) = value.as_str() {
                *value = Value::from(text(name, old));
            }
        }
    }
    named
}

/// The requests for an operation: by its method and path behind what stands before all paths, else by its handler. First those whose texts look like what
/// their names say. Of a body that is a map the code names the fields.
pub(super) fn inputs(
    all: &[Proposed],
    (op_id, fields): (&OpId, &[String]),
    base_path: &str,
    handler: Option<&str>,
) -> Vec<Input> {
    let whole = OpId::new(op_id.method(), &format!("{}{}", base_path.trim_end_matches('/'), op_id.path()));
    let served = |one: &&Proposed| one.mapped.erased() == whole.erased() || one.mapped.erased() == op_id.erased();
    let mut found: Vec<&Proposed> = all.iter().filter(served).collect();
    if found.is_empty() {
        let is_of = |one: &&Proposed| one.mapped.method() == op_id.method() && Some(one.handler.as_str()) == handler;
        found = all.iter().filter(is_of).collect();
    }
    let mut inputs: Vec<Input> = Vec::new();
    for one in found {
        let mut input = one.input.clone();
        // Documents and code may name a parameter of the path differently; they stand in one order.
        for (place, name) in op_id.parameters().enumerate() {
            let same = one.path.iter().find(|(own, _)| own == name);
            let in_code = one.mapped.parameters().nth(place);
            let there = || one.path.iter().find(|(own, _)| Some(own.as_str()) == in_code);
            let value = same.or_else(there).map_or_else(|| "1".to_owned(), |(_, value)| value.clone());
            input.path.insert(name.to_owned(), value);
        }
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    let mut readable: Vec<Input> = Vec::new();
    for input in inputs.iter().map(|input| named(input, fields)).chain(inputs.iter().cloned()) {
        if !readable.contains(&input) {
            readable.push(input);
        }
    }
    readable
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::types::http::Method;

    #[test]
    fn a_request_is_read_and_goes_to_the_operation_of_its_path() {
        let text = "GET\t/api/notes/{noteId}\ta.Notes#find\tnoteId=7\twith=a%20b\tCookie=c%3Dd\t\t\n\
                    POST\t/api/notes\ta.Notes#add\t\t\t\tapplication/json\teyJhIjoxfQ==\nnonsense\n";
        let all = parse(text);
        assert_eq!(all.len(), 2);
        let of = |method, path: &str, handler| inputs(&all, (&OpId::new(method, path), &[]), "/api", handler);
        let found = of(Method::Get, "/notes/{id}", None);
        let [input] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(input.path["id"], "7");
        assert_eq!(input.query, [("with".to_owned(), "a b".to_owned())]);
        assert_eq!(input.cookies, [("c".to_owned(), "d".to_owned())]);
        let found = of(Method::Post, "/v2/notes", Some("a.Notes#add"));
        assert_eq!(found[0].body, Some(Body::Json { json: json!({"a": 1}) }));
        assert!(of(Method::Get, "/other", Some("a.Notes#add")).is_empty());
    }

    #[test]
    fn texts_look_like_what_their_names_say_and_maps_have_the_fields_that_code_names() {
        let body = |json: Value| Input { body: Some(Body::Json { json }), ..Input::default() };
        let json = |input: Input| match input.body {
            Some(Body::Json { json }) => json,
            other => panic!("{other:?}"),
        };
        let plain = body(json!({"title": "title", "ownerMail": "ownerMail", "dueDate": "tomorrow", "n": 1}));
        let told = json!({"title": "title", "ownerMail": "user@example.com", "dueDate": "tomorrow", "n": 1});
        assert_eq!(json(named(&plain, &[])), told);
        let fields = ["userId".to_owned(), "note".to_owned()];
        assert_eq!(json(named(&body(json!({"key": "value"})), &fields)), json!({"userId": "1", "note": "note"}));
        assert_eq!(json(named(&body(json!({"key": [1]})), &fields)), json!({"userId": [1], "note": [1]}));
    }
}

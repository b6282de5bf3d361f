//! Requests that the harness proposes for a handler: a value by type for everything that the handler takes from a
//! request.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use mastor_types::OpId;
use mastor_types::suite::input::{Body, Input, Part};
use mastor_types::suite::request::base64_bytes;

/// One proposed request, as the harness reports it: a line of fields separated by tabs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposed {
    /// The operation according to the handler's mapping.
    mapped: OpId,
    /// `com.acme.Orders#find`.
    handler: String,
    path: Vec<(String, String)>,
    input: Input,
}

/// Parses the harness's report; invalid lines are left out.
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
    if media.starts_with("multipart/") {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Body::Multipart { multipart: text.lines().filter_map(part).collect() };
    }
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

/// Parses a part of a multipart form: name, file name, media type and content.
fn part(line: &str) -> Option<Part> {
    let fields: Vec<String> =
        line.split('&').map(|field| percent_decode_str(field).decode_utf8_lossy().into_owned()).collect();
    let [name, filename, media_type, text] = fields.as_slice() else { return None };
    let said = |text: &String| (!text.is_empty()).then(|| text.clone());
    Some(Part { name: name.clone(), filename: said(filename), media_type: said(media_type), text: text.clone() })
}

/// The requests for an operation: those with its method and path, with or without the base path, else those of its
/// handler.
pub(super) fn inputs(all: &[Proposed], op_id: &OpId, base_path: &str, handler: Option<&str>) -> Vec<Input> {
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
        // Documents and code may name a path parameter differently, but have them in the same order.
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
    inputs
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::http::Method;

    #[test]
    fn a_request_is_read_and_goes_to_the_operation_of_its_path() {
        let text = "GET\t/api/notes/{noteId}\ta.Notes#find\tnoteId=7\twith=a%20b\tCookie=c%3Dd\t\t\n\
                    POST\t/api/notes\ta.Notes#add\t\t\t\tapplication/json\teyJhIjoxfQ==\nnonsense\n";
        let all = parse(text);
        assert_eq!(all.len(), 2);
        let of = |method, path: &str, handler| inputs(&all, &OpId::new(method, path), "/api", handler);
        let found = of(Method::Get, "/notes/{id}", None);
        let [input] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(input.path["id"], "7");
        assert_eq!(input.query, [("with".to_owned(), "a b".to_owned())]);
        assert_eq!(input.cookies, [("c".to_owned(), "d".to_owned())]);
        let found = of(Method::Post, "/v2/notes", Some("a.Notes#add"));
        assert_eq!(found[0].body, Some(Body::Json { json: json!({"a": 1}) }));
        assert!(of(Method::Get, "/other", Some("a.Notes#add")).is_empty());
    }
}

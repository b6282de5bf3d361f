//! Payloads: the request body and the responses of an operation, in one form for all versions.

use serde_json::{Map, Value};

use super::document::{Header, In, MediaType, Parameter, RequestBody, Response, Status};
use super::media::{media_names, same_schema};
use super::place::DocumentLocation;
use super::reader::Reader;

/// The request body of an operation: `requestBody`, or the body and form parameters of 2.0.
pub(super) fn request_body(
    reader: &mut Reader<'_>,
    at: &DocumentLocation,
    map: &Map<String, Value>,
    parameters: &[Parameter],
) -> Option<RequestBody> {
    if map.contains_key("requestBody") {
        let (at, body) = reader.object(&at.at("requestBody"), "request body")?;
        let required = reader.flag(&at, body, "required").unwrap_or(false);
        return Some(RequestBody { required, content: content(reader, &at, body), form: Vec::new(), at });
    }
    if let Some(body) = parameters.iter().find(|parameter| parameter.location == In::Body) {
        let names = media_names(reader, at, map, "consumes", "application/json");
        let content = same_schema(names, &Some(body.schema.clone()));
        return Some(RequestBody { required: body.required, content, form: Vec::new(), at: body.at.clone() });
    }
    let form: Vec<Parameter> = parameters.iter().filter(|one| one.location == In::FormData).cloned().collect();
    let first = form.first()?;
    let fallback = if form.iter().any(|field| is_file(reader, field)) {
        "multipart/form-data"
    } else {
        "application/x-www-form-urlencoded"
    };
    let mut names = media_names(reader, at, map, "consumes", fallback);
    // A document-wide `consumes: application/json` does not apply to forms.
    names.retain(|name| name.contains("form"));
    if names.is_empty() {
        names.push(fallback.to_owned());
    }
    let (required, at) = (form.iter().any(|field| field.required), first.at.clone());
    Some(RequestBody { required, content: same_schema(names, &None), form, at })
}

fn is_file(reader: &Reader<'_>, field: &Parameter) -> bool {
    reader.sources.get(&field.at).and_then(|value| value.get("type")).and_then(Value::as_str) == Some("file")
}

/// The `content` of a body or response.
fn content(reader: &mut Reader<'_>, at: &DocumentLocation, map: &Map<String, Value>) -> Vec<MediaType> {
    let at = at.at("content");
    match map.get("content") {
        Some(Value::Object(content)) => {
            let mut found = Vec::new();
            for (name, media) in content {
                let place = at.at(name);
                let media = if media.get("$ref").is_some() { reader.follow(&place) } else { Some((place, media)) };
                let schema = media.and_then(|(place, media)| schema_of(&place, media));
                found.push(MediaType { name: name.clone(), schema });
            }
            found
        }
        None | Some(Value::Null) => Vec::new(),
        Some(_) => {
            reader.warn(&at, "bad-value", "`content` is not an object; left out");
            Vec::new()
        }
    }
}

fn schema_of(at: &DocumentLocation, holder: &Value) -> Option<DocumentLocation> {
    holder.get("schema").filter(|schema| schema.is_object() || schema.is_boolean()).map(|_| at.at("schema"))
}

/// The responses of an operation in the order of the document; numeric keys of YAML have become strings before.
pub(super) fn responses(reader: &mut Reader<'_>, at: &DocumentLocation, map: &Map<String, Value>) -> Vec<Response> {
    let at_all = at.at("responses");
    let Some((place, responses)) =
        map.contains_key("responses").then(|| reader.object(&at_all, "list of responses")).flatten()
    else {
        reader.warn(at, "no-responses", "the operation says nothing about its responses");
        return Vec::new();
    };
    let mut found = Vec::new();
    for key in responses.keys().filter(|key| !key.starts_with("x-")) {
        let own = place.at(key);
        let status = Status::parse(key);
        if status == Status::Unreadable {
            reader.warn(&own, "bad-status", format_args!("`{key}` is no status"));
        }
        let (own, response) = match reader.object(&own, "response") {
            Some((own, response)) => (own, response.clone()),
            // The status is declared although its response is not an object.
            None => (own, Map::new()),
        };
        let mut content = content(reader, &own, &response);
        if let Some(Value::Object(_)) = response.get("schema") {
            let names = media_names(reader, at, map, "produces", "*/*");
            content.extend(same_schema(names, &Some(own.at("schema"))));
        }
        let headers = headers(reader, &own, &response);
        let description = reader.text(&own, &response, "description");
        found.push(Response { key: key.clone(), status, description, content, headers, at: own });
    }
    found
}

fn headers(reader: &mut Reader<'_>, at: &DocumentLocation, response: &Map<String, Value>) -> Vec<Header> {
    let at = at.at("headers");
    let Some(Value::Object(headers)) = response.get("headers") else { return Vec::new() };
    let mut found = Vec::new();
    for name in headers.keys() {
        let Some((own, header)) = reader.object(&at.at(name), "header") else { continue };
        let required = reader.flag(&own, header, "required").unwrap_or(false);
        let schema = if header.get("schema").is_some_and(Value::is_object) { own.at("schema") } else { own };
        found.push(Header { name: name.clone(), required, schema });
    }
    found
}

/// Whether all responses are those that generators write by default: only statuses of the default set with their
/// default texts, no headers, and a payload on the success only (200, or 201 if 200 has no schema).
pub(super) fn is_default_block(responses: &[Response]) -> bool {
    let default_text = |response: &Response| {
        let expected: &[&str] = match response.key.as_str() {
            "200" => &["OK", "successful operation", "default response", "Success"],
            "201" => &["Created"],
            "204" => &["No Content"],
            "401" => &["Unauthorized"],
            "403" => &["Forbidden"],
            "404" => &["Not Found"],
            _ => return false,
        };
        response.description.as_deref().is_none_or(|text| {
            text.trim().is_empty() || expected.iter().any(|known| known.eq_ignore_ascii_case(text.trim()))
        })
    };
    let success = responses.iter().find(|response| response.key == "200").and_then(Response::schema);
    !responses.is_empty()
        && responses.iter().all(|response| {
            let plain = match response.key.as_str() {
                "200" => true,
                "201" => response.schema().is_none() || success.is_none(),
                _ => response.content.iter().all(|media| media.schema.is_none()),
            };
            plain && response.headers.is_empty() && default_text(response)
        })
}

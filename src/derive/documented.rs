//! Documented bodies: a value for a request body whose type the code does not show, as the document describes it.
//!
//! Where the build generates models from the document, it is their source. What stands here is only sent, never asserted.

use serde_json::{Map, Value as Json, json};

use super::samples::sample_text;
use super::signature::Slot;
use super::subject::Subject;
use super::validation::full_match;
use crate::frameworks::{Framework, Location};
use crate::java::interpret::library::regex_samples::sample_of_length;
use crate::openapi::place::SchemaRef;
use crate::openapi::schema::{JsonType, Schema};
use crate::openapi::{Document, In};

/// Schemas inside schemas that are followed, at most.
const DEPTH: usize = 5;

/// A body that the document allows; `None` where it describes no JSON.
pub fn body(subject: &Subject<'_>) -> Option<Json> {
    let document = subject.document?;
    let body = document.operation(subject.op_id.as_str())?.request_body.as_ref()?;
    let json = |name: &str| name.contains("json") || name == "*/*";
    let schema = body.content.iter().find(|media| json(&media.name)).and_then(|media| media.schema.as_ref())?;
    Some(value(document, schema, "value", 0))
}

/// What the document says that a handler reads which reads by hand: queries, headers and fields of a form.
pub fn params(subject: &Subject<'_>) -> Vec<Slot> {
    let Some(operation) = subject.document.and_then(|document| document.operation(subject.op_id.as_str())) else {
        return Vec::new();
    };
    let location = |of: In| match of {
        In::Query => Some(Location::Query),
        In::Header => Some(Location::Header),
        _ => None,
    };
    let params = operation.parameters.iter();
    let mut found: Vec<Slot> =
        params.filter_map(|param| Some(Slot::unread(location(param.location)?, &param.name, param.required))).collect();
    for (name, _, required) in fields(subject) {
        found.push(Slot::unread(Location::Form, &name, required));
    }
    found
}

/// The fields of a form that the document describes, with whether they must be there.
fn fields(subject: &Subject<'_>) -> Vec<(String, SchemaRef, bool)> {
    let body = subject.document.and_then(|document| {
        let body = document.operation(subject.op_id.as_str())?.request_body.as_ref()?;
        if !body.form.is_empty() {
            return None;
        }
        let form = body.content.iter().find(|media| media.name == "application/x-www-form-urlencoded")?;
        Some(document.resolve(form.schema.as_ref()?))
    });
    let Some(schema) = body else { return old_fields(subject) };
    schema.properties.iter().map(|(name, field)| (name.clone(), field.clone(), schema.requires(name))).collect()
}

/// The same of a form of an old document, which has no schema of its own.
fn old_fields(subject: &Subject<'_>) -> Vec<(String, SchemaRef, bool)> {
    let operation = subject.document.and_then(|document| document.operation(subject.op_id.as_str()));
    let form = operation.and_then(|operation| operation.request_body.as_ref()).map(|body| &body.form);
    form.into_iter().flatten().map(|param| (param.name.clone(), param.schema.clone(), param.required)).collect()
}

/// What the document says of the values of a parameter that the code reads by hand.
pub fn schema(subject: &Subject<'_>, slot: &Slot) -> Option<Schema> {
    let document = subject.document?;
    if slot.is_read() || subject.endpoint.framework != Framework::JdkHttpServer {
        return None;
    }
    let operation = document.operation(subject.op_id.as_str())?;
    let param = operation.parameters.iter().find(|param| *param.name == *slot.input.name).map(|param| &param.schema);
    match param {
        Some(at) => Some(document.resolve(at)),
        None => fields(subject)
            .into_iter()
            .find(|(name, ..)| **name == *slot.input.name)
            .map(|(_, at, _)| document.resolve(&at)),
    }
}

fn value(document: &Document, at: &SchemaRef, name: &str, depth: usize) -> Json {
    let schema = document.resolve(at);
    if let Some(given) = schema.examples.first().or(schema.values.first()).or(schema.default.as_ref()) {
        return given.clone();
    }
    if depth >= DEPTH {
        return Json::Null;
    }
    if let Some(first) = schema.one_of.first().or(schema.any_of.first())
        && schema.properties.is_empty()
    {
        return value(document, first, name, depth + 1);
    }
    let kind = match schema.types.first() {
        Some(kind) => *kind,
        None if !schema.properties.is_empty() => JsonType::Object,
        None if schema.items.is_some() => JsonType::Array,
        None => JsonType::String,
    };
    match kind {
        JsonType::Object => {
            let mut map = Map::new();
            for (name, inner) in &schema.properties {
                if !document.resolve(inner).read_only || schema.requires(name) {
                    map.insert(name.clone(), value(document, inner, name, depth + 1));
                }
            }
            Json::Object(map)
        }
        JsonType::Array => {
            let items = schema.items.as_ref().map(|items| value(document, items, name, depth + 1));
            let least = schema.min_items.map_or(1, |least| least.clamp(1, 8));
            Json::Array((0..least).filter_map(|_| items.clone()).filter(|item| !item.is_null()).collect())
        }
        JsonType::Boolean => json!(true),
        JsonType::Integer => json!(within(&schema, 1.0) as i64),
        JsonType::Number => json!(within(&schema, 1.5)),
        JsonType::String | JsonType::File => json!(text(&schema, name)),
    }
}

/// The number itself, or the nearest end of the range.
fn within(schema: &Schema, number: f64) -> f64 {
    let end = |bound: &Option<crate::openapi::schema::Bound>, step: f64| {
        bound.as_ref().and_then(|end| end.value.as_f64().map(|value| if end.exclusive { value + step } else { value }))
    };
    let least = end(&schema.minimum, 1.0).unwrap_or(f64::MIN);
    let most = end(&schema.maximum, -1.0).unwrap_or(f64::MAX);
    number.max(least).min(most)
}

fn text(schema: &Schema, name: &str) -> String {
    let fixed = match schema.format.as_deref() {
        Some("date") => Some("2020-01-15"),
        Some("date-time") => Some("2020-01-15T10:00:00Z"),
        Some("time") => Some("10:00:00"),
        Some("uuid") => Some("3f2a9100-0000-4000-8000-000000000001"),
        Some("email") => Some("ada@example.com"),
        Some("uri" | "url") => Some("http://example.com/"),
        Some("byte") => Some("YQ=="),
        _ => None,
    };
    if let Some(fixed) = fixed {
        return fixed.to_owned();
    }
    let bound = |length: Option<u64>| length.and_then(|length| usize::try_from(length).ok());
    let (min, max) = (bound(schema.min_length).unwrap_or(0), bound(schema.max_length).unwrap_or(usize::MAX));
    if let Some(pattern) = schema.patterns.first()
        && let Some(found) = sample_of_length(pattern, min, max).filter(|text| full_match(pattern, text) == Some(true))
    {
        return found;
    }
    let plain = sample_text(name);
    let length = plain.len() as u64;
    let wanted = length.max(schema.min_length.unwrap_or(0)).min(schema.max_length.unwrap_or(u64::MAX)).min(300);
    plain.chars().cycle().take(usize::try_from(wanted).unwrap_or(plain.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::{MemoryFiles, read};

    #[test]
    fn a_body_is_made_as_the_document_describes_it() {
        let text = r##"{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":{
            "Pet":{"type":"object","required":["name"],"properties":{
                "id":{"type":"integer","readOnly":true},
                "name":{"type":"string","minLength":8},
                "kind":{"$ref":"#/components/schemas/Kind"},
                "born":{"type":"string","format":"date"},
                "age":{"type":"integer","minimum":3},
                "tags":{"type":"array","items":{"type":"string","example":"a"}}}},
            "Kind":{"type":"string","enum":["CAT","DOG"]}}}}"##;
        let document = read(&MemoryFiles::default().with("api.json", text), "api.json").unwrap();
        let pet = value(&document, &document.schema("Pet").unwrap(), "value", 0);
        let expected = json!({"name": "samplesa", "kind": "CAT", "born": "2020-01-15", "age": 3, "tags": ["a"]});
        assert_eq!(pet, expected);
    }
}

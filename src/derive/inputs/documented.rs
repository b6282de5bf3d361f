//! Documented bodies: a value for a request body whose type the code does not show, from the document's schema.
//!
//! If the build generates models from the document, the document is their source. These values are only sent, never
//! asserted.

use serde_json::{Map, Value as Json, json};

use super::samples::sample_text;
use mastor_java::interpret::library::text::matching::regex_samples::sample_of_length;
use mastor_openapi::Document;
use mastor_openapi::place::SchemaRef;
use mastor_openapi::schema::{JsonType, Schema};
use mastor_runtime::subject::Subject;
use mastor_runtime::validation::constraints::full_match;

/// Maximum schema nesting that is followed.
const DEPTH: usize = 5;
/// Maximum number of values within one body.
const VALUES: usize = 2_000;

/// A body that the document allows; `None` if it describes no JSON.
pub fn body(subject: &Subject<'_>) -> Option<Json> {
    let document = subject.document?;
    let body = document.operation(subject.op_id.as_str())?.request_body.as_ref()?;
    let json = |name: &str| name.contains("json") || name == "*/*";
    let schema = body.content.iter().find(|media| json(&media.name)).and_then(|media| media.schema.as_ref())?;
    let mut left = VALUES;
    Some(value(document, schema, "value", 0, &mut left))
}

/// A value for the schema of a number or boolean.
pub fn sample(schema: &Schema) -> Option<Json> {
    match schema.types.first()? {
        JsonType::Integer => Some(json!(within(schema, 1.0) as i64)),
        JsonType::Number => Some(json!(within(schema, 1.5))),
        JsonType::Boolean => Some(json!(true)),
        _ => None,
    }
}

fn value(document: &Document, at: &SchemaRef, name: &str, depth: usize, left: &mut usize) -> Json {
    let schema = document.resolve(at);
    if let Some(given) = schema.examples.first().or(schema.values.first()).or(schema.default.as_ref()) {
        return given.clone();
    }
    if depth >= DEPTH || *left == 0 {
        return Json::Null;
    }
    *left -= 1;
    if let Some(first) = schema.one_of.first().or(schema.any_of.first())
        && schema.properties.is_empty()
    {
        return value(document, first, name, depth + 1, left);
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
                    map.insert(name.clone(), value(document, inner, name, depth + 1, left));
                }
            }
            Json::Object(map)
        }
        JsonType::Array => {
            let items = schema.items.as_ref().map(|items| value(document, items, name, depth + 1, left));
            let least = schema.min_items.map_or(1, |least| least.clamp(1, 8));
            Json::Array((0..least).filter_map(|_| items.clone()).filter(|item| !item.is_null()).collect())
        }
        JsonType::Boolean => json!(true),
        JsonType::Integer => json!(within(&schema, 1.0) as i64),
        JsonType::Number => json!(within(&schema, 1.5)),
        JsonType::String | JsonType::File => json!(text(&schema, name)),
    }
}

/// The number, or the nearest end of the range.
fn within(schema: &Schema, number: f64) -> f64 {
    let end = |bound: &Option<mastor_openapi::schema::Bound>, step: f64| {
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
    use mastor_openapi::{MemoryFiles, read};

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
        let pet = value(&document, &document.schema("Pet").unwrap(), "value", 0, &mut 100);
        let expected = json!({"name": "samplesa", "kind": "CAT", "born": "2020-01-15", "age": 3, "tags": ["a"]});
        assert_eq!(pet, expected);
    }
}

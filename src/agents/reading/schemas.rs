//! JSON Schemas of replies: a strict one to send, which works as a grammar, and a wider one to validate replies.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use mastor_llm as llm;
use mastor_types::OpId;
use mastor_types::suite::assertion::FieldOp;

/// The JSON Schema of a reply.
pub fn schema<T: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        object.remove("title");
    }
    schema
}

/// The schemas of a reply about one subject; for oracles, the strict one names the parameters of the operation's path.
/// The wider schema accepts unknown words and assertions with extra members, which the reader then drops one by one.
/// Members of `without` are in neither.
pub fn schema_about<T: JsonSchema>(name: &'static str, subject: &str, without: &[&str]) -> llm::Schema {
    let mut schema = schema::<T>();
    remove(&mut schema, without);
    let takes = Some(widened(&schema));
    let path = schema.pointer_mut("/properties/oracles/items/properties/input/properties/path");
    if let (Some(path), Some(op_id)) = (path, OpId::parse(subject)) {
        let properties: Map<String, Value> = op_id
            .parameters()
            .map(|name| (name.to_owned(), json!({"type": ["string", "number", "boolean"]})))
            .collect();
        *path = json!({"type": "object", "properties": properties});
    }
    llm::Schema { name, json: schema, takes }
}

/// Removes properties by their names, wherever they stand.
fn remove(schema: &mut Value, without: &[&str]) {
    match schema {
        Value::Object(members) => {
            if let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut) {
                properties.retain(|name, _| !without.contains(&name.as_str()));
            }
            members.values_mut().for_each(|one| remove(one, without));
        }
        Value::Array(items) => items.iter_mut().for_each(|one| remove(one, without)),
        _ => {}
    }
}

/// Removes enumerations from a schema, and accepts any object with a `type` where it lists kinds of objects.
fn widened(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let kinds = members.get("oneOf").and_then(Value::as_array);
            if kinds.is_some_and(|kinds| kinds.iter().all(|kind| !kind["properties"]["type"]["enum"].is_null())) {
                let members = json!({"type": {"type": "string"}, "path": {"type": ["string", "null"]}, "name": {"type": ["string", "null"]}, "op": {"type": ["string", "null"]}});
                return json!({"type": "object", "properties": members, "required": ["type"]});
            }
            members.iter().filter(|(name, _)| *name != "enum").map(|(name, one)| (name.clone(), widened(one))).collect()
        }
        Value::Array(items) => items.iter().map(widened).collect(),
        other => other.clone(),
    }
}

/// A scalar. Types are always listed: a model constrained by a grammar tends to write null where anything is allowed.
fn scalar() -> Value {
    json!({"type": ["string", "number", "boolean", "null"]})
}

/// A scalar or a list of scalars.
fn scalars() -> Value {
    json!({"oneOf": [scalar(), {"type": "array", "items": scalar()}]})
}

/// An object of scalars, or null.
pub fn named(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [{"type": "object", "additionalProperties": scalar()}, {"type": "null"}]})
}

/// A list of pairs, or an object of scalars or lists, or null.
pub fn pairs(_: &mut SchemaGenerator) -> Schema {
    let pair =
        json!({"oneOf": [{"type": "array", "items": scalar()}, {"type": "object", "additionalProperties": scalar()}]});
    json_schema!({"oneOf": [
        {"type": "array", "items": pair},
        {"type": "object", "additionalProperties": scalars()},
        {"type": "null"},
    ]})
}

/// Any JSON value, with all types listed.
pub fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [
        scalar(),
        {"type": "array", "items": {"oneOf": [scalar(), {"type": "array"}, {"type": "object", "additionalProperties": true}]}},
        {"type": "object", "additionalProperties": true},
    ]})
}

/// An enumeration of words.
fn word(words: &[&str]) -> Schema {
    json_schema!({"type": "string", "enum": words})
}

/// The four strategies.
pub fn strategies(_: &mut SchemaGenerator) -> Schema {
    word(&["fv", "fi", "bv", "bi"])
}

/// Locations of parameters.
pub fn locations(_: &mut SchemaGenerator) -> Schema {
    word(&["path", "query", "header", "cookie", "form", "body"])
}

/// Kinds of constraints.
pub fn limits(_: &mut SchemaGenerator) -> Schema {
    word(&["length", "range", "not_null", "not_empty", "not_blank", "pattern", "email", "one_of", "condition"])
}

/// The five patterns of associations.
pub fn patterns(_: &mut SchemaGenerator) -> Schema {
    word(&["resource_lifecycle", "identifier_flow", "field_data_passing", "nested_resource", "state_propagation"])
}

/// Dimensions of a challenger's review.
pub fn dimensions(_: &mut SchemaGenerator) -> Schema {
    word(&["structural_completeness", "coverage_gaps", "assertion_correctness", "sequence_logic"])
}

/// Assertions; each kind allows only its own members. A model constrained by a grammar fills in all members that it
/// may, such as a header name in a status assertion.
pub fn claims(generator: &mut SchemaGenerator) -> Schema {
    let operators = serde_json::to_value(FieldOp::json_schema(generator)).unwrap_or_default();
    let operators = operators["oneOf"].as_array().into_iter().flatten().map(|one| one["const"].clone());
    let operators = json!({"type": "string", "enum": operators.collect::<Vec<Value>>()});
    let status = json!({"type": "integer"});
    let text = json!({"type": "string"});
    let kind = |kind: &str, members: Value, required: &[&str]| {
        let mut properties = Map::from_iter([("type".to_owned(), json!({"type": "string", "enum": [kind]}))]);
        properties
            .extend(members.as_object().into_iter().flatten().map(|(name, member)| (name.clone(), member.clone())));
        let required: Vec<&str> = std::iter::once("type").chain(required.iter().copied()).collect();
        json!({"type": "object", "properties": properties, "required": required})
    };
    let status = json!({"oneOf": [status, {"type": "array", "items": status}]});
    json_schema!({"type": "array", "items": {"oneOf": [
        kind("status", json!({"expected": status}), &["expected"]),
        kind("field", json!({"path": text, "op": operators, "expected": anything(generator)}), &["path", "op"]),
        kind("header", json!({"name": text, "op": operators, "expected": scalar()}), &["name", "op"]),
        kind("body", json!({"op": word(&["empty", "not_empty", "media_type"]), "expected": text}), &["op"]),
    ]}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::replies::Oracles;

    #[test]
    fn an_assertion_offers_the_members_of_its_kind_and_what_is_taken_is_wider() {
        let schema = schema_about::<Oracles>("oracles", "GET /a/{id}", &["withdrawn", "fills"]);
        let judge = |json: &Value| jsonschema::draft202012::new(json).unwrap();
        let (asked, taken) = (judge(&schema.json), judge(schema.taken()));
        let reply = |strategy: &str, claim: Value| json!({"oracles": [{"test_id": "a", "strategy": strategy, "input": {"path": {"id": 1}}, "assertions": [claim]}]});
        let status = |expected: Value| json!({"type": "status", "expected": expected});
        for claim in
            [status(json!(200)), status(json!([200, 204])), json!({"type": "field", "path": "a", "op": "not_null"})]
        {
            assert!(asked.is_valid(&reply("fv", claim.clone())) && taken.is_valid(&reply("fv", claim)));
        }
        let properties = &schema.json["properties"]["oracles"]["items"]["properties"];
        assert!(schema.json["properties"]["withdrawn"].is_null() && properties["fills"].is_null());
        assert!(!properties["given"].is_null());
        let odd = json!({"type": "status", "name": "Location", "op": "odd"});
        assert!(!asked.is_valid(&reply("fv", odd.clone())) && taken.is_valid(&reply("xx", odd)));
    }
}

//! What models reply, as it stands on the wire: lenient about what does not matter, and apart from the types of the suite.
//!
//! Each reply has a JSON Schema, made from its type, which goes out with the request. Nothing here is trusted: `read_*` files turn it into facts
//! and candidates, or drop it with a reason.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::llm;
use crate::types::OpId;
use crate::types::oracle::FieldOp;

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

/// What a reply about one subject has to be: that of oracles names the parameters of its operation's path. What is taken is wider than what is
/// asked for: words of no list, and assertions with members of other kinds, are dropped one by one by who reads them.
pub fn schema_about<T: JsonSchema>(name: &'static str, subject: &str) -> llm::Schema {
    let mut schema = schema::<T>();
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

/// A schema with any text in the place of one of some words, and any object in the place of one of some kinds.
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

/// A scalar. Schemas say what a value may be and never leave it open: what is held to a grammar writes null where anything could stand.
fn scalar() -> Value {
    json!({"type": ["string", "number", "boolean", "null"]})
}

/// A scalar, or a list of them.
fn scalars() -> Value {
    json!({"oneOf": [scalar(), {"type": "array", "items": scalar()}]})
}

/// Values by name, or null.
fn named(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [{"type": "object", "additionalProperties": scalar()}, {"type": "null"}]})
}

/// Values by name as pairs or as an object, or null.
fn pairs(_: &mut SchemaGenerator) -> Schema {
    let pair =
        json!({"oneOf": [{"type": "array", "items": scalar()}, {"type": "object", "additionalProperties": scalar()}]});
    json_schema!({"oneOf": [
        {"type": "array", "items": pair},
        {"type": "object", "additionalProperties": scalars()},
        {"type": "null"},
    ]})
}

/// Any JSON, with its types spelt out.
fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [
        scalar(),
        {"type": "array", "items": {"oneOf": [scalar(), {"type": "array"}, {"type": "object", "additionalProperties": true}]}},
        {"type": "object", "additionalProperties": true},
    ]})
}

/// One of these words.
fn word(words: &[&str]) -> Schema {
    json_schema!({"type": "string", "enum": words})
}

fn strategies(_: &mut SchemaGenerator) -> Schema {
    word(&["fv", "fi", "bv", "bi"])
}

fn locations(_: &mut SchemaGenerator) -> Schema {
    word(&["path", "query", "header", "cookie", "form", "body"])
}

fn limits(_: &mut SchemaGenerator) -> Schema {
    word(&["length", "range", "not_null", "not_empty", "not_blank", "pattern", "email", "one_of", "condition"])
}

fn patterns(_: &mut SchemaGenerator) -> Schema {
    word(&["resource_lifecycle", "identifier_flow", "field_data_passing", "nested_resource", "state_propagation"])
}

fn dimensions(_: &mut SchemaGenerator) -> Schema {
    word(&["structural_completeness", "coverage_gaps", "assertion_correctness", "sequence_logic"])
}

/// Assertions, each with the members of its kind alone: what is held to a grammar fills in whatever the schema offers, and names a header where a
/// status is meant.
fn claims(generator: &mut SchemaGenerator) -> Schema {
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

/// Reads a reply as its type.
///
/// # Errors
/// In words for the model: what does not fit, and where.
pub fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| error.to_string())
}

/// Reply of the matching.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Matches {
    /// The operations that the code shown implements; the others are left out.
    pub matches: Vec<Matched>,
}

/// One operation with the method that implements it.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Matched {
    /// The operation, exactly as listed.
    pub operation: String,
    /// Name of the class that is shown.
    pub class: String,
    /// Name of its method.
    pub method: String,
    /// Line that says so, as `F1:42`.
    pub evidence: String,
}

/// Reply of the source extraction.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Context {
    /// Parameters that the code reads.
    #[serde(default)]
    pub request_params: Vec<Param>,
    /// Status of success, where exactly one is.
    #[serde(default)]
    pub success_status: Option<u16>,
    /// Fields of a successful JSON body.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// Errors that the code answers.
    #[serde(default)]
    pub error_cases: Vec<Error>,
    /// Parameters that only the document names.
    #[serde(default)]
    pub pending_params: Vec<Pending>,
    /// Statuses that only the document names.
    #[serde(default)]
    pub pending_statuses: Vec<PendingStatus>,
}

/// A parameter.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Param {
    /// Name on the wire; of a body field its dotted path, and empty for the whole body.
    pub name: String,
    /// `path`, `query`, `header`, `cookie`, `form` or `body`.
    #[schemars(schema_with = "locations")]
    pub location: String,
    /// Java type.
    #[serde(rename = "type", default)]
    pub ty: String,
    /// Whether a request without it is refused.
    #[serde(default)]
    pub required: bool,
    /// Value that is filled in where it is missing.
    #[serde(default)]
    pub default: Option<String>,
    /// What its value must satisfy.
    #[serde(default)]
    pub constraints: Vec<Limit>,
    /// Line that says so, as `F1:42`.
    pub evidence: String,
}

/// A constraint on a parameter.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Limit {
    /// `length`, `range`, `not_null`, `not_empty`, `not_blank`, `pattern`, `email`, `one_of` or `condition`.
    #[schemars(schema_with = "limits")]
    pub kind: String,
    /// Least length or value.
    #[serde(default)]
    pub min: Option<serde_json::Number>,
    /// Greatest length or value.
    #[serde(default)]
    pub max: Option<serde_json::Number>,
    /// Regular expression of `pattern`, condition of `condition`.
    #[serde(default)]
    pub text: Option<String>,
    /// Values of `one_of`.
    #[serde(default)]
    pub values: Vec<String>,
    /// Line that says so.
    pub evidence: String,
}

/// A field of the response.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Field {
    /// Dotted path, `[*]` for elements.
    pub path: String,
    /// Java type.
    #[serde(rename = "type", default)]
    pub ty: String,
    /// Whether it can be null or absent.
    #[serde(default)]
    pub nullable: Option<bool>,
    /// Line that says so.
    pub evidence: String,
}

/// An error case.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Error {
    /// Status code.
    pub status: u16,
    /// When it is answered.
    #[schemars(length(max = 300))]
    pub condition: String,
    /// Line that says so.
    pub evidence: String,
}

/// A parameter without evidence.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Pending {
    /// Its name.
    pub name: String,
    /// Its location.
    #[serde(default)]
    pub location: String,
    /// Why it is not verified.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub reason: String,
}

/// A status without evidence.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct PendingStatus {
    /// The status.
    pub status: u16,
    /// Why it is not verified.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub reason: String,
}

/// Reply of the association extraction.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Associations {
    /// Groups of operations that belong together.
    pub groups: Vec<Group>,
}

/// One association: operations in the order in which they run.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Group {
    /// `resource_lifecycle`, `identifier_flow`, `field_data_passing`, `nested_resource` or `state_propagation`.
    #[schemars(schema_with = "patterns")]
    pub pattern: String,
    /// The operations, exactly as listed.
    pub operations: Vec<String>,
    /// Why the last step loses its meaning without the first.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub reason: String,
    /// Values that pass from one step to another.
    #[serde(default)]
    pub flows: Vec<Flow>,
}

/// A value that passes.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Flow {
    /// Step that gives it, from 0.
    pub from_step: usize,
    /// Where it stands in the answer: `body:id` or `header:Location#tail`.
    pub capture: String,
    /// Step that takes it.
    pub to_step: usize,
    /// Where it goes: `path.id`, `query.name`, `header.Name` or `body.path`.
    pub bind: String,
}

/// Reply of the oracle generation, first or again.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Oracles {
    /// The oracles.
    pub oracles: Vec<Proposed>,
}

/// One proposed oracle.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Proposed {
    /// Short name that begins with its strategy.
    pub test_id: String,
    /// One sentence.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub description: String,
    /// `fv`, `fi`, `bv` or `bi`.
    #[schemars(schema_with = "strategies")]
    pub strategy: String,
    /// `anonymous` or one of the users.
    #[serde(rename = "as", default)]
    pub as_user: Option<String>,
    /// The request.
    pub input: Request,
    /// What must be seen.
    #[schemars(schema_with = "claims")]
    pub assertions: Vec<Claim>,
    /// Lines that it follows from, as `F1:42`, or ids of facts.
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub evidence: Vec<String>,
    /// Why the answer follows from these lines.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub rationale: String,
    /// Records that must be there, in words.
    #[serde(default)]
    pub assumes: Vec<String>,
    /// When made again: name of the oracle that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
}

/// A request; keys beside these are passed over.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Request {
    /// Values of the path's parameters.
    #[serde(default)]
    #[schemars(schema_with = "named")]
    pub path: Option<BTreeMap<String, Value>>,
    /// Query parameters: an object, or pairs.
    #[serde(default)]
    #[schemars(schema_with = "pairs")]
    pub query: Option<Value>,
    /// Headers: an object, or pairs.
    #[serde(default)]
    #[schemars(schema_with = "pairs")]
    pub headers: Option<Value>,
    /// Cookies: an object, or pairs.
    #[serde(default)]
    #[schemars(schema_with = "pairs")]
    pub cookies: Option<Value>,
    /// Body: `{"json": …}`, `{"text": …, "media_type": …}` or `{"form": [[name, value]]}`.
    #[serde(default)]
    #[schemars(schema_with = "anything")]
    pub body: Option<Value>,
}

/// An assertion.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Claim {
    /// `status`, `field`, `header` or `body`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Path of a field.
    #[serde(default, alias = "field_path")]
    pub path: Option<String>,
    /// Name of a header.
    #[serde(default)]
    pub name: Option<String>,
    /// Operator.
    #[serde(default)]
    pub op: Option<String>,
    /// What is expected.
    #[serde(default)]
    pub expected: Option<Value>,
}

/// Reply of the generation over several operations.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Sequences {
    /// The sequences.
    pub sequences: Vec<ProposedSequence>,
}

/// One proposed sequence.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct ProposedSequence {
    /// Short name.
    pub test_id: String,
    /// One sentence.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub description: String,
    /// The steps in order.
    pub steps: Vec<ProposedStep>,
    /// Ids of facts, as `e:…`, of the contexts that were given.
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub evidence: Vec<String>,
    /// Why the later steps must answer so.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub rationale: String,
    /// When made again: name of the sequence that this one takes the place of.
    #[serde(default)]
    pub replaces: Option<String>,
}

/// One step.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct ProposedStep {
    /// The operation, exactly as given.
    pub op_id: String,
    /// `anonymous` or one of the users.
    #[serde(rename = "as", default)]
    pub as_user: Option<String>,
    /// The request.
    #[serde(default)]
    pub input: Request,
    /// Name → `body:path` or `header:Name#tail`.
    #[serde(default)]
    pub captures: BTreeMap<String, String>,
    /// `path.id`, `query.name`, `header.Name` or `body.path` → `$captures.name`.
    #[serde(default)]
    pub binds: BTreeMap<String, String>,
    /// What must be seen.
    #[schemars(schema_with = "claims")]
    pub assertions: Vec<Claim>,
}

/// Reply of a challenger.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Review {
    /// What to improve; empty where nothing is.
    pub hints: Vec<Hint>,
}

/// One hint, never a corrected oracle.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct Hint {
    /// Name of the oracle; absent where one is missing.
    #[serde(default)]
    pub test_id: Option<String>,
    /// `structural_completeness`, `coverage_gaps`, `assertion_correctness` or `sequence_logic`.
    #[serde(default)]
    #[schemars(schema_with = "dimensions")]
    pub dimension: String,
    /// What is wrong, and what the code says.
    #[schemars(length(max = 300))]
    pub hint: String,
}

/// Reply of the direct prompting that the paper compares with.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct Direct {
    /// By operation.
    pub operations: Vec<DirectOperation>,
}

/// The oracles of one operation.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct DirectOperation {
    /// Exactly as listed.
    pub op_id: String,
    /// Its oracles.
    #[serde(default)]
    pub oracles: Vec<Proposed>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_offers_the_members_of_its_kind_and_what_is_taken_is_wider() {
        let schema = schema_about::<Oracles>("oracles", "GET /a/{id}");
        let judge = |json: &Value| jsonschema::draft202012::new(json).unwrap();
        let (asked, taken) = (judge(&schema.json), judge(schema.taken()));
        let reply = |strategy: &str, claim: Value| json!({"oracles": [{"test_id": "a", "strategy": strategy, "input": {"path": {"id": 1}}, "assertions": [claim]}]});
        let status = |expected: Value| json!({"type": "status", "expected": expected});
        for claim in
            [status(json!(200)), status(json!([200, 204])), json!({"type": "field", "path": "a", "op": "not_null"})]
        {
            assert!(asked.is_valid(&reply("fv", claim.clone())) && taken.is_valid(&reply("fv", claim)));
        }
        let odd = json!({"type": "status", "name": "Location", "op": "odd"});
        assert!(!asked.is_valid(&reply("fv", odd.clone())) && taken.is_valid(&reply("xx", odd)));
    }
}

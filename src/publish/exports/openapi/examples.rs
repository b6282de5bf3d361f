//! Examples from confirmed oracles: successful requests, and answers as far as the oracles assert them.

use std::collections::BTreeMap;

use openapiv3::{Example, MediaType, Operation, Parameter, ParameterData, ReferenceOr, StatusCode};
use serde_json::{Map, Value, json};

use super::paths::Routed;
use mastor_suite::OperationSuite;
use mastor_types::described::Component;
use mastor_types::suite::assertion::{Check, FieldOp};
use mastor_types::suite::input::Body;
use mastor_types::suite::oracle::{Certainty, Oracle, Strategy};

/// Maximum number of examples for one body.
const MOST: usize = 3;

/// Oracles confirmed by a service or a slice: forward-valid ones first, then by name.
pub(super) fn confirmed(oracles: &[Oracle]) -> Vec<&Oracle> {
    let mut found: Vec<&Oracle> = oracles.iter().filter(|oracle| oracle.certainty() == Certainty::Confirmed).collect();
    found.sort_by_key(|oracle| (oracle.strategy != Strategy::Fv, &oracle.test_id));
    found
}

/// An answer, as far as an oracle asserts it.
pub(super) struct Answered {
    pub(super) value: Value,
    /// Members that exist but vary.
    varies: Vec<String>,
}

/// The body asserted by an oracle; `None` where it is too incomplete for an example.
pub(super) fn answer(oracle: &Oracle) -> Option<Answered> {
    let mut keys: Option<Vec<String>> = None;
    let mut known: Map<String, Value> = Map::new();
    for assertion in &oracle.assertions {
        let Check::Field { path, op, expected } = &assertion.check else { continue };
        match (path.as_str(), op) {
            ("", FieldOp::Equals) => {
                return Some(Answered { value: expected.clone().unwrap_or_default(), varies: Vec::new() });
            }
            ("", FieldOp::Keys) => {
                keys = expected.as_ref().and_then(|names| serde_json::from_value(names.clone()).ok());
            }
            // Deeper values would only give a partial object.
            (path, FieldOp::Equals) if !path.contains(['.', '[', '\\']) => {
                known.insert(path.to_owned(), expected.clone().unwrap_or_default());
            }
            (path, FieldOp::IsNull) if !path.contains(['.', '[', '\\']) => {
                known.insert(path.to_owned(), Value::Null);
            }
            _ => {}
        }
    }
    let keys = keys?;
    let varies: Vec<String> = keys.iter().filter(|key| !known.contains_key(*key)).cloned().collect();
    (!known.is_empty() && varies.len() <= known.len()).then(|| {
        let value = keys.iter().filter_map(|key| Some((key.clone(), known.get(key)?.clone()))).collect();
        Answered { value: Value::Object(value), varies }
    })
}

/// Adds examples to operations after validating them against their schemas.
pub(super) struct ExampleWriter {
    schemas: Value,
    pub(super) count: usize,
    pub(super) left_out: Vec<String>,
}

impl ExampleWriter {
    /// Starts without examples.
    pub(super) fn new(components: &BTreeMap<String, Component>) -> Self {
        let schemas: Map<String, Value> = components
            .iter()
            .map(|(key, component)| (key.clone(), serde_json::to_value(&component.schema).unwrap_or_default()))
            .collect();
        let mut schemas = Value::Object(schemas);
        plain(&mut schemas);
        Self { schemas, count: 0, left_out: Vec::new() }
    }

    /// Adds the examples of an operation.
    pub(super) fn add(&mut self, operation: &mut Operation, suite: &OperationSuite, route: &Routed<'_>) {
        let mut has_params = false;
        for oracle in confirmed(&suite.oracles) {
            let statuses = oracle.statuses();
            let [status] = statuses[..] else { continue };
            if status < 400 {
                if !has_params {
                    self.parameters(operation, oracle, &route.renamed);
                    has_params = true;
                }
                self.request(operation, oracle);
            }
            let response = operation.responses.responses.get_mut(&StatusCode::Code(status));
            if let (Some(ReferenceOr::Item(response)), Some(answered)) = (response, answer(oracle))
                && let Some(media) = response.content.values_mut().next()
            {
                self.example(media, oracle, &answered);
            }
        }
    }

    fn parameters(&mut self, operation: &mut Operation, oracle: &Oracle, renamed: &BTreeMap<String, String>) {
        let input = &oracle.input;
        let pair = |pairs: &[(String, String)], name: &str| {
            pairs.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
        };
        for parameter in &mut operation.parameters {
            let ReferenceOr::Item(parameter) = parameter else { continue };
            let (data, text) = match parameter {
                Parameter::Path { parameter_data, .. } => {
                    let own = renamed.iter().find(|(_, name)| **name == parameter_data.name).map(|(own, _)| own);
                    let text = input.path.get(own.unwrap_or(&parameter_data.name)).cloned();
                    (parameter_data, text)
                }
                Parameter::Query { parameter_data, .. } => {
                    let text = pair(&input.query, &parameter_data.name);
                    (parameter_data, text)
                }
                Parameter::Header { parameter_data, .. } => {
                    let text = pair(&input.headers, &parameter_data.name);
                    (parameter_data, text)
                }
                Parameter::Cookie { parameter_data, .. } => {
                    let text = pair(&input.cookies, &parameter_data.name);
                    (parameter_data, text)
                }
            };
            if let Some(value) = text.and_then(|text| self.fitting(data, &text)) {
                data.example = Some(value);
                self.count += 1;
            }
        }
    }

    /// Converts a request's text to a value that fits the parameter's schema.
    fn fitting(&self, data: &ParameterData, text: &str) -> Option<Value> {
        let openapiv3::ParameterSchemaOrContent::Schema(schema) = &data.format else { return None };
        let schema = serde_json::to_value(schema).unwrap_or_default();
        let mut readings = vec![Value::from(text)];
        readings.extend(serde_json::from_str::<Value>(text).ok().filter(|value| !value.is_object()));
        readings.into_iter().rev().find(|value| self.fits(&schema, value))
    }

    fn request(&mut self, operation: &mut Operation, oracle: &Oracle) {
        let Some(ReferenceOr::Item(body)) = &mut operation.request_body else { return };
        let value = match &oracle.input.body {
            Some(Body::Json { json }) => json.clone(),
            Some(Body::Form { form }) => {
                form.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>().into()
            }
            _ => return,
        };
        if let Some(media) = body.content.values_mut().next() {
            self.example(media, oracle, &Answered { value, varies: Vec::new() });
        }
    }

    fn example(&mut self, media: &mut MediaType, oracle: &Oracle, of: &Answered) {
        let known =
            |one: &ReferenceOr<Example>| matches!(one, ReferenceOr::Item(one) if one.value.as_ref() == Some(&of.value));
        if media.examples.len() >= MOST || media.examples.values().any(known) {
            return;
        }
        let schema = media.schema.as_ref().map(|schema| serde_json::to_value(schema).unwrap_or_default());
        if schema.is_some_and(|schema| !self.fits(&schema, &of.value)) {
            // An example without its varying members may lack required ones, so a mismatch is not reported.
            if of.varies.is_empty() {
                self.left_out.push(format!("{} {}", oracle.op_id, oracle.test_id));
            }
            return;
        }
        let varies: Vec<String> = of.varies.iter().map(|name| format!("`{name}`")).collect();
        let description = (!varies.is_empty()).then(|| format!("Without {}, which varies.", varies.join(", ")));
        let summary = Some(oracle.description.clone()).filter(|text| !text.is_empty());
        let value = Some(of.value.clone());
        let example = Example { summary, description, value, ..Example::default() };
        media.examples.insert(oracle.test_id.clone(), ReferenceOr::Item(example));
        self.count += 1;
    }

    /// Whether a value is valid for a schema.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let mut schema = schema.clone();
        plain(&mut schema);
        let whole = json!({"components": {"schemas": self.schemas}, "allOf": [schema]});
        jsonschema::draft4::new(&whole).is_ok_and(|validator| validator.is_valid(value))
    }
}

/// Converts an OpenAPI 3.0 schema to JSON Schema: component keys become JSON pointers, `nullable` becomes a type.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(plain);
            if let Some(Value::String(reference)) = map.get_mut("$ref") {
                *reference = pointer(reference);
            }
            if map.get("nullable") == Some(&Value::Bool(true)) {
                map.shift_remove("nullable");
                let inner = Value::Object(std::mem::take(map));
                map.insert("anyOf".to_owned(), json!([{"type": "null"}, inner]));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

/// A reference with the characters of its key escaped for a URI.
fn pointer(reference: &str) -> String {
    let escape = |c: char| match c {
        '%' | '<' | '>' | '{' | '}' | '[' | ']' | '"' | ' ' | '^' | '`' | '|' | '\\' => {
            format!("%{:02X}", u32::from(c))
        }
        c => c.to_string(),
    };
    reference.chars().map(escape).collect()
}

//! Operations as OpenAPI 3.0 says them, with the schemas of their classes.

use std::collections::BTreeMap;

use openapiv3::{Operation, ReferenceOr, Schema, SecurityScheme};
use serde_json::Value;

use super::http::Method;
use super::op_id::OpId;
use super::source_context::SourceContext;

/// What stands before the name of a schema in a reference; within a [`DescribedOperation`], before its key.
pub const SCHEMAS: &str = "#/components/schemas/";

/// One operation, as its code has it.
#[derive(Debug, Clone)]
pub struct DescribedOperation {
    /// Its name in the service.
    pub op_id: OpId,
    /// HTTP method.
    pub method: Method,
    /// The route of the code, below the context path and without regular expressions.
    pub path: String,
    /// What configuration puts before every path; empty where there is none.
    pub context_path: String,
    /// Simple name of the class that serves it.
    pub class: String,
    /// Fully qualified name of that class.
    pub full_class: String,
    /// Name of the method that serves it, or what an annotation calls the operation.
    pub handler: String,
    /// Parameters, body and answers; schemas refer to `components` by their keys.
    pub operation: Operation,
    /// What its security names.
    pub schemes: BTreeMap<String, SecurityScheme>,
    /// Schemas of classes by key.
    pub components: BTreeMap<String, Component>,
    /// What the code says, as the suite holds it.
    pub context: SourceContext,
}

/// The schema of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// The name that it should have.
    pub name: String,
    /// The schema.
    pub schema: ReferenceOr<Schema>,
}

/// Adds the names of the schemas that a value refers to.
pub fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let reference = map.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(SCHEMAS));
            found.extend(reference.map(str::to_owned));
            map.values().for_each(|inner| references(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| references(inner, found)),
        _ => {}
    }
}

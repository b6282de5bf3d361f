//! Operations in the form of OpenAPI 3.0, with the schemas of their classes.

use std::collections::BTreeMap;

use openapiv3::{Operation, ReferenceOr, Schema, SecurityScheme};
use serde_json::Value;

use super::http::Method;
use super::op_id::OpId;
use super::suite::source_context::SourceContext;

/// The prefix of a schema reference; what follows is the schema's name, or its key inside a [`DescribedOperation`].
pub const SCHEMAS: &str = "#/components/schemas/";

/// One operation as its code defines it.
#[derive(Debug, Clone)]
pub struct DescribedOperation {
    /// The operation's name in the service.
    pub op_id: OpId,
    /// HTTP method.
    pub method: Method,
    /// The route of the code, below the context path and without regular expressions.
    pub path: String,
    /// Path prefix set by configuration; empty where there is none.
    pub context_path: String,
    /// Simple name of the class that serves it.
    pub class: String,
    /// Fully qualified name of that class.
    pub full_class: String,
    /// Name of the handler method, or the operation id that an annotation gives.
    pub handler: String,
    /// Parameters, body and answers; schemas refer to `components` by their keys.
    pub operation: Operation,
    /// Security schemes that the operation's security requirements name.
    pub schemes: BTreeMap<String, SecurityScheme>,
    /// Schemas of classes by key.
    pub components: BTreeMap<String, Component>,
    /// The operation's source context.
    pub context: SourceContext,
}

/// The schema of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// Preferred name of the schema.
    pub name: String,
    /// The schema.
    pub schema: ReferenceOr<Schema>,
}

/// Collects the names of all schemas that a JSON value refers to.
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

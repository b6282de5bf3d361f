//! The role of a key by its position: a keyword, a name that the author chose, or data outside the format.

use serde_json::Value;

/// The role of a value in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// An object of the format: its keys are keywords.
    Keywords,
    /// A map whose keys are names: properties, schemas, statuses.
    Names,
    /// An example, a default or an extension: contains no keywords and no references.
    Data,
}

impl Role {
    /// The role of the value under `key`, inside a value with this role.
    pub(super) fn child(self, key: &str, value: &Value) -> Self {
        match self {
            Self::Data => Self::Data,
            Self::Names => Self::Keywords,
            Self::Keywords => match key {
                "example" | "default" | "enum" | "const" | "value" => Self::Data,
                "examples" if value.is_array() => Self::Data,
                _ if key.starts_with("x-") => Self::Data,
                "properties"
                | "patternProperties"
                | "definitions"
                | "$defs"
                | "dependentSchemas"
                | "schemas"
                | "responses"
                | "parameters"
                | "headers"
                | "content"
                | "requestBodies"
                | "securitySchemes"
                | "securityDefinitions"
                | "links"
                | "callbacks"
                | "paths"
                | "pathItems"
                | "webhooks"
                | "encoding"
                | "variables"
                | "mapping"
                | "scopes"
                | "examples"
                    if value.is_object() =>
                {
                    Self::Names
                }
                _ => Self::Keywords,
            },
        }
    }
}

/// The text of the object's `$ref`, if values of this role can be references.
pub(super) fn reference(role: Role, value: &Value) -> Option<&str> {
    if role == Role::Keywords { value.get("$ref")?.as_str() } else { None }
}

//! A resolved schema: one flat view of types and constraints, for every version and composition.

use indexmap::IndexMap;
use serde_json::{Map, Number, Value};

use super::place::SchemaRef;

/// A JSON type, as schemas name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the type of that name")]
pub enum JsonType {
    String,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
    /// A file of 2.0: an upload or a download.
    File,
}

impl JsonType {
    /// The type with this name; `None` for `null` and unknown names.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "string" => Self::String,
            "integer" | "int" | "long" => Self::Integer,
            "number" | "float" | "double" => Self::Number,
            "boolean" => Self::Boolean,
            "array" => Self::Array,
            "object" => Self::Object,
            "file" => Self::File,
            _ => return None,
        })
    }
}

/// One end of a range of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The number.
    pub value: Number,
    /// Whether the number itself is excluded.
    pub exclusive: bool,
}

/// What a schema says about properties that it does not name.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Additional {
    /// Not declared.
    #[default]
    Unsaid,
    /// No other properties are allowed.
    Forbidden,
    /// Any other properties are allowed.
    Any,
    /// Other properties must match this schema.
    Schema(SchemaRef),
}

/// The flat view of a schema, with `$ref` followed and `allOf` merged. An empty list or `None` means that nothing is
/// declared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    /// Location of the schema after references are followed; `None` if they have no target.
    pub at: Option<SchemaRef>,
    /// Name of the component, if it is one.
    pub name: Option<String>,
    /// Allowed types except null; empty means any.
    pub types: Vec<JsonType>,
    /// Whether null is allowed: `nullable`, `x-nullable`, or `null` among types, values or alternatives.
    pub nullable: bool,
    /// `format`.
    pub format: Option<String>,
    /// `title`.
    pub title: Option<String>,
    /// Allowed values (`enum`, `const`), null left out.
    pub values: Vec<Value>,
    /// Lower end.
    pub minimum: Option<Bound>,
    /// Upper end.
    pub maximum: Option<Bound>,
    /// `multipleOf`.
    pub multiple_of: Option<Number>,
    /// `minLength`.
    pub min_length: Option<u64>,
    /// `maxLength`.
    pub max_length: Option<u64>,
    /// `pattern`; several if parts of `allOf` have one each.
    pub patterns: Vec<String>,
    /// `minItems`.
    pub min_items: Option<u64>,
    /// `maxItems`.
    pub max_items: Option<u64>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `items`.
    pub items: Option<SchemaRef>,
    /// `prefixItems`, or `items` as a list.
    pub prefix_items: Vec<SchemaRef>,
    /// `properties` in the order of the document, those of `allOf` first.
    pub properties: IndexMap<String, SchemaRef>,
    /// `required`, without duplicates.
    pub required: Vec<String>,
    /// `minProperties`.
    pub min_properties: Option<u64>,
    /// `maxProperties`.
    pub max_properties: Option<u64>,
    /// `additionalProperties`.
    pub additional: Additional,
    /// `oneOf`.
    pub one_of: Vec<SchemaRef>,
    /// `anyOf`.
    pub any_of: Vec<SchemaRef>,
    /// `not`.
    pub not: Option<SchemaRef>,
    /// `discriminator`: name of the property.
    pub discriminator: Option<String>,
    /// `default`.
    pub default: Option<Value>,
    /// `example` and `examples`.
    pub examples: Vec<Value>,
    /// `readOnly`.
    pub read_only: bool,
    /// `writeOnly`.
    pub write_only: bool,
    /// `deprecated`.
    pub deprecated: bool,
    /// `x-…` extensions.
    pub extensions: Map<String, Value>,
}

impl Schema {
    /// Whether the schema admits values of this type.
    pub fn allows(&self, kind: JsonType) -> bool {
        self.types.is_empty()
            || self.types.contains(&kind)
            || (kind == JsonType::Integer && self.types.contains(&JsonType::Number))
    }

    /// Whether the property must be there.
    pub fn requires(&self, property: &str) -> bool {
        self.required.iter().any(|name| name == property)
    }
}

//! Schemas of answers whose bodies are known only from the paths of the code: derived from the types of their values.

use openapiv3::{
    ArrayType, BooleanType, IntegerType, NumberType, ObjectType, ReferenceOr, Schema, SchemaKind, StringType,
    Type as Kind,
};
use serde_json::Value as Json;

use super::limits::{any, of_kind};
use super::schemas::boxed;
use mastor_runtime::body::shape::Shape;

/// A schema that admits all of these bodies.
pub(super) fn of_shapes(shapes: &[&Shape]) -> Schema {
    shapes.iter().map(|shape| of_shape(shape)).reduce(joined).unwrap_or_else(any)
}

fn of_shape(shape: &Shape) -> Schema {
    match shape {
        Shape::Exact(json) => of_json(json),
        Shape::Typed(kind, false) | Shape::Key(_, kind) => named(kind),
        // Whether null occurs is not known.
        Shape::Typed(kind, true) => named(kind),
        Shape::Object(fields) => of_fields(fields.iter().map(|(name, shape)| (name, of_shape(shape)))),
        Shape::Array(items) | Shape::Bag(items) => of_items(items.iter().map(of_shape)),
        Shape::Unknown => any(),
    }
}

fn of_json(json: &Json) -> Schema {
    match json {
        Json::Null => any(),
        Json::Bool(_) => named("boolean"),
        Json::Number(number) => named(if number.is_f64() { "number" } else { "integer" }),
        Json::String(_) => named("string"),
        Json::Array(items) => of_items(items.iter().map(of_json)),
        Json::Object(map) => of_fields(map.iter().map(|(name, value)| (name, of_json(value)))),
    }
}

fn of_fields<'n>(fields: impl Iterator<Item = (&'n String, Schema)>) -> Schema {
    let mut object = ObjectType::default();
    for (name, schema) in fields {
        object.required.push(name.clone());
        object.properties.insert(name.clone(), boxed(ReferenceOr::Item(schema)));
    }
    of_kind(SchemaKind::Type(Kind::Object(object)))
}

fn of_items(items: impl Iterator<Item = Schema>) -> Schema {
    let items = items.reduce(joined).unwrap_or_else(any);
    let items = Some(boxed(ReferenceOr::Item(items)));
    of_kind(SchemaKind::Type(Kind::Array(ArrayType { items, min_items: None, max_items: None, unique_items: false })))
}

fn named(kind: &str) -> Schema {
    of_kind(SchemaKind::Type(match kind {
        "string" => Kind::String(StringType::default()),
        "integer" => Kind::Integer(IntegerType::default()),
        "number" => Kind::Number(NumberType::default()),
        "boolean" => Kind::Boolean(BooleanType::default()),
        "array" => return of_items(std::iter::empty()),
        "object" => Kind::Object(ObjectType::default()),
        _ => return any(),
    }))
}

/// A schema that admits the values of both.
fn joined(left: Schema, right: Schema) -> Schema {
    if left == right {
        return left;
    }
    match (left.schema_kind, right.schema_kind) {
        (SchemaKind::Type(Kind::Object(a)), SchemaKind::Type(Kind::Object(b))) => joined_objects(a, b),
        (SchemaKind::Type(Kind::Array(a)), SchemaKind::Type(Kind::Array(b))) => {
            let both = [a.items, b.items].into_iter().flatten().map(|items| match items {
                ReferenceOr::Item(schema) => *schema,
                ReferenceOr::Reference { .. } => any(),
            });
            of_items(both)
        }
        (
            SchemaKind::Type(Kind::Integer(_) | Kind::Number(_)),
            SchemaKind::Type(Kind::Integer(_) | Kind::Number(_)),
        ) => named("number"),
        _ => any(),
    }
}

fn joined_objects(mut a: ObjectType, b: ObjectType) -> Schema {
    a.required.retain(|name| b.required.contains(name));
    for (name, schema) in b.properties {
        let both = match (a.properties.shift_remove(&name), schema) {
            (Some(ReferenceOr::Item(own)), ReferenceOr::Item(other)) => {
                ReferenceOr::Item(Box::new(joined(*own, *other)))
            }
            (_, schema) => schema,
        };
        a.properties.insert(name, both);
    }
    a.properties.sort_keys();
    of_kind(SchemaKind::Type(Kind::Object(a)))
}
